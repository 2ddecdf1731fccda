"""Lengths of last axes that a source fixes by the parts that it takes, here and in functions that are given a part."""

import pytest

from porting import Pair
from porting.pairs.said_by_names import lengths_in
from porting.pairs.said_by_slices import widths_of
from tests.judged import accused

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Turned(torch.autograd.Function):
    @staticmethod
    def forward(q, p):
        return q[..., 3:] * torch.linalg.cross(q[..., :3], p, dim=-1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy):
        q, p = ctx.saved_tensors
        v, w = q[..., :3], q[..., 3:]
        of_w = (dy * torch.linalg.cross(v, p, dim=-1)).sum(-1, keepdim=True)
        return torch.cat([torch.linalg.cross(p, w * dy, dim=-1), of_w], -1), torch.linalg.cross(w * dy, v, dim=-1)


class Moved(torch.autograd.Function):
    @staticmethod
    def forward(x, p):
        return x[..., :3] + Turned.apply(x[..., 3:], p)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy):
        x, p = ctx.saved_tensors
        with torch.enable_grad():
            q, p = x[..., 3:].detach().requires_grad_(), p.detach().requires_grad_()
            dq, dp = torch.autograd.grad(Turned.apply(q, p), (q, p), dy)
        return torch.cat([dy, dq], -1), dp


def turned_tf(q, p):
    return q[..., 3:] * tf.linalg.cross(q[..., :3], p)


def _moved(x, p, sign):
    @tf.custom_gradient
    def moved(x, p):
        def grad(dy):
            with tf.GradientTape() as tape:
                q = x[..., 3:]
                tape.watch([q, p])
                y = turned_tf(q, p)
            dq, dp = tape.gradient(y, [q, p], dy)
            return tf.concat([dy, sign * dq], -1), dp

        return x[..., :3] + turned_tf(x[..., 3:], p), grad

    return moved(x, p)


def moved_tf(x, p):
    return _moved(x, p, 1)


def moved_wrongly(x, p):
    return _moved(x, p, -1)


@pytest.mark.parametrize(("other", "status"), [(moved_tf, 0), (moved_wrongly, 1)])
def test_they_are_tried_beside_a_length_that_an_error_says(other, status):
    _, report = accused(Pair(torch=Moved, tf=other), only=["value", "vjp"])
    assert report.exit_code == status, str(report)
    assert "Moved(x[n, 7], p[n, 3])" in report.described[0], report.described


def test_a_part_that_is_handed_on_adds_what_is_taken_there():
    assert widths_of(Moved, ["x", "p"]) == {"x": 7}
    assert widths_of(moved_tf, ["x", "p"]) == {"x": 7}


def test_what_is_of_no_length_says_none():
    def free(x, y, z, images):
        return x[..., 0] + y[..., -1] + z[..., 1:-1] + images[:, :3, 0] + x[1:] + y[..., ::2]

    assert not widths_of(free, ["x", "y", "z", "images"])


def test_columns_of_a_matrix_are_parts():
    def columns(x, y, z):
        return x[:, 0] * x[:, 1] + y[..., 2, None] * z[..., tf.newaxis, :4]

    assert widths_of(columns, ["x", "y", "z"]) == {"x": 2, "y": 3, "z": 4}


def test_an_error_says_a_length():
    assert lengths_in("linalg.cross: inputs dimension -1 must have length 3. Got 1 and 4") == {3}
    assert lengths_in("Cross-products are only defined for 3-element vectors.") == {3}


def bound(x):
    v, w = x[..., :3], x[..., 3:]
    q = w[..., 1:]
    return v, q[..., :4]


def unstacked(x):
    a, b, c, d = tf.unstack(x, axis=-1)
    return a + b + c + d


def unstacked_by_the_first_axis(x):
    a, b = tf.unstack(x)
    return a + b


@pytest.mark.parametrize(("function", "width"), [(bound, 8), (unstacked, 4), (unstacked_by_the_first_axis, None)])
def test_parts_that_have_names_of_their_own_are_followed(function, width):
    assert widths_of(function, ["x"]) == ({"x": width} if width else {})


def test_a_tangent_is_one_shorter_than_what_it_moves():
    def along(x, a):
        return torch.linalg.cross(x[..., 1:], a, dim=-1)

    def along_tf(x, a):
        return tf.linalg.cross(x[..., 1:4], a)

    found, report = accused(Pair(torch=along, tf=along_tf))
    assert not found, str(report)
    assert "x[n, 4], a[n, 3]" in report.described[0]
