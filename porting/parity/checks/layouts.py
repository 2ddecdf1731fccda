"""Memory layouts of inputs and of cotangents."""

from dataclasses import replace

import numpy as np

from porting.parity.checks import TWINS, NotApplicableError, check
from porting.parity.probe import Array, Probe
from porting.runners import Case


@check(runners=TWINS)
def layouts(probe: Probe) -> None:
    """Transposed, strided, offset and expanded inputs and cotangents give what contiguous ones give."""
    if not probe.runner.layouts:
        raise NotApplicableError(f"a {probe.runner.title} tensor has no strides")
    for layout in probe.runner.layouts:
        for side in ("inputs", "cotangent"):
            case = probe.case(f"layout {layout}")
            if layout == "expanded":  # rows share their memory, so they are equal: sum() sends such a cotangent
                case = _equal_rows(case)
            case = replace(case, layout=layout) if side == "inputs" else replace(case, dy_layout=layout)
            probe.context = f" with {layout} {side}"
            outcome = probe.run(case)
            if outcome is not None:
                probe.expect_value(case, outcome)
                probe.expect_vjp(case, outcome)


def _equal_rows(case: Case) -> Case:
    def rows(x: Array) -> Array:
        return np.broadcast_to(x[:1], x.shape).copy()

    inputs = {name: rows(x) for name, x in case.inputs.items()}
    return replace(case, inputs=inputs, dy=tuple(rows(v) for v in case.dy or ()))
