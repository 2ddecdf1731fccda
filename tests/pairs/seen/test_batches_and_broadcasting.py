"""What is shared by a batch, broadcast or summed over: which axis is one of samples, and which is not.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, CHECKS, WIDEST, differing
from judged import accused, first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


@tf.custom_gradient
def summed_too_far(x, b):
    """Return one number as the gradient of a row."""
    return x * b, lambda dy: (dy * b, tf.reduce_sum(dy * x))


@pytest.mark.slow
def test_the_right_side_is_not_blamed_for_the_shape_of_the_other_one():
    pair = Pair(
        torch=lambda x, b: x * b, tf=summed_too_far, inputs={"x": porting.array(("m", "n")), "b": porting.array(("n",))}
    )
    found, report = accused(pair)
    assert found == {"tf"}, str(report)
    assert next(d.cause for d in report.diagnoses if d.runner == "tf") == "wrong_shape"


@tf.custom_gradient
def not_summed(x, b):
    return x * b, lambda dy: (dy * b, dy * x)


def test_a_gradient_of_another_shape_than_its_input_is_a_fault_whoever_is_right():
    rows = {"x": porting.array(("m", "n")), "b": porting.array(("n",))}
    found, report = accused(Pair(torch=lambda x, b: x * b, tf=not_summed, inputs=rows), only=["vjp"])
    assert found == {"tf"}, str(report)
    assert {f.kind for r in report.results for f in r.findings if f.code == "shape_differs"} == {"fault"}, str(report)
    assert {d.provided for d in report.diagnoses} == {""}, str(report)


def test_an_output_need_not_depend_on_every_input():
    pair = Pair(torch=lambda x, z: torch.zeros_like(x) + 2 * z, tf=lambda x, z: tf.zeros_like(x) + 2 * z)
    found, report = accused(pair, only=["subsets"])
    assert not found, str(report)


# Where one shape is read off for all inputs, a sum over what is broadcast is not asked for.


class Summed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, dy):
        x, scale = ctx.saved_tensors
        return dy * scale, (dy * x).sum_to_size(scale.shape)


class OfOneShape(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, dy):
        x, scale = ctx.saved_tensors
        return dy * scale, dy * x


@tf.custom_gradient
def unsummed(x, scale):
    return x * scale, lambda dy: (dy * scale, dy * x)


@pytest.mark.parametrize(
    ("mine", "other", "found"),
    [
        (Summed, unsummed, True),
        (Summed, tf.multiply, False),
        (OfOneShape, unsummed, False),  # neither says that it may be broadcast
        (torch.mul, unsummed, False),
    ],
)
def test_what_one_side_sums_and_the_other_does_not(mine, other, found):
    report = porting.check(Pair(torch=mine, tf=other), only=["value", "vjp", "broadcast"])
    assert differing(report) == ({("tf", "broadcast")} if found else set()), str(report)
    assert [d.cause for d in report.diagnoses][:1] == (["missing_reduction"] if found else []), str(report)
    assert str(report).count("If inputs of several shapes, which are broadcast, are meant") == found


def test_who_does_not_sum_as_the_reference_does_is_told_without_a_condition():
    report = porting.check(Pair(torch=Summed, tf=unsummed, reference="torch"), only=["value", "vjp", "broadcast"])
    assert "Likely cause: The gradient of an input that is broadcast" in str(report), str(report)


# Which axis is one of samples.


def test_a_weight_belongs_to_all_samples():
    inputs = {"x": porting.array(("m", "n")), "w": porting.array(("n", "k"))}
    pair = Pair(torch=lambda x, w: x @ w, tf=lambda x, w: x @ tf.stop_gradient(w), inputs=inputs, reference="tf")
    _, report = accused(pair, dtypes=["float64"])
    assert "mixes_batch" not in [d.cause for d in report.diagnoses]


def test_what_is_shared_by_the_samples_mixes_none_of_them():
    class Added(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, s):
            return x + s

        @staticmethod
        def backward(ctx, dy):
            return dy, dy.sum(0, keepdim=True)

    @tf.custom_gradient
    def added(x, s):
        return x + s, lambda dy: (dy / s, tf.reduce_sum(dy, 0, keepdims=True))

    inputs = {"x": porting.array(("n", "m")), "s": porting.array((1, "m"), domain=(1, 3))}
    pair = Pair(torch=Added, tf=added, inputs=inputs, reference="torch")
    assert first_cause(pair, "tf", dtypes=["float64"]) != "mixes_batch"


def test_a_matrix_is_no_batch():
    @tf.custom_gradient
    def product(a, x):
        return tf.matmul(a, x), lambda dy: (tf.matmul(dy, a, transpose_b=True), tf.matmul(dy, x, transpose_b=True))

    square = {"a": porting.array(("n", "n")), "x": porting.array(("n", "n"))}
    pair = Pair(torch=torch.matmul, tf=product, inputs=square, reference="torch")
    assert first_cause(pair, "tf", **CHECKS) != "mixes_batch"


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


# Matrices that are transposed or exchanged.


class Solve(torch.autograd.Function):
    """The backward solves with a, not with its transpose."""

    @staticmethod
    def forward(ctx, a, b):
        x = torch.linalg.solve(a, b)
        ctx.save_for_backward(a, x)
        return x

    @staticmethod
    def backward(ctx, dy):
        a, x = ctx.saved_tensors
        db = torch.linalg.solve(a, dy)
        return -db @ x.mT, db


def solve(a, b):
    return tf.linalg.solve(a + 3 * tf.eye(3, dtype=a.dtype), b)


def test_a_solve_with_the_other_matrix_is_transposed():
    def shifted(a, b):
        return Solve.apply(a + 3 * torch.eye(3, dtype=a.dtype), b)

    shapes = {"a": porting.array(("b", 3, 3), domain=(-1, 1)), "b": porting.array(("b", 3, 2))}
    pair = Pair(torch=shifted, tf=solve, inputs=shapes, reference="tf")
    assert first_cause(pair, "torch", only=["vjp", "adjoint"], dtypes=["float64"]) == "transposed"


# One of two gradients stands in the other one's place.


def product_tf(backward):
    @tf.custom_gradient
    def product(a, x):
        return a @ x, lambda dy: backward(dy, tf.transpose(a), tf.transpose(x))

    return product


@pytest.mark.parametrize(
    ("backward", "cause"),
    [
        (lambda dy, a, x: (dy @ a, dy @ x), "swapped_gradients"),
        (lambda dy, a, x: (dy @ a, a @ dy), "forward_gradient_disagree"),
        (lambda dy, a, x: (2 * dy @ a, dy @ a), "forward_gradient_disagree"),
    ],
)
def test_a_gradient_that_stands_in_the_others_place_is_exchanged(backward, cause):
    inputs = {"a": porting.array(("n", "n")), "x": porting.array(("n", "n"))}
    pair = Pair(torch=lambda a, x: a @ x, tf=product_tf(backward), inputs=inputs, name="product", reference="torch")
    assert first_cause(pair, "tf", **WIDEST, only=["vjp", "value", "adjoint"]) == cause
