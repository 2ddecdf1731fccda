"""Reads the signatures of functions: parameters, and what annotations and defaults say about a value."""

import re
from collections.abc import Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import STATIC, UNKNOWN, WHOLE, Abstract, Sort
from porting.translate.code import is_none, source

Statement = cst.BaseStatement
_NUMBERS: Final = ("int", "float", "bool", "str")
_SAID: Final = {  # what an annotation begins with, or is
    Sort.DTYPE: re.compile(r"(torch\.dtype|tf\.DType|tf\.dtypes\.DType)\Z"),
    Sort.TUPLE: re.compile("tuple|Tuple|list|List|Sequence"),
    Sort.FUNCTION: re.compile(r"Callable|collections\.abc\.Callable"),
}


def kind_of_annotation(parameter: cst.Param) -> Abstract:
    """Return what an annotation or a default says about an argument."""
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


def required_first(given: Sequence[cst.Param]) -> list[cst.Param]:
    """Return parameters in an order that a signature may have: those with a default last."""
    return sorted(given, key=lambda p: p.default is not None)


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
