"""Reads the bounds that a run must keep: one strict TOML file, each bound and each exception with its reason."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from porting.bench.measure import FLOOR, LIMIT
from porting.bench.modes import MODES
from porting.bench.ratio import NOISY
from porting.bench.size import parse_size
from porting.bench.subjects import BUILT_IN, COMPOSITION
from porting.errors import PortingError
from porting.spec import Op

FILE: Final = Path(__file__).with_name("bounds.toml")
TIMES: Final = (FLOOR, LIMIT, COMPOSITION, BUILT_IN)  # the twin's time over that of these
KEPT, GROWTH, PEAK = "kept", "growth", "peak"
WHAT: Final = (*TIMES, KEPT, GROWTH, PEAK)
ONE_INPUT: Final = "one-input"
_DRIFT: Final = 1.25
_COMMON: Final = {"what", "modes", "reason"}


class BoundsError(PortingError, ValueError):
    """The file cannot be used; the message names the entry and what is wrong."""


@dataclass(frozen=True)
class Bound:
    """The largest value that a quantity may have.

    Attributes
    ----------
    what : str
        The twin's time over ``floor``, ``limit``, ``composition`` or ``built-in``; ``kept``: for the backward, in
        inputs; ``growth``: its exponent in the iterations; ``peak``: of the stack, over the composition's.
    modes : tuple of str
        Where it holds.
    sizes : tuple of int
        For times; else empty.
    ops : tuple of str
        Ops, families, classes of the same file, or ``one-input``.
    most : float
        The bound.
    reason : str
        Why it is that.
    """

    what: str
    modes: tuple[str, ...]
    sizes: tuple[int, ...]
    ops: tuple[str, ...]
    most: float
    reason: str

    @property
    def label(self) -> str:
        """Name the bound in messages."""
        return f"{self.what} of {', '.join(self.ops)} in {', '.join(self.modes)}"


@dataclass(frozen=True)
class Excepted(Bound):
    """One op that cannot reach a bound: the reason, the best value so far, and how far above this a run may be."""

    best: float = 0.0

    @property
    def note(self) -> str:
        """Say both, if the exception is used."""
        return f"{self.reason}; best {self.best:g}"


@dataclass(frozen=True)
class Bounds:
    """The whole file.

    Attributes
    ----------
    noisy : float
        The spread beyond which a ratio says nothing.
    classes : mapping
        Class to ops: what elementwise ops have to compute.
    bounds, exceptions : tuple
        What holds.
    """

    noisy: float
    classes: Mapping[str, tuple[str, ...]]
    bounds: tuple[Bound, ...]
    exceptions: tuple[Excepted, ...]

    def members(self, bound: Bound, ops: Sequence[Op]) -> list[Op]:
        """Return the ops that a bound is about."""
        names = {name for word in bound.ops for name in self.classes.get(word, (word,))}
        return [
            op for op in ops if op.name in names or op.family in names or (ONE_INPUT in names and len(op.inputs) == 1)
        ]

    def exception(self, bound: Bound, op: str, mode: str, size: int) -> Excepted | None:
        """Return the exception that replaces a bound for one op in one place."""
        for entry in self.exceptions:
            at = not entry.sizes or size in entry.sizes
            if at and entry.what == bound.what and (op,) == entry.ops and mode in entry.modes:
                return entry
        return None


def load(ops: Sequence[Op], path: Path = FILE) -> Bounds:
    """Read the file.

    Raises
    ------
    BoundsError
        If it is no TOML, an entry lacks a key or has another one, names what does not exist, or if an elementwise op is
        in two classes.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BoundsError(f"{path}: {error}") from error
    extra = set(content) - {"noise", "class", "bound", "exception"}
    if extra:
        raise BoundsError(f"{path}: [noise], [class], [[bound]] and [[exception]] are wanted, found {', '.join(extra)}")
    noise = {"most": NOISY, "drift": _DRIFT, "reason": "default", **content.get("noise", {})}
    _keys(noise, {"most", "drift", "reason"}, f"{path}: noise")
    classes = {}
    for name, raw in content.get("class", {}).items():
        _keys(raw, {"ops", "reason"}, f"{path}: class {name}")
        classes[name] = tuple(raw["ops"])
    known = {op.name for op in ops}
    words = known | {op.family for op in ops} | set(classes) | {ONE_INPUT}
    bounds = tuple(_bound(raw, words, f"{path}: bound {n}") for n, raw in enumerate(content.get("bound", []), 1))
    exceptions = tuple(
        entry
        for n, raw in enumerate(content.get("exception", []), 1)
        for entry in _exceptions(raw, known, float(noise["drift"]), f"{path}: exception {n}")
    )
    _ensure_members(path, classes, ops)
    return Bounds(float(noise["most"]), classes, bounds, exceptions)


def _bound(raw: Any, words: set[str], label: str) -> Bound:
    _keys(raw, _COMMON | {"ops", "most"} | _sizes(raw), label)
    for name, choices in (("what", WHAT), ("modes", MODES), ("ops", tuple(sorted(words)))):
        for value in [raw[name]] if isinstance(raw[name], str) else raw[name]:
            if value not in choices:
                raise BoundsError(f"{label}: {name} says {value!r}, which is none of {', '.join(choices)}")
    if not isinstance(raw["most"], int | float) or raw["most"] < 0:
        raise BoundsError(f"{label}: most must be a number, got {raw['most']!r}")
    sizes = tuple(parse_size(text) for text in raw.get("sizes", []))
    reason = " ".join(raw["reason"].split())  # it may stand in several lines
    return Bound(raw["what"], tuple(raw["modes"]), sizes, tuple(raw["ops"]), float(raw["most"]), reason)


def _exceptions(raw: Any, known: set[str], drift: float, label: str) -> Iterator[Excepted]:
    """Yield the exceptions of an entry, whose ``best`` says what each op has reached: in all modes, or in some."""
    _keys(raw, _COMMON | {"best"} | _sizes(raw), label)
    common = {name: value for name, value in raw.items() if name != "best"}
    for op, reached in raw["best"].items():
        by_mode = {(mode,): best for mode, best in reached.items()} if isinstance(reached, dict) else {}
        if isinstance(reached, dict) and (not reached or set(reached) - set(raw["modes"])):
            raise BoundsError(f"{label}: the best of {op} must be by modes of the entry, {', '.join(raw['modes'])}")
        for modes, best in (by_mode or {tuple(raw["modes"]): reached}).items():
            if not isinstance(best, int | float):
                raise BoundsError(f"{label}: the best of {op} must be a number, got {best!r}")
            entry = {**common, "modes": list(modes), "ops": [op], "most": round(best * drift, 2)}
            yield Excepted(**vars(_bound(entry, known, label)), best=float(best))


def _sizes(raw: Any) -> set[str]:
    return {"sizes"} if isinstance(raw, dict) and raw.get("what") in TIMES else set()


def _keys(raw: Any, wanted: set[str], label: str) -> None:
    if not isinstance(raw, dict) or set(raw) != wanted:
        raise BoundsError(f"{label} must have exactly the keys {', '.join(sorted(wanted))}; it has {', '.join(raw)}")
    if not isinstance(raw["reason"], str) or not raw["reason"].strip():
        raise BoundsError(f"{label}: a reason is wanted")
    empty = [name for name in ("ops", "best", "modes", "sizes") if name in wanted and not raw[name]]
    if empty:
        raise BoundsError(f"{label}: {empty[0]} is empty")


def ensure_classified(bounds: Bounds, ops: Sequence[Op], path: Path = FILE) -> None:
    """Refuse to hold an op to the bounds of a class that it has not been given.

    Raises
    ------
    BoundsError
        If an elementwise op is in no class.
    """
    for name in sorted(_elementwise(ops) - {name for names in bounds.classes.values() for name in names}):
        raise BoundsError(f"{path}: {name} works element by element and is in no class; put it into one")


def _elementwise(ops: Sequence[Op]) -> set[str]:
    return {op.name for op in ops if not op.contract.shapes and op.in_catalogue}


def _ensure_members(path: Path, classes: Mapping[str, Sequence[str]], ops: Sequence[Op]) -> None:
    elementwise = _elementwise(ops)
    listed = [name for names in classes.values() for name in names]
    for name in listed:
        if name not in elementwise:
            raise BoundsError(f"{path}: a class names {name!r}, which is no op that works element by element")
        if listed.count(name) > 1:
            raise BoundsError(f"{path}: {name} stands in two classes")
