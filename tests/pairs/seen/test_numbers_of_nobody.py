"""Numbers that no side learns, steps of a solver, and a shape that words give for the only argument.

Seen in code of public repositories.
"""

import pytest
from everyday import described, differing

from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Triangle(torch.autograd.Function):
    """A spike whose surrogate divides by a width that is looked at as one number."""

    factor = 1.0

    @staticmethod
    def forward(ctx, x, gama):
        ctx.save_for_backward(x, torch.tensor([gama], dtype=x.dtype))
        return (x > 0).to(x.dtype)

    @classmethod
    def backward(cls, ctx, dy):
        x, width = ctx.saved_tensors
        gama = width[0].item()
        return cls.factor * dy * (gama - x.abs()).clamp(min=0) / gama / gama, None


class Steeper(Triangle):
    factor = 1.25


@tf.custom_gradient
def triangle(v, gamma):
    gamma = tf.cast(gamma, v.dtype)
    return tf.cast(v > 0, v.dtype), lambda dy: (dy * tf.maximum(gamma - tf.abs(v), 0) / (gamma * gamma), None)


def test_a_width_that_no_side_learns_is_a_number():
    """Drawn as an array it was 0 too, and both sides were accused of dividing by it."""
    report, said = described(Pair(torch=Triangle, tf=triangle))
    assert "gama is a number that no side has a gradient for" in said
    assert differing(report) == set()
    report, _ = described(Pair(torch=Steeper, tf=triangle))
    assert ("torch", "vjp") in differing(report) or ("tf", "vjp") in differing(report)


class Root(torch.autograd.Function):
    """The square root of a matrix in so many steps (Newton and Schulz), with the gradient of a product by it."""

    factor = 1.0

    @staticmethod
    def forward(ctx, a, num_iters):
        if a.shape[-2:] != (a.shape[-1], a.shape[-1]):
            raise RuntimeError("a must be a square matrix")
        norm = a.norm()
        eye = torch.eye(a.shape[-1], dtype=a.dtype)
        y, z = a / norm, eye
        for _ in range(num_iters):
            t = 0.5 * (3.0 * eye - z @ y)
            y, z = y @ t, t @ z
        root = y * norm.sqrt()
        ctx.save_for_backward(root)
        ctx.num_iters = num_iters
        return root

    @classmethod
    def backward(cls, ctx, dy):
        (root,) = ctx.saved_tensors
        return cls.factor * dy @ root.mT, None


class Larger(Root):
    factor = 1.01


def root(a, num_iters):
    @tf.custom_gradient
    def op(a):
        norm = tf.norm(a)
        eye = tf.eye(a.shape[-1], dtype=a.dtype)
        y, z = a / norm, eye
        for _ in range(num_iters):
            t = 0.5 * (3.0 * eye - z @ y)
            y, z = y @ t, t @ z
        found = y * tf.sqrt(norm)

        return found, lambda dy: dy @ tf.transpose(found)

    return op(a)


@pytest.mark.slow
def test_a_root_of_matrices_is_asked_of_definite_ones_with_enough_steps():
    report, said = described(Pair(torch=Root, tf=root))
    assert "a is positive definite" in said
    assert "num_iters=12" in said
    assert differing(report) == set()
    report, _ = described(Pair(torch=Larger, tf=root))
    assert differing(report)


class Rotations(torch.autograd.Function):
    """The product of all of some (N, 3, 3) rotations, one after the other."""

    @staticmethod
    def forward(ctx, mats):
        ctx.save_for_backward(mats)
        made = torch.eye(3, dtype=mats.dtype)
        for m in mats.unbind(0):
            made = made @ m.expand(3, 3)
        return made

    @staticmethod
    def backward(ctx, dy):
        (mats,) = ctx.saved_tensors
        parts = []
        for k in range(len(mats)):
            before = torch.eye(3, dtype=mats.dtype)
            for m in mats[:k]:
                before = before @ m
            after = torch.eye(3, dtype=mats.dtype)
            for m in mats[k + 1 :]:
                after = after @ m
            parts.append(before.mT @ dy @ after.mT)
        return torch.stack(parts)


def rotations(mats):
    made = tf.eye(3, dtype=mats.dtype)
    for k in range(mats.shape[0]):
        made = made @ tf.broadcast_to(mats[k], (3, 3))
    return made


def test_the_only_shape_in_words_is_that_of_the_only_argument():
    """Nine numbers that are one are taken by the forwards, and no gradient fits them."""
    report, said = described(Pair(torch=Rotations, tf=rotations))
    assert "mats[n, 3, 3]" in said
    assert [r for r in report.results if r.check == "vjp" and r.status == "agree"]
    assert differing(report) == set()


def conjugate_gradients(a, b, dot, outer):
    """Solve a x = b in as many steps as b has elements (Hestenes and Stiefel)."""
    x, r = 0.0 * b, b
    p, rr = r, dot(r, r)
    for _ in range(b.shape[0]):
        ap = outer(a, p)
        alpha = rr / dot(p, ap)
        x, r = x + alpha * p, r - alpha * ap
        rr, before = dot(r, r), rr
        p = r + rr / before * p
    return x


class SolveSPD(torch.autograd.Function):
    factor = 1.0

    @staticmethod
    def forward(ctx, matrix, rhs):
        x = conjugate_gradients(matrix, rhs, torch.dot, torch.mv)
        ctx.save_for_backward(matrix, x)
        return x

    @classmethod
    def backward(cls, ctx, dy):
        matrix, x = ctx.saved_tensors
        db = conjugate_gradients(matrix, dy, torch.dot, torch.mv)
        return -torch.outer(db, x), cls.factor * db


class SolveSPDWrong(SolveSPD):
    factor = 1.5


@tf.custom_gradient
def solve_spd(matrix, rhs):
    def dot(a, b):
        return tf.reduce_sum(a * b)

    x = conjugate_gradients(matrix, rhs, dot, tf.linalg.matvec)

    def grad(dy):
        db = conjugate_gradients(matrix, dy, dot, tf.linalg.matvec)
        return -db[:, None] * x, db

    return x, grad


@pytest.mark.slow
def test_a_solver_that_is_called_so_gets_definite_matrices():
    report, said = described(Pair(torch=SolveSPD, tf=solve_spd))
    assert "matrix=float64[n,n]{spd}" in said
    assert differing(report) == set()
    report, _ = described(Pair(torch=SolveSPDWrong, tf=solve_spd))
    assert ("torch", "vjp") in differing(report)


class ColumnSolve(torch.autograd.Function):
    """The solution of one equation, written for a column."""

    @staticmethod
    def forward(ctx, A, b):  # noqa: N803 - as people write it
        n, one = b.shape
        assert (one, A.shape) == (1, (n, n))
        inverse = torch.inverse(A)
        y = inverse.mm(b)
        ctx.save_for_backward(inverse, y)
        return y

    @staticmethod
    def backward(ctx, dy):
        inverse, y = ctx.saved_tensors
        db = inverse.T.mm(dy)
        return -db.mm(y.T), db


def column_solve(*, transposed):
    @tf.custom_gradient
    def solve(A, b):  # noqa: N803
        y = tf.linalg.solve(A, b)

        def grad(dy):
            db = tf.linalg.solve(A, dy, adjoint=transposed)
            return -db @ tf.transpose(y), db

        return y, grad

    return solve


def test_a_solver_of_any_matrix_is_asked_with_one_that_is_not_symmetric():
    report, said = described(Pair(torch=ColumnSolve, tf=column_solve(transposed=True)))
    assert 'A=float64[n,n]" --input "b=float64[n,1]' in said
    assert differing(report) == set()
    report, _ = described(Pair(torch=ColumnSolve, tf=column_solve(transposed=False), reference="torch"))
    assert ("tf", "vjp") in differing(report)
