"""Reads the kernels that each op cannot do without: one strict TOML file of formulas, each with its reason."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from porting import registry
from porting.bench.formula import kernels
from porting.errors import PortingError
from porting.spec import Op

FILE: Final = Path(__file__).with_name("formulas.toml")
_KEYS: Final = {"forward", "backward", "reason"}


class FormulaError(PortingError, ValueError):
    """The file cannot be used; the message names the op and what is wrong."""


@dataclass(frozen=True)
class Needed:
    """The kernels of one op.

    Attributes
    ----------
    forward, backward : tuple of tuple of str
        The ways to compute it, each as kernels; the fastest counts.
    """

    forward: tuple[tuple[str, ...], ...] = ()
    backward: tuple[tuple[str, ...], ...] = ()

    @property
    def kernels(self) -> list[str]:
        """All of them, each once."""
        return list(dict.fromkeys(name for ways in (self.forward, self.backward) for way in ways for name in way))


def arrays(op: Op) -> dict[str, set[str]]:
    """Return the names that are arrays in a formula of the forward, and in one of the backward: the cotangents too.

    What the backward may keep is what the twins may keep: inputs and outputs.
    """
    inputs = set(op.inputs)
    return {"forward": inputs, "backward": inputs | {"y", "y0", "y1", "dy", "dy0", "dy1"}}


def load(ops: Mapping[str, Op], path: Path = FILE) -> dict[str, Needed]:
    """Read the file.

    Raises
    ------
    FormulaError
        If it is no TOML, an entry is of no op, lacks a key or has another one, or a formula cannot be read.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FormulaError(f"{path}: {error}") from error
    for name in content:
        if name not in ops:
            raise FormulaError(f"{path}: there is no op {name!r}")
    return {name: _needed(ops[name], raw, f"{path}: {name}") for name, raw in content.items()}


def _needed(op: Op, raw: Any, label: str) -> Needed:
    if not isinstance(raw, dict) or set(raw) != _KEYS:
        raise FormulaError(f"{label} must have exactly the keys {', '.join(sorted(_KEYS))}; it has {', '.join(raw)}")
    if not isinstance(raw["reason"], str) or not raw["reason"].strip():
        raise FormulaError(f"{label}: a reason is wanted")
    return Needed(**{key: _ways(raw[key], names, f"{label}: {key}") for key, names in arrays(op).items()})


def _ways(given: Any, names: set[str], label: str) -> tuple[tuple[str, ...], ...]:
    if not isinstance(given, Sequence) or isinstance(given, str) or not all(isinstance(text, str) for text in given):
        raise FormulaError(f"{label} must be a list of formulas, got {given!r}")
    try:
        return tuple(kernels(text, names) for text in given)
    except ValueError as error:
        raise FormulaError(f"{label}: {error}") from None


@cache
def _ours() -> dict[str, Needed]:
    return load(registry.ops())


def needed(op: Op) -> Needed:
    """Return the kernels that an op of the catalogue cannot do without; none where its limit is the floor."""
    return _ours().get(op.name, Needed()) if op.in_catalogue else Needed()
