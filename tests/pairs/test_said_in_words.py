"""Shapes that sources give their arguments in words: read, tried where arrays of any shape are refused, and no more."""

import numpy as np
import pytest
from everyday_words import Commented, Unpacking, annotated, documented, misleading, plain

import porting
from porting import Pair
from porting.pairs.said_by_comments import shapes_of
from porting.pairs.said_by_unpacking import axes_of

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def test_docstrings_say_shapes():
    found = shapes_of(documented, ["q", "k", "beta", "mask", "width", "rest"])
    assert found == {
        "q": ("b", "t", "h", "d"),
        "k": ("b", "t", "h", "d"),
        "beta": ("b", "t", "h"),
        "mask": (..., "t"),
        "width": ("n", 3),
    }


def skewed(v, scale):
    """Do something.

    Shape:
        - Input: :math:`(*, 3)` where * is any number of axes
        - Output: :math:`(*, 3, 3)`
    """
    return v * scale


def test_the_input_of_a_docstring_is_the_first_argument():
    assert shapes_of(skewed, ["v", "scale"]) == {"v": (..., 3)}


def test_comments_say_them():
    assert shapes_of(Commented, ["x", "w", "y"]) == {"x": ("b", "c", "n"), "w": ("k", "c")}


def test_annotations_say_them():
    assert shapes_of(annotated, ["x", "y"]) == {"x": ("b", "n", "d"), "y": ("b", "n")}


def test_where_nothing_is_said_nothing_is_found():
    assert not shapes_of(plain, ["x", "y"])


def test_what_is_unpacked_says_how_many_axes_there_are():
    found = axes_of(Unpacking, ["x", "y", "z", "v", "u"])
    assert found == {"x": ("b", "n"), "y": ("k", "m"), "z": ("q0", "t", "h"), "v": ("c", "d", "e")}


def by_length(q, k, v, mask):
    batch, heads = q.shape[0], q.size(1)
    width = v.shape[-1]
    groups = heads // k.shape[2]
    return q, k, v, mask[0], batch, groups, width


def test_lengths_that_are_read_one_by_one_say_how_many_axes_there_are_at_least():
    assert axes_of(by_length, ["q", "k", "v", "mask"]) == {"q": ("batch", "heads"), "k": ("k0", "k1", "k2")}


def filtered(x, a, start):
    """All-pole filter in NumPy: each row of x has coefficients of its own at each time."""
    rows, times = x.shape
    order = start.shape[1]
    y = np.concatenate([start, np.empty((rows, times))], 1)
    for t in range(times):
        y[:, t + order] = x[:, t] - (a[:, t] * y[:, t : t + order]).sum(1)
    return y[:, order:]


class Filtered(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, a, start):
        y = torch.from_numpy(filtered(x.detach().numpy(), a.detach().cpu().numpy(), start.detach().numpy()))
        ctx.save_for_backward(a, start, y)
        return y.to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        a, start, y = ctx.saved_tensors
        rows, times, order = a.shape
        after = torch.zeros(rows, times + order, dtype=dy.dtype)
        dx, da = torch.zeros_like(dy), torch.zeros_like(a)
        whole = torch.cat([start, y.to(start.dtype)], 1)
        for t in reversed(range(times)):
            dx[:, t] = dy[:, t] + after[:, t + order]
            da[:, t] = -dx[:, t, None] * whole[:, t : t + order]
            after[:, t : t + order] -= dx[:, t, None] * a[:, t]
        return dx, da, after[:, :order].clone()


def test_what_a_helper_and_a_backward_unpack_says_it_too():
    """As in a library of filters; the first axis of `start`, which nobody calls anything, is that of the others."""
    found = axes_of(Filtered, ["x", "a", "start"])
    assert found == {"x": ("rows", "times"), "a": ("rows", "times", "order"), "start": ("start0", "order")}
    guess = Pair(torch=Filtered, like=plainly_filtered).guess()
    assert {n: a.shape for n, a in guess.pair.inputs.items()} == {**found, "start": ("rows", "order")}


def plainly_filtered(x, a, start):
    y = list(start.unbind(1))
    order = len(y)
    for t in range(a.shape[1]):
        y.append(x[:, t] - (a[:, t] * torch.stack(y[t : t + order], 1)).sum(1))
    return torch.stack(y[order:], 1)


def decayed(decay, first, key):
    _, t, h = key.shape
    if tuple(decay.shape) != (h,) or tuple(first.shape) != (h,):
        raise ValueError("a decay for each channel")
    return torch.stack([key[:, k] * decay * k + first for k in range(t)], 1)


def decayed_tf(factor):
    def f(decay, first, key):
        _, t, _ = key.shape
        return factor * tf.stack([key[:, k] * decay * float(k) + first for k in range(t)], 1)

    return f


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1.0, 1.5])
def test_the_others_are_the_last_axis_of_it(factor):
    report = porting.check(Pair(torch=decayed, tf=decayed_tf(factor)), only=["value", "vjp"], dtypes=["float64"])
    assert "decay[h], first[h], key[key0, t, h]" in report.described[0]
    assert {r.status for r in report.results} == ({"agree"} if factor == 1 else {"differ"}), str(report)


def channels(x, w):
    """Weight the channels of each sample.

    Parameters
    ----------
    x : tensor of shape (B, T, H, K)
    w : tensor of shape (H, K)
    """
    b, t, h, k = x.shape
    if tuple(w.shape) != (h, k):
        raise ValueError("w has the heads and channels of x")
    return x.reshape(b * t, h, k) * w[None]


def channels_tf(x, w):
    _, _, h, k = x.shape
    return tf.reshape(x, (-1, h, k)) * w[None]


@pytest.mark.parametrize("factor", [1.0, 1.5])
def test_they_are_tried_where_arrays_of_any_shape_are_refused(factor):
    pair = Pair(torch=channels, tf=lambda x, w: channels_tf(x, w) * factor)
    report = porting.check(pair, only=["value", "vjp"], dtypes=["float64"])
    assert "x[b, t, h, k], w[h, k]" in report.described[0]
    assert {r.status for r in report.results} == ({"agree"} if factor == 1 else {"differ"}), str(report)


def test_what_is_said_and_not_taken_is_passed_over():
    def product(x, w):
        return x @ w

    def product_tf(x, w):
        return tf.matmul(x, w)

    misleading.__wrapped__ = product
    report = porting.check(Pair(torch=misleading, tf=product_tf), only=["value", "vjp"])
    assert {r.status for r in report.results} == {"agree"}, str(report)


def looked_up_and_cast(table, a, b):
    """Take table [V, H] at a/b [B, K]."""
    return table[a] * 2 + table[b.long()]


def looked_up_and_cast_tf(table, a, b):
    return tf.gather(table, a) * 2 + tf.gather(table, tf.cast(b, tf.int32))


def test_a_docstring_of_one_line_says_shapes_and_casts_say_what_is_whole():
    shapes = {"table": ("v", "h"), "a": ("b", "k"), "b": ("b", "k")}
    assert shapes_of(looked_up_and_cast, list(shapes)) == shapes
    report = porting.check(Pair(torch=looked_up_and_cast, tf=looked_up_and_cast_tf), only=["value", "vjp"])
    assert '--input "b=int64[b,k]{0..1}"' in report.described[0]
    assert report.exit_code == 0, str(report)


def picked(scores, pool, k):
    b, t, c = pool.shape
    b, s = scores.shape
    assert s == t
    top = torch.topk(scores, k=k, dim=-1).indices
    return torch.gather(pool, 1, top.unsqueeze(-1).expand(b, k, c))


def picked_tf(scores, pool, k):
    return tf.gather(pool, tf.math.top_k(scores, k=k).indices, batch_dims=1)


def test_lengths_that_are_asserted_to_be_equal_are_one():
    assert axes_of(picked, ["scores", "pool"]) == {"scores": ("b", "t"), "pool": ("b", "t", "c")}
    report = porting.check(Pair(torch=picked, tf=picked_tf), only=["value", "vjp"])
    assert "picked(scores[b, t], pool[b, t, c], k=2)" in report.described[0]
    assert report.exit_code == 0, str(report)
