"""What is raised where something is not translated."""

import libcst as cst


class Refusal(Exception):  # noqa: N818 - it is no error: the translator says what it does not know
    """Something that is not translated; `node` is where it stands in the source."""

    def __init__(self, why: str, node: cst.CSTNode | None = None) -> None:
        super().__init__(why)
        self.node = node
