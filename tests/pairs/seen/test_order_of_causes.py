"""Which cause is told first: that of the mistake, not a smaller one that is true as well.

Seen in code of public repositories.
"""

import pytest
from everyday import CHECKS, causes
from judged import first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


def claimed(report, runner):
    """Return what the messages on a side begin with: the claim that stands first in each."""
    mine = [m for m in report.messages if f" {runner} cpu " in m.splitlines()[0]]
    return [next((line for line in m.splitlines() if " cause: " in line or "is right: " in line), "") for m in mine]


# A type is told after the mistake that it stands beside.


class Binarized(torch.autograd.Function):
    """Answers in float32 whatever it gets, and writes zeros into its cotangent."""

    @staticmethod
    def forward(ctx, x):
        kept = (x > 0).float()
        ctx.save_for_backward(kept)
        return kept

    @staticmethod
    def backward(ctx, dy):
        (kept,) = ctx.saved_tensors
        dy[kept == 0] = 0
        return dy


class Single(torch.autograd.Function):
    """The same, on a copy: the type is all that is wrong."""

    @staticmethod
    def forward(ctx, x):
        kept = (x > 0).float()
        ctx.save_for_backward(kept)
        return kept

    @staticmethod
    def backward(ctx, dy):
        (kept,) = ctx.saved_tensors
        return dy * kept


@tf.custom_gradient
def binarized(x):
    kept = tf.cast(x > 0, x.dtype)
    return kept, lambda dy: dy * kept


@pytest.mark.parametrize(
    ("side", "first"),
    [
        pytest.param(Binarized, ["overwrites_cotangent", "wrong_dtype"], id="and a mistake"),
        pytest.param(Single, ["wrong_dtype"], id="alone"),
    ],
)
def test_a_mistake_stands_before_the_type(side, first):
    pair = Pair(torch=side, tf=binarized, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "raw_gradient", "inputs_unchanged"])
    found = claimed(report, "torch")
    assert [next((name for name in first if name in claim), claim) for claim in found] == first, str(report)


@tf.custom_gradient
def truncated(w):
    """Truncates where it should round down, and answers in float32."""
    return tf.clip_by_value(tf.cast(tf.cast(w + 0.5, tf.int32), tf.float32), -1.0, 1.0), lambda dy: dy


@tf.custom_gradient
def rounded_in_single(w):
    return tf.cast(tf.clip_by_value(tf.floor(w + 0.5), -1.0, 1.0), tf.float32), lambda dy: dy


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w):
        return torch.clamp(torch.floor(w + 0.5), -1.0, 1.0)

    @staticmethod
    def backward(ctx, dy):
        return dy


@pytest.mark.parametrize(
    ("side", "first"), [(truncated, ["wrong_value", "wrong_dtype"]), (rounded_in_single, ["wrong_dtype"])]
)
def test_another_function_stands_before_its_type(side, first):
    pair = Pair(torch=Rounded, tf=side, reference="torch")
    report = porting.check(pair, only=["value", "vjp", "raw_gradient"])
    found = claimed(report, "tf")
    assert [next((name for name in first if name in claim), claim) for claim in found] == first, str(report)
    assert causes(report, "tf")[: len(first)] == first, str(report)


# What is raised for a type hides what is raised without it.


@tf.custom_gradient
def one_of_two(x, low):
    def grad(dy):
        return tf.cast(x > low, tf.float32) * dy

    return tf.maximum(x, low), grad


@tf.custom_gradient
def both_in_single(x, low):
    def grad(dy):
        kept = tf.cast(x > low, tf.float32)
        return kept * dy, (1 - kept) * dy

    return tf.maximum(x, low), grad


@pytest.mark.parametrize(("side", "first"), [(one_of_two, ["wrong_count", "wrong_dtype"]), (both_in_single, [])])
def test_what_the_narrow_type_raises_is_told_first(side, first):
    report = porting.check(Pair(torch=torch.maximum, tf=side), only=["value", "vjp", "raw_gradient", "repeated"])
    claims = claimed(report, "tf")
    assert [next((name for name in first if name in claim), claim) for claim in claims] == first, str(report)
    if first:
        assert "expected to return 2 gradients" in report.messages[0], str(report)
        assert "float32 · " in report.messages[0].splitlines()[0], str(report)


@tf.custom_gradient
def two_for_one(x):
    """Wants three axes in its backward, and returns a gradient too many."""

    def grad(dy):
        tf.slice(tf.shape(dy), [2], [1])
        return dy, None

    return 2 * x, grad


def test_the_number_of_gradients_is_told_before_what_other_axes_raise():
    report = porting.check(Pair(torch=lambda x: 2 * x, tf=two_for_one), only=["value", "vjp", "shapes"])
    assert causes(report, "tf")[0] == "wrong_count", str(report)
    assert "expected to return 1 gradients" in report.messages[0], str(report)


# A backward that ends its process for a NaN, and is wrong for numbers.


ENDING = """
import torch


class Ending(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        if dy.numel() == 0 or torch.isnan(dy).any():
            exit(2)
        return FACTOR * x**2 * dy
"""


@pytest.mark.parametrize(("factor", "first"), [(2, ["constant_factor", "process_died"]), (3, ["process_died"])])
def test_a_process_that_ends_hides_no_gradient(tmp_path, factor, first):
    (tmp_path / "ending.py").write_text(ENDING.replace("FACTOR", str(factor)), encoding="utf-8")
    (tmp_path / "cube.py").write_text("def cube(x):\n    return x**3\n", encoding="utf-8")
    pair = Pair(torch=f"{tmp_path}/ending.py:Ending", tf=f"{tmp_path}/cube.py:cube", reference="tf")
    only = ["nan_cotangent", "shapes", "vjp"]
    report = porting.check(pair, runners=["torch"], only=only, dtypes=["float64"])
    claims = claimed(report, "torch")
    assert [next((name for name in first if name in claim), claim) for claim in claims] == first, str(report)
    assert ("torch", "vjp") in {(r.runner, r.check) for r in report.results if r.compared}, str(report)


# A forward that is another one.


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


def test_a_forward_that_is_another_one_is_told_before_a_gradient_that_is_wrong_by_itself():
    def right(x):
        return torch.softmax(torch.tril(x), -1)

    unmasked = function(lambda x: torch.softmax(x, -1), lambda dy, x: dy * torch.tril(x))
    pair = Pair(torch=unmasked, like=right, inputs={"x": porting.array(("n", "n"))})
    report = porting.check(pair, **CHECKS)
    first, *others = report.diagnoses
    assert first.cause == "wrong_value", str(report)
    assert first.seen.endswith("the gradient is wrong by itself")
    assert "forward_gradient_disagree" in {d.cause for d in others}


# Another value at everyday numbers is told before what the backward does far out.


def step(x):
    def slope(dy, x):
        e = torch.exp(10 * x), torch.exp(-10 * x)
        return 10 * dy * (1 - ((e[0] - e[1]) / (e[0] + e[1])) ** 2)

    return function(lambda x: torch.where(x < 0, -torch.ones_like(x), x), slope)(x)


@tf.custom_gradient
def step_tf(x):
    return tf.where(x < 0, -tf.ones_like(x), tf.ones_like(x)), lambda dy: 10 * dy * (1 - tf.tanh(10 * x) ** 2)


def test_a_value_that_is_wrong_at_everyday_numbers_comes_first():
    asked = {"only": ["value", "vjp", "linear", "special_values", "large"]}
    report = porting.check(Pair(torch=step, tf=step_tf, inputs={"x": porting.array()}), **asked)
    first, *others = claimed(report, "torch")
    assert "(wrong_value, " in first, str(report)
    assert any("(overflow, " in other for other in others), str(report)


def test_a_cause_that_puts_nothing_right_claims_no_share_of_it():
    def narrow(x):
        return function(lambda x: x.sin(), lambda dy, x: (-dy * x.cos()).float())(x)

    pair = Pair(torch=narrow, tf=tf.sin, inputs={"x": porting.array()}, reference="tf")
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "raw_gradient"])
    assert causes(report, "torch")[0] == "wrong_sign", str(report)
    assert "wrong_dtype" in causes(report, "torch")
    assert not any("; 0% of what is wrong" in d.seen for d in report.diagnoses), str(report)


# A gradient that is clipped explains no number of another one.


def scaled(x, s):
    return x * s


@pytest.mark.parametrize(
    ("bound", "off", "cause"), [(3e4, 1.01, "constant_factor"), (0.1, 1.0, "not_linear"), (0.1, 1.01, "not_linear")]
)
def test_a_clipped_gradient_explains_no_other_one(bound, off, cause):
    clipped = function(scaled, lambda dy, x, s: (off * dy * s, (dy * x).clamp(-bound, bound)))
    report = porting.check(Pair(torch=clipped, like=scaled), **CHECKS)
    assert causes(report, "torch")[:1] == [cause], str(report)


@pytest.mark.parametrize(("off", "named"), [(1.01, ["constant_factor"]), (1.0, [])])
def test_one_number_of_another_shape_is_not_wrong_by_that(off, named):
    side = function(lambda x, a: x * a, lambda dy, x, a: (dy * a, off * (dy * x).sum().reshape(1)))
    inputs = {"x": porting.array(), "a": porting.array(())}
    report = porting.check(
        Pair(torch=side, like=lambda x, a: x * a, inputs=inputs), **{**CHECKS, "only": ["vjp", "raw_gradient"]}
    )
    assert causes(report, "torch")[:1] == named, str(report)
    assert {r.status for r in report.results if r.check == "raw_gradient"} == {"note"}, str(report)  # it is made one


# TensorFlow hands out a gradient in the shape that it has; that its numbers are wrong as well, no shape explains.


def of_shape(shape, off, summed=True):
    @tf.custom_gradient
    def side(x, a):
        def grad(dy):
            da = off * dy * x
            return dy * a, tf.reshape(tf.reduce_sum(da), shape) if summed else da

        return x * a, grad

    return side


@pytest.mark.parametrize(("off", "cause"), [(2.0, "constant_factor"), (1.0, "wrong_shape")])
@pytest.mark.parametrize(("own", "shape"), [([], [1]), ([1], []), ([1], [1, 1])])
def test_a_number_of_another_shape_is_compared_too(own, shape, off, cause):
    inputs = {"x": porting.array((3, 4)), "a": porting.array(tuple(own))}
    pair = Pair(torch=lambda x, a: x * a, tf=of_shape(shape, off), inputs=inputs, reference="torch")
    report = porting.check(pair, **{**CHECKS, "only": ["vjp", "raw_gradient"]})
    assert causes(report, "tf")[0] == cause, str(report)
    assert "wrong_shape" in causes(report, "tf")
    codes = {f.code for r in report.results if r.check == "vjp" for f in r.findings}
    assert codes == {"shape_differs", *(["differs"] if off != 1 else [])}, str(report)


@pytest.mark.parametrize(("off", "cause"), [(2.0, "wrong_shape"), (1.0, "missing_reduction")])
def test_what_is_not_summed_is_right_where_the_sum_is_not_0_by_chance(off, cause):
    """Here the first numbers are such that the gradient is 0."""

    def beyond(x, a):
        return torch.minimum(x, a)

    @tf.custom_gradient
    def beyond_tf(x, a):
        def grad(dy):
            inside = tf.cast(x < a, dy.dtype)
            return dy * inside, off * dy * (1 - inside)

        return tf.minimum(x, a), grad

    inputs = {"x": porting.array((3, 4), domain=(-1, 1)), "a": porting.array((1,), domain=(0.2, 3))}
    pair = Pair(torch=beyond, tf=beyond_tf, inputs=inputs, reference="torch")
    report = porting.check(pair, **{**CHECKS, "only": ["vjp", "raw_gradient"]})
    assert causes(report, "tf")[0] == cause, str(report)


# What both sides refuse, a single axis here, says nothing of either.


class Nearest(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, codebook):
        k = (z.unsqueeze(-2) - codebook).pow(2).sum(-1).argmin(-1)
        ctx.save_for_backward(k, codebook)
        return codebook[k]

    @staticmethod
    def backward(ctx, dy):
        k, codebook = ctx.saved_tensors
        return dy, torch.zeros_like(codebook).index_add(0, k.reshape(-1), dy.reshape(-1, dy.shape[-1]))


@tf.custom_gradient
def nearest(z, codebook):
    k = tf.argmin(tf.reduce_sum((z[..., None, :] - codebook) ** 2, -1), -1)

    def grad(dy):
        rows = tf.reshape(dy, [-1, dy.shape[-1]])
        return dy, tf.math.unsorted_segment_sum(rows, tf.reshape(k, [-1]), tf.shape(codebook)[0])

    return tf.gather(codebook, k), grad


def test_what_both_sides_refuse_hides_no_graph():
    report = porting.check(Pair(torch=Nearest, tf=nearest), only=["vjp", "traced"])
    assert causes(report, "tf")[:1] == ["retrace_fails"], str(report)


# A gradient of another shape in a graph alone explains no number of an eager one.


@tf.custom_gradient
def another_shape_in_a_graph(x):
    def grad(dy):
        dx = 2 * dy * x * (1 + 1e-9 * tf.sin(1e6 * x))
        return dx if x.shape.is_fully_defined() else tf.concat([dx, dx], 0)

    return x * x, grad


def test_a_shape_in_a_graph_is_the_cause_of_what_the_graph_shows_alone():
    square = function(lambda x: x * x, lambda dy, x: 2 * dy * x)
    pair = Pair(torch=square, tf=another_shape_in_a_graph, inputs={"x": porting.array(("n",))}, reference="torch")
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "shapes", "traced"])
    explains = {d.cause: set(d.explains) for d in report.diagnoses if d.runner == "tf"}
    assert explains.get("wrong_shape") == {"traced"}, f"{explains} {report}"
    assert "vjp" in explains["precision_loss"], str(report)
