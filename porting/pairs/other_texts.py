"""Texts that stay at their defaults, of which a source asks for others: those branches are not compared."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from porting.pairs.choices import choices_of


def other_texts(
    functions: Iterable[Callable[..., Any]], settings: Mapping[str, Any], given: Collection[str]
) -> list[str]:
    """Return a line for each such argument: what compares another text.

    Parameters
    ----------
    functions : iterable of callable
        The sides.
    settings : mapping of str to object
        What the arguments are that are no inputs.
    given : collection of str
        Those that somebody has said.
    """
    sides, found = [*functions], []
    for name, value in settings.items():
        if not isinstance(value, str) or name in given:
            continue
        asked = [text for side in sides for text in choices_of(side, [name]).get(name, ())]
        others = [text for text in dict.fromkeys(asked) if text not in {value, name}]
        if others:
            also = ", ".join(map(repr, others))
            found.append(f"{name}: {value!r} alone is compared, the source asks for {also} too; --static says others")
    return found
