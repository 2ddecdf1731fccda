"""What was said falsely of strangers' code, and what was missed in it, the third time; typed in again in its shape."""

import pytest
from judged import accused, first_cause

import porting
from porting import Contract, Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


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


class Scaled(torch.autograd.Function):
    """x * w, with no gradient of w; dy is overwritten, too."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(w)
        return x * w

    @staticmethod
    def backward(ctx, dy):
        (w,) = ctx.saved_tensors
        return dy.mul_(w), None


@tf.custom_gradient
def scaled(x, w):
    return x * w, lambda dy: (dy * w, dy * x)


def test_a_missing_gradient_comes_before_an_overwritten_cotangent():
    inputs = {name: porting.array(("n",)) for name in "xw"}
    assert first_cause(Pair(torch=Scaled, tf=scaled, inputs=inputs, reference="tf"), "torch") == "missing_gradient"


class Hard(torch.autograd.Function):
    """A step with the derivative of a step."""

    @staticmethod
    def forward(ctx, x):
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        return torch.zeros_like(dy)


@tf.custom_gradient
def soft(x):
    return tf.cast(x > 0, x.dtype), lambda dy: dy * tf.sigmoid(x) * tf.sigmoid(-x)


def test_zeros_throughout_are_a_missing_gradient():
    assert first_cause(Pair(torch=Hard, tf=soft, reference="tf"), "torch") == "missing_gradient"


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


class MeanLog(torch.autograd.Function):
    """The mean of -log(x + 1e-9), whose gradient forgets the 1/n and the 1e-9."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return -torch.log(x + 1e-9).mean()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return -dy / x


def mean_log(x):
    return -tf.reduce_mean(tf.math.log(x + 1e-9))


def test_a_factor_is_named_beside_a_small_constant():
    pair = Pair(torch=MeanLog, tf=mean_log, inputs={"x": porting.array(("n",), domain=(1e-4, 1))}, reference="tf")
    assert first_cause(pair, "torch", dtypes=["float64"]) == "constant_factor"


class OtherLoss(torch.autograd.Function):
    """Weights that the forward forgets; the gradient is that of the forward."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x)
        return (x**2).sum()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * x * dy, dy.new_ones(x.shape)


def other_loss(x, w):
    return tf.reduce_sum(w * x**2)


def test_another_function_is_a_wrong_value_though_one_gradient_is_wrong_too():
    inputs = {"x": porting.array(("n",)), "w": porting.array(("n",), domain=(0.5, 2))}
    pair = Pair(torch=OtherLoss, tf=other_loss, inputs=inputs, reference="tf")
    assert first_cause(pair, "torch", only=["value", "vjp", "adjoint"], dtypes=["float64"]) == "wrong_value"


class Softplus(torch.autograd.Function):
    """Of the sign of x, which is 0 at 0, where the softplus is smooth."""

    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return torch.relu(x) + torch.log1p(torch.exp(-x.abs() * beta[:, None])) / beta[:, None]

    @staticmethod
    def backward(ctx, dy):
        x, beta = ctx.saved_tensors
        far = torch.exp(-x.abs() * beta[:, None])
        dbeta = -(x.abs() * far / (1 + far) + torch.log1p(far) / beta[:, None]) / beta[:, None]
        return dy * (torch.relu(x).sign() - x.sign() * far / (1 + far)), (dy * dbeta).sum(1)


def softplus(x, beta):
    return tf.nn.softplus(x * beta[:, None]) / beta[:, None]


def test_where_nothing_bends_there_is_no_kink():
    inputs = {"x": porting.array(("c", "n")), "beta": porting.array(("c",), domain=(0.5, 3))}
    assert first_cause(Pair(torch=Softplus, tf=softplus, inputs=inputs, reference="tf"), "torch") == "wrong_branch"


class Quantise(torch.autograd.Function):
    """The cotangent is not cut where the number is clipped, at 7 scales."""

    @staticmethod
    def forward(ctx, x, scale):
        return torch.clamp(torch.round(x / scale), -8, 7) * scale

    @staticmethod
    def backward(ctx, dy):
        return dy, None


@tf.custom_gradient
def quantise(x, scale):
    inside = tf.cast((x / scale >= -8) & (x / scale <= 7), x.dtype)
    value = tf.clip_by_value(tf.round(x / scale), -8, 7) * scale
    return value, lambda dy: (dy * inside, tf.zeros_like(scale))


def test_an_edge_that_another_input_moves_is_a_branch():
    inputs = {"x": porting.array(("n",), domain=(-3, 3)), "scale": porting.array((1,), domain=(0.1, 0.5))}
    pair = Pair(torch=Quantise, tf=quantise, inputs=inputs, reference="tf")
    assert first_cause(pair, "torch", dtypes=["float64"]) == "wrong_branch"


def test_arguments_by_name_are_given_by_name_beside_statics():
    class Quantised(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, bits):
            return torch.round(x * 2**bits) / 2**bits

        @staticmethod
        def backward(ctx, dy):
            return dy, None

    @tf.custom_gradient
    def quantised(x, bits):
        return tf.round(x * 2**bits) / 2**bits, lambda dy: (dy, None)

    found, report = accused(Pair(torch=Quantised, tf=quantised, statics={"bits": 2}), only=["keyword_call", "vjp"])
    assert not found, str(report)
    assert {r.status for r in report.results if r.check == "keyword_call"} == {"note"}


def test_what_is_overwritten_first_is_named_first():
    class InPlace(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x *= 2
            return x.clone()

        @staticmethod
        def backward(ctx, dy):
            dy *= 2
            return dy.clone()

    pair = Pair(torch=InPlace, tf=lambda x: 2 * x)
    assert first_cause(pair, "torch", dtypes=["float64"]) == "overwrites_input"
