"""What an op returns that is no tensor, gradients of shapes that fit nowhere, exceptions of two kinds, broadcasting."""

import pytest
from everyday import ANY, WIDEST, causes, differing
from rich.console import Console

import porting
from porting import Pair
from porting.report import text

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def printed(report):
    console = Console(width=300)
    with console.capture() as capture:
        console.print(text.notes(report))
    return capture.get()


def two_things(x):
    return x, "mean"


@pytest.mark.parametrize(
    ("side", "returned"),
    [({"torch": two_things}, "str"), ({"tf": lambda x: tf.sparse.from_dense(2 * x)}, "SparseTensor")],
    ids=["text", "sparse"],
)
def test_what_is_no_tensor_was_returned_and_not_raised(side, returned):
    """A sparse tensor ended the command with an error of ours."""
    report = porting.check(Pair(**side, inputs=ANY), only=["value", "vjp"], **WIDEST)
    (finding, *_) = [f for r in report.results if r.status == "differ" for f in r.findings]
    assert f"the op returned {returned} where a tensor is wanted; check a function around it" in finding.what
    assert "raised" not in finding.what


@tf.custom_gradient
def turned(x):
    return 2 * x, lambda dy: 2 * tf.transpose(dy)


class Turned(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        return 2 * dy.mT


def test_a_shape_that_does_not_fit_is_summed_by_nobody():
    sides = Pair(torch=Turned, tf=turned, inputs={"x": porting.array(("n", "k"))})
    report = porting.check(sides, only=["shapes"], **WIDEST)
    told = [str(f) for r in report.results for f in r.findings if f.code == "raw_shape"]
    assert told, str(report)
    assert all("PyTorch refuses it" in one for one in told), told


class ForBatches(torch.autograd.Function):
    """Its backward wants three axes, and has no gradient for the flag."""

    @staticmethod
    def forward(ctx, x, full=False):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        b, m, n = x.shape
        return 2 * x * dy.reshape(b, m, n)


def test_of_two_exceptions_the_one_of_the_cause_is_told():
    report = porting.check(Pair(torch=ForBatches, tf=lambda x, full=False: x * x), **WIDEST)
    assert causes(report, "torch")[0] == "wrong_count", str(report)
    (message, *_) = [m for m in report.messages if "wrong_count" in m]
    assert "incorrect number of gradients" in message.splitlines()[0]
    assert "unpack" not in message


def test_that_nobody_said_whether_inputs_may_be_broadcast_is_told():
    report = porting.check(Pair(torch=lambda a, b: a * b, tf=lambda a, b: a * b), only=["broadcast", "vjp"], **WIDEST)
    assert not differing(report), str(report)
    said = printed(report).partition("Not compared")[2]
    assert "broadcast (torch, tf): without an oracle nobody says whether the inputs may be broadcast" in said
    alone = porting.check(Pair(torch=lambda a: 2 * a, tf=lambda a: 2 * a), only=["broadcast", "vjp"], **WIDEST)
    assert "may be broadcast" not in printed(alone)


class Weighted(torch.autograd.Function):
    """Zero times minus infinity is 0."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.where(w != 0, w * x, torch.zeros_like(x))

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy * w, dy * x


MADE = """
def minus_infinity_first(x):
    x[..., 0] = -float("inf")
    return x


def zero_first(w):
    w[..., 0] = 0
    return w
"""


def test_a_gradient_that_is_nan_on_both_sides_is_no_matter_of_linearity(tmp_path):
    """The side with the right value was accused, and the value of the other one had no verdict."""
    own = tmp_path / "own.py"
    own.write_text(MADE)
    inputs = {
        "x": porting.array(("n",), kind=f"@{own}:minus_infinity_first"),
        "w": porting.array(("n",), kind=f"@{own}:zero_first"),
    }
    report = porting.check(
        Pair(torch=Weighted, tf=lambda x, w: w * x, inputs=inputs), only=["linear", "value"], **WIDEST
    )
    assert ("tf", "value") in differing(report), str(report)
    assert not {("torch", "linear"), ("tf", "linear")} & differing(report), str(report)


def cell_of(tanh, factor=1):
    """Return a cell that returns its output and, in a list and a dictionary, its states."""

    def cell(x, h):
        y = tanh(x + h)
        return y, [y * factor, {"late": 2 * h, "early": x * h}]

    return cell


def sorted_by_name(x, h):
    y, (z, states) = cell_of(tf.tanh)(x, h)
    return y, (z, dict(sorted(states.items())))


CELLS = {"x": ANY["x"], "h": ANY["x"]}


@pytest.mark.parametrize("tf_side", [cell_of(tf.tanh), sorted_by_name], ids=["as there", "sorted"])
def test_nested_outputs_are_compared_one_by_one(tf_side):
    sides = Pair(torch=cell_of(torch.tanh), tf=tf_side, inputs=CELLS)
    report = porting.check(sides, only=["value", "vjp"], **WIDEST)
    assert not [r for r in report.results if r.status == "differ"], str(report)
    assert {r.check for r in report.results if r.compared} == {"value", "vjp"}, str(report)


def test_a_state_of_nested_outputs_that_differs_is_found():
    sides = Pair(torch=cell_of(torch.tanh, 2), tf=cell_of(tf.tanh), inputs=CELLS)
    report = porting.check(sides, only=["value"], **WIDEST)
    assert {f.fields["name"] for r in report.results for f in r.findings} == {"y1"}, str(report)
