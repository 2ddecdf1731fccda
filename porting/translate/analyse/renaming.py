"""Renames variables of an inner function that would hide those around it, and makes outputs new tensors."""

from collections.abc import Iterable, Sequence
from typing import Any

import libcst as cst

from porting.translate.analyse.slices import read_first, written
from porting.translate.code import build, renamed, same


def local(body: Sequence[Any], around: set[str], *, every: bool = False) -> list[Any]:
    """Rename each variable that a function assigns, but reads from the enclosing scope before that.

    Parameters
    ----------
    body : sequence of statements
        The body of a function within another one.
    around : set of str
        The variables of the enclosing function.
    every : bool
        Whether variables that are only assigned are renamed too.
    """
    made = list(body)
    if not around:  # as behind most statements of a long forward: what they assign need not be looked for
        return made
    read = around if every else read_first(made)
    for variable in sorted(read & set().union(*map(written, made), set()) & around):
        fresh = cst.Name(f"{variable}_")
        first = next(n for n, s in enumerate(made) if variable in written(s))
        statement = made[first]
        small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        if isinstance(small, cst.Assign):
            changed = small.with_changes(targets=[renamed(t, {variable: fresh}) for t in small.targets])
            before = [*made[:first], statement.with_changes(body=[changed])]
        else:
            copy = cst.Assign([cst.AssignTarget(fresh)], cst.Name(variable))
            lines = [cst.SimpleStatementLine([copy])] if variable in read_first(made[first:]) else []
            before = [*made[:first], *lines, renamed(statement, {variable: fresh})]
        made = [*before, *(renamed(s, {variable: fresh}) for s in made[first + 1 :])]
    return made


def with_new_outputs(body: Sequence[Any], inputs: Iterable[str], template: str) -> list[Any]:
    """Return an input as another tensor with the same numbers: a template such as ``tf.identity({x})``."""
    plain = set(inputs) - set().union(*map(written, body), set())

    class Change(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002 - what it returns is no output
            return False

        def visit_Lambda(self, node: cst.Lambda) -> bool:  # noqa: ARG002
            return False

        def leave_Return(self, original_node: cst.Return, updated_node: cst.Return) -> cst.Return:  # noqa: ARG002
            value = updated_node.value
            return updated_node if value is None else updated_node.with_changes(value=_new(value, plain, template))

    return [statement.visit(Change()) for statement in body]


def without_views(statement: Any, inputs: Iterable[str], template: str) -> Any:
    """Return a statement that returns ``y`` for ``y.view_as(y)``, if y is no input: then it is a tensor of its own."""
    kept = {*inputs}

    class Change(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002 - what it returns is no output
            return False

        def leave_Return(self, original_node: cst.Return, updated_node: cst.Return) -> cst.Return:  # noqa: ARG002
            value = updated_node.value
            if isinstance(value, cst.Tuple):
                return updated_node.with_changes(
                    value=value.with_changes(elements=[e.with_changes(value=_plain(e.value)) for e in value.elements])
                )
            return updated_node if value is None else updated_node.with_changes(value=_plain(value))

    def _plain(value: cst.BaseExpression) -> cst.BaseExpression:
        match value:
            case cst.Call(func=cst.Attribute(value=cst.Name(value=title) as name)) if title not in kept:
                return name if same(value, build(template, x=name)) else value
            case _:
                return value

    return statement.visit(Change())


def _new(value: cst.BaseExpression, plain: set[str], template: str) -> cst.BaseExpression:
    if isinstance(value, cst.Tuple):
        return value.with_changes(
            elements=[e.with_changes(value=_new(e.value, plain, template)) for e in value.elements]
        )
    return build(template, x=value) if isinstance(value, cst.Name) and value.value in plain else value
