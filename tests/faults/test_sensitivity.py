"""How small a fault is found: a uniform relative error in any op, one element of 100,000."""

import pytest

from porting import check
from porting.parity.plan import Task
from porting.parity.run import run
from porting.registry import ops
from porting.selftest.toys import TOYS

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Scaled(torch.autograd.Function):
    """The identity, with a gradient that is too large by a share."""

    @staticmethod
    def forward(ctx, y, share):
        ctx.share = share
        return y.clone()

    @staticmethod
    def backward(ctx, dy):
        return dy * (1 + ctx.share), None


def each(scaled, y):
    """Scale the gradient of every output."""
    return tuple(map(scaled, y)) if isinstance(y, tuple) else scaled(y)


def torch_scaled(op, share):
    twin = op.twin("torch")
    return op.bind(torch=lambda *xs, **statics: each(lambda y: Scaled.apply(y, share), twin(*xs, **statics)))


def tf_scaled(op, share):
    twin = op.twin("tf")

    @tf.custom_gradient
    def scaled(y):
        return tf.identity(y), lambda dy: tf.convert_to_tensor(dy) * (1 + share)

    return op.bind(tf=lambda *xs, **statics: each(scaled, twin(*xs, **statics)))


LINEAR = [op for op in ops().values() if op.contract.linear]  # the others do not scale with the cotangent


@pytest.mark.parametrize(("dtype", "share"), [("float64", 1e-12), ("float32", 1e-4)])
@pytest.mark.parametrize(("backend", "scaled"), [("torch", torch_scaled), ("tf", tf_scaled)])
@pytest.mark.parametrize("op", LINEAR, ids=lambda op: op.name)
def test_uniform_relative_error_is_found(op, backend, scaled, dtype, share):
    def told(share, seed):
        """Return what the check says; the cause, which takes three times as long, is not asked for."""
        return run(Task(scaled(op, share), "vjp", backend, "cpu", "eager", dtype), seed).status

    assert [told(share, seed) for seed in range(3)] == ["differ"] * 3
    assert told(0.0, seed=0) == "agree"


class OneElement(torch.autograd.Function):
    """x^3; one element of the gradient of a large array is half of what it should be."""

    place, share = 77_777, 0.5

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx = 3 * x**2 * dy
        if dx.numel() > OneElement.place:
            dx = dx.clone()
            dx.view(-1)[OneElement.place] *= OneElement.share
        return dx


def one_element_tf(x):
    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            dx = 3 * x**2 * tf.convert_to_tensor(dy)
            n = tf.size(dx)
            half = tf.cast(tf.equal(tf.range(n), OneElement.place), dx.dtype) * OneElement.share
            return dx * (1 - tf.reshape(half, tf.shape(dx)))

        return x**3, vjp

    return forward(x)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["torch", "tf"])
def test_one_element_of_a_hundred_thousand_is_found(backend):
    op = TOYS["cube"].bind(torch=OneElement.apply, tf=one_element_tf)
    for seed in range(10):
        report = check(op, runners=[backend], seed=seed, only=["large", "vjp", "shapes"])
        (result,) = [r for r in report.results if r.status == "differ"]
        assert result.check == "large"
        (finding,) = result.findings
        assert (finding.bad, finding.total > 100_000) == (1, True)
        assert [d.cause for d in report.diagnoses][:1] == ["few_elements"]
