"""What was said falsely of strangers' code, and what was missed in it, the third time; typed in again in its shape."""

import pytest

import porting
from porting import Contract, Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def accused(pair, **asked):
    report = porting.check(pair, **asked)
    return {r.runner for r in report.results if r.status == "differ"}, report


COMPLEX = {"z": porting.array(("n",), dtype="complex128")}


def turned(sign):
    class Turned(torch.autograd.Function):
        """1j * z, by its parts."""

        @staticmethod
        def forward(ctx, z):
            return torch.complex(-z.imag, z.real)

        @staticmethod
        def backward(ctx, dy):
            return torch.complex(dy.imag, -sign * dy.real)

    return Turned


@tf.custom_gradient
def turned_tf(z):
    value = tf.complex(-tf.math.imag(z), tf.math.real(z))
    return value, lambda dy: tf.complex(tf.math.imag(dy), -tf.math.real(dy))


@pytest.mark.parametrize("sign", [1, -1])
def test_what_takes_complex_numbers_alone_is_asked_with_them(sign):
    found, report = accused(Pair(torch=turned(sign), tf=turned_tf, inputs=COMPLEX, reference="tf"))
    assert found == (set() if sign == 1 else {"torch"}), str(report)
    where = {r.check for r in report.results if r.status == "differ"}
    assert where <= {"complex_numbers"}, str(report)


@pytest.mark.parametrize("factor", [1.0, 0.5])
def test_a_magnitude_has_a_real_cotangent(factor):
    class Magnitude(torch.autograd.Function):
        @staticmethod
        def forward(ctx, z):
            ctx.save_for_backward(torch.angle(z))
            return z.abs()

        @staticmethod
        def backward(ctx, dy):
            (angle,) = ctx.saved_tensors
            return factor * torch.exp(1j * angle) * dy

    def magnitude(z):
        return tf.abs(z)

    pair = Pair(torch=Magnitude, tf=magnitude, inputs=COMPLEX, reference="tf")
    found, report = accused(pair, only=["complex_numbers"])
    assert found == (set() if factor == 1 else {"torch"}), str(report)
    assert "agree" in {r.status for r in report.results} or factor != 1


def test_a_length_that_is_declared_is_known_to_a_graph():
    @tf.custom_gradient
    def first_of_three(x):
        a, b, c = tf.unstack(x)
        return a + 2 * b + 3 * c, lambda dy: tf.stack([dy, 2 * dy, 3 * dy])

    found, report = accused(Pair(tf=first_of_three, inputs={"x": porting.array((3, "n"))}), only=["traced", "vjp"])
    assert not found, str(report)


class Refuses(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * x * dy


@pytest.mark.parametrize("order", [1, 2])
def test_a_refusal_is_told_as_one(order):
    found, report = accused(Pair(torch=Refuses, contract=Contract(order=order)), only=["second_order"])
    assert bool(found) == (order == 2), str(report)
    assert [d.cause for d in report.diagnoses][:1] == ["second_order_refused"] * (order - 1), str(report)
