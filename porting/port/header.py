"""Writes the comment at the top of a translation: its source, what was proven about it, and with which versions."""

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from porting import __version__

_WIDTH: Final = 98  # and two for the mark of the comment
_MOST: Final = 2  # faults and notes that are written out


def printable(text: str) -> str:
    """Return a text on one line, without characters that cannot be printed."""
    return "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))


def shown(path: Path) -> str:
    """Return the path of a file in a form that says nothing about this machine."""
    if path.is_absolute():
        here = Path.cwd()
        path = path.relative_to(here) if path.is_relative_to(here) else Path(path.name)
    return printable(str(path))


def header(path: Path, name: str, verdict: str, told: Mapping[str, tuple[str, ...]]) -> str:
    """Return the comment.

    Parameters
    ----------
    path : pathlib.Path
        The source, as the user gave it.
    name : str
        The gradient in it.
    verdict : str
        What is proven; ``NOT PROVEN: why``.
    told : mapping of str to tuple of str
        What else a reader should know: faults, limits, notes, each under its title.
    """
    lines = [f"Translated from {shown(path)}:{name} by porting {__version__}.", verdict]
    for title, texts in told.items():
        lines += _some(f"{title}: ", texts)
    return "".join(f"{line}\n" for text in lines for line in _comment(text))


def grouped(said: Sequence[str]) -> tuple[str, ...]:
    """Return messages ``check: message``, those of several checks that are the same as one."""
    checks: dict[str, list[str]] = {}
    for one in said:
        check, _, message = one.partition(": ")
        checks.setdefault(message, []).append(check)
    return tuple(f"{', '.join(several)}: {message}" for message, several in checks.items())


def _some(title: str, texts: tuple[str, ...]) -> list[str]:
    more = len(texts) - _MOST
    last = f" (and {more} more)" if more > 0 else ""
    return [title + text.rstrip(".") + "." + last * (n == _MOST - 1) for n, text in enumerate(texts[:_MOST])]


def _comment(text: str) -> list[str]:
    text = textwrap.shorten(printable(text), 4 * _WIDTH, placeholder=" …")
    return textwrap.wrap(text, _WIDTH + 2, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
