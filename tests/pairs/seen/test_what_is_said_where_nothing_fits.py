"""What is said of inputs where nothing that was tried fits: no more than is known.

Seen in code of public repositories.
"""

import pytest
from everyday import described

import porting
from porting import Pair
from porting.errors import PairError
from porting.pairs.parse import parse_input, parse_static

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class TooFew(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, w):
        return v * 1

    @staticmethod
    def backward(ctx, dy):
        return dy


def too_few(v):
    return TooFew.apply(v, 1.0)


def test_a_backward_that_always_raises_is_no_refusal_of_inputs():
    report = porting.check(Pair(torch=too_few, tf=lambda v: 1 * v), dtypes=["float64"], only=["vjp", "large"])
    notes = [r.note for r in report.results if r.status == "no verdict"]
    said = "every forward takes some of the inputs that were tried, and a backward raises for all of them"
    assert f"not tried: {said}" in notes, notes
    assert not any("say what the arguments are" in note or "a side refuses" in note for note in notes), notes


def test_a_form_is_printed_and_no_number_that_is_not_known_to_fit():
    def refusing(x, width):
        raise ValueError("something else is wanted")

    report, _ = described(Pair(torch=refusing, tf=refusing))
    notes = " ".join(r.note for r in report.results)
    assert 'as --input "x=float64[?,?]" --static "width=?" (say your shapes and numbers in the place of ?' in notes
    for option, said in ((parse_input, "x=float64[?,?]"), (parse_input, "x=int64[n]{0..?}"), (parse_static, "width=?")):
        with pytest.raises(PairError, match=r"in the place of \?"):
            option(said)


class Windows(torch.autograd.Function):
    """The mean of each window of an image, of one channel or of all."""

    @staticmethod
    def forward(ctx, x, kernel_size, stride, padding, channel_wise):
        if x.dim() != 4:
            raise ValueError(f"not enough values to unpack (expected 4, got {x.dim()})")
        ctx.given = x.shape, kernel_size, stride, padding, channel_wise
        x = x if channel_wise else x.mean(1, keepdim=True)
        return torch.nn.functional.avg_pool2d(x, kernel_size, stride, padding)

    @staticmethod
    def backward(ctx, dy):
        shape, size, stride, padding, alone = ctx.given
        with torch.enable_grad():
            x = torch.zeros(shape, dtype=dy.dtype, requires_grad=True)
            y = torch.nn.functional.avg_pool2d(x if alone else x.mean(1, keepdim=True), size, stride, padding)
            (dx,) = torch.autograd.grad(y, x, dy)
        return dx, None, None, None, None


def windows(x, kernel_size, stride, padding, channel_wise):
    x = x if channel_wise else tf.reduce_mean(x, 1, keepdims=True)
    x = tf.pad(tf.transpose(x, [0, 2, 3, 1]), [[0, 0], [padding, padding], [padding, padding], [0, 0]])
    return tf.transpose(tf.nn.avg_pool2d(x, kernel_size, stride, "VALID"), [0, 3, 1, 2])


def test_an_example_that_fits_is_taken():
    report, said = described(Pair(torch=Windows, tf=windows))
    assert report.counts["differ"] == 0, str(report)
    assert "kernel_size=3" in said
    assert "channel_wise is a flag in the source" in said


# What no inputs are the reason of, and what no array is.


def test_a_name_that_a_module_lacks_is_told_as_it_is():
    def of_another_version(x):
        return tf.mod(x, 2.0)  # as TensorFlow 1 had it

    report, _ = described(Pair(torch=lambda x: torch.remainder(x, 2.0), tf=of_another_version))
    found = {f.fields["type"] for r in report.results if r.runner == "tf" for f in r.findings}
    assert found == {"AttributeError"}, str(report)
    assert not any("say what the arguments are" in r.note for r in report.results), str(report)


def test_an_attribute_that_an_argument_lacks_is_still_searched_for():
    """A list has it, say: there the inputs are the reason."""

    def of_a_list(x):
        return x.values_of_a_table

    report, _ = described(Pair(torch=of_a_list, tf=of_a_list))
    assert any("say what the arguments are" in r.note for r in report.results), str(report)


def square_solve(a, b):
    return torch.linalg.solve_triangular(a, b, upper=True)


def sparse_solve(a, b):
    return tf.linalg.triangular_solve(tf.sparse.to_dense(tf.sparse.reorder(a)), b, lower=False)


def test_where_a_sparse_tensor_is_wanted_no_array_is_proposed():
    report, _ = described(Pair(torch=square_solve, tf=sparse_solve))
    notes = [r.note for r in report.results if r.status == "no verdict"]
    assert any("a function around each side that takes the values" in note for note in notes), notes
    assert not any("say what the arguments are" in note for note in notes), notes


# The gradient of one class is one number; of arrays, of which nobody spoke, it has another shape.


class OneHot(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return (x.long().unsqueeze(-1) == torch.arange(y.shape[0])).to(y.dtype)

    @staticmethod
    def backward(ctx, dy):
        return dy.sum(), None


@tf.custom_gradient
def one_hot(x, y):
    return tf.one_hot(tf.cast(x, tf.int32), tf.shape(y)[0], dtype=y.dtype), lambda dy: (tf.reduce_sum(dy), None)


def test_a_shape_of_a_gradient_is_wrong_if_arrays_are_meant():
    report, _ = described(Pair(torch=OneHot, tf=one_hot))
    found = [cause for cause in report.diagnoses if cause.cause == "wrong_shape"]
    assert found, str(report)
    assert {cause.meant for cause in found} == {"arrays of any shape and number are"}, str(report)


# A loss has no gradient by its labels, on purpose: what a plain version has there accuses it only if that is meant.


def squares(x, labels):
    return (x - labels) ** 2


class Squares(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, labels):
        ctx.save_for_backward(x, labels)
        return squares(x, labels)

    @staticmethod
    def backward(ctx, dy):
        x, labels = ctx.saved_tensors
        return 2 * (x - labels) * dy, None


class Halved(Squares):
    @staticmethod
    def backward(ctx, dy):
        x, labels = ctx.saved_tensors
        return None, -2 * (x - labels) * dy


@pytest.mark.parametrize(("side", "inputs", "meant"), [
    (Squares, {}, "a gradient by every input is"),
    (Halved, {}, "a gradient by every input is"),
    (Squares, {"x": porting.array(), "labels": porting.array()}, ""),
], ids=["labels", "the other one", "described"])  # fmt: skip
def test_a_gradient_is_missing_if_one_by_every_input_is_meant(side, inputs, meant):
    report = porting.check(Pair(torch=side, like=squares, inputs=inputs), only=["vjp"])
    assert [(c.cause, c.meant) for c in report.diagnoses][:1] == [("missing_gradient", meant)], str(report)


# A number of Python that a graph would not know is no tensor.


def power(n, x):
    @tf.custom_gradient
    def inner(x):
        p = n.numpy() if tf.is_tensor(n) else n
        return x**p, lambda dy: dy * p * x ** (p - 1)

    return inner(x)


@pytest.mark.parametrize(("inputs", "meant"), [
    ({}, "an array for every input is"),
    ({"n": porting.array(domain=(1.0, 2.0)), "x": porting.array(domain=(0.5, 2.0))}, ""),
], ids=["nobody said it", "described"])  # fmt: skip
def test_it_fails_in_a_graph_if_an_array_for_every_input_is_meant(inputs, meant):
    report = porting.check(Pair(tf=power, inputs=inputs), only=["traced"], dtypes=["float64"])
    assert {(c.cause, c.meant) for c in report.diagnoses} == {("graph_mode_fails", meant)}, str(report)


# Images with a factor for each channel.


def test_images_with_a_factor_for_each_channel_are_guessed():
    class Summed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scale):
            ctx.save_for_backward(x, scale)
            return x * scale

        @staticmethod
        def backward(ctx, dy):
            x, scale = ctx.saved_tensors
            return dy * scale, (dy * x).sum(dim=(0, 2, 3), keepdim=True)

    @tf.custom_gradient
    def summed(x, scale):
        return x * scale, lambda dy: (dy * scale, tf.reduce_sum(dy * x, [0, 2, 3], keepdims=True))

    report, said = described(Pair(torch=Summed, tf=summed))
    assert report.counts["differ"] == 0, str(report)
    assert "x[b, 3, 8, 8], scale[1, 3, 1, 1]" in said


# A layer whose weights come first.


def test_weights_that_come_first_are_guessed_as_weights():
    class Affine(torch.autograd.Function):
        @staticmethod
        def forward(ctx, w, b, x):
            ctx.save_for_backward(w, x)
            return x @ w + b

        @staticmethod
        def backward(ctx, dy):
            w, x = ctx.saved_tensors
            return x.T @ dy, dy.sum(0), dy @ w.T

    @tf.custom_gradient
    def affine(w, b, x):
        def grad(dy):
            return tf.matmul(x, dy, transpose_a=True), tf.reduce_sum(dy, 0), tf.matmul(dy, w, transpose_b=True)

        return tf.matmul(x, w) + b, grad

    report, said = described(Pair(torch=Affine, tf=affine))
    assert report.counts["differ"] == 0, str(report)
    assert "w[k, m], b[m], x[n, k]" in said


# Rows of a length that the source has in it, and labels of rows of a table beside a number.


class OfTwelve(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x.reshape(-1, 12)

    @staticmethod
    def backward(ctx, dy):
        return 2 * dy


@tf.custom_gradient
def of_twelve(x):
    return 2 * tf.reshape(x, [-1, 12]), lambda dy: 2 * dy


class Centers(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, label, centers, size):
        ctx.save_for_backward(x, label, centers, size)
        return (x - centers.index_select(0, label)).square().sum() / size

    @staticmethod
    def backward(ctx, dy):
        x, label, centers, size = ctx.saved_tensors
        dx = 2 * dy * (x - centers.index_select(0, label)) / size
        return dx, None, torch.zeros_like(centers).index_add(0, label, -dx), None


@tf.custom_gradient
def by_centers(x, label, centers, size):
    off = x - tf.gather(centers, label)

    def grad(dy):
        dx = 2 * dy * off / size
        return dx, None, tf.math.unsorted_segment_sum(-dx, label, tf.shape(centers)[0]), None

    return tf.reduce_sum(off**2) / size, grad


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [(OfTwelve, of_twelve, "x[n, 12]"), (Centers, by_centers, "label[n], centers[5, k], size[]")],
)
def test_lengths_that_an_error_asks_for_and_rows_of_a_table_are_guessed(one, other, said):
    report, checked = described(Pair(torch=one, tf=other))
    assert report.counts["differ"] == 0, str(report)
    assert report.counts["agree"], str(report)
    assert said in checked
