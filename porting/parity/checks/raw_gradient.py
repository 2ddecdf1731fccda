"""Types and shapes, of the outputs and of the gradient as the op itself returned it."""

from dataclasses import replace

import numpy as np

from porting.dtypes import is_float
from porting.parity.checks import TWINS, check
from porting.parity.probe import Probe


@check(runners=TWINS)
def raw_gradient(probe: Probe) -> None:
    """Outputs have the inputs' type; the op's own backward returns each gradient in its input's shape and type."""
    case = probe.case()
    outcome = probe.run(replace(case, raw=True))
    if outcome is None:
        return
    for k, (y, truth) in enumerate(zip(outcome.value, probe.truth(case).value, strict=False)):
        name = "y" if len(outcome.value) == 1 else f"y{k}"
        wanted = probe.dtype if is_float(truth) else truth.dtype.name
        probe.fact(y.dtype.name == wanted, f"{name} has dtype {y.dtype.name}, should be {wanted}")
    for name, dx in zip(probe.op.wrt, outcome.vjp, strict=True):
        if dx is not None:
            x = case.inputs[name]
            probe.fact(dx.shape == x.shape, f"gradient of {name} has shape {list(dx.shape)}, its input {list(x.shape)}")
            probe.fact(dx.dtype == x.dtype, f"gradient of {name} has dtype {dx.dtype.name}, its input {x.dtype.name}")
    if outcome.raw is None:
        probe.note = "the op's own backward could not be called by itself, so only the framework's gradient was judged"
        return
    for name, raw, dx in zip(probe.op.wrt, outcome.raw, outcome.vjp, strict=True):
        x = case.inputs[name]
        if raw is None or dx is None:
            continue
        if raw.shape == x.shape and raw.dtype == x.dtype:
            same = bool(np.array_equal(raw.astype(np.float64), dx.astype(np.float64), equal_nan=True))
            probe.fact(same, f"the backward's own gradient of {name} differs from what autograd hands out")
        elif dx.shape == x.shape and dx.dtype == x.dtype:
            returned = f"{raw.dtype.name}{list(raw.shape)}"
            probe.fact(
                False,
                f"the backward returns {returned} as gradient of {name}, whose input is {x.dtype.name}{list(x.shape)}",
                "PyTorch sums and casts it for you; TensorFlow hands it out as it is",
                kind="portability",
            )
