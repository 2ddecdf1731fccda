"""The tables that a terminal shows, in one form. It imports rich."""

from typing import Final

from rich.box import Box
from rich.console import ConsoleOptions
from rich.table import Table


class _Head(Box):
    """A line below the headings, of dashes where UTF-8 is not written: rich would draw a grid of pipes there."""

    def substitute(self, options: ConsoleOptions, safe: bool = True) -> Box:  # noqa: ARG002 - rich's method
        """Return the box for an encoding, see rich."""
        return _DASHES if options.ascii_only else self


_BOX: Final = "    \n    \n {0}{0} \n    \n    \n    \n    \n    \n"  # the third line is below the headings
_DASHES: Final = Box(_BOX.format("-"), ascii=True)
_LINES: Final = _Head(_BOX.format("─"))


def table(title: str = "") -> Table:
    """Return a table without columns and rows.

    Parameters
    ----------
    title : str
        Above it, at the left.
    """
    return Table(
        title=title or None, title_justify="left", title_style="italic", header_style="bold", box=_LINES,
        pad_edge=False, padding=(0, 1, 0, 0),
    )  # fmt: skip
