"""A translation is not accused of what nobody had the time to look for in its source."""

from dataclasses import replace

import pytest

from porting.parity.finding import Finding, Result
from porting.parity.report import Report
from porting.port.judge import judged

_TYPED = Finding("dtype_differs", {"quantity": "value", "name": "y", "got_dtype": "float32", "want_dtype": "float64"})


def result(runner, check, dtype, status, *findings):
    return Result("f", check, runner, "cpu", "eager", dtype, 0, status, "", findings, compared=8)


def both(late):
    """Return what both sides are: right in float32, and with an output of that type whatever the input is."""
    ours = [
        *(result("torch", check, "float32", "agree") for check in ("value", "vjp")),
        result("torch", "value", "float64", "differ", _TYPED),
        result("torch", "raw_gradient", "float64", "differ", _TYPED),
    ]
    theirs = [replace(one, runner="tf") for one in ours]
    theirs[3] = result("tf", "raw_gradient", "float64", "agree")  # its own type is the measure of it
    if late:
        theirs = [
            replace(one, status="no verdict", findings=(), cut=True) if one.check in late else one for one in theirs
        ]
    return Report([*theirs, *ours])


@pytest.mark.parametrize("late", [{"value"}, {"value", "raw_gradient"}, {"value", "vjp", "raw_gradient"}])
def test_what_the_source_had_no_time_for_accuses_nobody(late):
    found = judged(both(late), "tf", "torch")
    assert (found.status, "before the source was judged" in found.counted) == ("no verdict", True), found


@pytest.mark.parametrize("late", [{}, {"raw_gradient"}])
def test_a_type_of_its_own_is_known_by_the_value(late):
    assert judged(both(late), "tf", "torch").status == "proven"


def test_what_is_wrong_where_the_source_was_judged_is_found():
    report = both({"raw_gradient"})
    wrong = result(
        "torch",
        "layouts",
        "float32",
        "differ",
        Finding("differs", {"quantity": "gradient", "name": "x", "truth": "tf"}),
    )
    found = judged(
        Report([*report.results, replace(wrong, runner="tf", status="agree", findings=()), wrong]), "tf", "torch"
    )
    assert found.status == "different", found
