"""The oracle against an independent witness: mpmath, formulas written anew, derivatives by mpmath (see witness.py)."""

import runpy
from pathlib import Path

import mpmath
import numpy as np
import pytest
from witness import POINTS, Witness, as_tuple, cotangents, truth

from porting.parity.cases import Cases
from porting.registry import ops

OPS = {op.name: op for op in ops().values() if op.module.startswith("porting.oracle.")}
WITNESS: dict[str, Witness] = {
    name: witness
    # in a folder of its own: pytest puts this one on the path, and a family may be called as a library (distributed)
    for path in sorted((Path(__file__).parent / "families").glob("*.py"))
    for name, witness in runpy.run_path(str(path))["WITNESS"].items()
}


def test_every_op_has_a_witness():
    assert set(WITNESS) == set(OPS)


def points(op, witness):
    if witness.points is not None:
        return witness.points
    assert not op.contract.shapes, "points=[…] is wanted: the op has shapes"
    bounds = [op.contract.domain.get(name, (-np.inf, np.inf)) for name in op.inputs]
    chosen = [p[: len(op.inputs)] for p in POINTS]
    return [p for p in chosen if all(low <= x <= high for x, (low, high) in zip(p, bounds, strict=True))]


@pytest.mark.parametrize("op", OPS.values(), ids=OPS.keys())
def test_oracle_is_right_to_the_last_digits(op):
    witness = WITNESS[op.name]
    wrt = [op.inputs.index(name) for name in op.wrt]
    judged = 0
    for statics in witness.statics or list(Cases(op, "float64").variants()):
        for point in points(op, witness):
            inputs = [np.asarray(x, dtype=None if np.asarray(x).dtype.kind in "bi" else np.float64) for x in point]
            with np.errstate(all="ignore"):  # an overflow on the way to a right result is none
                outputs = as_tuple(op(*inputs, **statics))
                dy = cotangents(outputs)
                ours = [*outputs, *as_tuple(op.vjp(dy[0] if len(dy) == 1 else dy, *inputs, **statics))]
            value, gradients = truth(witness, inputs, wrt, dy, op.settings(statics))
            wanted = [np.asarray(w, dtype=object) for w in (*value, *gradients)]
            for got, want in zip(ours, wanted, strict=True):
                assert np.shape(got) == want.shape, (op.name, point)
                size = max([mpmath.mpf(1), *(abs(w) for w in want.ravel() if mpmath.isfinite(w))])
                for g, w in zip(np.ravel(got), want.ravel(), strict=True):
                    if mpmath.isfinite(w) and abs(w) > np.finfo(np.float64).max:
                        continue  # beyond float64
                    judged += 1
                    # units in the last place of the result, or of 1e-3 of the largest where a sum cancels
                    near = g == w or abs(mpmath.mpf(float(g)) - w) <= witness.ulp * 2.0**-53 * max(abs(w), size / 1000)
                    assert near, (op.name, point, statics, float(g), mpmath.nstr(mpmath.mpf(w), 20))
    assert judged
