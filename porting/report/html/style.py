"""The style that all pages share, and source in its colours."""

import io
import keyword
import tokenize
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

_KINDS: Final = {tokenize.COMMENT: "c", tokenize.STRING: "s"}


@cache
def style(*names: str) -> str:
    """Return the shared style, and more of these names."""
    return "".join(Path(__file__).with_name(f"{name}.css").read_text(encoding="utf-8") for name in ("style", *names))


def coloured(text: str) -> str:
    """Return source as HTML, with keywords, strings and comments marked; plain where it cannot be read."""
    lines = text.splitlines(keepends=True)
    made: list[str] = []
    row, column = 1, 0

    def upto(end: tuple[int, int]) -> str:
        """Take the text from where we are to there."""
        nonlocal row, column
        parts = []
        while (row, column) < end and row <= len(lines):
            stop = end[1] if row == end[0] else len(lines[row - 1])
            parts.append(lines[row - 1][column:stop])
            row, column = (row, stop) if row == end[0] else (row + 1, 0)
        return escape("".join(parts))

    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            kind = _KINDS.get(token.type, "k" if keyword.iskeyword(token.string) else "")
            before, here = upto(token.start), upto(token.end)
            made.append(before + (f'<span class="{kind}">{here}</span>' if kind and here else here))
    except (tokenize.TokenError, SyntaxError):  # a part of a file need not be a file
        return escape(text)
    return "".join(made) + upto((len(lines) + 1, 0))
