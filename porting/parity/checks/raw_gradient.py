"""Types and shapes, of the outputs and of the gradient as the op itself returned it."""

from dataclasses import replace

import numpy as np

from porting.dtypes import real_of, wide
from porting.errors import NoTruthError
from porting.parity.checks import check
from porting.parity.probe import Array, Probe
from porting.parity.types_of import same_dtype, types_of_outputs
from porting.runners import Case, Runner
from porting.runners.seeded import SeededRunner


@check()
def raw_gradient(probe: Probe) -> None:
    """Outputs have the inputs' type; the op's own backward returns each gradient in its input's shape and type."""
    case = probe.case()
    answered = probe.runner.run(replace(case, raw=True))
    outcome = probe.accepted(case, answered)
    types_of_outputs(probe, case, answered.value)
    if outcome is None:
        return
    for name, dx in zip(probe.op.wrt, outcome.vjp, strict=True):
        if dx is not None:
            x = case.inputs[name]
            said = {"quantity": "gradient", "name": name, "got_shape": dx.shape, "want_shape": x.shape}
            probe.fact(dx.shape == x.shape, "shape_differs", **said)
            same = real_of(dx, x) if name in probe.op.complex_inputs else dx  # which is asked with real numbers too
            same_dtype(probe, "gradient", name, same.dtype.name, x.dtype.name)
    if outcome.raw is None:
        probe.note = "the op's own backward could not be called by itself, so only the framework's gradient was judged"
        return
    both = outcome.raw, outcome.vjp
    for name, raw, dx, tol in zip(probe.op.wrt, *both, probe.vjp_tolerance(case, both), strict=True):
        x = case.inputs[name]
        if raw is None or dx is None:
            continue
        if raw.shape == x.shape and raw.dtype == x.dtype:
            alike = _alike(raw, dx, tol)
            if not alike and _draws(probe, case, name, tol):
                raise NoTruthError("its gradient draws random numbers, which `repeated` looks at")
            probe.fact(alike, "raw_differs", name=name)
        elif dx.shape == x.shape and dx.dtype == x.dtype:
            came = {"got_dtype": raw.dtype.name, "got_shape": raw.shape}
            wanted_too = {"want_dtype": x.dtype.name, "want_shape": x.shape}
            probe.fact(False, "raw_repaired", "portability", name=name, **came, **wanted_too)


def _draws(probe: Probe, case: Case, name: str, tol: Array) -> bool:
    """Whether each call gives another gradient, and from the same seeds the same: the raw one is of another draw."""

    def is_repeated(runner: Runner) -> bool:
        first, second = (dict(zip(probe.op.wrt, runner.run(case).vjp, strict=False)).get(name) for _ in range(2))
        return first is not None and second is not None and first.shape == second.shape and _alike(first, second, tol)

    return not is_repeated(probe.runner) and is_repeated(SeededRunner(probe.runner))


def _alike(raw: Array, dx: Array, tol: Array) -> bool:
    """Tell whether two calls give the same: up to rounding, for sums may come in another order."""
    a, b = wide(raw), wide(dx)
    with np.errstate(invalid="ignore"):  # infinity less infinity
        return bool(((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= tol)).all())
