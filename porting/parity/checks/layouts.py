"""Memory layouts of inputs and of cotangents."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from porting.parity.checks import TWINS, NotApplicableError, check
from porting.parity.probe import Array, Probe, output_name
from porting.runners import Case, Outcome


@check(runners=TWINS)
def layouts(probe: Probe) -> None:
    """Transposed, strided, offset and expanded inputs and cotangents give what contiguous ones give."""
    if not probe.runner.layouts:
        raise NotApplicableError(f"a {probe.runner.title} tensor has no strides")
    ordinary = probe.case("layouts")
    answer = probe.run(ordinary)
    for layout in probe.runner.layouts:
        plain, contiguous = ordinary, answer
        if layout == "expanded":  # rows share their memory, so they are equal: sum() sends such a cotangent
            plain = _equal_rows(plain)
            contiguous = probe.run(plain)
        if contiguous is None:
            return
        for side in ("inputs", "cotangent"):
            case = replace(plain, layout=layout) if side == "inputs" else replace(plain, dy_layout=layout)
            outcome = probe.run(case, "layout", layout=layout, side=side)
            if outcome is not None:
                use = {"truth": "contiguous", "how": "layout", "layout": layout, "side": side}
                _compare(probe, case, outcome, contiguous, use)


def _compare(probe: Probe, case: Case, outcome: Outcome, contiguous: Outcome, use: Mapping[str, str]) -> None:
    values = zip(outcome.value, contiguous.value, probe.value_tolerance(case), strict=True)
    for k, (y, want, tol) in enumerate(values):
        said = {"quantity": "value", "name": output_name(k, len(outcome.value)), **use}
        probe.expect("differs", said, y, want.astype(np.float64), tol, case)
    gradients = zip(probe.op.wrt, outcome.vjp, contiguous.vjp, probe.vjp_tolerance(case), strict=True)
    for name, dx, plain, tol in gradients:
        if dx is not None and plain is not None:
            said = {"quantity": "gradient", "name": name, **use}
            probe.expect("differs", said, dx, plain.astype(np.float64), tol, case)


def _equal_rows(case: Case) -> Case:
    def rows(x: Array) -> Array:
        return np.broadcast_to(x[:1], x.shape).copy() if x.ndim else x

    inputs = {name: rows(x) for name, x in case.inputs.items()}
    return replace(case, inputs=inputs, dy=tuple(rows(v) for v in case.dy or ()))
