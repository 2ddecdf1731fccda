"""Lowers the signatures of functions: the defaults and annotations of parameters."""

import builtins
import re

import libcst as cst

from porting.translate.code import name, names_in, source
from porting.translate.dialects import AT_HAND, DIALECTS, FRAMEWORKS
from porting.translate.lower.expression import Expressions

_AT_HAND = {*AT_HAND, *dir(builtins), "Tensor"}


class Defaults(cst.CSTTransformer):
    """Translates the defaults and annotations of parameters."""

    def __init__(self, expressions: Expressions) -> None:
        self._of = expressions

    def visit_Param(self, node: cst.Param) -> bool:  # noqa: ARG002 - libcst's name
        return False

    def leave_Param(self, original_node: cst.Param, updated_node: cst.Param) -> cst.Param:  # noqa: ARG002
        default = self._of(updated_node.default) if updated_node.default is not None else None
        return updated_node.with_changes(default=default, annotation=annotation(updated_node.annotation, self._of))


def annotation(given: cst.Annotation | None, expressions: Expressions) -> cst.Annotation | None:
    """Return an annotation for the other framework; an annotation that it does not know is left out."""
    if given is None:
        return None
    imported = expressions.names.imported
    if not all(imported.get(n, n).partition(".")[0] in _AT_HAND for n in names_in(given.annotation)):
        return None  # a name that the module gives a type is not handed on
    text = source(given.annotation)
    other = DIALECTS[expressions.to].tensor
    for path in ("torch.Tensor", "tf.Tensor", "tensorflow.Tensor"):
        text = text.replace(path, "\0")
    text = re.sub(r"\bTensor\b", "\0", text)
    if "ctx" in text or any(f"{dialect.alias}." in text for dialect in FRAMEWORKS.values()):
        return None
    return given.with_changes(annotation=name(text.replace("\0", other)))
