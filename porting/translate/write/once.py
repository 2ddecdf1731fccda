"""Writes gradients that have no derivative of their own: a second derivative is refused, as the source has it."""

from collections.abc import Sequence

import libcst as cst

from porting.translate.analyse.targets import assigned
from porting.translate.code import Expression, build, names_in, source


def once_only(
    primals: Sequence[str], found: Sequence[Expression]
) -> tuple[list[cst.BaseSmallStatement], list[Expression]]:
    """Return what assigns the gradients to variables, and what to return of these: nobody can differentiate it.

    Parameters
    ----------
    primals : sequence of str
        The inputs.
    found : sequence of expressions
        Their gradients; None stays None.
    """
    before: list[cst.BaseSmallStatement] = []
    made: list[Expression] = []
    taken = set().union(*map(names_in, found))
    for primal, one in zip(primals, found, strict=False):
        title = f"d{primal}_" if f"d{primal}" in taken else f"d{primal}"
        given = one if isinstance(one, cst.Name) else cst.Name(title)
        if given is not one:
            before.append(assigned(title, one))
        prevented = build('tf.raw_ops.PreventGradient(input={x}, message="once differentiable")', x=given)
        made.append(one if source(one) == "None" else prevented)
    return before, made
