"""A number that is guessed may be meant as a tensor: what a graph makes of a Python number is then nobody's fault."""

import pytest
from everyday import WIDEST, differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Steps(torch.autograd.Function):
    """As in a library of quantisers: the step is a tensor to it."""

    @staticmethod
    def forward(ctx, x: torch.Tensor, low: torch.Tensor, high: torch.Tensor, step, scale: torch.Tensor):
        return torch.floor(torch.clip(x / (step * scale), low, high))

    @staticmethod
    def backward(ctx, dy):
        return dy, None, None, None, None


@tf.custom_gradient
def steps(x, low, high, step, scale):
    y = tf.floor(tf.clip_by_value(x / (step * scale), low, high))
    return y, lambda dy: (dy, None, None, None, None)


IN_GRAPHS = {"only": ["value", "vjp", "traced"], **WIDEST}


def test_a_guessed_number_accuses_no_graph():
    report = porting.check(Pair(torch=Steps, tf=steps), **IN_GRAPHS)
    assert "step=2" in report.described[0]
    assert not differing(report), str(report)
    (unknown,) = (r for r in report.results if r.status == "no verdict")
    assert (unknown.runner, unknown.check) == ("tf", "traced")
    assert "step: a number of Python by a guess" in unknown.note


def test_a_number_that_was_given_does():
    inputs = {n: porting.array() for n in ("x", "low", "high", "scale")}
    report = porting.check(Pair(torch=Steps, tf=steps, inputs=inputs, statics={"step": 2}), **IN_GRAPHS)
    assert ("tf", "traced") in differing(report)


def test_what_else_fails_in_a_graph_is_found_beside_a_guess():
    @tf.custom_gradient
    def eager(x, low, high, step, scale):
        y = tf.floor(tf.clip_by_value(x / (tf.cast(step, x.dtype) * scale), low, high))
        return y + 0 * float(tf.reduce_sum(x)), lambda dy: (dy, None, None, None, None)

    report = porting.check(Pair(torch=Steps, tf=eager), **IN_GRAPHS)
    assert differing(report) == {("tf", "traced")}, str(report)


# A rank in a dictionary of the module: with another number the function raises, which is no value that was baked in.

RANKS = {"axes": 2}
SLOPES = {"slope": 3.0}


def summed(x):
    first, second = tf.unstack(x, num=RANKS["axes"], axis=-1)
    return first * second


@tf.custom_gradient
def sloped(x):
    slope = SLOPES["slope"]
    return tf.sin(x), lambda dy: slope * dy


def product(x):
    return x[..., 0] * x[..., 1]


class Sloped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        return 3.0 * dy


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [(product, summed, set()), (Sloped, sloped, {("tf", "python_state")})],
    ids=["rank", "slope"],
)
def test_a_number_with_which_it_raises_is_not_baked_in(one, other, found):
    inputs = {"x": porting.array(("n", 2))}
    report = porting.check(Pair(torch=one, tf=other, inputs=inputs), only=["vjp", "python_state"], dtypes=["float64"])
    assert {(r.runner, r.check) for r in report.results if r.status == "differ"} == found, str(report)
    assert any(r.check == "python_state" and r.compared for r in report.results), str(report)
