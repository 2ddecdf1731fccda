"""Arguments that are True or False, whole numbers, places, matrices of a kind, of a shape: the sources say so.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, described

from porting import Pair
from porting.pairs.said_by_comments import definite_of, shapes_of
from porting.pairs.said_by_indexing import indices_of
from porting.pairs.said_by_source import booleans_of, wholes_of

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, bound, clip):
        ctx.save_for_backward(x, bound, clip)
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        _, bound, clip = ctx.saved_tensors
        dx = dy * bound.sum().reshape(bound.shape)
        return torch.tanh(dx) if clip else dx, None, None


def scaled(x, bound, clip):
    @tf.custom_gradient
    def inner(x):
        def grad(dy):
            dx = dy * tf.reshape(tf.reduce_sum(bound), tf.shape(bound))
            return tf.where(clip, tf.tanh(dx), dx)

        return tf.identity(x), grad

    return inner(x)


def test_a_condition_is_true_or_false():
    report, said = described(Pair(torch=Scaled, tf=scaled))
    assert report.counts["differ"] == 0, str(report)
    assert report.counts["agree"], str(report)
    assert '--input "clip=bool[]"' in said


def stored(x, keep):
    keep = keep > 0
    return tf.where(keep, x, 0.0)


def test_conditions_are_read_off_the_source():
    assert booleans_of(scaled, ["x", "bound", "clip"]) == {"clip"}
    assert booleans_of(stored, ["x", "keep"]) == set()


def handed_to_where(x, keep):
    return scaled(x, x, keep)


def test_conditions_are_followed_through_calls():
    assert booleans_of(handed_to_where, ["x", "keep"]) == {"keep"}


class OfWhole(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(kernel)
        return x @ kernel.to(torch.int32).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        (kernel,) = ctx.saved_tensors
        return dy @ kernel.to(dy.dtype).t(), None


def of_whole(x, kernel):
    return OfWhole.apply(x, kernel)


def _times(x, kernel, factor):
    @tf.custom_gradient
    def inner(x):
        real = tf.cast(kernel, x.dtype)
        return x @ real, lambda dy: factor * tf.matmul(dy, real, transpose_b=True)

    return inner(x)


def times(x, kernel):
    return _times(x, kernel, 1.0)


def times_too_much(x, kernel):
    return _times(x, kernel, 1.5)


def test_what_a_side_casts_to_whole_numbers_holds_them():
    report, said = described(Pair(torch=of_whole, tf=times))
    assert report.counts["differ"] == 0, str(report)
    assert "kernel holds whole numbers in the source" in said


def test_a_fault_beside_whole_numbers_is_found():
    report, _ = described(Pair(torch=of_whole, tf=times_too_much, reference="torch"))
    assert causes(report, "tf")[:1] == ["constant_factor"], str(report)


def rounds_its_data(x, bias):
    return x + bias.long()


def does_not(x, bias):
    return x + bias


def test_a_cast_that_loses_a_gradient_is_not_guessed_away():
    report, said = described(Pair(torch=rounds_its_data, tf=does_not))
    assert "tf" not in {r.runner for r in report.results if r.status == "agree" and r.check == "value"}
    assert "torch" in {r.runner for r in report.results if r.status == "differ"}, f"{said}: {report}"


def cast_in_many_ways(a, b, c, d, e):
    d = d + 1
    return a.int(), b.to(torch.int8), tf.cast(c, "int32"), d.long(), e.to(torch.float32)


def test_casts_are_read_off_the_source():
    assert wholes_of(cast_in_many_ways, list("abcde")) == {"a", "b", "c"}
    assert wholes_of(of_whole, ["x", "kernel"]) == {"kernel"}


def scaled_by_zero_point(x, zero_point):
    return x - torch.round(zero_point)


def by_zero_point(x, zero_point):
    return x - tf.cast(zero_point, x.dtype)


@pytest.mark.slow
def test_a_zero_point_is_a_whole_number_by_its_name():
    _, said = described(Pair(torch=scaled_by_zero_point, tf=by_zero_point))
    assert "guessed" not in said  # one side has a gradient that is 0, the other one has one: it is compared


class Bits(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, min_val, max_val, num_bits):
        ctx.save_for_backward(x, min_val, max_val)
        ctx.levels = torch.clamp(torch.tensor(1.0), 0.0, 2.0**num_bits - 1.0)
        return torch.minimum(torch.maximum(x, min_val), max_val) * ctx.levels

    @staticmethod
    def backward(ctx, dy):
        x, min_val, max_val = ctx.saved_tensors
        below, above = (x < min_val), (x > max_val)
        dx = dy * ctx.levels
        return dx * ~(below | above), (dx * below).sum(), (dx * above).sum(), None


def bits(x, min_val, max_val, num_bits):
    @tf.custom_gradient
    def inner(x, min_val, max_val):
        levels = tf.cast(tf.clip_by_value(1.0, 0.0, 2.0**num_bits - 1.0), x.dtype)

        def grad(dy):
            below, above = tf.cast(x < min_val, dy.dtype), tf.cast(x > max_val, dy.dtype)
            dx = dy * levels
            return dx * (1 - below) * (1 - above), tf.reduce_sum(dx * below), tf.reduce_sum(dx * above)

        return tf.minimum(tf.maximum(x, min_val), max_val) * levels, grad

    return inner(x, min_val, max_val)


@pytest.mark.slow
def test_a_count_is_a_number_beside_bounds_that_are_learned():
    report, said = described(Pair(torch=Bits, tf=bits))
    assert report.counts["differ"] == 0, str(report)
    assert "--static num_bits=2" in said
    assert '--input "min_val=float64[]{-2.0..-0.5}"' in said


def written_with_times(activity, weights):
    """Sum.

    activity: n_batch x n_unit, firing rate
    weights: n_unit x n_unit x 1, from one to the other
    """
    return tf.einsum("bi,ijk->bjk", activity, weights)


def with_times(activity, weights):
    return torch.einsum("bi,ijk->bjk", activity, weights)


def test_a_shape_is_written_with_times():
    found = {"activity": ("n_batch", "n_unit"), "weights": ("n_unit", "n_unit", 1)}
    assert shapes_of(written_with_times, ["activity", "weights"]) == found
    report, said = described(Pair(torch=with_times, tf=written_with_times))
    assert report.exit_code == 0, str(report)
    assert '--input "weights=float64[n_unit,n_unit,1]"' in said


def pose(x):
    """Return the position that a pose turns.

    x: (batch, poses, parts)
    """
    batch, poses, parts = x.shape
    del batch, poses, parts
    a, b, c, d = (x[..., 3 + k] for k in range(4))
    return x[..., 0] * a + x[..., 1] * b + x[..., 2] * (c - d)


def test_parts_that_are_taken_say_how_many_there_are():
    report, said = described(Pair(torch=pose, tf=pose))
    assert report.exit_code == 0, str(report)
    assert '--input "x=float64[batch,poses,7]"' in said


def solved(matrix, rhs):
    """Solve by steps.

    matrix: symmetric positive definite, [n, n]
    rhs: rows, [m, n]
    """
    return torch.cholesky_solve(rhs.T, torch.linalg.cholesky(matrix)).T


def solved_in_tf(matrix, rhs):
    return tf.transpose(tf.linalg.cholesky_solve(tf.linalg.cholesky(matrix), tf.transpose(rhs)))


def log_determinant(matrix):
    """Return the logarithm of the determinant of an SPD matrix."""
    return matrix


def test_a_matrix_that_the_source_calls_positive_definite_is_one():
    assert definite_of(solved, ["matrix", "rhs"]) == {"matrix"}
    assert definite_of(log_determinant, ["matrix"]) == {"matrix"}
    assert definite_of(log_determinant, ["other", "rhs"]) == set()
    report, said = described(Pair(torch=solved, tf=solved_in_tf))
    assert report.exit_code == 0, str(report)
    assert '--input "matrix=float64[n,n]{spd}"' in said


class Picked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, at):
        ctx.save_for_backward(at)
        ctx.rows = x.shape[0]
        return x.index_select(0, at)

    @staticmethod
    def backward(ctx, dy):
        (at,) = ctx.saved_tensors
        dx = torch.zeros(ctx.rows, *dy.shape[1:], dtype=dy.dtype)
        return dx.index_add_(0, at, dy), None


def picked(x, at):
    return Picked.apply(x, at)


def _picked_in_tf(x, at, added):
    @tf.custom_gradient
    def inner(x):
        def grad(dy):
            rows = tf.shape(x)[0]
            if added:
                return tf.math.unsorted_segment_sum(dy, at, rows)
            return tf.tensor_scatter_nd_update(tf.zeros_like(x), at[:, None], dy)

        return tf.gather(x, at), grad

    return inner(x)


def picked_in_tf(x, at):
    return _picked_in_tf(x, at, added=True)


def overwritten_in_tf(x, at):
    return _picked_in_tf(x, at, added=False)


def test_what_a_side_looks_up_with_holds_places():
    report, said = described(Pair(torch=picked, tf=picked_in_tf))
    assert report.counts["differ"] == 0, str(report)
    assert report.counts["agree"], str(report)
    assert "at=int64[" in said


@pytest.mark.slow
def test_a_fault_beside_places_is_found():
    report, _ = described(
        Pair(torch=picked, tf=overwritten_in_tf, reference="torch"), only=["value", "vjp", "duplicates"]
    )
    assert causes(report, "tf")[:1] == ["duplicate_index"], str(report)


def looked_up_in_many_ways(a, b, c, d, e, f, g, h):
    h = h + 1
    y = a[b] + torch.gather(a, 1, c) + a.gather(0, d) + tf.gather(a, e) + a.index_select(0, h)
    return y + tf.nn.embedding_lookup(a, f) + tf.nn.sparse_softmax_cross_entropy_with_logits(labels=g, logits=a)


def test_places_are_read_off_the_source():
    assert indices_of(looked_up_in_many_ways, list("abcdefgh")) == set("bcdefg")
    assert indices_of(picked, ["x", "at"]) == {"at"}
    assert indices_of(picked_in_tf, ["x", "at"]) == {"at"}
