"""The marks of tables and shortened names, and what stands for them where UTF-8 is not written. It imports nothing."""

from typing import Final

AGREES, DIFFERS, ACCEPTED, UNDECIDED, NOTHING = "✓", "✗", "≈", "?", "·"
LETTERS: Final = {AGREES: "ok", DIFFERS: "XX", ACCEPTED: "~", UNDECIDED: "nv", NOTHING: "-"}


def mark(sign: str, *, letters: bool) -> str:
    """Return a mark as it is shown: one sign, or one or two letters in the width of two.

    Parameters
    ----------
    sign : str
        The mark.
    letters : bool
        Whether letters are wanted.
    """
    return LETTERS.get(sign, sign).ljust(2) if letters else sign


def shortened(name: str, width: int, *, letters: bool) -> str:
    """Return a name in at most so many characters, with an ellipsis in place of its end; in letters that is three dots.

    Parameters
    ----------
    name : str
        The name.
    width : int
        How many characters there are.
    letters : bool
        Whether letters are wanted.
    """
    ellipsis = "..." if letters else "…"
    return name if len(name) <= width else name[: max(width - len(ellipsis), 0)] + ellipsis[:width]
