"""Leaves out statements that only check arguments, if they have no rule."""

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import written
from porting.translate.code import names_in
from porting.translate.lower.statements import Statements
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement


class Checked(Statements):
    """Leaves out statements without a rule that only check arguments: the numbers are the same without them."""

    def one(self, statement: Statement) -> list[Statement]:
        try:
            return super().one(statement)
        except Refusal:
            later = set().union(*map(names_in, self.rest), set())
            if not _only_checks(statement) or written(statement) & later:
                raise
            self.of.note("a check of the arguments is left out, which has no counterpart in NumPy")
            return []


def _only_checks(statement: Statement) -> bool:
    """Whether a statement raises, or calls something for no value."""
    if isinstance(statement, cst.If):
        return bool(m.findall(statement, m.Raise())) and not m.findall(statement, m.Return())
    return m.matches(statement, m.SimpleStatementLine([m.Expr(m.Call(func=m.Name()))]))
