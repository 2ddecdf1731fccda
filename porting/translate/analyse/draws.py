"""Statements that draw random numbers: computed again, they would be other ones."""

from collections.abc import Iterable
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

_NAMES: Final = (
    "rand", "randn", "rand_like", "randn_like", "uniform", "uniform_", "normal", "normal_", "bernoulli", "bernoulli_",
)  # fmt: skip
_DRAW: Final = m.Call(func=m.Attribute(attr=m.OneOf(*map(m.Name, _NAMES))))


def draws(statements: Iterable[Any]) -> bool:
    """Whether one of some statements draws, of a source or of its translation."""
    return any(m.findall(statement, _DRAW) for statement in statements)


def saved_before_return(body: list[Any], names: Iterable[str]) -> list[Any] | None:
    """Return a forward that saves some variables for its backward; nothing if it may return before they are there."""
    *before, last = body
    if any(m.findall(s, m.Return()) for s in before) or not m.matches(last, m.SimpleStatementLine(body=[m.Return()])):
        return None
    call = cst.parse_expression(f"ctx.save_for_backward({', '.join(names)})")
    return [*before, cst.SimpleStatementLine([cst.Expr(call)]), last]
