"""Options that one side alone has, outputs in a type of their own, and gradients that are drawn: who is told of what.

Seen in code of public repositories.
"""

from dataclasses import replace

import pytest
from everyday import ANY, causes, differing

import porting
from porting import Pair
from porting.parity.finding import Finding, Result
from porting.parity.taken_back import taken_back

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


def in_float32(factor=1.0):
    return function(lambda x: torch.sin(x.float()), lambda dy, x: (factor * dy * torch.cos(x.float())).to(x.dtype))


def sine(x):
    return torch.sin(x)


def with_an_option(factor):
    fast = function(sine, lambda dy, x: factor * dy * torch.cos(x))

    def sine_of(x, chunks=4, mode="fast", bias=None):
        return fast(x)

    return sine_of


@pytest.mark.parametrize(("factor", "found"), [(1.0, False), (1.01, True)])
def test_what_the_fast_version_alone_has_keeps_its_default(factor, found):
    report = porting.check(Pair(torch=with_an_option(factor), like=sine), only=["value", "vjp"])
    assert bool(report.counts["differ"]) == found, str(report)
    assert "left at mode='fast', which no other side takes" in report.described[0], report.described


@pytest.mark.parametrize(("factor", "found"), [(1.0, False), (1.01, True)])
def test_a_plain_version_in_float32_makes_an_output_in_float32_right(factor, found):
    pair = Pair(torch=in_float32(factor), like=lambda x: torch.sin(x.float()), inputs=ANY)
    report = porting.check(pair)
    assert bool(report.counts["differ"]) == found, str(report)
    assert "wrong_dtype" not in causes(report, "torch"), str(report)


def test_an_output_in_float32_is_a_fault_if_one_in_the_type_of_the_input_is_meant():
    report = porting.check(Pair(torch=in_float32(), tf=tf.sin, inputs=ANY))
    assert "If an output in the type of its input is meant: An output" in str(report), str(report)
    assert "y has dtype float32, the inputs float64" in str(report)
    assert "has a fault of its own" not in str(report), str(report)


def drawn(dy, x):
    return dy[..., None] * torch.bernoulli(torch.sigmoid(x))


def drawn_in_tensorflow(factor):
    @tf.custom_gradient
    def total(x):
        def backward(dy):
            return dy[..., None] * tf.cast(tf.random.uniform(tf.shape(x), dtype=x.dtype) < tf.sigmoid(x), x.dtype)

        return factor * tf.reduce_logsumexp(x, -1), backward

    return total


@pytest.mark.parametrize(("factor", "found"), [(1.0, set()), (1.01, {("torch", "value"), ("tf", "value")})])
def test_values_are_compared_where_gradients_alone_are_drawn(factor, found):
    pair = Pair(
        torch=function(lambda x: torch.logsumexp(x, -1), drawn), tf=drawn_in_tensorflow(factor),
        inputs={"x": porting.array(("n", "k"))},
    )  # fmt: skip
    report = porting.check(pair, only=["value", "vjp", "repeated", "raw_gradient"])
    drawing = {("torch", "repeated"), ("tf", "repeated")}
    assert differing(report) - drawing == found, str(report)


@pytest.mark.parametrize(("check", "told"), [("retained", False), ("large", False), ("repeated", True)])
def test_what_is_drawn_is_told_to_be_drawn_and_nothing_else(check, told):
    """By chance two calls are the same, or the other side seems to draw nothing."""
    differs = Finding("differs", {"quantity": "value", "name": "y", "truth": "PyTorch"})
    base = Result("drawn", "repeated", "tf", "cpu", "eager", "float64", 0, "differ", findings=(differs,))
    found = taken_back(replace(base, check=check), {"torch": [], "tf": [base]})
    assert (found is None) == told
    assert told or (found.status, found.note) == ("no verdict", "it gives another result each time")
