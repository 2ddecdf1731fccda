"""Where nothing is said of the inputs and all sides refuse arrays of any shape, what they take is found and printed."""

import pytest

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

ASKED = {"only": ["value", "vjp"], "dtypes": ["float64"]}


class CrossEntropy(torch.autograd.Function):
    factor = 1.0

    @classmethod
    def forward(cls, ctx, logits, labels):
        ctx.save_for_backward(logits, labels)
        return torch.nn.functional.cross_entropy(logits, labels, reduction="none")

    @classmethod
    def backward(cls, ctx, dy):
        logits, labels = ctx.saved_tensors
        onehot = torch.nn.functional.one_hot(labels, logits.shape[-1])
        return cls.factor * dy[:, None] * (torch.softmax(logits, -1) - onehot), None


class Doubled(CrossEntropy):
    factor = 2.0


def cross_entropy(logits, labels):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)


def affine_torch(x, w, b):
    return torch.addmm(b, x, w)


def affine_tf(x, kernel, bias):
    return tf.matmul(x, kernel) + bias


def inverse_torch(a):
    return torch.linalg.inv(a)


def pooled_torch(x):
    return torch.nn.functional.avg_pool2d(x, 2)


def pooled_tf(x):
    return tf.transpose(tf.nn.avg_pool2d(tf.transpose(x, (0, 2, 3, 1)), 2, 2, "VALID"), (0, 3, 1, 2))


def taken_torch(x, index):
    return x[index]


RIGHT = {
    "labels": (CrossEntropy, cross_entropy, '--input "labels=int64[n]{0..4}"'),
    "matrices that go together": (affine_torch, affine_tf, '--input "w=float64[k,m]"'),
    "square matrices": (inverse_torch, tf.linalg.inv, "[n,n]"),
    "images": (pooled_torch, pooled_tf, "[b,3,8,8]"),
    "places": (taken_torch, tf.gather, "index=int64"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_pair_agrees_on_the_bare_two_sides(name):
    one, other, flag = RIGHT[name]
    pair = Pair(torch=one, tf=other)
    report = porting.check(pair, **ASKED)
    assert report.exit_code == 0, str(report)
    assert report.counts["agree"] >= 4
    (said,) = report.described
    assert "guessed, for arrays of any shape raised " in said
    assert flag in said


def test_a_wrong_one_is_found_so():
    report = porting.check(Pair(torch=Doubled, tf=cross_entropy, reference="tf"), **ASKED)
    assert next(iter(report.diagnoses)).cause == "constant_factor"
    assert {d.runner for d in report.diagnoses} == {"torch"}


def described(pair):
    (said,) = porting.check(pair, **ASKED).described
    return said


def test_nothing_is_guessed_where_one_side_takes_arrays_of_any_shape():
    """It may be the other one that is wrong."""
    pair = Pair(torch=inverse_torch, tf=lambda a: 2 * a)
    assert "guessed" not in described(pair)
    assert porting.check(pair, **ASKED).exit_code == 1


def test_nothing_is_guessed_where_the_inputs_are_said():
    pair = Pair(torch=affine_torch, tf=affine_tf, inputs={n: porting.array() for n in ("x", "w", "b")})
    assert "guessed" not in described(pair)


def test_a_function_that_takes_nothing_is_reported_as_before():
    def broken(x):
        raise RuntimeError("not written yet")

    pair = Pair(torch=broken)
    assert "guessed" not in described(pair)
    assert "not written yet" in str(porting.check(pair, **ASKED))
