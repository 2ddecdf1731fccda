"""Writes a gradient that a dict of functions gives by a name, ``{"identity": f, ...}[kind]``, as tests of that name."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, build, names_in, source
from porting.translate.read.outputs import returns
from porting.translate.read.signatures import body_of, parameters_of

Statement = cst.BaseStatement
_PAIR: Final = 2  # a value, and its gradient
_CHOICE: Final = m.SimpleStatementLine(
    [m.Assign([m.AssignTarget(m.Name())], m.Subscript(m.Dict(), [m.SubscriptElement(m.Index(m.Name()))]))]
)


def with_choices(node: cst.FunctionDef, inner: Sequence[cst.FunctionDef]) -> cst.FunctionDef:
    """Return a function with the choice of a gradient within the gradient's function: one ``return`` for each key.

    Parameters
    ----------
    node : libcst.FunctionDef
        The function around it, which makes the choice and defines what is chosen.
    inner : sequence of libcst.FunctionDef
        The functions with a custom gradient that it defines.
    """
    body = body_of(node)
    for place, statement in enumerate(body):
        choice, otherwise = _choice(statement)
        if choice is None:
            continue
        chosen = choice.targets[0].target.value
        users = [f for f in inner if any(_is_pair_with(items, chosen) for items in returns(body_of(f)))]
        names = {s.name.value: s for s in body if isinstance(s, cst.FunctionDef) and s not in inner}
        given = {e.value.value for e in choice.value.value.elements if isinstance(e.value, cst.Name)}
        local = [function for title, function in names.items() if title in given]
        rest = [s for s in body[place + 1 :] if s not in users]
        read = [s for s in rest if chosen in names_in(s)]
        if len(users) == 1 and not read and _has_same_names(users[0], local, rest):
            made = _moved(users[0], chosen, choice.value, otherwise, local)
            kept = [made if s is users[0] else s for s in body if s is not statement and s not in local]
            return node.with_changes(body=cst.IndentedBlock(kept))
    return node


def _choice(statement: Statement) -> tuple[Any, list[Any]]:
    """Return what binds a variable to one of a dict's functions, and what is done if there is none."""
    otherwise: list[Any] = []
    if isinstance(statement, cst.Try):
        if len(statement.body.body) != 1 or len(statement.handlers) != 1 or statement.orelse or statement.finalbody:
            return None, []
        otherwise = list(statement.handlers[0].body.body)
        statement = statement.body.body[0]  # type: ignore[assignment]  # a suite's line is a statement
        if not m.matches(otherwise[-1], m.SimpleStatementLine([m.Raise()])):
            return None, []
    if not m.matches(statement, _CHOICE):
        return None, []
    line: Any = statement
    elements = line.body[0].value.value.elements
    if not all(isinstance(e, cst.DictElement) and isinstance(e.value, cst.Name | cst.Lambda) for e in elements):
        return None, []
    return line.body[0], otherwise


def _is_pair_with(items: list[Expression], title: str) -> bool:
    return len(items) == _PAIR and isinstance(items[1], cst.Name) and items[1].value == title


def _has_same_names(user: cst.FunctionDef, local: Sequence[cst.FunctionDef], rest: Sequence[Any]) -> bool:
    """Whether what the functions read is the same within the gradient's function: it is called with its own names."""
    titles = [p.name.value for p in parameters_of(user)]
    calls = [c for s in rest for c in m.findall(s, m.Call(m.Name(user.name.value)))]
    given = [[source(a.value) for a in c.args] for c in calls]  # type: ignore[attr-defined]  # a call has arguments
    used = {f.name.value for f in local}
    return given == [titles] and not any(used & names_in(s) for s in rest)


def _moved(user: cst.FunctionDef, chosen: str, choice: Any, otherwise: list[Any], local: Sequence[Any]) -> Any:
    """Return the gradient's function with the functions in it, and a ``return`` for each."""
    key = choice.slice[0].slice.value
    keys = [e.key for e in choice.value.elements]
    of_functions = [e.value for e in choice.value.elements]
    known = ", ".join(source(k) for k in keys)
    missing = cst.SimpleStatementLine([cst.Raise(build("KeyError({key})", key=key))])  # as the dict itself would
    unknown = otherwise or [missing]
    refuse = cst.If(build(f"{{key}} not in ({known},)", key=key), cst.IndentedBlock(unknown))

    class Each(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return node is user

        def leave_SimpleStatementLine(self, original_node: Any, updated_node: cst.SimpleStatementLine) -> Any:  # noqa: ARG002
            found = returns([updated_node])
            if not found or not _is_pair_with(found[0], chosen):
                return updated_node
            lines = [cst.SimpleStatementLine([cst.Return(_pair(found[0][0], f))]) for f in of_functions]
            tests = [
                cst.If(build("{key} == {known}", key=key, known=k), cst.IndentedBlock([line]))
                for k, line in zip(keys[:-1], lines[:-1], strict=True)
            ]
            return cst.FlattenSentinel([*tests, lines[-1]])

    made: Any = user.visit(Each())
    return made.with_changes(body=cst.IndentedBlock([refuse, *local, *made.body.body]))


def _pair(value: Expression, gradient: Expression) -> cst.Tuple:
    return cst.Tuple([cst.Element(value), cst.Element(gradient)], lpar=[], rpar=[])
