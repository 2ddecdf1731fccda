"""Shapes that nobody declared: such that all sides take them, and outputs and gradients have theirs.

Seen in code of public repositories.
"""

from collections.abc import Callable

import pytest
from everyday import ASKED, WIDEST, described, differing

import porting
from porting import Pair
from porting.errors import PairError

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

# What is guessed: numbers that suit, and shapes that the gradients have.


class Margins(torch.autograd.Function):
    @staticmethod
    def forward(ctx, c, a, b):
        p = torch.softmax(-c, -1) * torch.log(a).unsqueeze(-1) + torch.log(b).unsqueeze(-2)
        ctx.save_for_backward(c, a, b, p)
        return p

    @staticmethod
    def backward(ctx, dy):
        c, a, b, p = ctx.saved_tensors
        if not torch.isfinite(p).all():
            raise RuntimeError("Input matrix is not invertible")
        s = torch.softmax(-c, -1)
        dc = -(dy * torch.log(a).unsqueeze(-1) - (dy * torch.log(a).unsqueeze(-1) * s).sum(-1, keepdim=True)) * s
        return dc, (dy * s).sum(-1) / a, dy.sum(-2) / b


@tf.custom_gradient
def margins(c, a, b):
    s, log_a = tf.nn.softmax(-c), tf.math.log(a)[..., None]

    def gradient(dy):
        part = dy * log_a
        dc = -(part - tf.reduce_sum(part * s, -1, keepdims=True)) * s
        return dc, tf.reduce_sum(dy * s, -1) / a, tf.reduce_sum(dy, -2) / b

    return s * log_a + tf.math.log(b)[..., None, :], gradient


def test_margins_are_guessed_to_be_positive_and_as_long_as_the_axes():
    guess = Pair(torch=Margins, tf=margins).guess()
    assert {n: str(a) for n, a in guess.pair.inputs.items()} == {
        "c": "float64[n,m]{0.1..10.0}", "a": "float64[n]{0.1..10.0}", "b": "float64[m]{0.1..10.0}",
    }  # fmt: skip
    assert not differing(porting.check(Pair(torch=Margins, tf=margins), only=["value", "vjp"]))


def test_margins_are_guessed_in_batches():
    def planned(c, a, b):
        batch, n, m = c.shape
        return c * a.view(batch, n, 1) + b.view(batch, 1, m)

    guess = Pair(torch=planned, tf=lambda c, a, b: c * a[:, :, None] + b[:, None, :]).guess()
    assert [a.shape for a in guess.pair.inputs.values()] == [("b", "n", "m"), ("b", "n"), ("b", "m")]


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, dy):
        x, scale = ctx.saved_tensors
        return dy * scale, (dy * x).sum(0, keepdim=True)


@tf.custom_gradient
def scaled(x, scale):
    return x * scale, lambda dy: (dy * scale, tf.reduce_sum(dy * x, 0, keepdims=True))


def test_a_factor_is_guessed_in_the_shape_of_its_gradient():
    report = porting.check(Pair(torch=Scaled, tf=scaled), only=["value", "vjp", "raw_gradient", "shapes"])
    assert not differing(report), str(report)


def test_a_column_is_guessed():
    def column(x, w):
        assert w.shape[1] == 1
        assert w.shape[0] == x.shape[0]
        return x * w

    guess = Pair(torch=column, tf=column).guess()
    assert guess.pair.inputs["x"].kind is None
    assert guess.pair.inputs["w"].shape == ("n", 1)


def ramps(x, heights, widths):
    return (heights * torch.clamp(1 - x.abs()[..., None] / widths**2, min=0)).sum(-1)


def ramps_tf(x, heights, widths):
    return tf.reduce_sum(heights * tf.maximum(1 - tf.abs(x)[..., None] / widths**2, 0), -1)


def test_vectors_come_before_matrices():
    _, said = described(Pair(torch=ramps, tf=ramps_tf))
    assert '--input "x=float64[n]" --input "heights=float64[k]" --input "widths=float64[k]"' in said


class Channels(torch.nn.Module):
    def __init__(self, num_parameters):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.full((num_parameters,), 0.25))

    def forward(self, x):
        weight = self.weight.reshape(1, -1, *[1] * (x.dim() - 2))
        return torch.where(x > 0, x, weight * x)


class ImageChannels(tf.keras.layers.Layer):
    def __init__(self, num_parameters):
        super().__init__()
        self.weight = self.add_weight(shape=(num_parameters,), initializer=tf.constant_initializer(0.25), name="weight")

    def call(self, x):
        return tf.where(x > 0, x, tf.reshape(self.weight, (1, -1, 1, 1)) * x)


def test_a_guess_gives_outputs_of_one_shape_on_both_sides():
    """A vector of channels broadcasts with a matrix too, on one side."""
    report = porting.check(Pair(torch=Channels, tf=ImageChannels), only=["value", "vjp"])
    assert not differing(report), str(report)
    assert "x[n, 4, 5, 5]" in report.described[0]


# A guess that all take is not exchanged for one that hides what they do.


def test_outputs_of_other_shapes_are_not_guessed_away():
    def rows(x, w):
        return (x @ w).sum(-1)

    def kept(x, w):
        return tf.reduce_sum(x @ w, -1, keepdims=True)

    report = porting.check(Pair(torch=rows, tf=kept), only=["value", "vjp"])
    assert {check for _, check in differing(report)} >= {"value"}, str(report)
    assert "--static" not in report.described[0]


def weighted(x, a, b):
    return (x[..., None] * a / b).sum(-1)


@tf.custom_gradient
def weighted_tf(x, a, b):
    def backward(dy):
        dx = dy * tf.reduce_sum(a / b, -1)
        of_each = tf.reduce_sum(dy * x)
        return dx, of_each / b[..., 0], -of_each * a / b**2

    return tf.reduce_sum(x[..., None] * a / b, -1), backward


def test_a_cause_of_guessed_shapes_says_so():
    pair = Pair(torch=weighted, tf=weighted_tf, name="weighted")
    report = porting.check(pair, **WIDEST, only=["vjp", "raw_gradient"])
    (cause,) = [d for d in report.diagnoses if d.runner == "tf" and d.cause == "wrong_shape"]
    assert cause.seen.endswith("these shapes are guessed, --input says others")


# What is printed has been tried on both sides.


class Wide(torch.nn.Module):
    """Wants nine columns or more."""

    def __init__(self):
        super().__init__()
        self.s = torch.nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        assert x.shape[1] > 8, "n <= 8"
        return x * self.s


class WideLayer(keras.layers.Layer):
    def build(self, shape):
        assert shape[1] > 8, "n <= 8"
        self.s = self.add_weight(shape=(), name="s")

    def call(self, x):
        return x * self.s


def test_a_shape_that_is_printed_was_taken_by_both_sides():
    report, said = described(Pair(torch=Wide, tf=WideLayer))
    assert 'the same is --input "x=float64[n,12]"' in said
    assert report.exit_code == 0, str(report)
    with pytest.raises(PairError, match=r'taken by all sides: --input "x=float64\[n,12\]"'):
        porting.check(Pair(torch=Wide, tf=WideLayer, inputs={"x": porting.array(("n", 8))}), **ASKED)


class Cubes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.s = torch.nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        assert x.ndim == 4, "four axes"
        return x * self.s


class Rows(WideLayer):
    def build(self, shape):
        assert len(shape) == 2, "two axes"
        self.s = self.add_weight(shape=(), name="s")


def test_where_nothing_fits_it_is_said_what_each_side_takes():
    said = r"x=float64\[SHAPE\]; nothing that was tried .*; torch by itself takes .*; tf by itself takes"
    with pytest.raises(PairError, match=said):
        porting.check(Pair(torch=Cubes, tf=Rows), **ASKED)


# A guess suits if the forward of both sides takes it: a backward that raises is what is looked for.


class OneTooFew(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        return -(x[:, :, None] - w[None]).abs().sum(1)

    @staticmethod
    def backward(ctx, dy):
        return dy


@tf.custom_gradient
def adder_tf(x, w):
    signs = tf.sign(x[:, :, None] - w[None])

    def grad(dy):
        return tf.reduce_sum(-signs * dy[:, None], 2), tf.reduce_sum(signs * dy[:, None], 0)

    return -tf.reduce_sum(tf.abs(x[:, :, None] - w[None]), 1), grad


def test_a_backward_that_raises_for_each_guess_is_found():
    report, said = described(Pair(torch=OneTooFew, tf=adder_tf))
    assert '--input "x=float64[n,k]" --input "w=float64[k,m]"' in said
    assert report.diagnoses[0].cause == "wrong_count", str(report)


class Broken(OneTooFew):
    @staticmethod
    def backward(ctx, dy):
        raise RuntimeError("not written yet")


def test_nothing_is_guessed_where_every_backward_raises():
    assert "guessed" not in described(Pair(torch=Broken))[1]


class NoVariables(WideLayer):
    """Its gradient function does not take the variable that it reads."""

    def call(self, x):
        return tf.custom_gradient(lambda x: (x * self.s, lambda dy: dy * self.s))(x)


def test_a_layer_that_takes_nothing_at_all_is_what_is_wrong():
    report, said = described(Pair(torch=Wide, tf=NoVariables))
    assert 'the same is --input "x=float64[n,12]"' in said
    assert {d.cause for d in report.diagnoses} >= {"missing_variables"}, str(report)


def test_where_nothing_depends_on_a_guess_there_is_no_verdict():
    def zeros(x, k):
        return 0 * x if isinstance(k, int) else 1 / 0

    report = porting.check(Pair(torch=zeros, tf=zeros), only=["value", "vjp"])
    assert {r.status for r in report.results} == {"no verdict"}, str(report)
    assert all("--input" in r.note for r in report.results), str(report)


def test_what_a_constructor_wants_is_told_with_a_value():
    class Refusing(torch.nn.Module):
        def __init__(self, in_features, gain):
            super().__init__()
            raise ValueError

    with pytest.raises(
        PairError, match=r"--static in_features=4 --static 'gain=\?', or, if gain is no number, name FILE"
    ):
        porting.check(Pair(torch=Refusing))


class OfCentroids:
    def __init__(self, centroids):
        raise ValueError

    def nearest(self, x):
        return x


def test_what_the_object_of_a_method_wants_is_told_with_how_the_method_is_named():
    said = r"name FILE\.py:made\.nearest, of a file that says made = OfCentroids\(centroids\)"
    with pytest.raises(PairError, match=said):
        porting.check(Pair(torch=OfCentroids.nearest))


def test_what_is_annotated_as_a_function_is_told_as_one():
    class Refusing(torch.nn.Module):
        def __init__(self, dy_dt: Callable, width: int):
            super().__init__()
            raise ValueError

    with pytest.raises(PairError, match=r"for example --static dy_dt=@FILE\.py:f --static width=4"):
        porting.check(Pair(torch=Refusing))


def test_what_is_an_object_by_its_name_has_no_number_for_an_example():
    class Around(torch.nn.Module):
        def __init__(self, layer):
            super().__init__()
            self.layer = layer

        def forward(self, x):
            return self.layer(x)

    with pytest.raises(PairError) as raised:
        porting.check(Pair(torch=Around))
    assert "layer is an object; name FILE.py:make, a function without arguments" in str(raised.value)
    assert str(raised.value).count("nobody gave it") == 1
