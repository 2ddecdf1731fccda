"""Forward mode, where the op promises it."""

from dataclasses import replace

import numpy as np

from porting.dtypes import wide
from porting.numeric import samples
from porting.parity.checks import check
from porting.parity.checks.vmap import ensure_promised
from porting.parity.probe import Probe, output_name


@check(needs="forward mode", once=True)
def jvp(probe: Probe) -> None:
    """<v, jvp(u)> equals <vjp(v), u> of the oracle for one-hot v: the Jacobian-vector product, element by element."""
    ensure_promised(probe, "jvp")
    case = probe.case(shape=(2, 3))
    rng = samples.generator(probe.seed, probe.op.name, "tangents")
    tx = tuple(samples.cotangent(rng, case.inputs[name].shape, probe.dtype) for name in probe.op.wrt)
    outcome = probe.run(replace(case, tx=tx), "forward mode")
    if outcome is None or not probe.independent:
        return
    dy = case.dy or ()
    for k, ty in enumerate(outcome.ty):
        if k in probe.op.contract.nondiff:
            continue
        want, tol = np.zeros(dy[k].shape), np.zeros(dy[k].shape)
        for i in np.ndindex(dy[k].shape):
            hot = [np.zeros_like(v) for v in dy]
            hot[k][i] = 1
            one = replace(case, dy=tuple(hot))
            parts = list(zip(probe.truth(one).vjp, probe.vjp_tolerance(one), tx, strict=True))
            want[i] = sum(float(np.sum(np.asarray(g) * wide(t))) for g, _, t in parts)
            tol[i] = sum(float(np.sum(allowed * np.abs(wide(t)))) for _, allowed, t in parts)
        got = np.zeros(dy[k].shape) if ty is None else ty
        said = {"quantity": "jvp", "name": output_name(k, len(outcome.ty)), "truth": probe.who}
        probe.expect("differs", said, got, want, tol, case)
