"""Memory layouts of inputs and of cotangents."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Array, Probe, output_name
from porting.parity.truth import rows_apart
from porting.runners import Case, Outcome

_ROWS: Final = 3


@check()
def layouts(probe: Probe) -> None:
    """Transposed, strided, offset and expanded inputs and cotangents give what contiguous ones give."""
    if not probe.runner.layouts:
        raise NotApplicableError(f"a {probe.runner.title} tensor has no strides")
    ordinary = probe.case("layouts")
    answer = probe.run(ordinary)
    for layout, side in product(probe.runner.layouts, ("inputs", "cotangent")):
        plain: Case | None = ordinary
        contiguous = answer
        if layout == "expanded":
            plain = _batch_of_equals(ordinary, probe.seed) if side == "inputs" else _equal_cotangents(ordinary)
            contiguous = probe.run(plain) if plain else None
        if plain is None or contiguous is None:
            continue
        case = replace(plain, layout=layout) if side == "inputs" else replace(plain, dy_layout=layout)
        outcome = probe.run(case, "layout", layout=layout, side=side)
        if outcome is not None:
            use = {"truth": "contiguous", "how": "layout", "layout": layout, "side": side}
            _compare(probe, case, outcome, contiguous, use)


def _compare(probe: Probe, case: Case, outcome: Outcome, contiguous: Outcome, use: Mapping[str, str]) -> None:
    """Compare two runs; each may be off by the tolerance, in its own direction."""
    values = outcome.value, contiguous.value
    for k, (y, want, tol) in enumerate(zip(*values, probe.value_tolerance(case, values), strict=True)):
        said = {"quantity": "value", "name": output_name(k, len(outcome.value)), **use}
        probe.expect("differs", said, y, want.astype(np.float64), 2 * tol, case)
    gradients = outcome.vjp, contiguous.vjp
    for name, dx, plain, tol in zip(probe.op.wrt, *gradients, probe.vjp_tolerance(case, gradients), strict=True):
        if dx is not None and plain is not None:
            said = {"quantity": "gradient", "name": name, **use}
            probe.expect("differs", said, dx, plain.astype(np.float64), 2 * tol, case)


def _batch_of_equals(case: Case, seed: int) -> Case | None:
    """Return the case three times over, as rows that can share their memory; nothing where rows are no samples.

    To make the rows of one sample equal would ask about another thing: a matrix of equal rows is singular, equal
    elements are a tie.
    """
    if not rows_apart(case, seed):
        return None
    return replace(
        case,
        inputs={name: _times(x) for name, x in case.inputs.items()},
        dy=tuple(_times(v) for v in case.dy or ()),
    )


def _equal_cotangents(case: Case) -> Case:
    """Return the case with cotangents whose rows are equal, as sum() sends them."""
    return replace(case, dy=tuple(np.broadcast_to(v[:1], v.shape).copy() if v.ndim else v for v in case.dy or ()))


def _times(x: Array) -> Array:
    return np.broadcast_to(x, (_ROWS, *x.shape)).copy()
