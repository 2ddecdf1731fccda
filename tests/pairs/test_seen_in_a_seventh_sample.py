"""What was said falsely of strangers' code, and missed in it, the seventh time; typed in again in its shape."""

import pytest
from judged import accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

FREE = {"x": porting.array(("n",))}
CHECKS = {"dtypes": ["float64"], "only": ["value", "vjp", "adjoint", "linear", "repeated", "special_values"]}


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, dy):
        return -ctx.alpha * dy, None


@tf.custom_gradient
def reverse_by_place(x, lamda=1.0):
    def grad(dy):
        return lamda * -dy, None

    return tf.identity(x), grad


@tf.custom_gradient
def reverse_by_name(x, lamda=1.0):
    def grad(dy):
        return lamda * -dy

    return tf.identity(x), grad


@pytest.mark.parametrize("side", [reverse_by_place, reverse_by_name])
def test_a_static_comes_by_place_where_a_gradient_is_returned_for_it(side):
    pair = Pair(torch=Reverse, tf=side, inputs=FREE, statics={"alpha": 0.7})
    found, report = accused_by(pair, **CHECKS)
    assert not found, str(report)
    assert "alpha=0.7 (tf: lamda)" in next(iter(report.described))


class Within(torch.autograd.Function):
    """Raises beyond the ends of its domain, as `torch.bernoulli` does."""

    @staticmethod
    def forward(ctx, x):
        if x.min() < 0 or x.max() > 1:
            raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true")
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * x * dy


def test_a_forward_that_raises_beyond_its_ends_breaks_no_check():
    pair = Pair(torch=Within, inputs={"x": porting.array(("n",), domain=(0, 1))})
    report = porting.check(pair, dtypes=["float64"], only=["adjoint"])
    assert not [f for r in report.results for f in r.findings], str(report)


class Ternary(torch.autograd.Function):
    """Masks of float32 make its output float32; one of its three gradients has the wrong sign."""

    @staticmethod
    def forward(ctx, kernel, low):
        mask = (kernel < -0.1).float()
        ctx.save_for_backward(mask, low)
        return -low * mask

    @staticmethod
    def backward(ctx, dy):
        mask, low = ctx.saved_tensors
        return low * mask * dy, (mask * dy).sum()


def ternary(kernel, low):
    @tf.custom_gradient
    def quantise(kernel, low):
        mask = tf.cast(kernel < -0.1, kernel.dtype)
        return -low * mask, lambda dy: (low * mask * dy, -tf.reduce_sum(mask * dy))

    return quantise(kernel, low)


def test_a_side_whose_forward_is_exact_is_not_told_another_function():
    described = {"kernel": porting.array(("n", "m")), "low": porting.array((), domain=(0.2, 2))}
    report = porting.check(Pair(torch=Ternary, tf=ternary, inputs=described), **CHECKS)
    told = [d for d in report.diagnoses if d.runner == "tf"]
    assert all(d.provided for d in told), str(report)  # each side's sign is wrong if the other one's is right
    assert "wrong_value" not in {d.cause for d in told}, str(report)
    assert next(d.cause for d in report.diagnoses if d.runner == "torch") == "wrong_sign"


class Again(torch.autograd.Function):
    """Computes its inner layer again, and calls ``backward`` of it: weights get their gradient that way alone."""

    @staticmethod
    def forward(ctx, x, inner):
        ctx.inner = inner
        ctx.save_for_backward(x)
        with torch.no_grad():
            return inner(x)

    @staticmethod
    def backward(ctx, dy):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            y = ctx.inner(x)
        torch.autograd.backward(y, ctx.inner.factor * dy if hasattr(ctx.inner, "factor") else dy)
        return x.grad, None


class Reversible(torch.nn.Module):
    def __init__(self, factor=None):
        super().__init__()
        self.inner = torch.nn.Linear(4, 3)
        if factor:
            self.inner.factor = factor

    def forward(self, x):
        return Again.apply(x, self.inner)


def affine(x, weight, bias):
    return tf.matmul(x, weight, transpose_b=True) + bias


@pytest.mark.parametrize("factor", [None, 2.0])
def test_a_gradient_that_arrives_by_backward_alone_is_there(factor):
    pair = Pair(torch=Reversible(factor), tf=affine, inputs={"x": porting.array(("n", 4))}, reference="tf")
    found, report = accused_by(pair, dtypes=["float64"], only=["value", "vjp"])
    assert bool(found) == (factor is not None), str(report)
    if factor:
        assert next(iter(report.diagnoses)).cause == "constant_factor", str(report)


class Causal(torch.autograd.Function):
    """Its gradient by the first query is 0 to the last bit; by autodiff of a softmax it is rounding times the keys."""

    @staticmethod
    def forward(ctx, q, k, v):
        s = torch.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
        s.masked_fill_(torch.triu(torch.ones(s.shape[-2:]), diagonal=1).bool(), float("-inf"))
        p = torch.softmax(s, -1)
        y = torch.einsum("...qk,...kd->...qd", p, v)
        ctx.save_for_backward(q, k, v, p, y)
        return y

    @staticmethod
    def backward(ctx, dy):
        q, k, v, p, y = ctx.saved_tensors
        scale = q.shape[-1] ** -0.5
        ds = p * (torch.einsum("...qd,...kd->...qk", dy, v) - (dy * y).sum(-1, keepdim=True))
        dq, dk = torch.einsum("...qk,...kd->...qd", ds, k) * scale, torch.einsum("...qk,...qd->...kd", ds, q) * scale
        return dq, dk, torch.einsum("...qk,...qd->...kd", p, dy)


def causal_tf(q, k, v):
    s = tf.matmul(q, k, transpose_b=True) * tf.cast(tf.shape(q)[-1], q.dtype) ** -0.5
    mask = tf.linalg.band_part(tf.ones_like(s, dtype=tf.bool), -1, 0)
    s = tf.where(mask, s, tf.constant(float("-inf"), s.dtype))
    return tf.matmul(tf.nn.softmax(s, axis=-1), v)


@pytest.mark.parametrize("seed", range(3))
def test_terms_that_cancel_are_as_large_as_the_inputs(seed):
    described = {x: porting.array(("b", "n" if x == "q" else "m", "d")) for x in "qkv"}
    pair = Pair(torch=Causal, tf=causal_tf, inputs=described)
    report = porting.check(pair, dtypes=["float32"], only=["special_values", "vjp"], seed=seed)
    assert report.exit_code == 0, str(report)


def sum_of_segments(x):
    return torch.stack([x[:2].sum(0), x[2:].sum(0)])


def sum_by_matrix(x):
    rows = tf.stack([tf.concat([tf.ones(2, x.dtype), tf.zeros(2, x.dtype)], 0), tf.constant([0, 0, 1, 1], x.dtype)])
    return tf.matmul(rows, x)


def test_who_keeps_a_nan_where_it_is_hides_none():
    pair = Pair(torch=sum_of_segments, tf=sum_by_matrix, inputs={"x": porting.array((4, "n"))})
    report = porting.check(pair, dtypes=["float64"], only=["nan_input", "nan_cotangent"], strict=True)
    said = [f.what for r in report.results for f in r.findings]
    assert said
    assert not any("hides" in what for what in said), said
    assert {d.kind for d in report.diagnoses} <= {"disagreement"}, str(report)


class Grid(torch.autograd.Function):
    """The forward rounds to float32 on the way, the gradient is one of another place."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x).float().to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.cos(x + 1.3).float()


def test_rounding_in_the_forward_explains_no_gradient_of_another_place():
    report = porting.check(Pair(torch=Grid, tf=tf.sin, inputs=FREE), **CHECKS)
    assert next(iter(report.diagnoses)).cause == "forward_gradient_disagree", str(report)
    assert "wrong_value" not in {d.cause for d in report.diagnoses}


class Cubed(torch.autograd.Function):
    factor = 3.0

    @classmethod
    def forward(cls, ctx, x):
        ctx.save_for_backward(x)
        return x.float() ** 3

    @classmethod
    def backward(cls, ctx, dy):
        (x,) = ctx.saved_tensors
        return cls.factor * dy * x**2


class CubedWrongly(Cubed):
    factor = 3.3


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("domain", [None, (-1.0, 1.0)])
@pytest.mark.parametrize("side", [Cubed, CubedWrongly])
def test_what_is_declared_in_float32_is_compared_with_its_own_forward_there(side, domain, seed):
    described = {"x": porting.array(("n",), dtype="float32", domain=domain)}
    report = porting.check(Pair(torch=side, inputs=described), only=["adjoint"], seed=seed)
    (status,) = {r.status for r in report.results}
    assert status == ("agree" if side is Cubed else "differ"), str(report)


def test_a_surrogate_is_recognised_in_float32_too():
    def gradient(ctx, dy):
        return dy * (ctx.saved_tensors[0].abs() <= 1.5)

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sign(x)

    side = type(
        "Side", (torch.autograd.Function,), {"forward": staticmethod(forward), "backward": staticmethod(gradient)}
    )
    pair = Pair(torch=side, inputs={"x": porting.array(("n",), dtype="float32")})
    said = str(porting.check(pair, only=["adjoint"]))
    assert "--surrogate-of porting.surrogates:clipped --static limit=1.5" in said


class Doubled(torch.autograd.Function):
    """Holds float64 inside, so that it raises in float32; what it saves is a constant to a second derivative."""

    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.saved = y * y
        return y

    @staticmethod
    def backward(ctx, dy):
        return dy * (1 - ctx.saved) @ torch.eye(dy.shape[-1], dtype=torch.float64)


def test_a_type_that_does_not_meet_another_is_named_before_a_second_derivative():
    pair = Pair(torch=Doubled, tf=tf.tanh, inputs={"x": porting.array(("m", "n"))}, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "second_order"])
    assert next(iter(report.diagnoses)).cause == "wrong_dtype", str(report)
