"""The tables that a terminal shows, in one form. It imports rich."""

from rich import box
from rich.table import Table


def table(title: str = "") -> Table:
    """Return a table without columns and rows.

    Parameters
    ----------
    title : str
        Above it, at the left.
    """
    return Table(
        title=title or None, title_justify="left", title_style="italic", header_style="bold", box=box.SIMPLE_HEAD,
        pad_edge=False, padding=(0, 1, 0, 0),
    )  # fmt: skip
