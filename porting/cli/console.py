"""The console of every command: what it prints has one look."""

from typing import Any

from rich.console import Console
from rich.highlighter import ReprHighlighter


class _Numbers(ReprHighlighter):
    """Colours as rich does, and a number with commas in it, ``431,282``, as the one number that it is."""

    highlights = [  # noqa: RUF012 - rich's own attribute
        *ReprHighlighter.highlights,
        r"(?P<number>(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,]))",
    ]


def console(**options: Any) -> Console:
    """Return a console.

    Parameters
    ----------
    **options
        Of `rich.console.Console`.
    """
    return Console(highlighter=_Numbers(), **options)
