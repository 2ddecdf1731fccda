"""A cause explains the checks whose findings it rests on, and no others that it looked into."""

from types import SimpleNamespace

from porting.diagnosis.faults import overflow
from porting.parity.finding import Finding, Result, Worst


def differing(check, got, want, bad):
    worst = Worst("x", (0,), got, want, {"x": 800.0}, 1e5, 10.0, 1e4)
    finding = Finding(
        "differs", {"quantity": "gradient", "name": "x", "truth": "TensorFlow"}, worst=worst, bad=bad, total=12
    )
    return Result("sigmoid", check, "torch", "cpu", "eager", "float64", 0, "differ", findings=(finding,))


def test_what_overflows_far_out_explains_no_everyday_numbers(monkeypatch):
    for name in ("divides_by_zero", "divides_by_a_difference"):
        monkeypatch.setattr(overflow, name, lambda *_: False)
    monkeypatch.setattr(overflow, "overflows", lambda *_: True)
    results = [differing("special_values", float("nan"), 0.0, 3), differing("vjp", 0.5, 0.4, 3)]
    evidence = SimpleNamespace(results=results, looked_at=set(), raised=None, example=None)
    assert overflow.overflow(evidence)
    assert evidence.looked_at == {"special_values"}
