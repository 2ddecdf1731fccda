"""Inputs that nobody described, and that were guessed wrong: they accuse nobody, and nothing agrees on them.

Seen in code of public repositories.
"""

import pytest
from everyday import WIDEST, causes, described, differing

import porting
from porting import Pair
from porting.errors import PairError

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Weighted(torch.nn.Module):
    def __init__(self, area):
        super().__init__()
        self.area = area

    def forward(self, x):
        return ((x * x).mean((0, 1)) * self.area.unsqueeze(0)).mean()


class WeightedTF(tf.Module):
    def __init__(self, area):
        super().__init__()
        self.area = tf.convert_to_tensor(area)

    def __call__(self, x):
        return tf.reduce_mean(tf.reduce_mean(x * x, (0, 1)) * self.area)


def test_a_number_for_what_is_an_array_accuses_nobody():
    with pytest.raises(PairError, match="wants area, and nobody gave it"):
        porting.check(Pair(torch=Weighted, tf=WeightedTF), **WIDEST, only=["value"])


class Parts(torch.autograd.Function):
    """The last axis holds three parts of one length, and three numbers: 6, 9, 12 of them."""

    @staticmethod
    def forward(ctx, x):
        size = (x.shape[2] - 3) // 3
        ctx.save_for_backward(x)
        ctx.size = size
        return sum(x[:, :, k * size : (k + 1) * size] * x[:, :, 3 * size + k : 3 * size + k + 1] for k in range(3))

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        size = ctx.size
        parts = [x[:, :, 3 * size + k : 3 * size + k + 1] * dy for k in range(3)]
        sums = [(x[:, :, k * size : (k + 1) * size] * dy).sum(2, keepdim=True) for k in range(3)]
        return torch.cat(parts + sums, -1)


def _parts_tf(x, factor):
    @tf.custom_gradient
    def inner(x):
        size = (x.shape[2] - 3) // 3
        cut = [x[:, :, k * size : (k + 1) * size] for k in range(3)]
        numbers = [x[:, :, 3 * size + k : 3 * size + k + 1] for k in range(3)]

        def grad(dy):
            sums = [tf.reduce_sum(part * dy, 2, keepdims=True) for part in cut]
            return tf.concat([n * dy for n in numbers] + [factor * one for one in sums], -1)

        return tf.add_n([part * n for part, n in zip(cut, numbers, strict=True)]), grad

    return inner(x)


def parts_tf(x):
    return _parts_tf(x, 1.0)


def parts_of_wrong_sign_tf(x):
    return _parts_tf(x, -1.0)


@pytest.mark.slow
@pytest.mark.parametrize(("side", "found"), [(parts_tf, set()), (parts_of_wrong_sign_tf, {("tf", "vjp")})])
def test_what_agrees_where_nothing_comes_out_is_no_agreement(side, found):
    report, said = described(Pair(torch=Parts, tf=side, reference="torch"))
    assert differing(report) == found, f"{said}: {report}"
    assert "x[b, n, 6]" in said


class Rows(torch.autograd.Function):
    """Makes a matrix of a vector, as the other side does not."""

    @staticmethod
    def forward(ctx, x, weight):
        # x: [..., h]
        # weight: [h]
        ctx.save_for_backward(x, weight)
        return x.reshape(-1, weight.shape[0]).mul(weight) if x.dim() < 2 else x * weight

    @staticmethod
    def backward(ctx, dy):
        x, weight = ctx.saved_tensors
        return (dy * weight).reshape(x.shape), (dy * x).reshape(-1, len(weight)).sum(0)


def _rows_tf(x, weight, factor):
    @tf.custom_gradient
    def inner(x, weight):
        def grad(dy):
            rows = tf.reshape(dy * x, [-1, tf.shape(weight)[0]])
            return dy * weight, factor * tf.reduce_sum(rows, 0)

        return x * weight, grad

    return inner(x, weight)


def rows_tf(x, weight):
    return _rows_tf(x, weight, 1.0)


def twice_the_rows_tf(x, weight):
    return _rows_tf(x, weight, 2.0)


def test_outputs_of_other_shapes_for_vectors_alone_are_no_difference():
    report, said = described(Pair(torch=Rows, tf=rows_tf))
    assert differing(report) == set(), f"{said}: {report}"
    assert "for arrays of one axis the sides return outputs of other shapes" in said
    report, _ = described(Pair(torch=Rows, tf=twice_the_rows_tf, reference="torch"))
    assert causes(report, "tf")[:1] == ["constant_factor"], str(report)


def inverse(x):
    return torch.linalg.pinv(x)


def inverse_tf(x):
    return tf.linalg.inv(x * 0 + tf.reduce_mean(x))


def test_a_matrix_that_cannot_be_inverted_accuses_nobody_where_nobody_said_which_it_is():
    anything = Pair(torch=inverse, tf=inverse_tf, inputs={"x": porting.array(("n", "n"))})
    report = porting.check(anything, **WIDEST, only=["value", "vjp"])
    assert not any("not invertible" in str(f) for r in report.results for f in r.findings), str(report)
    assert any("nobody said which numbers it takes" in r.note for r in report.results), str(report)
    said = Pair(torch=inverse, tf=inverse_tf, inputs={"x": porting.array(("n", "n"), kind="spd")})
    report = porting.check(said, **WIDEST, only=["value", "vjp"])
    assert any("not invertible" in str(f) for r in report.results for f in r.findings), str(report)
