"""Leaves out what a gradient does where it is sent None: both frameworks send zeros in its place."""

from collections.abc import Collection, Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import changed
from porting.translate.code import Expression

Statement = cst.BaseStatement


def with_cotangents_given(vjp: Sequence[Statement], cotangents: Collection[str]) -> list[Statement]:
    """Return a gradient without its tests of whether a cotangent is None.

    Parameters
    ----------
    vjp : sequence of statements
        Of a gradient.
    cotangents : collection of str
        What it is sent. One that it assigns to is tested as it stands.
    """
    written = set().union(*map(changed, vjp), set())
    made: Any = cst.Module(list(vjp)).visit(_Given({*cotangents} - written))  # type: ignore[arg-type]  # statements of a function are some
    return list(made.body)


class _Given(cst.CSTTransformer):
    def __init__(self, given: Collection[str]) -> None:
        self._given = given

    def leave_If(self, original_node: Any, updated_node: cst.If) -> Any:  # noqa: ARG002 - libcst's name
        taken = self._taken(updated_node.test)
        if taken is None:
            return updated_node
        chosen = updated_node if taken else updated_node.orelse
        if chosen is None:
            return cst.RemoveFromParent()
        if isinstance(chosen, cst.If) and not taken:  # elif
            return chosen.with_changes(leading_lines=updated_node.leading_lines)
        block = chosen.body
        return cst.FlattenSentinel(block.body if isinstance(block, cst.IndentedBlock) else [_line(block)])

    def leave_IfExp(self, original_node: Any, updated_node: cst.IfExp) -> Expression:  # noqa: ARG002 - libcst's name
        taken = self._taken(updated_node.test)
        return updated_node if taken is None else updated_node.body if taken else updated_node.orelse

    def _taken(self, test: Expression) -> bool | None:
        """Return whether a branch is taken, where its test is ``dy is None`` or ``dy is not None``."""
        match test:
            case cst.Comparison(left=cst.Name(value=title), comparisons=[cst.ComparisonTarget(operator, right)]):
                if title not in self._given or not m.matches(right, m.Name("None")):
                    return None
                return {cst.Is: False, cst.IsNot: True}.get(type(operator))
        return None


def _line(block: Any) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine(list(block.body))
