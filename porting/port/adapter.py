"""Writes a wrapper with the arguments that the checks need, around a function that takes them in another order."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from porting.pairs.array import Array
from porting.translate.argument import Argument


def adapter(
    folder: Path, side: str, target: str, arguments: Sequence[Argument], inputs: Mapping[str, Array],
    statics: Mapping[str, Any], returned: Sequence[Argument] = (),
) -> str:  # fmt: skip
    """Write a function that calls another one, and return its name for `porting.loading.load`.

    Parameters
    ----------
    folder : pathlib.Path
        Where it is written.
    side : str
        The name of the file.
    target : str
        ``path/to/file.py:name``; a class is called by its ``apply``.
    arguments : sequence of Argument
        The arguments of the target.
    inputs, statics : mapping
        The arguments that are given: inputs by position, statics by name. An argument that is in neither keeps its
        default, and so do all that follow it by position.
    returned : sequence of Argument
        The arguments of the function that the target returns, if it returns one.
    """
    names = {*inputs, *statics}
    call = f"_target({_given(arguments, names)})" + (f"({_given(returned, names)})" if returned else "")
    head = ", ".join([*inputs, *(["*", *statics] if statics else [])])
    file = folder / f"{side}_adapter.py"
    name = target.rpartition(":")[2].replace(".", "_")
    file.write_text(
        f"from porting.loading import load\n\n_target = load({target!r}, {side!r})\n"
        f"_target = getattr(_target, 'apply', _target)\n\n\ndef {name}({head}):\n    return {call}\n",
        encoding="utf-8",
    )
    return f"{file}:{name}"


def _given(arguments: Sequence[Argument], names: set[str]) -> str:
    """Return arguments as a call has them; behind one that is left out, by name."""
    given: list[str] = []
    by_name = False
    for argument in arguments:
        if argument.name not in names:
            by_name = True
        else:
            given.append(f"{argument.name}={argument.name}" if by_name or argument.keyword else argument.name)
    return ", ".join(given)
