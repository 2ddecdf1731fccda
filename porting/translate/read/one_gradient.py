"""Has each ``return y, grad`` of a custom gradient name one function that stands beside it, whatever it gave before."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import written
from porting.translate.code import Expression, names_in, source
from porting.translate.ir import returned
from porting.translate.names import Names
from porting.translate.read.outputs import returns, with_returns
from porting.translate.read.several_gradients import joined
from porting.translate.read.signatures import parameters_of
from porting.translate.read.tail_call import put_in_place
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement
_PAIR: Final = 2  # a value, and its gradient


def with_one_gradient(body: Sequence[Statement], names: Names, around: set[str]) -> list[Statement]:
    """Return the statements of a function with its gradient as a function that they define, or a lambda.

    Parameters
    ----------
    body : sequence of libcst.BaseStatement
        What the function does. Its gradient may be bound to a variable, a function of the module, what such a function
        returns, or `functools.partial` of it, and another function for each branch.
    names : Names
        Of the module.
    around : set of str
        Variables around the function, and its arguments.

    Raises
    ------
    Refusal
        If which branch was taken is not known where the gradient is computed.
    """
    bound = _bound(body)
    given = {source(pair[1]) for pair in returns(body) if len(pair) == _PAIR}
    gone = {n for n in bound if n in given and sum(n in names_in(s) for s in body) == 2}  # bound, and returned
    kept = [s for s in body if not (isinstance(s, cst.SimpleStatementLine) and written(s) & gone)]
    put = _PutInPlace({n: bound[n] for n in gone}, names, around.union(*map(names_in, body)))
    kept = list(cst.Module(kept).visit(put).body)  # type: ignore[arg-type]  # statements of a function are some
    own = set().union(*map(written, kept), around)  # which hide functions of the module
    made = [with_returns(s, lambda items: _with_lambda(items, names, own)) for s in kept]
    gradients = {source(pair[1]) for pair in returns(made) if len(pair) == _PAIR}
    local = {s.name.value for s in made if isinstance(s, cst.FunctionDef)}
    alone = len(gradients) == 1 and (gradients <= local or not all(map(str.isidentifier, gradients)))
    return made if alone or not gradients else joined(made)


def _bound(body: Sequence[Statement]) -> dict[str, Expression]:
    """Return the variables that are bound once, to a lambda or a call, and to what nothing behind changes."""
    line = m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Name())], m.Lambda() | m.Call())])
    found: dict[str, Expression] = {}
    for k, statement in enumerate(body):
        if m.matches(statement, line):
            small = cst.ensure_type(cst.ensure_type(statement, cst.SimpleStatementLine).body[0], cst.Assign)
            title = source(small.targets[0].target)
            behind = set().union(*map(written, body[k + 1 :]), set())
            if title not in behind and (isinstance(small.value, cst.Lambda) or not names_in(small.value) & behind):
                found[title] = small.value
    return found


class _PutInPlace(cst.CSTTransformer):
    """Has a ``return`` give what a variable is bound to, and puts the function in its place that makes a gradient."""

    def __init__(self, bound: Mapping[str, Expression], names: Names, around: set[str]) -> None:
        self._bound = bound
        self._names = names
        self._around = around

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002 - libcst's name
        return False

    def leave_SimpleStatementLine(self, original_node: Any, updated_node: cst.SimpleStatementLine) -> Any:  # noqa: ARG002
        *before, last = updated_node.body
        pair = returned(last.value) if isinstance(last, cst.Return) else []
        if len(pair) != _PAIR:
            return updated_node
        value, grad = pair[0], self._bound.get(source(pair[1]), pair[1])
        inner = put_in_place(grad, self._names, self._around) if isinstance(grad, cst.Call) else None
        match inner and inner[-1]:
            case cst.SimpleStatementLine(body=[cst.Return(value=cst.Name() | cst.Lambda() as grad)]):
                made = inner[:-1] if inner else []
            case _:
                made = []
        both = cst.Tuple([cst.Element(value), cst.Element(grad)], lpar=[], rpar=[])
        return cst.FlattenSentinel([*made, updated_node.with_changes(body=[*before, cst.Return(both)])])


def _with_lambda(items: list[Expression], names: Names, own: set[str]) -> list[Expression]:
    """Return a value and its gradient as a lambda, where that is a function of the module that no variable hides."""
    if len(items) != _PAIR or (isinstance(items[1], cst.Name) and items[1].value in own):
        return items
    bound: Sequence[cst.Arg] = ()
    match items[1]:
        case cst.Call(args=[cst.Arg(value=given, keyword=None), *bound]) as call:
            found = _function(given, names) if names.path(call.func) == "functools.partial" else None
        case given:
            found = _function(given, names)
    return [items[0], _calling(found, bound)] if found is not None else items


def _function(node: Expression, names: Names) -> cst.FunctionDef | None:
    """Return the function of the module, or the static method of a class, that is meant; nothing for another value."""
    found = names.defined.get(node.value if isinstance(node, cst.Name) else names.member(node))
    return found if isinstance(found, cst.FunctionDef) else None


def _calling(function: cst.FunctionDef, bound: Sequence[cst.Arg]) -> Expression:
    """Return ``lambda dy: function(bound, dy)``."""
    parameters = parameters_of(function)
    by_name = {a.keyword.value for a in bound if a.keyword is not None}
    places = sum(a.keyword is None for a in bound)
    if any(p.star in {"*", "**"} for p in parameters) or any(a.star for a in bound):
        raise Refusal(f"{function.name.value}: a gradient with *args that stands elsewhere is not translated", function)
    free = [p for p in parameters[places:] if p.name.value not in by_name and p.default is None]
    given = [cst.Arg(cst.Name(p.name.value)) for p in free]
    before = [a for a in bound if a.keyword is None]
    named = [a for a in bound if a.keyword is not None]
    args = [a.with_changes(comma=cst.MaybeSentinel.DEFAULT) for a in (*before, *given, *named)]
    params = cst.Parameters([cst.Param(cst.Name(p.name.value)) for p in free])
    return cst.Lambda(params, cst.Call(cst.Name(function.name.value), args))
