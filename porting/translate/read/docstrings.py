"""Leaves out of a docstring what holds of one framework only: that a class is one of autograd, what its ctx is."""

import re
from typing import Final

_OF_ONE: Final = re.compile(
    r"\bctx\b|\bautograd\b|\bcustom_gradient\b|\bsave_for_backward\b|\bGradientTape\b|\w\.apply\("
    r"|(?i:subclassing)|pass we receive"
)
_ARGUMENT: Final = re.compile(r"(?m)^[ \t]*(:param[^:\n]*\s)?ctx\b[^\n]*\n?")
_TENSOR: Final = re.compile(r"\b(torch|tf|tensorflow)\.(Float|Long|Double)?[tT]ensor\b(?![.(])")
_SENTENCES: Final = re.compile(r"(?<=[.!?])(?=\s)|(?=\n[ \t]*\n)")


def neutral(text: str) -> str:
    """Return a text in which a tensor of one framework is a tensor: ``x (`torch.Tensor`)``."""
    return _TENSOR.sub("tensor", text)


def of_both(doc: str) -> str:
    """Return a docstring without the sentences that speak of one framework; nothing where no other one is left."""
    kept = [part for part in _SENTENCES.split(_ARGUMENT.sub("", doc)) if not _OF_ONE.search(part)]
    left = neutral("".join(kept))
    return left if "\n" in left.strip() else left.strip()
