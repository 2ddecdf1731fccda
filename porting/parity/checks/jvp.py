"""Forward mode, where the op promises it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from porting.dtypes import wide
from porting.numeric import differences, samples
from porting.parity.checks import check
from porting.parity.checks.vmap import ensure_promised
from porting.parity.probe import Array, Probe, output_name
from porting.runners import Case


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
    differ = []
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
        differ.append((said, got, want, tol))
    if probe.op.truth != "oracle" and _is_of_forward(probe, case, tx, outcome.ty, [tol for *_, tol in differ]):
        own = [_by_gradient(probe, case, tx, k) for k in range(len(outcome.ty)) if k not in probe.op.contract.nondiff]
        beside = zip(differ, own, strict=True)
        wrong = any(bool((np.abs(got - mine) > tol).any()) for (_, got, _, tol), mine in beside)
        probe.fact(not wrong, "jvp_of_forward")
        return
    for said, got, want, tol in differ:
        probe.expect("differs", said, got, want, tol, case)


def _by_gradient(probe: Probe, case: Case, tx: Sequence[Array], k: int) -> Array:
    """Return <vjp(v), u> of the side's own gradient, for one-hot v of one output."""
    dy = case.dy or ()
    found = np.zeros(dy[k].shape)
    for i in np.ndindex(dy[k].shape):
        hot = [np.zeros_like(v) for v in dy]
        hot[k][i] = 1
        gradients = zip(probe.runner.run(replace(case, dy=tuple(hot))).vjp, tx, strict=False)
        found[i] = sum(float(np.sum(wide(g) * wide(t))) for g, t in gradients if g is not None)
    return found


def _is_of_forward(
    probe: Probe, case: Case, tx: Sequence[Array], found: Sequence[Array | None], allowed: Sequence[Array]
) -> bool:
    """Whether the product is the derivative of the side's own forward along the tangents, by differences.

    An input without a gradient is a constant in forward mode too.
    """
    gradients = probe.runner.run(case).vjp
    moving = {n: t for n, t, g in zip(probe.op.wrt, tx, gradients, strict=False) if g is not None}

    def along(h: Array) -> tuple[Array, ...]:
        if np.iscomplexobj(h):
            raise TypeError("differences in real numbers only")
        inputs = {
            n: (wide(x) + h * wide(moving[n])).astype(x.dtype) if n in moving else x for n, x in case.inputs.items()
        }
        answer = probe.runner.run(replace(case, inputs=inputs, dy=None))
        return tuple(map(wide, answer.value)) if answer.raised is None else tuple(v * np.nan for v in case.dy or ())

    around = differences.Around(along, [np.zeros(())], [0])
    judged = [k for k in range(len(found)) if k not in probe.op.contract.nondiff]
    for k, tol in zip(judged, allowed, strict=True):
        for i in np.ndindex(tol.shape):
            hot = [np.zeros(v.shape) for v in case.dy or ()]
            hot[k][i] = 1
            derivative = around.vjp(hot)
            ty = found[k]
            got = 0.0 if ty is None else float(wide(ty)[i])
            near = abs(got - float(derivative.value[0])) <= float(tol[i]) + 4 * float(derivative.error[0])
            if not near:  # also where it is not a number
                return False
    return True
