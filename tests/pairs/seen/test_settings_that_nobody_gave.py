"""Numbers that a class or a function wants and nobody gave: counts, bounds and flags, guessed by their names.

Seen in code of public repositories.
"""

import pytest
from everyday import WIDEST, causes, described

import porting
from porting import Pair
from porting.pairs.said_by_names import constructions

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")


# A class that wants numbers is constructed with some, and called in a shape that goes with them.


class Groups(torch.nn.Module):
    def __init__(self, num_groups, num_channels):
        super().__init__()
        self.num_groups = num_groups
        self.weight = torch.nn.Parameter(torch.ones(1, num_channels, 1, 1))

    def forward(self, x):
        b, c, h, w = x.shape
        y = x.reshape(b, self.num_groups, c // self.num_groups, h, w)
        return (y - y.mean((2, 3, 4), keepdim=True)).reshape(x.shape) * self.weight


class GroupsLayer(keras.layers.Layer):
    factor = 1.0

    def __init__(self, num_groups, num_channels, **kwargs):
        super().__init__(**kwargs)
        self.num_groups, self.num_channels = num_groups, num_channels

    def build(self, shape):
        self.weight = self.add_weight(shape=(1, self.num_channels, 1, 1), name="weight")

    def call(self, x):
        b, c, h, w = x.shape
        y = tf.reshape(x, (b, self.num_groups, c // self.num_groups, h, w))
        y = tf.reshape(y - tf.reduce_mean(y, (2, 3, 4), keepdims=True), x.shape)
        return self.factor * y * tf.convert_to_tensor(self.weight)


def test_a_class_is_given_numbers_and_a_shape_that_goes_with_them():
    report, said = described(Pair(torch=Groups, tf=GroupsLayer))
    assert report.exit_code == 0, str(report)
    assert report.counts["agree"] == 4
    assert 'the same is --input "x=float64[n,4,5,5]" --static num_groups=2 --static num_channels=4)' in said


class Doubled(GroupsLayer):
    factor = 2.0


def test_a_wrong_one_is_found_so():
    report, _ = described(Pair(torch=Groups, tf=Doubled, reference="torch"))
    assert "constant_factor" in {d.cause for d in report.diagnoses}, str(report)


# An argument that is a count, or one number for all, is no array of the shape of x.


def levels(x, bits):
    return torch.round(x * 2**bits) / 2**bits


def levels_tf(x, bits):
    return tf.round(x * 2**bits) / 2**bits


def test_a_count_of_bits_is_a_whole_number():
    report, said = described(Pair(torch=levels, tf=levels_tf))
    assert '(guessed, bits is a number by its name; the same is --input "x=float64[...]" --static bits=2)' in said
    assert report.exit_code == 0, str(report)


class Reversed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lamb):
        ctx.save_for_backward(x, lamb)
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        _, lamb = ctx.saved_tensors
        return -lamb * dy, torch.zeros_like(lamb)


@tf.custom_gradient
def reversed_tf(x, lamb):
    return tf.identity(x), lambda dy: (-lamb * dy, -lamb * dy)


def test_a_hyperparameter_is_one_number():
    report, said = described(Pair(torch=Reversed, tf=reversed_tf))
    assert '--input "lamb=float64[]"' in said
    assert report.diagnoses[0].cause == "wrong_shape", str(report)


def test_an_argument_that_may_be_learned_stays_an_array():
    assert "guessed" not in described(Pair(torch=lambda x, alpha: x * alpha, tf=lambda x, alpha: x * alpha))[1]


class Histogram(torch.nn.Module):
    def __init__(self, bins, min, max):  # noqa: A002 - as people write it
        super().__init__()
        self.delta = (max - min) / bins
        self.centres = min + self.delta * (torch.arange(bins) + 0.5)

    def forward(self, x):
        x = x.unsqueeze(0) - self.centres.to(x.dtype).unsqueeze(1)
        return (torch.sigmoid(x + self.delta / 2) - torch.sigmoid(x - self.delta / 2)).sum(1)


class KerasHistogram(tf.keras.layers.Layer):
    def __init__(self, bins, min, max):  # noqa: A002 - as people write it
        super().__init__()
        self.delta = (max - min) / bins
        self.centres = [min + self.delta * (k + 0.5) for k in range(bins)]

    def call(self, x):
        x = x[None] - tf.constant(self.centres, x.dtype)[:, None]
        return tf.reduce_sum(tf.sigmoid(x + self.delta / 2) - tf.sigmoid(x - self.delta / 2), 1)


def test_what_gives_the_same_number_always_is_not_what_is_guessed():
    guess = Pair(torch=Histogram, tf=KerasHistogram).guess()
    assert guess.settings["min"] < guess.settings["max"]
    assert not guess.still


def test_numbers_of_python_are_guessed_by_their_names():
    def attention(q, k, v, attn_mask, is_causal):
        assert (attn_mask, is_causal) == (None, False)
        return q * k * v

    def quantised(weight, alpha, Qn, Qp):  # noqa: N803 - as people write it
        assert alpha > 0
        assert (Qn, Qp) == (-8, 7)
        return weight * alpha

    assert Pair(torch=attention, tf=attention).guess().settings == {"attn_mask": None, "is_causal": False}
    guess = Pair(torch=quantised, tf=quantised).guess()
    assert guess.settings == {"Qn": -8, "Qp": 7}
    assert str(guess.pair.inputs["alpha"]) in {"float64[]{0.1..10.0}", "float64[1]{0.1..10.0}"}


# An argument that every side refuses as an array may be a number, whatever it is called.


def halved(x, s):
    for _ in range(s):
        x = x / 2
    return x


def block_sums(m, size):
    b, n, _ = m.shape
    return m.reshape(b, n // size, size, n).sum(2)


def block_sums_tf(m, size):
    b, n, _ = m.shape
    return tf.reduce_sum(tf.reshape(m, (b, n // size, size, n)), 2)


def summed(values, edge_idx, num_nodes):
    places = torch.arange(num_nodes)[:, None] == edge_idx[None, :]
    return places.to(values.dtype) @ values


def summed_tf(values, edge_idx, num_nodes):
    return tf.math.unsorted_segment_sum(values, edge_idx, num_nodes)


def classified(hidden, weight, targets):
    return torch.nn.functional.cross_entropy(hidden @ weight.T, targets, reduction="none")


def classified_tf(hidden, weight, targets):
    logits = tf.matmul(hidden, weight, transpose_b=True)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(targets, logits)


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (halved, halved, '--input "x=float64[...]" --static s=2'),
        (block_sums, block_sums_tf, "--static size=2"),
        (summed, summed_tf, '--input "edge_idx=int64[n]{0..4}" --static num_nodes=6'),
        (classified, classified_tf, '--input "weight=float64[5,k]" --input "targets=int64[n]{0..4}"'),
    ],
)
def test_a_number_or_labels_without_a_default_are_found(one, other, said):
    report, described_as = described(Pair(torch=one, tf=other))
    assert said in described_as
    assert report.exit_code == 0, str(report)


def test_a_wrong_gradient_beside_such_a_number_is_found():
    def doubled(x, s):
        return 2 * halved(x, s)

    report, _ = described(Pair(torch=halved, tf=doubled, reference="torch"))
    assert "constant_factor" in {d.cause for d in report.diagnoses}, str(report)


# What no side has a gradient for, and is called as a number is, is one number.


class Distribution(torch.autograd.Function):
    factor = 1.0

    @classmethod
    def forward(cls, ctx, x, sigma):
        ctx.save_for_backward(x, sigma)
        return 0.5 + 0.5 * torch.erf(x / sigma)

    @classmethod
    def backward(cls, ctx, dy):
        x, sigma = ctx.saved_tensors
        return cls.factor * dy / sigma / torch.pi**0.5 * torch.exp(-((x / sigma) ** 2)), None


class Doubly(Distribution):
    factor = 2.0


@tf.custom_gradient
def distribution_tf(x, sigma):
    density = tf.exp(-((x / sigma) ** 2)) / sigma / torch.pi**0.5
    return 0.5 + 0.5 * tf.math.erf(x / sigma), lambda dy: (dy * density, None)


def test_a_width_that_has_no_gradient_is_one_number_and_data():
    report, said = described(
        Pair(torch=Distribution, tf=distribution_tf), only=["value", "vjp", "special_values", "subsets", "second_order"]
    )
    assert '--input "sigma=float64[]{0.3,0.7,1.5}"' in said
    assert report.exit_code == 0, str(report)


def test_beside_it_a_wrong_factor_is_found():
    report, _ = described(Pair(torch=Doubly, tf=distribution_tf, reference="tf"))
    assert "constant_factor" in {d.cause for d in report.diagnoses}, str(report)


def test_a_width_that_has_a_gradient_stays_an_array():
    assert "guessed" not in described(Pair(torch=lambda x, sigma: x * sigma, tf=lambda x, sigma: x * sigma))[1]


# So is what is called as what may be learned, if both sides agree that it is not; but that may be a fault of both.


class Huber(torch.autograd.Function):
    @staticmethod
    def forward(ctx, r, delta):
        ctx.save_for_backward(r)
        ctx.delta = delta
        return torch.where(r.abs() <= delta, 0.5 * r * r, delta * (r.abs() - 0.5 * delta))

    @staticmethod
    def backward(ctx, dy):
        (r,) = ctx.saved_tensors
        return dy * torch.where(r.abs() <= ctx.delta, r, ctx.delta * r.sign()), None


@tf.custom_gradient
def huber_without_delta(r, delta):
    small = tf.abs(r) <= delta
    y = tf.where(small, 0.5 * r * r, delta * (tf.abs(r) - 0.5 * delta))
    return y, lambda dy: (dy * tf.where(small, r, tf.sign(r)), None)


def test_a_bound_that_nobody_learns_is_positive_and_what_is_forgotten_beyond_it_is_named():
    report, said = described(Pair(torch=Huber, tf=huber_without_delta), only=["value", "vjp", "adjoint"])
    assert '--input "delta=float64[]{0.3,0.7,1.5}")' in said
    assert causes(report, "torch")[0] == causes(report, "tf")[0] == "wrong_branch", str(report)


class Slope(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.save_for_backward(x, alpha)
        return x * x * alpha

    @staticmethod
    def backward(ctx, dy):
        x, alpha = ctx.saved_tensors
        return 2 * x * alpha * dy, None


@tf.custom_gradient
def slope_tf(x, alpha):
    return x * x * alpha, lambda dy: (2 * x * alpha * dy, None)


def test_a_gradient_that_both_sides_forgot_is_said_to_be_uncompared():
    _, said = described(Pair(torch=Slope, tf=slope_tf))
    asked = '--input "x=float64[...]" --input "alpha=float64[]{0.3..1.5}"'
    assert f"no side has a gradient by alpha, so none is compared: {asked} compares it" in said


def test_compared_as_the_message_says_it_is_found():
    inputs = {"x": porting.array(), "alpha": porting.array((), domain=(0.3, 1.5))}
    report = porting.check(Pair(torch=Slope, tf=slope_tf, inputs=inputs), **WIDEST, only=["adjoint"])
    assert {r.status for r in report.results} == {"note"}, str(report)


def test_a_gradient_that_a_side_alone_forgot_is_found():
    for pair in (Pair(torch=Slope), Pair(torch=Slope, tf=lambda x, alpha: x * x * alpha, reference="tf")):
        report = porting.check(pair, **WIDEST, only=["value", "vjp", "adjoint"])
        assert causes(report, "torch")[0] == "missing_gradient", str(report)


def test_where_nothing_fits_there_is_what_to_type():
    def refusing(x, labels, width):
        raise ValueError("three axes of one length are wanted")

    report, _ = described(Pair(torch=refusing, tf=refusing))
    assert report.exit_code in {1, 5}
    notes = " ".join(r.note for r in report.results)
    assert '--input "x=float64[?,?]" --input "labels=int64[?]{0..?}" --static "width=?"' in notes


def test_where_nothing_could_be_compared_no_large_array_is_tried():
    """It may take a minute to say the same."""
    asked = []

    def refusing(x):
        asked.append(x.shape[-1])
        raise ValueError("three axes of one length are wanted")

    report, _ = described(Pair(torch=refusing, tf=lambda x: x), only=["value", "large"])
    (large,) = {r.status: r.note for r in report.results if (r.check, r.runner) == ("large", "tf")}.items()
    assert large == ("no verdict", "not tried: a side refuses arrays of any shape")
    assert max(asked) < 100


# The factor of the gradient of a quantiser is a number, which has no gradient itself.


class Quantised(torch.autograd.Function):
    factor = 1.0

    @classmethod
    def forward(cls, ctx, x, alpha, g, Qn, Qp):  # noqa: N803 - as it is written
        assert alpha > 0
        ctx.save_for_backward(x, alpha)
        ctx.other = g, Qn, Qp
        return (x / alpha).round().clamp(Qn, Qp) * alpha

    @classmethod
    def backward(cls, ctx, dy):
        x, alpha = ctx.saved_tensors
        g, lowest, most = ctx.other
        q = x / alpha
        inside = (q > lowest) & (q < most)
        slope = torch.where(inside, q.round() - q, q.clamp(lowest, most))
        return cls.factor * dy * inside, (dy * slope * g).sum().reshape(alpha.shape), None, None, None


class DoublyQuantised(Quantised):
    factor = 2.0


def quantised_plainly(x, alpha, g, Qn, Qp):  # noqa: N803
    step = alpha.detach() - alpha.detach() * g + alpha * g
    q = (x / step).clamp(Qn, Qp)
    return (q.round().detach() - q.detach() + q) * step


def test_a_factor_of_a_gradient_is_a_number_of_a_quantiser():
    report, said = described(Pair(torch=Quantised, like=quantised_plainly))
    assert "--static Qn=-8 --static Qp=7 --static g=0.5" in said
    assert report.exit_code == 0, str(report)


def test_a_wrong_gradient_of_a_quantiser_is_found_beside_it():
    report, _ = described(Pair(torch=DoublyQuantised, like=quantised_plainly))
    assert causes(report, "torch"), str(report)


def test_a_gain_of_something_else_is_learned():
    def normed(v, g):
        assert v.dim() == 3
        return g * v / v.norm(dim=1, keepdim=True)

    guess = Pair(torch=normed, like=normed).guess()
    assert "g" in guess.pair.inputs


@pytest.mark.parametrize(
    ("name", "number"),
    [("drop_prob", 0.5), ("dropout", 0.5), ("keep_prob", 0.5), ("dropout_rate", 0.5), ("use_dropout", False)],
)
def test_what_is_dropped_by_a_constructor_is_something(name, number):
    """With 0, or False, a layer that drops does nothing, and no fault of it is to be seen."""
    assert next(iter(constructions([name]))) == {name: number}
