"""Which cause is told first: that of the mistake, not a smaller one that is true as well."""

import pytest

import porting
from porting import Pair
from porting.diagnosis.cause import named

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def differing(report):
    return {(r.runner, r.check) for r in report.results if r.status == "differ"}


def causes(report, runner):
    return [d.cause for d in report.diagnoses if d.runner == runner]


def told(report, runner):
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
    found = told(report, "torch")
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
    found = told(report, "tf")
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
    claims = told(report, "tf")
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


# Complex numbers: off by a number, conjugated in two parts, and the only ones that a side takes.


class Magnitude(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, by):
        ctx.save_for_backward(torch.angle(z))
        ctx.by = by
        return torch.abs(z)

    @staticmethod
    def backward(ctx, dy):
        (angle,) = ctx.saved_tensors
        return ctx.by * torch.exp(1j * angle) * dy, None


@pytest.mark.parametrize(("by", "first"), [(0.5, "constant_factor"), (-1, "wrong_sign"), (1, "")])
def test_a_gradient_for_complex_numbers_is_off_by_a_number(by, first):
    z = porting.array(dtype="complex128")
    pair = Pair(torch=lambda z: Magnitude.apply(z, by), tf=tf.abs, inputs={"z": z}, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "complex_numbers"])
    assert [d.cause for d in report.diagnoses if d.runner == "torch"][:1] == [first] * bool(first), str(report)


def test_a_conjugate_is_still_missing_where_no_number_is():
    @tf.custom_gradient
    def grown(z):
        return z * tf.exp(z), lambda dy: dy * (1 + z) * tf.exp(z)

    z = porting.array(dtype="complex128")
    pair = Pair(torch=lambda z: z * torch.exp(z), tf=grown, inputs={"z": z}, reference="torch")
    report = porting.check(pair, only=["value", "vjp", "complex_numbers"])
    assert causes(report, "tf") == ["missing_conjugate"], str(report)


def parts(z):
    return z.real.clone(), z.imag.clone()


class Transformed(torch.autograd.Function):
    """Conjugates its cotangent once too often, in two parts."""

    @staticmethod
    def forward(ctx, re, im):
        return parts(torch.fft.fft(torch.complex(re, im)))

    @staticmethod
    def backward(ctx, dre, dim):
        re, im = parts(torch.fft.ifft(torch.complex(dre, -dim)) * dre.shape[-1])
        return re, -im


class Turned(torch.autograd.Function):
    """The sign of one gradient is wrong, whichever output it comes from."""

    @staticmethod
    def forward(ctx, re, im):
        return parts(torch.fft.fft(torch.complex(re, im)))

    @staticmethod
    def backward(ctx, dre, dim):
        re, im = parts(torch.fft.ifft(torch.complex(dre, dim)) * dre.shape[-1])
        return re, -im


def transformed(re, im):
    z = tf.signal.fft(tf.complex(re, im))
    return tf.math.real(z), tf.math.imag(z)


@pytest.mark.parametrize(("side", "first"), [(Transformed, "missing_conjugate"), (Turned, "wrong_sign")])
def test_a_conjugate_is_missing_in_two_parts(side, first):
    report = porting.check(Pair(torch=side, tf=transformed, reference="tf"), only=["value", "vjp"])
    assert causes(report, "torch")[0] == first, str(report)


@tf.custom_gradient
def not_adjoint(z):
    return tf.signal.fft(z), tf.signal.fft


@tf.custom_gradient
def adjoint(z):
    return tf.signal.fft(z), lambda dy: tf.signal.ifft(dy) * tf.cast(tf.shape(dy)[-1], dy.dtype)


@pytest.mark.parametrize(("side", "found"), [(not_adjoint, {"complex_numbers"}), (adjoint, set())])
def test_where_real_numbers_are_refused_complex_ones_are_compared(side, found):
    report = porting.check(Pair(torch=torch.fft.fft, tf=side), dtypes=["float64"])
    assert {check for _, check in differing(report)} == found, str(report)
    assert ("tf" in {side for side, _ in differing(report)}) == bool(found), str(report)


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
    claims = told(report, "torch")
    assert [next((name for name in first if name in claim), claim) for claim in claims] == first, str(report)
    assert ("torch", "vjp") in {(r.runner, r.check) for r in report.results if r.compared}, str(report)


# What is wrong at one number stands under one cause, and what else is wrong under its own.


class AtZero(torch.autograd.Function):
    """Has slope 0 at 0, where it is 1/2; what it saves is changed in place, so that it has no second derivative."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.nn.functional.softplus(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        e = x.abs().neg_().exp_()
        dx = x.sign().neg_().mul_(e).div_(1 + e) + torch.relu(x).sign_()
        e.mul_(2)
        return dx * dy


def test_one_number_has_one_cause_and_a_second_derivative_another():
    pair = Pair(torch=AtZero, tf=tf.math.softplus, reference="tf")
    report = porting.check(pair, dtypes=["float64"], runners=["torch"])
    of = {d.cause: set(d.explains) for d in report.diagnoses}
    assert {"special_values", "coincidences"} <= of["wrong_branch"], str(report)
    for message in report.messages:
        assert ("second order" in message.splitlines()[0]) == ("(second_order_refused" in message), message


# A clip has two edges, at an input by another one.


class Stepped(torch.autograd.Function):
    """Rounds to steps from -1 to 0.5, straight through, also where it is clipped if nothing is masked."""

    @staticmethod
    def forward(ctx, x, step, masked, by):
        ctx.save_for_backward(x, step)
        ctx.how = masked, by
        return (x / step).round().clamp(-1, 0.5) * step

    @staticmethod
    def backward(ctx, dy):
        x, step = ctx.saved_tensors
        masked, by = ctx.how
        q = x / step
        low, high = (q < -1).to(q.dtype), (q > 0.5).to(q.dtype)
        middle = 1 - low - high
        dstep = ((low * -1 + high * 0.5 + middle * (q.round() - q)) * dy).sum().unsqueeze(0)
        return dy * (middle if masked else 1) * by(x), dstep, None, None


@tf.custom_gradient
def stepped(x, step):
    q = x / step

    def grad(dy):
        low, high = tf.cast(q < -1.0, dy.dtype), tf.cast(q > 0.5, dy.dtype)
        middle = 1.0 - low - high
        dstep = tf.reduce_sum((low * -1.0 + high * 0.5 + middle * (tf.round(q) - q)) * dy)
        return middle * dy, tf.reshape(dstep, [1])

    return tf.clip_by_value(tf.round(q), -1.0, 0.5) * step, grad


@pytest.mark.parametrize(
    ("masked", "by", "branch"),
    [
        pytest.param(False, lambda x: 1, True, id="no mask"),
        pytest.param(False, lambda x: 1 + x * x, False, id="wrong between the edges too"),
    ],
)
def test_two_edges_are_those_of_a_branch(masked, by, branch):
    pair = Pair(torch=lambda x, step: Stepped.apply(x, step, masked, by), tf=stepped, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "large"], dtypes=["float64"])
    assert ("torch", "large") in differing(report), str(report)
    assert ("wrong_branch" in causes(report, "torch")) == branch, str(report)
    assert not branch or causes(report, "torch")[0] == "wrong_branch", str(report)


def test_shapes_are_guessed_in_which_a_gradient_has_that_of_its_input():
    pair = Pair(torch=lambda x, step: Stepped.apply(x, step, True, lambda x: 1), tf=stepped)
    guess = pair.guess()
    assert guess is not None
    assert [a.shape for a in guess.pair.inputs.values()] == [("n", "k"), (1,)]


# No gradient reaches an output that is marked.


class Marked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = (x > 0.5).to(x.dtype)
        ctx.mark_non_differentiable(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        return dy


class Inside(torch.autograd.Function):
    """Asks autograd for the gradient of what has none, in its own backward."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0.5).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.autograd.grad(2 * x, x, dy)[0]


@tf.custom_gradient
def passed(x):
    return tf.cast(x > 0.5, x.dtype), lambda dy: dy


@pytest.mark.parametrize(("side", "first"), [(Marked, "missing_gradient"), (Inside, "raises_in_backward")])
def test_no_gradient_is_missing_where_the_backward_itself_raises(side, first):
    report = porting.check(Pair(torch=side, tf=passed), only=["value", "vjp"])
    assert causes(report, "torch")[0] == first, str(report)


def test_nothing_is_missing_where_the_true_gradient_is_zero():
    pair = Pair(torch=lambda x: (x > 0.5).to(x.dtype), tf=lambda x: tf.cast(x > 0.5, x.dtype) + 0 * x)
    assert "missing_gradient" not in causes(porting.check(pair, only=["value", "vjp"]), "torch")


# What is meant so is not to be mended into something else.


def gated(x):
    return x * torch.sigmoid(x).detach()


@tf.custom_gradient
def gate(x):
    return x * tf.sigmoid(x), lambda dy: dy * tf.sigmoid(x)


def test_a_fix_leaves_what_is_meant_so():
    report = porting.check(Pair(torch=gated, tf=gate, reference="tf"), only=["vjp", "second_order"])
    (cut,) = report.diagnoses
    assert cut.cause == "detached", str(report)
    assert "keeps its .detach()" in cut.fix, cut
    assert "register_buffer" in named("overwrites_input").fix("torch")
