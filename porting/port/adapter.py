"""Writes a wrapper with the arguments that the checks need, around a function that takes them in another order."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from porting.pairs.array import Array
from porting.translate.argument import Argument

# A text such as Mode.HARD is a member of a class of the file.
_OBJECTS: Final = """from types import SimpleNamespace


def _value(given):
    try:
        return load({place!r} + ":" + given, {side!r}) if isinstance(given, str) and "." in given else given
    except LoadError:
        return given


"""


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
    objects = [a for a in (*arguments, *returned) if a.fields and {*a.settings.values()} <= {*statics}]
    names = {*inputs, *statics, *(a.name for a in objects)}
    made = _OBJECTS.format(place=target.rpartition(":")[0], side=side) if objects else ""
    call = f"_target({_given(arguments, names)})" + (f"({_given(returned, names)})" if returned else "")
    head = ", ".join([*inputs, *(["*", *statics] if statics else [])])
    file = folder / f"{side}_adapter.py"
    name = target.rpartition(":")[2].replace(".", "_")
    file.write_text(
        f"from porting.loading import LoadError, load\n\n{made}_target = load({target!r}, {side!r})\n"
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
            value = _object(argument) if argument.fields else argument.name
            given.append(f"{argument.name}={value}" if by_name or argument.keyword else value)
    return ", ".join(given)


def _object(argument: Argument) -> str:
    """Return an object with the attributes that are read of it."""
    return f"SimpleNamespace({', '.join(f'{field}=_value({called})' for field, called in argument.settings.items())})"
