"""Differences of a side's own forward for complex numbers: whether its gradient belongs to it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array
from porting.numeric import samples
from porting.parity.checks.complex_numbers import complex_case

_EXACT: Final = "float64"
_STEP: Final = 1e-5
_NEAR: Final = 1e-5
_DRAWS: Final = 3


def is_own_in_complex(e: Evidence) -> bool:
    """Whether the gradient g is that of its own forward: Re <g, u> is the slope of Re <dy, f(x)> along each u."""
    probe = e.probe(e.dtype)
    case = complex_case(probe)
    got, rng = e.ask(case), samples.generator(probe.seed, probe.op.name, "complex slopes")
    if got is None or probe.dtype != _EXACT:
        return False

    def loss(inputs: Mapping[str, Array]) -> float:
        outputs = probe.runner.run(replace(case, inputs=inputs, dy=None)).value
        return float(sum(np.vdot(v, y).real for v, y in zip(case.dy or (), outputs, strict=True)))

    for _ in range(_DRAWS):
        u = {n: rng.standard_normal(g.shape) + 1j * rng.standard_normal(g.shape) for n, g in got.items()}
        moved = [{n: x + h * u[n] if n in u else x for n, x in case.inputs.items()} for h in (_STEP, -_STEP)]
        ahead, behind = map(loss, moved)
        slope, mine = (ahead - behind) / (2 * _STEP), float(sum(np.vdot(g, u[n]).real for n, g in got.items()))
        if not abs(slope - mine) <= _NEAR * max(abs(slope), abs(mine)):
            return False
    return True
