"""Complex inputs, where the contract promises them."""

from dataclasses import replace

import numpy as np

from porting.dtypes import complex_of
from porting.numeric import samples
from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Array, Probe
from porting.parity.types_of import types_of_outputs
from porting.runners import Case


@check()
def complex_numbers(probe: Probe) -> None:
    """Complex inputs and cotangents give the oracle's value and gradient, which has the conjugate of the Jacobian."""
    if not probe.op.contract.complex:
        raise NotApplicableError("the contract does not promise complex numbers")
    if probe.dtype not in {"float32", "float64"}:
        raise NotApplicableError("there are no complex numbers of 16 bits")
    case = complex_case(probe)
    outcome = probe.run(case, "complex")
    if outcome is not None:
        if probe.independent:
            types_of_outputs(probe, case, outcome.value)
        probe.expect_value(case, outcome, how="complex")
        probe.expect_vjp(case, outcome, how="complex")


def complex_case(probe: Probe, label: str = "complex") -> Case:
    """Return an everyday case with each number turned by an angle, and cotangents of the outputs' kind."""
    rng = samples.generator(probe.seed, probe.op.name, label, probe.dtype)
    kind = complex_of(probe.dtype)

    def turned(x: Array) -> Array:
        return np.asarray(x * np.exp(1j * rng.uniform(0, 2 * np.pi, x.shape)), dtype=kind)

    drawn = probe.draw(rng, statics=next(probe.variants()))
    base = probe.case(label, inputs=probe.op.in_complex(drawn, turned))
    forward = probe.runner.run(replace(base, dy=None)).value
    real = [not np.iscomplexobj(y) for y in forward] or [False] * len(base.dy or ())  # as that of a magnitude
    dy = tuple(v if alone else turned(v) for v, alone in zip(base.dy or (), real, strict=False))
    return replace(base, dy=dy)
