"""Where nothing is said of the inputs and a side refuses arrays of any shape, what all take is found and printed."""

import numpy as np
import pytest
import scipy.special

import porting
from porting import Pair
from porting.pairs.said_by_names import told_apart

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


def solved_torch(a, b):
    return torch.cholesky_solve(b, torch.linalg.cholesky(a))


def solved_tf(a, b):
    return tf.linalg.cholesky_solve(tf.linalg.cholesky(a), b)


def taken_torch(x, index):
    return x[index]


RIGHT = {
    "labels": (CrossEntropy, cross_entropy, '--input "labels=int64[n]{0..4}"'),
    "matrices that go together": (affine_torch, affine_tf, '--input "w=float64[k,m]"'),
    "square matrices": (inverse_torch, tf.linalg.inv, "m,m]"),
    "positive definite matrices": (solved_torch, solved_tf, '--input "a=float64[n,n]{spd}"'),
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
    assert "guessed, " in said
    assert "for arrays of any shape" in said
    assert flag in said


def test_a_wrong_one_is_found_so():
    report = porting.check(Pair(torch=Doubled, tf=cross_entropy, reference="tf"), **ASKED)
    assert next(iter(report.diagnoses)).cause == "constant_factor"
    assert {d.runner for d in report.diagnoses} == {"torch"}


def described(pair):
    (said,) = porting.check(pair, **ASKED).described
    return said


def pact_torch(x, alpha):
    return torch.where(x < 0, torch.zeros_like(x), torch.where(x < alpha.item(), x, alpha))


def pact_tf(x, alpha):
    return tf.where(x < 0, tf.zeros_like(x), tf.where(x < alpha[0], x, alpha[0]))


def pact_plain(x, alpha):
    return torch.where(x < 0, torch.zeros_like(x), torch.where(x < alpha[0], x, alpha[0]))


def test_a_side_that_swallows_arrays_of_any_shape_is_no_measure():
    """TensorFlow's slices what is one number in PyTorch's."""
    pair = Pair(torch=pact_torch, tf=pact_tf)
    assert 'of any shape, some of which TensorFlow takes; the same is --input "x=float64[n,k]"' in described(pair)
    assert porting.check(pair, **ASKED).exit_code == 0


def test_what_is_wrong_for_guessed_inputs_too_is_found():
    report = porting.check(Pair(torch=inverse_torch, tf=lambda a: 2 * a), **ASKED)
    assert (report.exit_code, report.counts["agree"]) == (1, 0)


def test_a_plain_version_is_asked_too():
    pair = Pair(torch=pact_torch, like=pact_plain)
    assert "guessed, " in described(pair)
    assert porting.check(pair, **ASKED).exit_code == 0


def test_nothing_is_guessed_where_a_side_takes_nothing_at_all():
    """It is the one that is wrong."""

    def broken(a):
        raise RuntimeError("not written yet")

    pair = Pair(torch=broken, tf=lambda a: 2 * a)
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


def top_torch(x, k):
    return torch.topk(x, k).values


def top_tf(x, k):
    return tf.math.top_k(x, k).values


def crossed_torch(x, eps):
    return torch.linalg.cross(x, torch.roll(x, 1, -1)) / eps


def crossed_tf(x, eps):
    return tf.linalg.cross(x, tf.roll(x, 1, -1)) / eps


SETTINGS = {
    "a whole number": (top_torch, top_tf, '--input "x=float64[...]" --static k=2'),
    "vectors in space": (crossed_torch, crossed_tf, '--input "x=float64[n,3]"'),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_numbers_of_python_are_found_by_their_names(name):
    one, other, flags = SETTINGS[name]
    pair = Pair(torch=one, tf=other)
    assert flags in described(pair)
    assert porting.check(pair, **ASKED).exit_code == 0


def test_what_one_side_does_not_say_the_other_one_may():
    def weighted(*xs):
        return xs[0] * xs[1]

    def weighted_tf(x, weight):
        return x * weight

    pair = Pair(torch=weighted, tf=weighted_tf)
    assert described(pair).startswith("weighted(x[...], weight[...])")
    assert porting.check(pair, **ASKED).exit_code == 0


def of_order_torch(m, k):
    return torch.from_numpy(scipy.special.ive(m, 1.0) + np.zeros(k.shape)).to(k.dtype) * torch.tanh(k)


def of_order_tf(m, k):
    return tf.cast(scipy.special.ive(m, 1.0), k.dtype) * tf.tanh(k)


def strengthened_torch(x, nb, a):
    return torch.clamp(x, 0, float(nb)) * a


def strengthened_tf(x, nb, a):
    return tf.clip_by_value(x, 0, nb) * a


def single_torch(x, momentum):
    return torch.full_like(x, momentum) * x


def single_tf(x, momentum):
    return tf.cast(tf.cast(x, tf.float32) * momentum, x.dtype) if x.dtype == tf.float32 else x * tf.constant(momentum)


@pytest.mark.parametrize(
    ("one", "other", "flag"),
    [(of_order_torch, of_order_tf, "--static m=2"), (strengthened_torch, strengthened_tf, "--static nb=2")],
)
def test_whatever_it_is_called_an_argument_may_be_a_number(one, other, flag):
    pair = Pair(torch=one, tf=other)
    assert flag in described(pair)
    assert porting.check(pair, only=["value", "vjp"], dtypes=["float64"]).exit_code == 0


def test_the_types_of_guessed_inputs_are_said_by_nobody():
    """So that a side that takes float32 only is compared there, as without a guess."""
    report = porting.check(Pair(torch=single_torch, tf=single_tf), only=["value", "vjp"])
    assert "--static momentum=0.5" in report.described[0]
    same = report.described[0].partition("the same is")[2]
    assert "=float32[" in same
    assert "float64" not in same
    assert report.exit_code == 0, str(report)
    assert {r.note.partition(" (")[0] for r in report.results if r.status == "no verdict"} == {
        "TensorFlow takes float32 only with numbers of Python for momentum"
    }


class Unsummed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, s):
        ctx.save_for_backward(x)
        return x * s.reshape(1)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy, dy * x


@tf.custom_gradient
def unsummed(x, s):
    return x * tf.reshape(s, [1]), lambda dy: (dy, dy * x)


@tf.custom_gradient
def summed(x, s):
    return x * tf.reshape(s, [1]), lambda dy: (dy, tf.reshape(tf.reduce_sum(dy * x), tf.shape(s)))


def test_a_guess_that_no_gradient_fits_is_not_offered_as_an_answer():
    found = str(Pair(torch=Unsummed, tf=unsummed).guess())
    assert "no side has gradients of these shapes, say others than --input" in found
    assert "the same is" not in found
    assert "the same is" in str(Pair(torch=Unsummed, tf=summed).guess())


def test_no_two_numbers_that_nobody_knows_are_the_same():
    found = told_apart({"alpha": 0.5, "steps": 2, "beta": 0.5, "gamma": 0.5})
    assert found == {"alpha": 0.5, "steps": 2, "beta": 0.6, "gamma": 0.7}


def test_a_power_of_a_definite_matrix_has_one_exponent():
    def powered(data, exponent):
        values, vectors = torch.linalg.eigh(data)
        return (vectors * values ** torch.as_tensor(exponent)) @ vectors.mT

    def powered_tf(data, exponent):
        values, vectors = tf.linalg.eigh(data)
        return tf.matmul(vectors * values ** tf.reshape(exponent, []), vectors, transpose_b=True)

    found = Pair(torch=powered, tf=powered_tf).guess()
    assert found is not None
    assert (found.pair.inputs["data"].kind.text, found.pair.inputs["exponent"].shape) == ("spd", ())


def test_the_parts_of_a_quaternion_weight_have_one_shape():
    def layer(input, r_weight, i_weight, j_weight, k_weight):  # noqa: A002 - as the source calls it
        first = torch.cat([r_weight, -i_weight, -j_weight, -k_weight])
        second = torch.cat([i_weight, r_weight, -k_weight, j_weight])
        third = torch.cat([j_weight, k_weight, r_weight, -i_weight])
        fourth = torch.cat([k_weight, -j_weight, i_weight, r_weight])
        return input @ torch.cat([first, second, third, fourth], dim=1)

    def layer_tf(input, r_weight, i_weight, j_weight, k_weight):  # noqa: A002 - as the source calls it
        first = tf.concat([r_weight, -i_weight, -j_weight, -k_weight], 0)
        second = tf.concat([i_weight, r_weight, -k_weight, j_weight], 0)
        third = tf.concat([j_weight, k_weight, r_weight, -i_weight], 0)
        fourth = tf.concat([k_weight, -j_weight, i_weight, r_weight], 0)
        return input @ tf.concat([first, second, third, fourth], 1)

    found = Pair(torch=layer, tf=layer_tf).guess()
    assert found is not None
    assert [a.shape for a in found.pair.inputs.values()] == [("n", 8), *[(2, 3)] * 4]
