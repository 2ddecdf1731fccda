"""What raises for shapes that nobody gave is nobody's fault; what the error asks for is tried first.

Seen in code of public repositories.
"""

import pytest
from everyday import ASKED, WIDEST, causes, described, differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

# What raises for shapes that are the check's own is nobody's fault where nothing else was compared.


def stokes(s):
    x = s.squeeze(-1)
    return torch.stack([x[..., 0] * x[..., 1], x[..., 2]], -1).reshape(s.shape[0], s.shape[1], s.shape[2], 2)


def stokes_tf(s):
    x = tf.squeeze(s, -1)
    return tf.stack([x[:, :, :, 0] * x[:, :, :, 1], x[:, :, :, 2]], -1)


def test_a_side_that_alone_raises_for_one_such_shape_is_not_accused():
    def fitting(s):  # takes what has as many numbers as it wants
        return s * s if s.numel() == 6 else stokes(s)

    report = porting.check(Pair(torch=fitting, tf=stokes_tf), **WIDEST)
    assert report.exit_code == 5, str(report)
    assert not differing(report), str(report)
    assert any("for s float64[2, 3]" in r.note and "nobody said what it takes" in r.note for r in report.results)


@pytest.mark.parametrize("framework", ["torch", "tf"])
def test_a_side_by_itself_that_takes_nothing_that_was_tried_is_accused_if_anything_is_meant(framework):
    def of_squares(x):
        if x.shape[0] != 17:
            raise ValueError("seventeen are wanted")
        return x * x

    report = porting.check(Pair(sides={framework: of_squares}), **WIDEST)
    assert {d.meant for d in report.diagnoses} == {"arrays of any shape and number are"}, str(report)
    assert "seventeen are wanted" in str(report)


def test_a_side_that_raises_for_all_that_the_other_one_takes_is_still_accused():
    def unpacking(x):
        sum(x.shape)(x)

    report, _ = described(Pair(torch=lambda x: x * x, tf=unpacking, reference="torch"))
    assert "raises_in_forward" in causes(report, "tf"), str(report)


class ByExpert(torch.autograd.Function):
    """Of each row by a matrix of its own, one of four; `factor` is 1 where it is right."""

    factor = 1.0

    @classmethod
    def forward(cls, ctx, x, w, v):
        ctx.save_for_backward(x, w, v)
        return torch.stack([x[e] @ w[e] @ v[e] for e in range(4)])

    @classmethod
    def backward(cls, ctx, dy):
        x, w, v = ctx.saved_tensors
        dx, dw, dv = torch.zeros_like(x), torch.zeros_like(w), torch.zeros_like(v)
        for e in range(4):
            dx[e] = dy[e] @ v[e].T @ w[e].T
            dw[e] = torch.outer(x[e], dy[e] @ v[e].T)
            dv[e] = cls.factor * torch.outer(x[e] @ w[e], dy[e])
        return dx, dw, dv


class ByExpertDoubly(ByExpert):
    factor = 2.0


def by_expert(x, w, v):
    return torch.stack([x[e] @ w[e] @ v[e] for e in range(4)])


EXPERTS = {n: porting.array(shape) for n, shape in {"x": (4, "k"), "w": (4, "k", "m"), "v": (4, "m", "d")}.items()}


def test_a_backward_that_sizes_do_not_suit_is_not_accused_of_guessed_ones():
    report = porting.check(Pair(torch=ByExpert, like=by_expert), **WIDEST)
    assert not differing(report), str(report)


def test_with_inputs_that_are_said_its_wrong_factor_is_found():
    report = porting.check(Pair(torch=ByExpertDoubly, like=by_expert, inputs=EXPERTS), **ASKED)
    assert causes(report, "torch")[0] == "constant_factor", str(report)


class Gated(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weights):
        ctx.save_for_backward(x, weights)
        a, b = x.chunk(2, -1)
        return a * b * weights

    @staticmethod
    def backward(ctx, dy):
        x, weights = ctx.saved_tensors
        a, b = x.chunk(2, -1)
        return torch.cat([dy * weights * b, dy * weights * a], -1), (dy * a * b).sum(-1, keepdim=True)


def gated(x, weights):
    a, b = x.chunk(2, -1)
    return a * b * weights


def test_a_length_that_has_to_be_even_is_guessed_to_be():
    report = porting.check(Pair(torch=Gated, like=gated), **WIDEST, only=["value", "vjp", "second_order"])
    assert "x[n, 8], weights[n, 1]" in report.described[0]
    assert report.exit_code == 0, str(report)


# What an error asks for is tried first, and typed where nothing suits.


def first_diagonal(x):
    return x[..., 0, 1] * x[..., 2, 2]


def first_diagonal_tf(x):
    y = tf.reshape(x, [-1, 3, 3])
    return y[:, 0, 1] * y[:, 2, 2] if x.shape[-2:] == (3, 3) and len(x.shape) == 3 else tf.linalg.diag_part(x)[..., 2]


def test_rotations_are_guessed_in_batches():
    guess = Pair(torch=first_diagonal, tf=first_diagonal_tf).guess()
    assert guess.pair.inputs["x"].shape == ("n", 3, 3)


def test_images_that_an_error_asks_for_are_tried_before_others():
    asked = []

    def upsampled(x, weight, bias):
        asked.append(x.dim())
        return torch.nn.functional.conv_transpose2d(x, weight, bias)

    guess = Pair(torch=upsampled, like=upsampled).guess()
    assert guess.pair.inputs["weight"].shape == (3, 4, 3, 3)
    assert 1 not in asked[4:]


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("A must be batches of square matrices", '"a=float64[?,?]{spd}" --input "rhs=float64[?,?]" --static "vtol=?"'),
        ("Expected 3D (unbatched) or 4D (batched) input", '"a=float64[?,?,?,?]" --input "rhs=float64[?,?,?,?]"'),
        ("not enough values to unpack (expected 4, got 2)", '"a=float64[?,?,?,?]" --input "rhs=float64[?,?,?,?]"'),
        ("Input tensor 0 must have rank >= 3, got 2", '"a=float64[?,?,?]" --input "rhs=float64[?,?,?]"'),
        ("it is 3 by 4", '"a=float64[?,?]" --input "rhs=float64[?,?]"'),
    ],
)
def test_what_to_type_has_the_shape_that_an_error_asks_for(said, options):
    def refusing(a, rhs, vtol):
        raise ValueError(said)

    report, _ = described(Pair(torch=refusing, tf=refusing), only=["value"])
    assert any(f"as --input {options}" in r.note for r in report.results), str(report)


def test_what_to_type_takes_letters_beside_a_letter_for_arrays():
    def refusing(alpha, beta, delta, tau):
        raise ValueError("it is 3 by 4")

    report, _ = described(Pair(torch=refusing, tf=refusing), only=["value"])
    said = " ".join(f'--input "{name}=float64[?,?]"' for name in ("alpha", "beta", "delta", "tau"))
    assert any(f"as {said} (" in r.note for r in report.results), str(report)


class Shifted(torch.autograd.Function):
    """Takes a vector, a matrix and rows; the gradient of the vector is returned with the others: it is no number."""

    @staticmethod
    def forward(ctx, loc, scale_tril, white):
        ctx.save_for_backward(scale_tril, white)
        return loc + white @ scale_tril.t()

    @staticmethod
    def backward(ctx, dy):
        scale_tril, white = ctx.saved_tensors
        return dy.reshape(-1, *dy.shape[-1:]).sum(0), torch.tril(dy.t() @ white), dy @ scale_tril


@tf.custom_gradient
def shifted(loc, scale_tril, white):
    def vjp(dy):
        n = tf.shape(dy)[-1]
        triangle = tf.linalg.band_part(tf.matmul(dy, white, transpose_a=True), -1, 0)
        return tf.reduce_sum(tf.reshape(dy, [-1, n]), 0), triangle, tf.matmul(dy, scale_tril)

    return loc + tf.matmul(white, scale_tril, transpose_b=True), vjp


@pytest.mark.slow
def test_what_gets_a_gradient_is_not_guessed_to_be_a_number():
    report = porting.check(Pair(torch=Shifted, tf=shifted), dtypes=["float64"], only=["value", "vjp", "shapes"])
    assert "loc=2" not in report.described[0]
    said = [f.fields.get("message", "") for r in report.results for f in r.findings]
    assert not any("was not a Variable" in text for text in said), str(report)


# A parameter of one element gives a single number an axis: nobody calls such an op with one.


class Steepened(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.save_for_backward(x, alpha)
        return x * alpha

    @staticmethod
    def backward(ctx, dy):
        x, alpha = ctx.saved_tensors
        return dy * alpha, (dy * x).sum().reshape(1)


class SteepenedModule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = torch.nn.Parameter(torch.ones(1))

    def forward(self, x):
        return Steepened.apply(x, self.alpha)


class SteepenedLayer(tf.keras.layers.Layer):
    def build(self, shape):
        self.alpha = self.add_weight(name="alpha", shape=(1,))

    def call(self, x):
        @tf.custom_gradient
        def op(x, alpha):
            return x * alpha, lambda dy: (dy * alpha, tf.reshape(tf.reduce_sum(dy * x), [1]))

        return op(x, tf.convert_to_tensor(self.alpha))


def test_a_single_number_that_gets_an_axis_accuses_nobody():
    report = porting.check(Pair(torch=SteepenedModule, tf=SteepenedLayer), only=["shapes", "vjp"])
    assert not report.counts["differ"], str(report)
    assert {r.status for r in report.results if r.check == "shapes" and r.runner == "tf"} == {"no verdict"}
    inputs = {"x": porting.array(())}
    report = porting.check(Pair(torch=SteepenedModule, tf=SteepenedLayer, inputs=inputs), only=["vjp"])
    assert report.counts["differ"], str(report)


class First(torch.autograd.Function):
    """As for a sampler: the only element counts."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return -0.5 * (x[0] - 2.0) ** 2

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (2.0 - x[0]).reshape(1)


@tf.custom_gradient
def first(x):
    return -0.5 * (x[0] - 2.0) ** 2, lambda dy: dy * tf.stack([2.0 - x[0]])


def test_an_array_of_one_element_is_tried():
    report = porting.check(Pair(torch=First, tf=first), only=["value", "vjp", "adjoint"])
    assert "x[1]" in report.described[0]
    assert report.exit_code == 0, str(report)


def test_fewer_axes_are_not_told_beside_what_is_wrong():
    """Softmax along the last axis refuses a single number: no fault, and none of what differs for three axes."""

    class Softmax(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = torch.softmax(x, 0 if x.dim() in {0, 1, 3} else 1)  # as PyTorch does where nobody says along which
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, dy):
            (y,) = ctx.saved_tensors
            return y * (dy - (dy * y).sum(0 if y.dim() in {0, 1, 3} else 1, keepdim=True))

    @tf.custom_gradient
    def softmax(x):
        y = tf.nn.softmax(x, axis=-1)
        return y, lambda dy: y * (dy - tf.reduce_sum(dy * y, axis=-1, keepdims=True))

    report = porting.check(Pair(torch=Softmax, tf=softmax), dtypes=["float64"], only=["value", "vjp", "shapes"])
    differing = [r for r in report.results if r.status == "differ"]
    assert {r.check for r in differing} == {"shapes"}, str(report)
    assert "raised" not in {f.code for r in differing for f in r.findings}, str(report)


def test_special_numbers_are_asked_in_as_many_axes_as_both_sides_want():
    """A norm along the second axis takes no vector, and nobody said that it is given matrices."""

    class Norm(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.pow(2).sum(dim=1).sqrt()
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, dy):
            x, y = ctx.saved_tensors
            return (dy / y)[:, None] * x

    def norm(factor):
        @tf.custom_gradient
        def op(x):
            y = tf.sqrt(tf.reduce_sum(x**2, axis=1))

            def grad(dy):
                dx = (dy / y)[:, None] * x
                return tf.where(tf.abs(x) > 100.0, factor * dx, dx)

            return y, grad

        return op

    only = ["special_values", "whole_range"]
    right = porting.check(Pair(torch=Norm, tf=norm(1.0)), dtypes=["float64"], only=only)
    assert all(r.compared for r in right.results), str(right)
    assert not differing(right), str(right)
    wrong = porting.check(Pair(torch=Norm, tf=norm(1.1)), dtypes=["float64"], only=only[:1])
    assert differing(wrong), str(wrong)
