"""The exception that refuses a translation: it holds the reason and the node of the source."""

from typing import Final

import libcst as cst

HOW_MANY: Final = (
    'forward(*args): how many inputs? Name each with --input, as --input "x=float64[n,k]" --input "w=float64[n,k]"'
)


class Refusal(Exception):  # noqa: N818 - it is no error: the translator says what it does not know
    """Something cannot be translated; `node` is its place in the source."""

    def __init__(self, why: str, node: cst.CSTNode | None = None) -> None:
        super().__init__(why)
        self.node = node
