"""What is allowed at least is no more than what rule R* allows; what is not judged changes nothing."""

import numpy as np
import pytest

from porting.parity import allowed
from porting.parity.checks import checks
from porting.parity.probe import Probe
from porting.parity.truth import value_tolerance, vjp_tolerance
from porting.registry import ops
from porting.runners import RUNNERS


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
@pytest.mark.parametrize("op", ops().values(), ids=lambda op: op.name)
def test_the_least_is_no_more_than_the_rule(op, dtype):
    probe = Probe(op, dtype, "cpu", "eager", 3, "vjp", runner=RUNNERS["oracle"])
    for case in list(probe.ordinary())[:3]:
        truth = probe.truth(case)
        least = allowed.of_value(case, dtype, 3, truth, truth.value, rows=False)  # the truth is near the truth
        for low, high in zip(least, value_tolerance(case, dtype, 3), strict=True):
            assert (low <= high * (1 + 1e-9)).all()
        least = allowed.of_vjp(case, dtype, 3, truth, truth.vjp, rows=False)
        for low, high in zip(least, vjp_tolerance(case, dtype, 3), strict=True):
            assert (low <= high * (1 + 1e-9)).all()


@pytest.mark.parametrize("off", [0.4, 0.6])
def test_what_is_near_asks_no_further_points(off, monkeypatch):
    op = ops()["swish"]
    probe = Probe(op, "float64", "cpu", "eager", 3, "vjp", runner=RUNNERS["oracle"])
    case = probe.case()
    (y,) = probe.truth(case).value
    (least,) = allowed.of_value(case, "float64", 3, probe.truth(case), (y,), rows=False)
    asked = []
    monkeypatch.setattr(allowed, "value_tolerance", lambda *_, **__: asked.append(1) or (np.ones_like(y),))
    moved = type(probe.truth(case))((y + off * least,))
    allowed.of_value(case, "float64", 3, moved, (y,), rows=False)
    assert bool(asked) == (off > 0.5)


@pytest.mark.parametrize(("off", "worst", "judged"), [(100, 200.0, False), (100, 50.0, True), (np.inf, 200.0, True)])
def test_what_is_far_off_is_judged_where_it_is_the_worst(off, worst, judged, monkeypatch):
    op = ops()["swish"]
    probe = Probe(op, "float64", "cpu", "eager", 3, "vjp", runner=RUNNERS["oracle"])
    case = probe.case()
    (dx,) = probe.truth(case).vjp
    (least,) = allowed.of_vjp(case, "float64", 3, probe.truth(case), (dx,), rows=False)
    moved = dx.copy()
    moved[0, 1] += off * least[0, 1]
    asked = []
    monkeypatch.setattr(allowed, "vjp_tolerance", lambda *_, **__: asked.append(1) or (least,))
    (found,) = allowed.of_vjp(case, "float64", 3, type(probe.truth(case))(vjp=(moved,)), (dx,), [worst], rows=False)
    assert bool(asked) == judged
    assert np.isinf(found[0, 1]) == (not judged)
    assert np.isfinite(found).sum() == dx.size - (not judged)


def test_the_worst_element_is_the_same_as_if_all_were_judged(monkeypatch):
    def told():
        probe = Probe(wrong, "float64", "cpu", "eager", 0, "special_values", runner=RUNNERS["torch"])
        checks()["special_values"].run(probe)
        return {what: found.worst for what, found in probe.findings.items()}, probe.excused

    torch = pytest.importorskip("torch")
    twin = ops()["rms_norm"].twin("torch")
    wrong = ops()["rms_norm"].bind(torch=lambda x, weight, **how: twin(x, weight, **how) * torch.tanh(weight.sum()))
    some, left_out = told()
    monkeypatch.setattr(Probe, "_worst", lambda *_: ())
    assert some
    assert left_out
    assert told() == (some, 0)
