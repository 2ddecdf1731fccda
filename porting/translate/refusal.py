"""The exception that refuses a translation: it holds the reason and the node of the source."""

import libcst as cst


class Refusal(Exception):  # noqa: N818 - it is no error: the translator says what it does not know
    """Something cannot be translated; `node` is its place in the source."""

    def __init__(self, why: str, node: cst.CSTNode | None = None) -> None:
        super().__init__(why)
        self.node = node
