"""What is wrong for inputs that were guessed is a fault only if such inputs are meant."""

from dataclasses import replace

import pytest

import porting
from porting import Pair, array
from porting.engine.assumed import assumed
from porting.engine.no_fault import no_fault
from porting.pairs.guess import Guess
from porting.parity.finding import Diagnosis, Finding, Result
from porting.parity.report import Report
from porting.report.step_summary import markdown

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Inverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        y = torch.linalg.inv(a)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return -y.mT @ torch.sign(dy) @ y.mT


@tf.custom_gradient
def inverse(a):
    y = tf.linalg.inv(a)
    return y, lambda dy: -tf.linalg.matrix_transpose(y) @ dy @ tf.linalg.matrix_transpose(y)


CONDITION = "If the guessed inputs are meant"
LINEAR = "a gradient that is linear in the cotangent is"


@pytest.mark.parametrize("inputs", [{}, {"a": array(("n", "n"))}], ids=["guessed", "described"])
def test_the_condition_stands_before_the_cause(inputs):
    report = porting.check(Pair(torch=Inverse, tf=inverse, inputs=inputs), dtypes=["float64"], only=["vjp", "linear"])
    first = next(d for d in report.diagnoses if d.runner == "torch")
    assert first.meant == (LINEAR if inputs else "the guessed inputs are")
    assert first.cause == "not_linear"
    for text in (str(report), markdown(report)):
        assert (CONDITION.lower() in text.lower()) == (not inputs), text
    again = Report.from_json(report.to_json())
    assert [d.meant for d in again.diagnoses] == [d.meant for d in report.diagnoses]


@tf.custom_gradient
def sine(x):
    return tf.sin(x), lambda dy: dy * tf.cos(x)


SIDE = ("f", "torch", "cpu", "eager")
RAISES = Diagnosis(*SIDE, "raises_in_forward", "fault", "It raises.", "", "", explains=("value", "vjp"))


def result(check, status):
    return Result("f", check, "torch", "cpu", "eager", "float64", 0, status, "")


@pytest.mark.parametrize(
    ("cause", "inputs", "results", "meant"),
    [
        (RAISES, {}, [("value", "differ"), ("adjoint", "agree")], "arrays of any shape and number are"),
        (RAISES, {}, [("value", "differ"), ("adjoint", "differ")], "arrays of any shape and number are"),
        (RAISES, {"x": array()}, [("value", "differ"), ("adjoint", "agree")], ""),
        (replace(RAISES, explains=("traced",)), {}, [("traced", "differ"), ("adjoint", "agree")], ""),
        (replace(RAISES, cause="wrong_shape", explains=("shapes",)), {}, [], "arrays of any shape and number are"),
        (replace(RAISES, cause="wrong_sign", explains=("shapes", "vjp")), {}, [], ""),
    ],
    ids=["for some", "for all", "described", "in a graph", "rare shapes", "not of shapes"],
)
def test_so_does_another_one_before_what_some_shapes_alone_show(cause, inputs, results, meant):
    """Who raises for all that was tried may be made for others: nobody said what it takes."""
    pair = Pair(tf=sine, name="f", inputs=inputs)
    assert assumed(cause, pair, (), [result(*one) for one in results]) == meant


def test_one_of_two_sides_may_raise_for_what_it_is_not_made_for():
    """The other one takes it, and may broadcast or slice what is not meant."""
    pair = Pair(torch=torch.sin, tf=sine, name="f")
    assert assumed(RAISES, pair, (), [result("value", "differ")]) == "arrays of any shape and number are"


UNLIKE = replace(RAISES, cause="not_linear", explains=("linear", "vjp"))


@pytest.mark.parametrize(
    ("how", "meant"),
    [({"torch": sine}, LINEAR), ({}, ""), ({"torch": sine, "reference": "tf"}, "")],
    ids=["two sides", "one side", "the other one is right"],
)
def test_of_two_sides_one_may_clip_its_cotangent_on_purpose(how, meant):
    """A gradient that is clipped, or does not ask for its cotangent, is written so in losses and binary networks."""
    assert assumed(UNLIKE, Pair(tf=sine, name="f", inputs={"x": array()}, **how), (), []) == meant


def test_both_conditions_are_told():
    cause = replace(RAISES, provided="PyTorch", meant="the guessed inputs are")
    assert cause.claim.startswith("If PyTorch is right and the guessed inputs are meant: It raises.")


@pytest.mark.parametrize("how", [{}, {"reference": "tf"}, {"inputs": {"x": array()}}], ids=["", "settled", "described"])
def test_so_are_outputs_of_other_shapes_of_some_arrays(how):
    """Written for rows and columns, one side takes more axes by accident."""
    fields = {"quantity": "value", "name": "y", "got_shape": (1, 4, 4), "want_shape": (1, 1, 4)}
    found = replace(result("shapes", "differ"), findings=(Finding("shape_differs", fields),))
    assert bool(no_fault(found, Pair(torch=sine, tf=sine, name="f", **how), None)) == (not how)
    assert not no_fault(replace(found, check="value"), Pair(torch=sine, tf=sine, name="f", **how), None)


def far(x, at=50.0):
    return torch.sqrt(x - at)


def far_tf(off=0.0):
    return lambda x: tf.sqrt(x - 50.0) + off


def test_so_does_a_domain_that_nobody_gave():
    """Where no everyday number has a finite value, other numbers that have one may be none that is meant."""
    asked = {"dtypes": ["float64"], "only": ["value", "vjp", "special_values"]}
    pair = Pair(torch=far, tf=far_tf(1.5), reference="torch")
    report = porting.check(pair, **asked)
    assert {d.meant for d in report.diagnoses if d.runner == "tf"} == {"numbers of any sign and size are"}, str(report)
    assert "If numbers of any sign and size are meant: " in str(report)
    described = porting.check(replace(pair, inputs={"x": array(domain=(51.0, 60.0))}), **asked)
    assert [d.cause for d in described.diagnoses][:1] == ["wrong_value"]
    assert {d.meant for d in described.diagnoses} == {""}, str(described)
    right = porting.check(Pair(torch=far, tf=far_tf(), reference="torch"), **asked)
    assert not right.counts["differ"], str(right)


@pytest.mark.parametrize("shapes", [((), (1,)), ((1,), ())], ids=["one more", "one less"])
def test_an_axis_that_one_number_gains_or_loses_is_of_nobody(shapes):
    """One side makes an array of one number, the other one keeps the number."""
    fields = dict(zip(("got_shape", "want_shape"), shapes, strict=True))
    found = replace(result("shapes", "differ"), findings=(Finding("shape_differs", {"quantity": "value", **fields}),))
    pair = Pair(torch=sine, tf=sine, name="f")
    assert "--input says others" in no_fault(found, pair, None)
    assert not no_fault(found, replace(pair, inputs={"x": array(())}), None)


@pytest.mark.parametrize(
    ("unfit", "quantity", "axes", "excused"),
    [(True, "value", 4, True), (True, "gradient", 4, False), (False, "value", 4, False), (True, "value", 2, False)],
)
def test_outputs_of_other_shapes_are_no_fault_where_a_guess_of_images_fits_no_side(unfit, quantity, axes, excused):
    """One side may have channels last, with a gradient that is no help in finding it out."""
    fields = {"quantity": quantity, "name": "y", "got_shape": (4, 1, 5, 5), "want_shape": (20, 3, 5, 1)}
    found = replace(result("traced", "differ"), findings=(Finding("shape_differs", fields),))
    pair = Pair(torch=sine, tf=sine, name="f", inputs={"x": array(("n", 3, 5, 5)[:axes])})
    assert bool(no_fault(found, pair, Guess(pair, "", {}, unfit=unfit))) == excused
