"""An exception of a backward is told as what it is: once, whatever its text holds, and of no use that is not to blame.

Seen in code of public repositories.
"""

from io import StringIO

import pytest
from everyday import ANY, WIDEST, causes
from rich.console import Console

import porting
from porting import Pair
from porting.report.text import notes
from porting.runners.base import raised_by

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


@tf.custom_gradient
def in_a_generator(x):
    return 2 * x, lambda *dy: (2 * v for v in dy)  # whose address stands in what TensorFlow raises


def printed(report):
    console = Console(width=1000, record=True, file=StringIO())
    console.print(notes(report))
    return console.export_text()


def of_a_generator(*checks):
    pair = Pair(torch=lambda x: 2 * x, tf=in_a_generator, inputs=ANY, name="double")
    return porting.check(pair, only=checks)


def test_an_address_makes_no_second_exception():
    report = of_a_generator("vjp", "raw_gradient", "linear", "nan_input")
    assert len(report.messages) == 1, report.messages
    assert "float32" in report.messages[0]
    text = printed(report)
    assert text.count("generator object") == 1, text  # by the side that is compared with it
    assert "double linear, nan_input (tf): the same error as above" in text


@pytest.mark.parametrize(
    ("text", "same"), [("<f at 0x7f71516f0f20>", "<f at 0x...>"), ("no flag 0x1f", "no flag 0x1f")]
)
def test_a_short_number_is_no_address(text, same):
    assert raised_by(ValueError(text), "backward", in_a_generator).message == same


def test_what_several_uses_meet_is_said_of_none():
    text = printed(of_a_generator("whole_range", "indexed_slices"))
    assert "indexed_slices" in text
    assert text.count("generator object") == 2, text  # once by each side
    assert "far from ordinary numbers" not in text
    assert "IndexedSlices" not in text


def test_a_gradient_that_is_traced_with_its_forward_raises_in_the_backward():
    @tf.function
    def sine(x):
        @tf.custom_gradient
        def inner(x):
            return tf.sin(x), lambda dy: dy * tf.reshape(tf.cos(x), [7, 11])

        return inner(x)

    report = porting.check(Pair(torch=torch.sin, tf=sine, inputs={"x": porting.array((2, 3))}), only=["value", "vjp"])
    found = {(r.runner, r.check): r.status for r in report.results}
    assert found["tf", "value"] == "agree", str(report)
    (finding,) = {f.fields["stage"] for r in report.results for f in r.findings}
    assert finding == "backward"
    assert causes(report, "tf") == ["raises_in_backward"]


def test_a_forward_that_raises_by_itself_does_so_on_a_tape_too():
    @tf.function
    def sine(x):
        return tf.reshape(tf.sin(x), [7, 11])

    report = porting.check(Pair(torch=torch.sin, tf=sine, inputs={"x": porting.array((2, 3))}), **WIDEST, only=["vjp"])
    assert causes(report, "tf") == ["raises_in_forward"], str(report)


class Limited(torch.autograd.Function):
    """Right as ``Limited.apply(x)``; given its limits, it returns too few gradients."""

    @staticmethod
    def forward(ctx, x, low=-1.0, high=1.0):
        ctx.others = 1
        ctx.save_for_backward(x)
        return x.clamp(low, high)

    @staticmethod
    def backward(ctx, dy):
        return (dy, *[None] * ctx.others)  # how many, its source does not say


def test_the_defaults_that_a_call_passes_are_told_with_what_it_raises():
    report = porting.check(Pair(torch=Limited, tf=lambda x: tf.clip_by_value(x, -1.0, 1.0)), only=["vjp"])
    raised = {f.fields["shapes"] for r in report.results for f in r.findings if f.code == "raised"}
    assert raised
    assert all(said.endswith("], low=-1.0, high=1.0") for said in raised), raised


@tf.custom_gradient
def scaled_rows(low, u):
    def grad(dy):
        return tf.reduce_sum(dy * u, axis=-1), dy * low  # of rows and of a number for each: its own product raises

    return low[..., None] * u, grad


def test_a_product_of_shapes_that_do_not_meet_is_no_gradient_of_another_shape():
    pair = Pair(
        torch=lambda low, u: low[..., None] * u,
        tf=scaled_rows,
        inputs={"low": porting.array(("b",)), "u": porting.array(("b", "n"))},
    )
    report = porting.check(pair, dtypes=["float64"], only=["vjp", "value"])
    assert causes(report, "tf") == ["raises_in_backward"], str(report)


@pytest.mark.slow
def test_a_gradient_that_another_file_raises_in_is_told_by_its_line(tmp_path):
    """A function around it has another file, of which no line is to be seen where a backward raises."""
    (tmp_path / "kept_away.py").write_text(
        "import torch\n\n\nclass Twice(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n"
        "        return 2 * x\n\n    @staticmethod\n    def backward(ctx, dy):\n        return dy.reshape(7, 11)\n"
    )
    (tmp_path / "around.py").write_text("from kept_away import Twice\n\n\ndef twice(x):\n    return Twice.apply(x)\n")
    pair = Pair(torch=f"{tmp_path / 'around.py'}:twice", inputs={"x": porting.array((2, 3))})
    report = porting.check(pair, only=["vjp"], dtypes=["float64"])
    assert "kept_away.py:11\n" in str(report), str(report)


# A cotangent is a tensor with memory of its own: PyTorch's may be resized.


class HingeLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (1 - x * y).clamp(min=0).mean()

    @staticmethod
    def backward(ctx, dy):
        x, y = ctx.saved_tensors
        slope = -y * (x * y < 1) / x.numel()
        return dy.clone().resize_as_(x).copy_(slope), None


class Resized(HingeLoss):
    @staticmethod
    def backward(ctx, dy):
        x, y = ctx.saved_tensors
        return dy.resize_as_(x).copy_(-y * (x * y < 1) / x.numel()), None


@pytest.mark.parametrize("side", [HingeLoss, Resized])
def test_a_cotangent_can_be_resized(side):
    inputs = {"x": porting.array(("n", "k")), "y": porting.array(("n", "k"))}
    report = porting.check(Pair(torch=side, inputs=inputs), only=["vjp", "raw_gradient"], dtypes=["float64"])
    said = [f for r in report.results for f in r.findings if f.code == "raised"]
    assert not said, str(report)
