"""Leaves out of a docstring what holds of one framework only: that a class is one of autograd, what its ctx is."""

import re
from typing import Any, Final

import libcst as cst

_OF_ONE: Final = re.compile(
    r"\bctx\b|\bautograd\b|\bcustom_gradient\b|\bsave_for_backward\b|\bGradientTape\b|\w\.apply\("
    r"|(?i:subclassing)|pass we receive"
)
_ARGUMENT: Final = re.compile(r"(?m)^[ \t]*(:param[^:\n]*\s)?ctx\b[^\n]*\n?")
_TENSOR: Final = re.compile(r"\b(torch|tf|tensorflow)\.(Float|Long|Double)?[tT]ensor\b(?![.(])")
_GOES_ON: Final = re.compile(r"[ \t]*(?<!\\)\\\n[ \t]*")
_SENTENCES: Final = re.compile(r"(?<=[.!?])(?=\s)|(?=\n[ \t]*\n)")


def docstring_of(node: cst.FunctionDef | cst.ClassDef) -> str:
    """Return the docstring of a definition; a line that goes on behind a backslash has one space there."""
    first: Any = node.body.body[0] if node.body.body else None
    small = first.body[0] if isinstance(first, cst.SimpleStatementLine) else first
    text = small.value if isinstance(small, cst.Expr) else None
    if isinstance(text, cst.SimpleString) and "r" not in text.prefix:
        text = text.with_changes(value=_GOES_ON.sub(" ", text.value))
        node = node.with_changes(body=cst.IndentedBlock([cst.SimpleStatementLine([cst.Expr(text)])]))
    return node.get_docstring(clean=False) or ""


def neutral(text: str) -> str:
    """Return a text in which a tensor of one framework is a tensor: ``x (`torch.Tensor`)``."""
    return _TENSOR.sub("tensor", text)


def of_both(doc: str) -> str:
    """Return a docstring without the sentences that speak of one framework; nothing where no other one is left."""
    kept = [part for part in _SENTENCES.split(_ARGUMENT.sub("", doc)) if not _OF_ONE.search(part)]
    left = neutral("".join(kept))
    return left if "\n" in left.strip() else left.strip()
