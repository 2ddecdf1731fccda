"""Writes one gradient of several, one for each ``return``: it takes the branches that the function takes."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import written
from porting.translate.code import Expression, names_in, renamed
from porting.translate.ir import returned
from porting.translate.read.outputs import returns, with_returns
from porting.translate.read.signatures import body_of, parameters_of
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement
_PAIR: Final = 2  # a value, and its gradient


def joined(body: list[Any]) -> list[Statement]:
    """Return the statements of a function with one gradient, which takes the branches that the function takes.

    Raises
    ------
    Refusal
        If which branch was taken is not known where the gradient is computed.
    """
    join = _Join()
    vjp = join.gradient(body, {})
    title = "grad"
    while any(title in names_in(s) for s in body):
        title += "_"
    made = cst.FunctionDef(
        cst.Name(title), cst.Parameters([cst.Param(cst.Name(n)) for n in join.cotangents]), cst.IndentedBlock(vjp)
    )
    left = cst.Module(body).visit(_Without(join.used))
    kept = [with_returns(s, lambda items: [items[0], cst.Name(title)]) for s in left.body]
    return [made, *_without_idle_tests(kept)]


def _without_idle_tests(body: list[Any]) -> list[Any]:
    """Leave out tests before the last statement of which either way does the same as that."""
    *before, last = body
    while before and m.matches(before[-1], m.If(orelse=None)) and _does(before[-1].body.body, last):
        before.pop()
    return [*before, last]


def _does(body: Sequence[Any], statement: Any) -> bool:
    return len(body) == 1 and body[0].with_changes(leading_lines=[]).deep_equals(statement)


class _Join:
    """Writes one gradient of several: the tests between them, again."""

    def __init__(self) -> None:
        self.cotangents: list[str] = []
        self.used: list[cst.FunctionDef] = []

    def gradient(self, body: Sequence[Any], known: Mapping[str, Any]) -> list[Any]:
        """Return the statements of the gradient of some statements, up to their ``return``."""
        known = dict(known)
        for k, statement in enumerate(body):
            match statement:
                case cst.FunctionDef():
                    known[statement.name.value] = statement
                case cst.SimpleStatementLine(body=[*_, cst.Return(value=value)]):
                    return self._of(returned(value), known, statement)
                case cst.If(test=test) if returns([statement]) or m.findall(statement, m.FunctionDef()):
                    rest = body[k + 1 :]
                    _ensure_known(test, statement, rest)
                    then = self.gradient([*statement.body.body, *rest], known)
                    other = self.gradient([*_otherwise(statement), *rest], known)
                    return [cst.If(test, cst.IndentedBlock(then)), *other]
                case _ if returns([statement]):
                    raise Refusal("a gradient that is returned in a loop is not translated", statement)
        raise Refusal("several gradients, and a way without any", body[-1] if body else None)

    def _of(self, pair: list[Expression], known: Mapping[str, Any], at: Any) -> list[Any]:
        if len(pair) != _PAIR:
            raise Refusal("a return that is no pair of value and gradient", at)
        match pair[1]:
            case cst.Lambda() as function:
                inner: list[Any] = [cst.SimpleStatementLine([cst.Return(function.body)])]
            case cst.Name(value=title) if title in known:
                function = known[title]
                inner = body_of(function)
                self.used.append(function)
            case _:
                raise Refusal("the gradient is defined elsewhere", pair[1])
        given = [p for p in parameters_of(function) if p.name.value != "variables" and p.star != "**"]
        decorated = isinstance(function, cst.FunctionDef) and function.decorators
        if decorated or any(p.star == "*" or p.default is not None for p in given):
            raise Refusal("several gradients, one for each return, one with a decorator, a default or *args", at)
        mine = [p.name.value for p in given]
        self.cotangents = self.cotangents or mine
        if len(mine) != len(self.cotangents):
            raise Refusal("several gradients, one for each return, with different numbers of cotangents", at)
        changed = {a: cst.Name(b) for a, b in zip(mine, self.cotangents, strict=True) if a != b}
        none = {p.name.value: cst.Name("None") for p in parameters_of(function) if p not in given}
        return [renamed(s, {**changed, **none}) for s in inner]


def _ensure_known(test: Expression, at: cst.If, rest: Sequence[Any]) -> None:
    """Refuse a test by variables that are bound again behind it: in its branches, or in the rest."""
    behind = [*at.body.body, *_otherwise(at), *rest]
    if again := names_in(test) & set().union(*map(written, behind)):
        raise Refusal(f"several gradients, and {min(again)} is bound again behind what tells them apart", at)


def _otherwise(statement: cst.If) -> Sequence[Any]:
    match statement.orelse:
        case cst.Else(body=block):
            return block.body
        case cst.If() as other:
            return [other]
    return []


class _Without(cst.CSTTransformer):
    """Removes functions."""

    def __init__(self, functions: Sequence[cst.FunctionDef]) -> None:
        self._functions = functions

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> Any:
        return cst.RemoveFromParent() if any(f is original_node for f in self._functions) else updated_node

    def leave_Else(self, original_node: cst.Else, updated_node: cst.Else) -> Any:  # noqa: ARG002
        return updated_node if updated_node.body.body else cst.RemoveFromParent()

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> Any:  # noqa: ARG002
        if updated_node.body.body:
            return updated_node
        if updated_node.orelse is None:
            return cst.RemoveFromParent()
        return updated_node.with_changes(body=cst.IndentedBlock([cst.parse_statement("pass")]))
