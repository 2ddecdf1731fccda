"""What was said falsely of strangers' code, or named and explains nothing, the ninth time; in its shape."""

from types import SimpleNamespace

import numpy as np
import pytest
from judged import accused_by, first_cause

import porting
from porting import Pair
from porting.diagnosis.cause import causes as causes_by_name
from porting.errors import PairError
from porting.parity.finding import Finding, Worst

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

ANY = {"x": porting.array()}
FREE = {"x": porting.array(("n",))}
EVERYDAY = ["value", "vjp", "adjoint", "linear", "special_values"]
CHECKS = {"dtypes": ["float64"], "only": EVERYDAY}
BOTH = {"dtypes": ["float32", "float64"], "only": EVERYDAY}


def causes(report, runner):
    return [d.cause for d in report.diagnoses if d.runner == runner]


# A measure that has fewer digits than what it measures.

SOFTPLUS = function(torch.nn.functional.softplus, lambda dy, x: dy * torch.sigmoid(x))
STEEP = function(torch.nn.functional.softplus, lambda dy, x: dy * torch.sigmoid(x) * (1 + 0.01 * torch.tanh(x)))


def softplus_in_float32(x):
    return torch.nn.functional.softplus(x.float())


def test_a_plain_version_in_float32_accuses_nobody_of_its_digits():
    report = porting.check(Pair(torch=SOFTPLUS, like=softplus_in_float32, inputs=ANY), **BOTH)
    assert report.exit_code == 0, str(report)
    assert any("computes in float32" in r.note for r in report.results if r.status == "no verdict")


def test_a_formula_that_is_one_per_cent_off_is_found_beside_it():
    found, report = accused_by(
        Pair(torch=STEEP, like=softplus_in_float32, inputs=ANY), dtypes=["float32", "float64"], only=EVERYDAY
    )
    assert found
    assert "precision_loss" not in causes(report, "torch"), str(report)


def test_a_term_that_is_one_per_cent_off_is_no_rounding():
    """Where the terms nearly take each other away, what is off is large beside the sum."""

    def backward(dy, x, w, u, v):
        z = x.flatten(0, 1).t() @ dy.flatten(0, 1)
        return dy @ w.t() + 1.01 * ((dy @ v.t()) @ u.t()), None, z @ v.t(), u.t() @ z

    low_rank = function(lambda x, w, u, v: x @ w + (x @ u) @ v, backward)
    shapes = {"x": ("b", "n", "i"), "w": ("i", "o"), "u": ("i", "r"), "v": ("r", "o")}

    def plain(x, w, u, v):
        return x @ w.detach() + (x @ u) @ v

    pair = Pair(torch=low_rank, like=plain, inputs={n: porting.array(shape) for n, shape in shapes.items()})
    assert first_cause(pair, "torch", **CHECKS) == "forward_gradient_disagree"


# Outputs in another type, or of another shape, than the cotangent that they are sent.


def test_cotangents_that_an_output_in_float32_rounds_are_no_break_of_linearity():
    narrow = function(lambda x: torch.nn.functional.softplus(x).float(), lambda dy, x: dy * torch.sigmoid(x))
    report = porting.check(
        Pair(torch=narrow, like=softplus_in_float32, inputs=FREE), dtypes=["float64"], only=["linear"]
    )
    assert {r.status for r in report.results if r.runner == "torch"} == {"agree"}, str(report)


def test_a_cotangent_has_the_type_of_its_output_in_tensorflow_too():
    @tf.custom_gradient
    def narrow(x):
        return tf.cast(tf.nn.softplus(x), tf.float32), lambda dy: tf.cast(
            dy * tf.cast(tf.sigmoid(x), tf.float32), x.dtype
        )

    report = porting.check(Pair(tf=narrow, inputs=FREE), dtypes=["float64"])
    assert "raised" not in {f.code for r in report.results for f in r.findings}, str(report)


def test_a_cotangent_of_the_plain_versions_shape_says_nothing_of_a_backward():
    one = function(lambda x: x.square().sum().reshape(1), lambda dy, x: 2 * x * dy)
    report = porting.check(Pair(torch=one, like=lambda x: x.square().sum(), inputs=FREE), dtypes=["float64"])
    assert "raises_in_backward" not in causes(report, "torch"), str(report)
    assert report.exit_code == 1


# Surrogates inside: differentiated twice, they are themselves twice.


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, 1.0, -1.0).to(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (x.abs() <= 1)


@tf.custom_gradient
def sign(x):
    y = tf.where(x >= 0, tf.ones_like(x), -tf.ones_like(x))
    return y, lambda dy: dy * tf.cast(tf.abs(x) <= 1, x.dtype)


def dense_torch(x, w):
    return Sign.apply(x) @ Sign.apply(w)


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_the_same_second_derivative_of_a_surrogate_is_a_note(factor):
    def dense_tf(x, w):
        @tf.custom_gradient
        def scaled(y):
            return tf.identity(y), lambda dy: factor * dy

        return tf.matmul(sign(x), scaled(sign(w)))

    inputs = {"x": porting.array(("n", 3)), "w": porting.array((3, 2))}
    report = porting.check(Pair(torch=dense_torch, tf=dense_tf, inputs=inputs), dtypes=["float64"])
    second = {r.status for r in report.results if r.check == "second_order"}
    assert second == ({"note"} if factor == 1 else {"differ"}), str(report)
    assert report.exit_code == (factor != 1)


# What is saved, and was there before.


class Frozen(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor(2.0), requires_grad=False)

    def forward(self, x):
        return function(lambda x, s: torch.tanh(s * x), self.backward)(x, self.scale)

    @staticmethod
    def backward(dy, x, s):
        return torch.tensor(((1 - torch.tanh(s * x) ** 2) * s).tolist(), dtype=x.dtype) * dy, None


def test_a_frozen_parameter_is_no_intermediate():
    report = porting.check(Pair(torch=Frozen, inputs=FREE), dtypes=["float64"], only=["value", "vjp", "second_order"])
    assert causes(report, "torch"), str(report)
    assert "saved_intermediate" not in causes(report, "torch"), str(report)


class Closed(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.ones((3,)), name="w")

        def called(x):
            return x * self.w

        self.called = called

    def __call__(self, x):
        return self.called(x)


def test_a_module_whose_copy_computes_with_the_originals_variables_is_refused():
    pair = Pair(tf=Closed, inputs={"x": porting.array(("n", 3))})
    with pytest.raises(PairError, match="does not compute with its own variables"):
        porting.check(pair, dtypes=["float32"], only=["adjoint"])


# The sign of a cotangent may decide on purpose.


CLAMP = function(lambda x: x.clamp(min=0.5), lambda dy, x: dy * (x >= 0.5))


@tf.custom_gradient
def bound(x):
    return tf.maximum(x, tf.cast(0.5, x.dtype)), lambda dy: dy * tf.cast((x >= 0.5) | (dy < 0), x.dtype)


def test_a_bound_that_lets_through_what_leads_back_inside_is_not_the_one_at_fault():
    report = porting.check(Pair(torch=CLAMP, tf=bound, inputs=FREE), **CHECKS)
    assert {r.status for r in report.results if r.check == "linear"} == {"agree", "note"}
    assert {f.kind for r in report.results if r.check == "vjp" for f in r.findings} == {"disagreement"}, str(report)
    assert {r.status for r in report.results if r.check == "vjp"} == {"differ"}
    assert all(d.provided for d in report.diagnoses), str(report)


@pytest.mark.parametrize("settled", [{"torch": CLAMP, "reference": "torch"}, {}])
def test_where_it_is_said_what_is_right_or_nothing_else_is_there_it_is_not_linear(settled):
    report = porting.check(Pair(tf=bound, inputs=FREE, **settled), **CHECKS)
    assert {r.status for r in report.results if (r.runner, r.check) == ("tf", "linear")} == {"differ"}
    assert next(d for d in report.diagnoses if d.runner == "tf").cause == "not_linear", str(report)


# Numbers that a processor takes for 0, and squares that are 0.


def test_a_power_of_a_subnormal_number_is_not_compared_with_a_side_that_flushes_it():
    root = function(torch.sqrt, lambda dy, x: dy / (2 * torch.sqrt(x)))
    report = porting.check(Pair(torch=root, tf=tf.sqrt, inputs=ANY), dtypes=["float64"], only=["whole_range"])
    assert report.exit_code == 0
    assert {r.status for r in report.results} == {"agree"}, str(report)


def test_a_tiny_number_whose_square_is_0_overflows_nothing():
    size = function(torch.abs, lambda dy, x: dy * torch.where(x == 0, 0.0, x / x.square().sqrt()))
    pair = Pair(torch=size, like=torch.abs, inputs=ANY)
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "special_values"])
    assert "overflow" not in causes(report, "torch"), str(report)


# Causes of one finding under another one.


@pytest.mark.parametrize(("got", "told"), [(float("nan"), False), (2.0, True)])
def test_a_nan_of_the_op_itself_is_no_overwritten_cotangent(got, told):
    worst = Worst("dx", (0,), got, 0.0, {}, 1.0, 1.0, 9.0)
    found = Finding("differs", {"name": "x", "quantity": "gradient", "truth": "oracle"}, worst=worst)
    evidence = SimpleNamespace(clean=True, results=(), said=lambda *_, **__: None, finding=lambda *_: found)
    assert bool(causes_by_name()["overwrites_cotangent"].detect(evidence)) == told


def test_a_cause_stands_under_what_it_is_of():
    """A value that is wrong where nothing explains it, and a second derivative that misses a term."""

    class Saved(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            t = torch.tanh(x)
            ctx.save_for_backward(t)
            return torch.where(x.abs() > 20, 2 * t, t)

        @staticmethod
        def backward(ctx, dy):
            (t,) = ctx.saved_tensors
            return dy * (1 - t * t)

    report = porting.check(Pair(torch=Saved, like=torch.tanh), dtypes=["float64"], only=[*EVERYDAY, "second_order"])
    for message in report.messages:
        if "(saved_intermediate" in message:
            assert "second derivative" in message.splitlines()[0], message
    assert any("(saved_intermediate" in message for message in report.messages), str(report)


def test_what_one_side_has_a_default_for_the_other_one_is_given():
    def scaled(x, factor=2.0):
        return factor * x

    report = porting.check(Pair(torch=scaled, like=lambda x, factor: factor * x), **CHECKS)
    assert report.exit_code == 0, str(report)
    assert report.counts["agree"] >= 4


def test_a_reason_that_holds_whole_arrays_is_cut():
    from porting.parity.finding import Result
    from porting.parity.report import Report
    from porting.report.text import notes

    result = Result(
        "op", "value", "torch", "cpu", "eager", "float64", 0, "no verdict", note=str(np.zeros(4000).tolist())
    )
    said = str(notes(Report((result,))).renderables[1])
    assert len(said) < 800
    assert "all of them with --json" in said


@pytest.mark.parametrize("strict", [False, True])
def test_a_second_derivative_that_is_not_promised_need_not_be_refused(strict):
    def backward(dy, x):
        return dy * x.detach().cos()

    pair = Pair(torch=function(torch.sin, backward), like=torch.sin, inputs=ANY, contract=porting.Contract(order=1))
    report = porting.check(pair, dtypes=["float64"], only=["vjp", "second_order"], strict=strict)
    assert {r.status for r in report.results if r.check == "second_order"} == {"differ" if strict else "not applicable"}
    assert report.exit_code == strict


def test_a_first_axis_is_no_sample_where_the_forward_counts_axes():
    """Straight through, the gradient has a row for each row; the value of one more axis has another shape."""

    def one_hot_torch(x):
        return torch.nn.functional.one_hot(x.argmax(dim=1), num_classes=x.shape[1]).to(x)

    @tf.custom_gradient
    def one_hot(x):
        return tf.one_hot(tf.argmax(x, axis=1), tf.shape(x)[1], dtype=x.dtype), lambda dy: dy

    straight = function(one_hot_torch, lambda dy, x: dy)
    report = porting.check(
        Pair(torch=straight, tf=one_hot, inputs={"x": porting.array(("n", "k"))}), dtypes=["float64"]
    )
    assert report.exit_code == 0, str(report)
    report = porting.check(Pair(torch=straight, tf=one_hot, inputs=ANY), dtypes=["float64"], only=["linear", "layouts"])
    assert report.counts["differ"] == 0, str(report)


def test_terms_that_take_each_other_away_in_one_element_are_rounded():
    """A share of one is 1: its gradient is exactly 0, of terms far larger than those of many shares."""
    third = 1.0 / 3.0

    def softmax(x):
        return torch.softmax(x.flatten(), 0).reshape(x.shape)

    def backward(dy, x):
        terms = dy * softmax(x)
        return terms - ((terms * third).sum() / third) * softmax(x)

    pair = Pair(
        torch=function(softmax, backward),
        tf=lambda x: tf.reshape(tf.nn.softmax(tf.reshape(x, [-1])), tf.shape(x)),
        inputs={"x": porting.array(("n", "k", "m", "j"))},
    )
    for seed in range(6):
        report = porting.check(pair, dtypes=["float32"], only=["shapes"], seed=seed)
        assert report.exit_code == 0, str(report)
