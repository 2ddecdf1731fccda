"""The heads of functions: parameters, their defaults and annotations, and what these say of a value."""

import re
import sys
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import STATIC, UNKNOWN, WHOLE, Abstract, Sort
from porting.translate.code import is_none, name, names_in, source
from porting.translate.expression import Expressions

Statement = cst.BaseStatement
_AT_HAND: Final = {*sys.stdlib_module_names, "numpy", "torch", "tensorflow"}  # what a translation may import
_NUMBERS: Final = ("int", "float", "bool", "str")
_SAID: Final = {  # what an annotation begins with, or is
    Sort.DTYPE: re.compile(r"(torch\.dtype|tf\.DType|tf\.dtypes\.DType)\Z"),
    Sort.TUPLE: re.compile("tuple|Tuple|list|List|Sequence"),
    Sort.FUNCTION: re.compile(r"Callable|collections\.abc\.Callable"),
}


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
    """Return an annotation in the other framework's words; what is not known there goes."""
    if given is None:
        return None
    paths = [expressions.names.imported.get(n, "") for n in names_in(given.annotation)]
    if any(path and path.partition(".")[0] not in _AT_HAND for path in paths):
        return None
    text = source(given.annotation)
    other = {"tf": "tf.Tensor", "torch": "torch.Tensor", "numpy": "np.ndarray"}[expressions.to]
    for path in ("torch.Tensor", "tf.Tensor", "tensorflow.Tensor"):
        text = text.replace(path, "\0")
    text = re.sub(r"\bTensor\b", "\0", text)
    if "torch" in text or "tf." in text or "ctx" in text:
        return None
    return given.with_changes(annotation=name(text.replace("\0", other)))


def kind_of_annotation(parameter: cst.Param) -> Abstract:
    """Return what an annotation or a default says of an argument."""
    text = source(parameter.annotation.annotation).strip("\"'") if parameter.annotation else ""
    if text.rpartition(".")[2] == "Tensor" or text.replace(" ", "") in {"Tensor|None", "Optional[Tensor]"}:
        return Abstract(Sort.TENSOR, "float", parameter.name.value)
    if text in _NUMBERS or text.startswith(tuple(f"{number} |" for number in _NUMBERS)):
        return Abstract(Sort.STATIC, text.partition(" ")[0] if text != "str" else "")
    found = next((Abstract(what) for what, known in _SAID.items() if known.match(text)), None)
    return found or _kind_of_use(parameter)


def _kind_of_use(parameter: cst.Param) -> Abstract:
    """Return what the name of an argument, or its default, says of it."""
    if parameter.name.value.endswith("dtype"):
        return Abstract(Sort.DTYPE)
    if parameter.default is not None and not is_none(parameter.default):
        return WHOLE if isinstance(parameter.default, cst.Integer) else STATIC
    return UNKNOWN


def parameters_of(node: cst.FunctionDef | cst.Lambda) -> list[cst.Param]:
    """Return all parameters of a function, in order."""
    given = node.params
    star = [given.star_arg] if isinstance(given.star_arg, cst.Param) else []
    return [
        *given.posonly_params,
        *given.params,
        *star,
        *given.kwonly_params,
        *([given.star_kwarg] if given.star_kwarg else []),
    ]


def body_of(node: cst.FunctionDef, *, doc: bool = False) -> list[Statement]:
    """Return the statements of a function, with its docstring or without."""
    block: Any = node.body
    body: list[Any] = (
        list(block.body) if isinstance(block, cst.IndentedBlock) else [cst.SimpleStatementLine(list(block.body))]
    )
    if (
        not doc
        and body
        and m.matches(body[0], m.SimpleStatementLine([m.Expr(m.SimpleString() | m.ConcatenatedString())]))
    ):
        body = body[1:]
    return body
