"""Integers where an op means floating numbers: the numbers that floats give, or an exception; never other numbers."""

from types import SimpleNamespace

import numpy as np
import pytest

import porting
from porting.parity.probe import Probe
from porting.registry import ops
from porting.runners import RUNNERS, Case, runner_of

CATALOGUE = {name: op for name, op in ops().items() if op.in_catalogue}
KEYS = [key for key, runner in RUNNERS.items() if not runner.missing()]
REFUSED = {
    "sigmoid_rsqrt", "sinkhorn", "logdet", "matrix_inverse_sqrt", "matrix_sqrt", "safe_eigh", "solve", "entmax15_loss",
    "focal_loss", "smoothed_cross_entropy", "soft_dtw", "sparsemax_loss", "layer_norm", "entmax15", "sparsemax",
    "bessel_ive", "log_cosh", "fake_quantize", "lsq_quantize", "scatter_mean",
}  # fmt: skip


def ordinary(op):
    probe = Probe(op, op.widest, "cpu", "eager", 0, "integers", quick=True, runner=runner_of(op, "oracle"))
    return next(probe.ordinary())


def wrong(op, key, names, case):
    """Return what an op makes of integers, where it makes other numbers of them than of the same floats."""
    whole = {n: np.rint(3 * x).astype(np.int64) if n in names else x for n, x in case.inputs.items()}
    floats = {n: x.astype(case.dtype) if n in names else x for n, x in whole.items()}
    got, want = (
        runner_of(op, key).run(Case(op, case.dtype, inputs, statics=case.statics, watch=()))
        for inputs in (whole, floats)
    )
    if got.raised is not None or want.raised is not None:
        return None
    pairs = [(a.astype(complex), b.astype(complex)) for a, b in zip(got.value, want.value, strict=True)]
    same = all(np.allclose(a, b, rtol=1e-5, atol=1e-5, equal_nan=True) for a, b in pairs)
    return None if same else got.value


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", CATALOGUE)
def test_integers_give_the_numbers_of_floats_or_an_exception(name, key):
    op = CATALOGUE[name]
    case = ordinary(op)
    for names in dict.fromkeys([*((n,) for n in op.wrt), tuple(op.wrt)]):
        assert wrong(op, key, names, case) is None, names


@pytest.mark.parametrize("key", [key for key in KEYS if key != "oracle"])
def test_what_would_be_rounded_is_refused_in_one_sentence(key):
    for name in REFUSED:
        op = CATALOGUE[name]
        case = ordinary(op)
        first = op.wrt[0]
        for kind in ("int32", "int64", "bool"):
            inputs = {n: np.ones((2, 2), kind) if n == first else x for n, x in case.inputs.items()}
            raised = runner_of(op, key).run(Case(op, case.dtype, inputs, statics=case.statics, watch=())).raised
            assert (raised.type, raised.message) == ("TypeError", f"{first}: floating numbers are wanted, got {kind}")


@pytest.mark.parametrize("key", [key for key in KEYS if key != "oracle"])
def test_a_twin_that_rounds_is_seen(key):
    def rounds(x):
        if key == "torch":
            return (x / 2).to(x.dtype)
        import tensorflow as tf

        return tf.cast(x / 2, x.dtype)

    op = CATALOGUE["swish"].bind(**{key: rounds})
    case = SimpleNamespace(inputs={"x": np.ones(3)}, dtype="float64", statics={})
    assert wrong(op, key, ("x",), case) is not None
    assert wrong(CATALOGUE["swish"].bind(**{key: lambda x: x * 2}), key, ("x",), case) is None


def test_a_contract_can_refuse_integers():
    report = porting.check("sparsemax", only=["refusals"], dtypes=["float64"])
    assert {result.status for result in report.results} == {"agree"}
    loose = CATALOGUE["sparsemax"].bind(torch=lambda x, *, axis=-1: x, tf=lambda x, *, axis=-1: x)
    report = porting.check(loose, only=["refusals"], dtypes=["float64"])
    assert {result.runner for result in report.results if result.status == "differ"} == set(KEYS) - {"oracle"}
