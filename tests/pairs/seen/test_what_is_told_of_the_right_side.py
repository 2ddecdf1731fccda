"""Sentences about a side that are true of it: forward mode, ends of a domain, whole numbers, constants, exceptions."""

import pytest
from everyday import ANY, FREE, differing
from judged import accused
from rich.console import Console

import porting
from porting import Pair
from porting.report import text

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

from porting.selftest.pairs.conventions import SineThrough, sine_through  # noqa: E402 - where a framework is missing


def printed(shown):
    """Return what stands on the terminal, on one line."""
    console = Console(width=200)
    with console.capture() as capture:
        console.print(shown)
    return " ".join(capture.get().split())


ENDS = {"x": porting.array(("n",), domain=(0.0, 1.0))}


def of_another_function(ctx, tx):
    return 2 * ctx.slope * tx


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")  # PyTorch's own forward mode
@pytest.mark.parametrize(("rule", "status"), [(SineThrough.jvp, "note"), (of_another_function, "differ")])
def test_forward_mode_of_a_surrogate_may_be_that_of_the_forward(rule, status):
    surrogate = type("Surrogate", (SineThrough,), {"jvp": staticmethod(rule)})
    pair = Pair(torch=surrogate.apply, tf=sine_through, inputs=ANY)
    report = porting.check(pair, only=["jvp", "vjp"], dtypes=["float64"])
    (result,) = [r for r in report.results if (r.runner, r.check) == ("torch", "jvp")]
    assert result.status == status, str(report)
    assert {f.code for f in result.findings} == {"jvp_of_forward" if status == "note" else "differs"}


class Sine(torch.autograd.Function):
    """Right in both directions."""

    @staticmethod
    def forward(ctx, x):
        ctx.slope = x.cos()
        return x.sin()

    @staticmethod
    def jvp(ctx, tx):
        return ctx.slope * tx

    @staticmethod
    def backward(ctx, dy):
        return ctx.slope * dy


@tf.custom_gradient
def sine_with_another_gradient(x):
    return tf.sin(x), lambda dy: 2 * dy


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")
def test_a_fault_of_the_other_side_is_none_of_forward_mode():
    pair = Pair(torch=Sine.apply, tf=sine_with_another_gradient, inputs=ANY)
    report = porting.check(pair, only=["jvp", "vjp"], dtypes=["float64"])
    (result,) = [r for r in report.results if (r.runner, r.check) == ("torch", "jvp")]
    assert result.status == "agree", str(report)
    assert ("tf", "vjp") in differing(report), str(report)


def zero_at_zero(x):
    @tf.custom_gradient
    def f(x):
        y = tf.sqrt(x)
        return y, lambda dy: tf.where(x == 0, tf.zeros_like(x), dy / (2 * y))

    return f(x)


def test_an_infinite_slope_at_the_end_of_a_domain_is_the_derivative_of_the_forward():
    pair = Pair(torch=torch.sqrt, tf=zero_at_zero, inputs=ENDS)
    report = porting.check(pair, dtypes=["float64"], only=["vjp", "adjoint"])
    assert {r.status for r in report.results if r.check == "adjoint"} == {"agree"}, str(report)
    assert ("torch", "vjp") in differing(report)  # they disagree: nobody is right by a count of infinities


def in_float32(factor):
    class Squared(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            assert x.dtype == torch.float32
            return x * x

        @staticmethod
        def backward(ctx, dy):
            return factor * dy * ctx.saved_tensors[0]

    return Squared.apply


@pytest.mark.parametrize(("factor", "status"), [(2.0, "agree"), (3.0, "differ")])
def test_a_narrow_domain_leaves_directions_in_float32(factor, status):
    narrow = {"x": porting.array(("n",), dtype="float32", domain=(0.05, 0.2))}
    report = porting.check(Pair(torch=in_float32(factor), inputs=narrow), only=["adjoint"], strict=True)
    assert {r.status for r in report.results} == {status}, str(report)


class WithoutBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, axis):
        return (x / x.square().mean(dim=axis, keepdim=True).sqrt() * scale).to(scale.dtype)


def scaled(x, scale, axis):
    mean = tf.reduce_mean(tf.square(x), axis=axis, keepdims=True)
    return tf.cast(x / tf.sqrt(mean) * tf.cast(scale, x.dtype), scale.dtype)


@pytest.mark.slow
def test_outputs_of_whole_numbers_prove_nothing_of_a_gradient():
    pair = Pair(torch=WithoutBackward.apply, tf=scaled)
    sides, report = accused(pair, only=["value", "vjp"], dtypes=["float64"])
    assert sides == {"torch"}, str(report)
    whole = {"x": porting.array(("n", 5)), "scale": porting.array(("n", 1), dtype="int64", domain=range(4))}
    pair = Pair(torch=WithoutBackward.apply, tf=scaled, inputs=whole, statics={"axis": -1})
    report = porting.check(pair, only=["vjp"], dtypes=["float64"])
    assert {r.status for r in report.results} == {"no verdict"}, str(report)


def leaking(low, x):
    return tf.where(tf.abs(x) <= 1, x, low * x)


def test_a_constant_of_float32_beyond_a_threshold_is_no_wrong_branch():
    pair = Pair(
        torch=lambda x: torch.where(x.abs() <= 1, x, 0.001 * x),
        tf=lambda x: leaking(tf.cast(0.001, x.dtype), x),
        inputs=ANY,
        reference="torch",
    )
    sides, report = accused(pair, only=["value", "vjp", "special_values"], dtypes=["float64"])
    assert sides == {"tf"}
    assert "wrong_branch" not in {d.cause for d in report.diagnoses}, str(report)


def test_another_value_at_zero_is_no_convention_of_the_gradient():
    pair = Pair(
        torch=lambda x: torch.where(x == 0, 0.3, x),
        tf=lambda x: tf.where(x == 0, tf.cast(0.3, x.dtype), x),  # of float32
        inputs=ANY,
    )
    _, report = accused(pair, only=["value", "vjp", "special_values"], dtypes=["float64"])
    assert ("tf", "special_values") in differing(report), str(report)
    assert "kink_convention" not in {d.cause for d in report.diagnoses}, str(report)


@tf.custom_gradient
def raising_by_type(x):
    if x.dtype == tf.float64:
        raise ValueError("no such numbers")
    return x + x, lambda dy: (2 * dy, dy)


def test_each_type_has_the_cause_of_its_own_exception():
    report = porting.check(Pair(torch=lambda x: x + x, tf=raising_by_type, inputs=FREE), only=["value", "vjp"])
    told = dict.fromkeys(("forward", "backward"), "")
    for message in report.messages:
        stage = "forward" if "forward raised" in message else "backward"
        told[stage] += message
    assert "raises_in_forward" not in told["backward"], str(report)
    assert "(raises_in_backward" in told["backward"], str(report)
    assert "raises_in_backward" not in told["forward"], str(report)


def test_a_conversion_that_is_refused_is_one_of_types():
    sides = {"torch": lambda x: x + x, "tf": lambda x: x + tf.convert_to_tensor(x, tf.float32)}
    report = porting.check(Pair(**sides, inputs=FREE), only=["value", "vjp"], dtypes=["float64"])
    assert [d.cause for d in report.diagnoses if d.runner == "tf"][:1] == ["wrong_dtype"], str(report)


def cast_inside(x):
    class Cast(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x > 0).float()

        @staticmethod
        def backward(ctx, dy):
            return dy * 0.5

    return Cast.apply(x)


@tf.custom_gradient
def cast_in_tensorflow(x):
    return tf.cast(x > 0, tf.float32), lambda dy: dy * 0.5


def test_the_type_of_a_gradient_is_told_beside_that_of_the_output():
    report = porting.check(Pair(torch=cast_inside, tf=cast_in_tensorflow), only=["raw_gradient"], dtypes=["float64"])
    said = printed(text.notes(report))
    assert "y has dtype float32, the inputs float64; gradient of x has dtype float32, should be float64" in said


def test_an_output_that_is_no_tensor_is_told_without_advice_on_shapes():
    report = porting.check(Pair(torch=lambda x: (x, True), tf=lambda x: (x, True)), only=["value"], dtypes=["float64"])
    (note,) = {r.note for r in report.results if r.runner == "tf"}
    assert note.startswith("PyTorch: the op returned bool where a tensor is wanted; check a")
    assert "--input" not in note
