"""A factor that what was looked at has is no cause where an element that a check found is another multiple."""

from types import SimpleNamespace

import pytest

from porting.diagnosis.faults.constant_factor import _contradicted
from porting.parity.finding import Finding, Result, Worst


def found(got, want, name="x", check="vjp", quantity="gradient"):
    worst = Worst(f"d{name}", (1,), got, want, {}, 1e9, 16.0, 1e9)
    fields = {"quantity": quantity, "name": name, "truth": "TensorFlow in float64", "how": "", "part": "", "signs": ""}
    finding = Finding("differs", fields, kind="disagreement", worst=worst, bad=4, total=4)
    result = Result("f", check, "torch", "cpu", "eager", "float64", 0, "differ", "", (finding,))
    return SimpleNamespace(results=[result], dtype="float64")


@pytest.mark.parametrize(
    ("evidence", "contradicted"),
    [
        (found(6.8227, 3.5272), True),
        (found(7.0544, 3.5272), False),
        (found(6.8227, 3.5272, name="y"), False),
        (found(6.8227, 3.5272, check="shapes"), False),
        (found(6.8227, 3.5272, quantity="value"), False),
        (found(float("inf"), 3.5272), False),
    ],
    ids=["another multiple", "this one", "another input", "other shapes", "a value", "not finite"],
)
def test_an_element_of_another_multiple_speaks_against_it(evidence, contradicted):
    assert _contradicted(evidence, "x", 2.0) == contradicted
