"""Puts a number in a type where it is used: ``one = tf.cast(1.0, x.dtype)`` and ``one - y`` is ``1 - y`` in PyTorch."""

from collections import Counter
from typing import Any, Final

import libcst as cst

from porting.translate.code import literal, names_in, renamed
from porting.translate.names import Names, targets
from porting.translate.read.signatures import parameters_of

_PATHS: Final = {"tf.cast", "tf.constant", "tf.dtypes.cast"}


def with_typed_numbers(node: cst.FunctionDef, names: Names) -> cst.FunctionDef:
    """Return a function without variables that are a number in a type and nothing else.

    Parameters
    ----------
    node : libcst.FunctionDef
        The function, with those within it.
    names : Names
        Of the module.
    """
    found = _Assigned(names)
    node.visit(found)
    known = {n: value for n, value in found.numbers.items() if found.bound[n] == 1}
    known = {n: value for n, value in known.items() if all(found.bound[m] <= 1 for m in names_in(value))}
    if not known:
        return node
    made: Any = node.visit(_Without({*known}))
    return renamed(made, known)  # type: ignore[no-any-return]  # libcst's visit


def _is_number(value: Any, names: Names) -> bool:
    """Whether this is a number that is written out, in the type of something."""
    if not isinstance(value, cst.Call) or names.path(value.func) not in _PATHS or not value.args:
        return False
    return isinstance(literal(value.args[0].value), int | float)


class _Assigned(cst.CSTVisitor):
    """Counts what binds each name, and collects the numbers."""

    def __init__(self, names: Names) -> None:
        self.bound: Counter[str] = Counter()
        self.numbers: dict[str, cst.BaseExpression] = {}
        self._names = names

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self.bound.update(p.name.value for p in parameters_of(node))

    def visit_Lambda(self, node: cst.Lambda) -> None:
        self.bound.update(p.name.value for p in parameters_of(node))

    def visit_Assign(self, node: cst.Assign) -> None:
        titles = list(targets(node))
        self.bound.update(titles)
        if len(titles) == len(node.targets) == 1 and _is_number(node.value, self._names):
            self.numbers[titles[0]] = node.value

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        self.bound.update(targets(node))

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        self.bound.update([*targets(node)] * 2)

    def visit_For(self, node: cst.For) -> None:
        self.bound.update([*names_in(node.target)] * 2)

    def visit_NamedExpr(self, node: cst.NamedExpr) -> None:
        self.bound.update([*names_in(node.target)] * 2)


class _Without(cst.CSTTransformer):
    """Leaves the assignments of some names out."""

    def __init__(self, titles: set[str]) -> None:
        self._titles = titles

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> Any:  # noqa: ARG002 - libcst's name
        return cst.RemoveFromParent() if {*targets(updated_node)} <= self._titles else updated_node

    def leave_SimpleStatementLine(
        self,
        original_node: cst.SimpleStatementLine,  # noqa: ARG002
        updated_node: cst.SimpleStatementLine,
    ) -> Any:
        return updated_node if updated_node.body else cst.RemoveFromParent()
