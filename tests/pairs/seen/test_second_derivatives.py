"""Second derivatives: compared where both sides have them, refused as promised, with causes of their own.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, WIDEST
from judged import accused, accused_by
from rich.console import Console

import porting
from porting import Pair
from porting.report.text import notes

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


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
    pair = Pair(torch=Refuses, contract=porting.Contract(order=order))
    found, report = accused(pair, only=["second_order"], strict=True)
    assert bool(found) == (order == 2), str(report)
    assert [d.cause for d in report.diagnoses][:1] == ["second_order_refused"] * (order - 1), str(report)


class Share(torch.autograd.Function):
    """Saves its output, and a sum, which is a constant to a second derivative."""

    @staticmethod
    def forward(ctx, z, valid):
        part = torch.nn.functional.softplus(z).masked_fill(valid == 0, 0.0)
        total = part.sum(1, keepdim=True).clamp_min(1e-6)
        ctx.save_for_backward(part / total, total, valid)
        return part / total

    @staticmethod
    def backward(ctx, dy):
        y, total, valid = ctx.saved_tensors
        dz = (dy - (dy * y).sum(1, keepdim=True)) / total * -torch.expm1(-y * total)
        return dz.masked_fill(valid == 0, 0.0), None


def share(z, valid):
    @tf.custom_gradient
    def f(z):
        part = tf.where(valid != 0, tf.math.softplus(z), tf.zeros_like(z))
        total = tf.maximum(tf.reduce_sum(part, 1, keepdims=True), tf.cast(1e-6, z.dtype))
        y = part / total

        def grad(dy):
            dz = (dy - tf.reduce_sum(dy * y, 1, keepdims=True)) / total * -tf.math.expm1(-y * total)
            return tf.where(valid != 0, dz, tf.zeros_like(dz))

        return y, grad

    return f(z)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_what_a_mask_leaves_of_a_second_derivative(seed):
    inputs = {
        "z": porting.array(("p", "l", "d")),
        "valid": porting.array(("p", "l", 1), dtype="int64", domain=range(2)),
    }
    only = ["second_order", "keyword_call"]
    found, report = accused_by(Pair(torch=Share, tf=share, inputs=inputs), only=only, seed=seed)
    assert found == {("torch", "second_order")}, str(report)
    assert "note" not in {r.status for r in report.results if r.check == "keyword_call"}, str(report)


class ExpSquared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x**2)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * 2 * x * torch.exp(x**2)


@pytest.mark.slow
def test_a_second_derivative_is_compared_with_a_side_only_if_the_first_ones_agree():
    @tf.custom_gradient
    def in_double(x):
        high = tf.constant(1e300, tf.float64)
        return tf.exp(x**2), lambda dy: dy * x * tf.exp(tf.where(tf.math.is_finite(x), x**2, high))

    report = porting.check(Pair(torch=ExpSquared, tf=in_double))
    faults = {f.kind for r in report.results if (r.runner, r.status) == ("torch", "differ") for f in r.findings}
    assert "fault" not in faults, str(report)


@tf.custom_gradient
def sign(x):
    y = tf.where(x >= 0, tf.ones_like(x), -tf.ones_like(x))
    return y, lambda dy: dy * tf.cast(tf.abs(x) <= 1, x.dtype)


# Surrogates inside: differentiated twice, they are themselves twice.


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, 1.0, -1.0).to(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (x.abs() <= 1)


def dense_torch(x, w):
    return Sign.apply(x) @ Sign.apply(w)


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_the_same_second_derivative_of_a_surrogate_is_a_note(factor):
    def dense_tf(x, w):
        @tf.custom_gradient
        def scaled(y):
            return tf.identity(y), lambda dy: factor * dy

        return tf.matmul(sign(x), scaled(sign(w)))

    inputs = {"x": porting.array(("n", 3)), "w": porting.array((3, 2))}
    report = porting.check(Pair(torch=dense_torch, tf=dense_tf, inputs=inputs), dtypes=["float64"])
    second = {r.status for r in report.results if r.check == "second_order"}
    assert second == ({"note"} if factor == 1 else {"no verdict"}), str(report)  # where the first ones differ
    assert report.exit_code == (factor != 1)


@pytest.mark.parametrize("strict", [False, True])
def test_a_second_derivative_that_is_not_promised_need_not_be_refused(strict):
    def backward(dy, x):
        return dy * x.detach().cos()

    pair = Pair(torch=function(torch.sin, backward), like=torch.sin, inputs=ANY, contract=porting.Contract(order=1))
    report = porting.check(pair, dtypes=["float64"], only=["vjp", "second_order"], strict=strict)
    assert {r.status for r in report.results if r.check == "second_order"} == {"differ" if strict else "not applicable"}
    assert report.exit_code == strict


def test_nothing_is_said_of_a_second_derivative_that_nobody_needs():
    pair = Pair(torch=lambda x: x**3, tf=lambda x: x**3, contract=porting.Contract(order=1))
    report = porting.check(pair, only=["vjp", "second_order"], dtypes=["float64"])
    assert {(r.check, r.status) for r in report.results} == {("vjp", "agree"), ("second_order", "not applicable")}


# The second derivative of |x| is a tensor of zeros without memory in PyTorch.


def test_zeros_without_memory_are_zeros():
    found, report = accused_by(Pair(torch=torch.abs, tf=tf.abs, inputs=ANY), **WIDEST, only=["vjp", "second_order"])
    assert not found, str(report)
    assert {r.status for r in report.results if r.check == "second_order"} == {"agree"}


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


# A cause stands with what it explains.


def second_raises(dy, x):
    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, dy, x):
            return dy / x.sqrt() / 2

        @staticmethod
        def backward(ctx, ddx):
            raise ValueError("no second derivative")

    return Inner.apply(dy, x)


def root_tf(x):
    return tf.where(x != 0, tf.sqrt(tf.abs(tf.where(x != 0, x, tf.ones_like(x)))), tf.zeros_like(x))


def test_a_second_derivative_that_raises_is_not_hidden_behind_another_cause():
    masked = function(lambda x: x.abs().sqrt(), lambda dy, x: x.sign() * second_raises(dy, x.abs()))
    pair = Pair(torch=masked, tf=root_tf, inputs=ANY, reference="tf")
    first, second = porting.check(pair, only=["vjp", "special_values", "second_order"]).messages
    assert "(zero_times_infinity, fault)" in first
    assert "second_order" not in first
    assert "(second_order_refused, fault)" in second


def square_tf(x):
    return tf.square(x)


def test_what_no_cause_explains_is_not_said_to_be_found_too():
    wrong = function(torch.square, lambda dy, x: -second_raises(dy, x))
    pair = Pair(torch=wrong, tf=square_tf, inputs={"x": porting.array(domain=(0.5, 9.0))}, reference="tf")
    (message,) = porting.check(pair, **WIDEST, only=["vjp", "large", "second_order"]).messages
    assert "found by large too" in message
    assert "of another cause perhaps: second_order" in message


# A forward that takes one type only, and a second derivative that is found in another one.

HALF = torch.tensor([1.0, 0.25, 0.5], dtype=torch.float64)


def weighted(x):
    def slope(dy, x):
        return 2 * dy * x.detach() * HALF

    return function(lambda x: x.dot(x * HALF) if x.dtype == HALF.dtype else torch.dot(x, HALF), slope)(x)


def weighted_tf(x):
    return tf.reduce_sum(x * x * tf.constant(HALF.numpy()))


def test_what_is_found_in_another_type_is_not_listed_under_what_raises():
    asked = {"only": ["value", "vjp", "special_values", "second_order"]}
    report = porting.check(Pair(torch=weighted, tf=weighted_tf, inputs={"x": porting.array((3,))}), **asked)
    raised, detached = (message for message in report.messages if " torch cpu " in message)
    assert "float32 · forward raised" in raised
    assert "second_order" not in raised
    assert "special_values" in raised  # which says the same, of the same type
    assert "float64 · second derivative by x is detached" in detached


# What a second derivative is compared with: differences of the other side's gradient.


def held(dy, x):
    return dy * 3 * x.detach() ** 2


def held_tf(factor=1.0):
    @tf.custom_gradient
    def cube(x):
        return x**3, lambda dy: dy * factor * 3 * tf.stop_gradient(x) ** 2

    return cube


@pytest.mark.parametrize("reference", [None, "tf"])
def test_what_both_sides_detach_is_a_note(reference):
    pair = Pair(torch=function(lambda x: x**3, held), tf=held_tf(), inputs=ANY, reference=reference)
    report = porting.check(pair, **WIDEST, only=["vjp", "second_order"])
    assert not [r for r in report.results if r.status == "differ"], str(report)
    assert ("torch", "note") in {(r.runner, r.status) for r in report.results if r.check == "second_order"}


def test_what_one_side_detaches_is_found():
    pair = Pair(torch=function(lambda x: x**3, held), tf=lambda x: x**3, inputs=ANY)
    found, report = accused_by(pair, **WIDEST, only=["vjp", "second_order"])
    assert ("torch", "second_order") in found, str(report)


# Formulas that are the same for some inputs only: a second derivative is that of its own gradient.


def times_its_square(x):
    return x * (x * x).sum(-1, keepdim=True)


def of_unit_vectors(dy, x):
    return dy + 2 * x * (x * dy).sum(-1, keepdim=True)


def of_any_vectors(x, hold=tf.identity):
    at = hold(x)
    square = tf.reduce_sum(at * at, -1, keepdims=True)

    def vjp(dy):
        return dy * square + 2 * at * tf.reduce_sum(at * dy, -1, keepdims=True)

    return x * square, vjp


def of_any_vectors_held(x):
    return of_any_vectors(x, tf.stop_gradient)


UNIT = {"x": porting.array(("n", "k"), kind="unit")}


@pytest.mark.parametrize("reference", [None, "torch", "tf"])
@pytest.mark.parametrize(("other", "found"), [(of_any_vectors, set()), (of_any_vectors_held, {("tf", "second_order")})])
def test_gradients_that_part_beside_the_inputs_accuse_no_second_derivative(reference, other, found):
    side = function(times_its_square, of_unit_vectors)
    pair = Pair(torch=side, tf=tf.custom_gradient(other), inputs=UNIT, reference=reference)
    accusing, report = accused_by(pair, **WIDEST, only=["vjp", "second_order"])
    assert accusing == {f for f in found if f[0] != reference}, str(report)
    second = {(r.runner, r.status) for r in report.results if r.check == "second_order"}
    assert found or ("torch" if reference != "torch" else "tf", "no verdict") in second, str(report)


@pytest.mark.parametrize("only", [["vjp", "second_order"], ["second_order"]])
def test_a_second_derivative_is_not_compared_with_another_gradient(only):
    def cube(x):
        return x**3

    pair = Pair(torch=function(cube, lambda dy, x: dy * 3 * x**2), tf=held_tf(7.0), inputs=ANY)
    report = porting.check(pair, **WIDEST, only=only)
    second = {(r.runner, r.status) for r in report.results if r.check == "second_order"}
    assert ("torch", "no verdict") in second, str(report)
    assert ("tf", "differ") in second, str(report)  # which is detached


class InPlace(torch.autograd.Function):
    """Changes in place what the derivative of its own exponential needs."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.expm1(x) - x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        p = torch.exp(x)
        p -= 1
        return p * dy


def test_a_backward_in_place_is_told_by_what_raises():
    found, report = accused(Pair(torch=InPlace, like=lambda x: torch.expm1(x) - x), only=["second_order"])
    assert found, str(report)
    (told,) = report.diagnoses
    assert "inplace operation" in told.seen
    assert "raises" in told.title
    assert "in place" in told.fix


@pytest.mark.parametrize("alike", [True, False])
def test_a_term_that_both_sides_take_for_a_constant_is_a_note(alike):
    def backward(dy, x):
        return dy * (2 * x + 0.1 * x.detach() ** 3)

    @tf.custom_gradient
    def quartic(x):
        return x**2 + 0.025 * x**4, lambda dy: dy * (2 * x + 0.1 * (tf.stop_gradient(x) if alike else x) ** 3)

    pair = Pair(torch=function(lambda x: x**2 + 0.025 * x**4, backward), tf=quartic, inputs=ANY)
    report = porting.check(pair, **WIDEST, only=["vjp", "second_order"])
    second = {(r.runner, r.status) for r in report.results if r.check == "second_order"}
    assert second == ({("torch", "note"), ("tf", "note")} if alike else {("torch", "differ"), ("tf", "agree")}), str(
        report
    )


# What both sides share is told once, and accuses neither of them.


def shared(how):
    """Two sides with the same second derivative, which is not that of their gradient."""
    held = {"part": lambda x: x.detach() ** 2 * x, "all": lambda x: (x**3).detach()}[how]
    held_tf = {"part": lambda x: tf.stop_gradient(x) ** 2 * x, "all": lambda x: tf.stop_gradient(x**3)}[how]

    @tf.custom_gradient
    def side(x):
        return x**4 / 4, lambda dy: dy * held_tf(x)

    return function(lambda x: x**4 / 4, lambda dy, x: dy * held(x)), side


@pytest.mark.parametrize("reference", [None, "torch", "tf"])
@pytest.mark.parametrize("how", ["part", "all"])
def test_what_both_sides_share_is_told_once(how, reference):
    one, other = shared(how)
    report = porting.check(Pair(torch=one, tf=other, inputs=ANY, reference=reference), **WIDEST)
    assert report.exit_code == 0, str(report)
    found = [f for r in report.results if r.check == "second_order" for f in r.findings]
    assert len(found) == 2
    assert all(f.fields["alike"] for f in found)
    assert len({f.what for f in found}) == 1
    console = Console(record=True, width=200)
    console.print(notes(report))
    said = console.export_text()
    assert said.count("second_order (both sides)") == 1, said
    assert said.count("second_order") == 1, said


def test_beside_what_both_share_the_rest_is_told_alone():
    def backward(dy, x, w):
        return dy * x.detach(), dy * torch.cos(w)

    @tf.custom_gradient
    def side(x, w):
        def grad(dy):
            return dy * tf.stop_gradient(x), dy * tf.cos(tf.stop_gradient(w))

        return x**2 / 2 + tf.sin(w), grad

    pair = Pair(torch=function(lambda x, w: x**2 / 2 + torch.sin(w), backward), tf=side)
    report = porting.check(pair, **WIDEST, only=["vjp", "second_order"])
    second = {r.runner: [f.fields.get("by") for f in r.findings] for r in report.results if r.check == "second_order"}
    assert second == {"torch": ["x"], "tf": ["w"]}, str(report)
    assert {(r.runner, r.status) for r in report.results if r.check == "second_order"} == {
        ("torch", "note"),
        ("tf", "differ"),
    }


# A hand-written second backward that ignores its own cotangent.


def twice(second):
    inner = function(lambda dy, x: 3 * dy * x * x, second)
    return function(lambda x: x**3, inner)


@pytest.mark.parametrize(
    ("second", "cause"),
    [
        (lambda ddx, dy, x: (3 * x * x, 6 * dy * x), "ignores_cotangent"),
        (lambda ddx, dy, x: (3 * ddx * x * x, 6 * dy * x), "ignores_cotangent"),
        (lambda ddx, dy, x: (3 * ddx * x * x, 3 * ddx * dy * x), "wrong_second_order"),
        (lambda ddx, dy, x: (3 * ddx * x * x, 6 * ddx * x), "wrong_second_order"),  # ignores the other cotangent
    ],
)
def test_a_second_backward_that_ignores_its_cotangent_is_told_from_a_wrong_formula(second, cause):
    pair = Pair(torch=twice(second), tf=lambda x: x**3, inputs=ANY)
    report = porting.check(pair, **WIDEST, only=["vjp", "second_order"])
    assert [d.cause for d in report.diagnoses][:1] == [cause], str(report)


def test_a_right_second_backward_has_no_cause():
    pair = Pair(torch=twice(lambda ddx, dy, x: (3 * ddx * x * x, 6 * ddx * dy * x)), tf=lambda x: x**3, inputs=ANY)
    found, report = accused_by(pair, **WIDEST, only=["vjp", "second_order"])
    assert not found, str(report)


# A side that raises has no second derivative that the other one could share.


class Slope(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sigmoid(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * x


class Soft(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.round(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * Slope.apply(x)


@pytest.mark.parametrize("raises", [False, True])
def test_second_derivatives_are_alike_where_both_sides_have_one(raises):
    @tf.custom_gradient
    def slope(x):
        def second(dy):
            if raises:
                raise ValueError("no second derivative")
            return dy * x

        return tf.sigmoid(x), second

    @tf.custom_gradient
    def soft(x):
        return tf.round(x), lambda dy: dy * slope(x)

    only = ["value", "vjp", "adjoint", "linear", "second_order"]
    report = porting.check(Pair(torch=Soft, tf=soft, inputs={"x": porting.array()}), only=only, dtypes=["float64"])
    found = [f for r in report.results if r.runner == "torch" and r.check == "second_order" for f in r.findings]
    assert found
    assert all(bool(f.fields.get("alike")) is not raises for f in found), str(report)
    assert ("torch", "second_order") not in {(r.runner, r.check) for r in report.results if r.status == "differ"}
