"""What is said of NaN, of graphs and of calls by name: words that did not fit what was found.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

ABOVE_ONE = {"x": porting.array(domain=(1.1, 10.0))}


class Acosh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, eps):
        ctx.save_for_backward(x)
        ctx.eps = eps
        return torch.log(x + torch.sqrt(x * x - 1))

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy / torch.clamp(torch.sqrt(x * x - 1), min=ctx.eps), None


@tf.custom_gradient
def acosh(x, eps):
    z = tf.sqrt(x * x - 1)
    return tf.math.log(x + z), lambda dy: (dy / tf.maximum(z, eps), None)


def test_a_number_that_a_graph_makes_a_tensor_of_is_no_other_type_of_a_gradient():
    pair = Pair(torch=Acosh, tf=acosh, inputs=ABOVE_ONE, statics={"eps": 1e-5})
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "raw_gradient", "traced", "xla"])
    assert causes(report, "tf") == ["graph_mode_fails"], str(report)
    assert all("of another cause" not in message for message in report.messages), str(report)


def by_name(x):
    return _inner(x=x)


@tf.custom_gradient
def _inner(x):
    return tf.identity(x), lambda dy: dy


def test_what_a_graph_takes_by_place_only_is_said():
    report = porting.check(Pair(torch=lambda x: 1 * x, tf=by_name), dtypes=["float64"], only=["value", "vjp", "traced"])
    (diagnosis,) = [d for d in report.diagnoses if d.runner == "tf"]
    assert diagnosis.cause == "graph_mode_fails"
    assert "by place" in diagnosis.fix


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.where(x >= 0, 1.0, -1.0).to(x)

    @staticmethod
    def backward(ctx, dy):
        return dy


@tf.custom_gradient
def sign(x):
    one = tf.ones_like(x)
    return tf.where(tf.math.is_nan(x), x, tf.where(x >= 0, one, -one)), lambda dy: dy


def test_a_forward_that_hides_nan_is_not_told_of_its_backward():
    report = porting.check(
        Pair(torch=Sign, tf=sign, reference="tf"), dtypes=["float64"], only=["value", "vjp", "nan_input"]
    )
    (diagnosis,) = [d for d in report.diagnoses if d.runner == "torch"]
    assert diagnosis.cause == "nan_hidden"
    assert "in backward" not in diagnosis.fix
    assert "torch.where" in diagnosis.fix


# A call by name is compared with one by place: in a type in which that works.


@tf.custom_gradient
def float32_alone(x):
    fired = tf.cast(x > 0, tf.float32)
    return fired, lambda dy: dy * tf.cast(tf.exp(-tf.abs(x)), tf.float32) * (x * 0 + tf.ones(x.shape, tf.float32))


class Fired(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).to(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.exp(-x.abs())


def test_a_note_on_calls_by_name_does_not_name_a_type_that_raises():
    report = porting.check(Pair(torch=Fired, tf=float32_alone, reference="tf"), only=["value", "vjp", "keyword_call"])
    found = [f.what for r in report.results if (r.runner, r.check) == ("tf", "keyword_call") for f in r.findings]
    assert found, str(report)
    assert not [what for what in found if "in float64" in what], found


# A number stands beside the input that it is of.


class TwoMistakes(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return -dy * w, x


def test_a_number_is_that_of_the_input_that_is_named():
    pair = Pair(torch=TwoMistakes, tf=lambda x, w: x * w, inputs={"x": porting.array(), "w": porting.array()})
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "linear"])
    seen = next(d.seen for d in report.diagnoses if d.cause == "ignores_cotangent")
    assert seen.startswith("gradient of w: dw = "), seen


# A branch is told where everyday numbers are right.


@pytest.mark.slow
def test_special_numbers_of_another_forward_are_no_branch():
    pair = Pair(torch=lambda x, w: 2 * w + 0 * x, tf=lambda x, w: x * w, inputs={n: porting.array() for n in "xw"})
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "special_values"])
    assert causes(report, "torch")[:1] == ["wrong_value"], str(report)
    assert "wrong_branch" not in {d.cause for d in report.diagnoses}, str(report)


# Where nothing is guessed, nothing is said of a guess.


def test_no_guess_is_told_where_all_arrays_suit(tmp_path):
    (tmp_path / "suit_torch.py").write_text("import torch\n\n\ndef f(x):\n    return torch.sin(x)\n")
    (tmp_path / "suit_tf.py").write_text("import tensorflow as tf\n\n\ndef f(x):\n    return tf.sin(x)\n")
    pair = Pair(torch=f"{tmp_path}/suit_torch.py:f", tf=f"{tmp_path}/suit_tf.py:f")
    assert pair.guess() is None
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp"])
    assert report.described == ("f(x[...])   (read off the signature; --input says otherwise)",)


# An input on which nothing depends gets a number that ignores the cotangent.


class OfTheBound(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, bound):
        ctx.save_for_backward(x)
        return (x >= 0).to(x) + 0 * bound

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy, x.abs().mean()


@tf.custom_gradient
def of_the_bound(x, bound):
    return tf.cast(x >= 0, x.dtype) + 0 * bound, lambda dy: (dy, tf.zeros_like(bound))


def test_a_gradient_of_nothing_that_is_always_the_same_ignores_its_cotangent():
    inputs = {"x": porting.array(), "bound": porting.array((), domain=(0.5, 2.0))}
    report = porting.check(
        Pair(torch=OfTheBound, tf=of_the_bound, inputs=inputs), dtypes=["float64"], only=["vjp", "linear"]
    )
    assert causes(report, "torch")[:1] == ["ignores_cotangent"], str(report)
    assert causes(report, "tf") == [], str(report)


def ranks(x):
    axis = min(x.dim() - 1, 1)
    return torch.argsort(torch.argsort(x, axis), axis).to(x.dtype)


class Ranked(torch.autograd.Function):
    """Ranks along the second axis, whatever the last one is, with the gradient of a black box: it is not linear."""

    @staticmethod
    def forward(ctx, x):
        y = ranks(x)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, y = ctx.saved_tensors
        return ranks(x + dy) - y


@tf.custom_gradient
def ranked(x):
    def rank(x):
        return tf.cast(tf.argsort(tf.argsort(x, -1), -1), x.dtype)

    y = rank(x)
    return y, lambda dy: rank(x + dy) - y


@pytest.mark.slow
def test_a_gradient_that_is_not_linear_explains_no_wrong_value():
    report = porting.check(Pair(torch=Ranked, tf=ranked), dtypes=["float64"], only=["value", "vjp", "linear", "shapes"])
    assert ("torch", "shapes") in differing(report), str(report)
    assert not {"not_linear"} & {*causes(report, "torch"), *causes(report, "tf")}, str(report)


# A number that is added to the gradient is small beside large cotangents, and stays wrong.


@tf.custom_gradient
def decayed(x):
    return tf.identity(x), lambda dy: dy + 0.0002 * x


def test_what_is_added_to_a_gradient_is_not_right_for_large_cotangents():
    pair = Pair(tf=decayed, like=lambda x: 1 * x)
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "linear"])
    seen = next(cause.seen for cause in report.diagnoses if cause.cause == "not_linear")
    assert "wrong for cotangents times 1000" in seen, seen
