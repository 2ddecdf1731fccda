"""What a backward makes of its cotangent: linear in it, clipped, chosen by its sign, or not used at all.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, CHECKS, FREE, WIDEST, causes
from judged import accused_by, first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


def test_where_the_truth_is_not_linear_either_something_else_is_wrong():
    right = function(torch.clone, lambda dy, x: torch.where((x.abs() <= 1) | (dy * x > 0), dy, 0.1 * dy))

    @tf.custom_gradient
    def other_way(x):
        return tf.identity(x), lambda dy: tf.where((tf.abs(x) <= 1) | (dy * x < 0), dy, 0.1 * dy)

    pair = Pair(torch=right, tf=other_way, inputs=FREE, reference="torch")
    assert first_cause(pair, "tf", **CHECKS) == "wrong_branch"


# The sign of a cotangent may decide on purpose.


CLAMP = function(lambda x: x.clamp(min=0.5), lambda dy, x: dy * (x >= 0.5))


@tf.custom_gradient
def bound(x):
    return tf.maximum(x, tf.cast(0.5, x.dtype)), lambda dy: dy * tf.cast((x >= 0.5) | (dy < 0), x.dtype)


@pytest.mark.slow
def test_a_bound_that_lets_through_what_leads_back_inside_is_not_the_one_at_fault():
    report = porting.check(Pair(torch=CLAMP, tf=bound, inputs=FREE), **CHECKS)
    assert {r.status for r in report.results if r.check == "linear"} == {"agree", "note"}
    assert {f.kind for r in report.results if r.check == "vjp" for f in r.findings} == {"disagreement"}, str(report)
    assert {r.status for r in report.results if r.check == "vjp"} == {"differ"}
    assert all(d.provided for d in report.diagnoses), str(report)


@pytest.mark.parametrize("settled", [{"torch": CLAMP, "reference": "torch"}, {}])
def test_where_it_is_said_what_is_right_or_nothing_else_is_there_it_is_not_linear(settled):
    report = porting.check(Pair(tf=bound, inputs=FREE, **settled), **CHECKS)
    assert {r.status for r in report.results if (r.runner, r.check) == ("tf", "linear")} == {"differ"}
    assert next(d for d in report.diagnoses if d.runner == "tf").cause == "not_linear", str(report)


# A cotangent that is clipped at 0.1: with dy = 1 it looks like a tenth of the derivative of x.


CLIPPED = function(torch.sign, lambda dy, x: dy.clamp(-0.1, 0.1))


@tf.custom_gradient
def clipped_tf(x):
    return tf.sign(x), lambda dy: tf.clip_by_value(dy, -0.1, 0.1)


def surrogates(report):
    return {f.fields.get("surrogate") for r in report.results for f in r.findings if f.code == "not_its_derivative"}


def test_no_surrogate_is_read_into_a_clipped_cotangent():
    found, report = accused_by(Pair(torch=CLIPPED, tf=clipped_tf, inputs=ANY), **WIDEST, only=["adjoint", "linear"])
    assert not found
    assert surrogates(report) == {None}, str(report)


def test_a_surrogate_that_is_a_constant_is_still_named():
    tenth = function(torch.sign, lambda dy, x: 0.1 * dy)
    _, report = accused_by(Pair(torch=tenth, inputs=ANY), **WIDEST, only=["adjoint"])
    assert surrogates(report) == {"--surrogate-of porting.surrogates:scaled --static height=0.1"}


def test_no_surrogate_has_a_width_of_nothing():
    """The gradient is a number at one place, and 0 everywhere else."""
    point = function(lambda x: torch.clamp(0.2 * x + 0.5, 0, 1), lambda dy, x: dy * 0.2 * (x == -2.5))
    _, report = accused_by(Pair(torch=point, inputs=ANY), **WIDEST, only=["adjoint"])
    assert not any("width=0.0" in (said or "") for said in surrogates(report)), str(report)


# A number for a gradient: that it has no shape is the lesser fault.


def rounding(backward):
    @tf.custom_gradient
    def rounded(x):
        return tf.round(x), lambda dy: backward(dy, x)

    return rounded


def passing(x):
    return x + (torch.round(x) - x).detach()


def summed(dy, x):
    return tf.reduce_sum(dy)


@pytest.mark.parametrize(
    ("backward", "first"),
    [
        (lambda dy, x: 1, "ignores_cotangent"),
        (lambda dy, x: tf.reduce_mean(x), "ignores_cotangent"),
        (summed, "wrong_shape"),
    ],
)
def test_a_number_for_a_gradient_ignores_the_cotangent(backward, first):
    pair = Pair(torch=passing, tf=rounding(backward), inputs=ANY, name="rounded", reference="torch")
    assert first_cause(pair, "tf", **WIDEST, only=["vjp", "raw_gradient", "shapes"]) == first


def test_who_is_compared_with_a_number_for_a_gradient_is_not_accused():
    found, report = accused_by(
        Pair(torch=passing, tf=rounding(lambda dy, x: 1), inputs=ANY, name="rounded"), **WIDEST, only=["vjp", "shapes"]
    )
    assert {who for who, _ in found} == {"tf"}
    (note,) = [r.note for r in report.results if (r.runner, r.check) == ("torch", "shapes")]
    assert "a gradient of another shape" in note
    assert len(report.messages) == 1


def test_who_has_a_wrong_gradient_of_its_own_is_still_accused_beside_one():
    wrong = function(lambda x: x.clone(), lambda dy, x: 3 * dy)

    @tf.custom_gradient
    def thin(x):
        return tf.identity(x), tf.squeeze

    found, _ = accused_by(Pair(torch=wrong, tf=thin, inputs=ANY, name="same"), **WIDEST, only=["vjp", "shapes"])
    assert ("torch", "vjp") in found


# A backward that is called by itself, or with the type of the output.


def test_a_cotangent_has_the_type_of_its_output_in_tensorflow_too():
    @tf.custom_gradient
    def narrow(x):
        return tf.cast(tf.nn.softplus(x), tf.float32), lambda dy: tf.cast(
            dy * tf.cast(tf.sigmoid(x), tf.float32), x.dtype
        )

    report = porting.check(Pair(tf=narrow, inputs=FREE), dtypes=["float64"])
    assert "raised" not in {f.code for r in report.results for f in r.findings}, str(report)


# The engine hands a cotangent on in the type of the output.


WEIGHTS = [[2.0, 1.0], [0.5, 3.0]]


class Wide(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.double() @ torch.tensor(WEIGHTS, dtype=torch.float64)

    @staticmethod
    def backward(ctx, dy):
        return dy @ torch.tensor(WEIGHTS, dtype=torch.float64).T


def test_a_backward_that_is_called_by_itself_gets_the_type_of_the_output():
    def plain(x):
        return tf.matmul(x, tf.cast(tf.constant(WEIGHTS, tf.float64), x.dtype))

    pair = Pair(torch=Wide, tf=plain, inputs={"x": porting.array(("n", 2))})
    report = porting.check(pair, only=["value", "vjp", "raw_gradient"], dtypes=["float32"])
    found = {(f.code, f.fields.get("quantity")) for r in report.results if r.runner == "torch" for f in r.findings}
    assert ("dtype_differs", "value") in found, str(report)
    assert "raised" not in {code for code, _ in found}, str(report)


def test_a_sign_that_is_no_number_for_a_cotangent_of_zero_is_not_linear():
    @tf.custom_gradient
    def sign(x):
        return tf.sign(x), lambda dy: tf.abs(dy) / dy

    pair = Pair(torch=function(torch.sign, lambda dy, x: dy.clone()), tf=sign, inputs=FREE)
    assert first_cause(pair, "tf", **CHECKS) == "not_linear"


@pytest.mark.parametrize("flushed", [False, True])
def test_a_gradient_that_is_wrong_in_places_is_linear(flushed):
    """Another place is met where the cotangents are scaled: that is no matter of their size, unless small ones go."""

    @tf.custom_gradient
    def rare(x):
        def vjp(dy):
            least = tf.abs(dy) < 1e-8 if flushed else x > 4.0
            return tf.where(least, 0 * dy, 2 * x * dy)

        return x * x, vjp

    right = function(lambda x: x * x, lambda dy, x: 2 * x * dy)
    report = porting.check(Pair(torch=right, tf=rare, inputs=FREE, reference="torch"), **WIDEST)
    named = [d.cause for d in report.diagnoses if d.runner == "tf"]
    assert named, str(report)
    assert ("not_linear" in named) == flushed, str(report)


# Where the eager backward raises, only a graph shows what the gradient is.


@pytest.mark.parametrize(("factor", "ignores"), [(lambda dy: 1, True), (lambda dy: 3 * dy, False)])
def test_a_gradient_that_is_seen_in_a_graph_only_ignores_its_cotangent(factor, ignores):
    @tf.custom_gradient
    def square(x):
        return x * x, lambda dy: factor(dy) * tf.gradients(x * x, x)[0]  # raises eagerly

    pair = Pair(torch=lambda x: x * x, tf=square, inputs=ANY, reference="torch")
    report = porting.check(pair, only=["vjp", "traced"], dtypes=["float64"])
    assert causes(report, "tf") == ["ignores_cotangent", "raises_in_backward"][not ignores :], str(report)
    assert all(d.explains == ("traced",) for d in report.diagnoses if d.cause == "ignores_cotangent")


# What one output sends back is bounded by what another one does. Whether it is, hangs on the cotangents, which are the
# same for both sides.


class Limited(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, z):
        return x.clone(), z.clone()

    @staticmethod
    def backward(ctx, dx, dz):
        return dx * (dz.norm() / dx.norm().clamp(min=1e-9)).clamp(max=1.0), dz


@tf.custom_gradient
def limited_tf(x, z):
    def vjp(dx, dz):
        return dx * tf.minimum(tf.norm(dz) / tf.maximum(tf.norm(dx), 1e-9), 1.0), dz

    return (tf.identity(x), tf.identity(z)), vjp


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("seed", range(4))
def test_what_one_output_bounds_of_another_is_not_linear_on_both_sides(dtype, seed):
    pair = Pair(torch=Limited, tf=limited_tf, inputs={"x": porting.array(), "z": porting.array()})
    report = porting.check(pair, dtypes=[dtype], only=["linear"], seed=seed)
    assert {(r.runner, r.status) for r in report.results} == {("torch", "note"), ("tf", "note")}, str(report)


def test_what_is_bounded_on_one_side_alone_is_found():
    inputs = {"x": porting.array(), "z": porting.array()}
    unbounded = tf.custom_gradient(lambda x, z: ((tf.identity(x), tf.identity(z)), lambda dx, dz: (dx, dz)))
    found, report = accused_by(Pair(torch=Limited, tf=unbounded, inputs=inputs), **WIDEST, only=["vjp", "linear"])
    assert ("torch", "linear") in found, str(report)
    assert ("tf", "linear") not in found, str(report)
