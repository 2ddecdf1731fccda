"""What is wrong in one place only: beside a mask, with a thin axis, in one half of the numbers, after a change."""

from dataclasses import replace

import pytest

import porting
from porting import Contract, Pair, array
from porting.errors import PortingError
from porting.pairs.parse import parse_promise, written_promises

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

MASK = {"x": array(), "m": array(dtype="int64", domain=range(2))}


def one(side):
    """Name the argument, which *xs does not."""
    return lambda x: side(x)  # noqa: PLW0108 - see above


def masked_square(where_wrong):
    def backward(dy, x, m):
        wrong = where_wrong(x, m)
        return torch.where(wrong, 7 * dy, 2 * x * m * dy), None

    side = function(lambda x, m: x**2 * m, backward)

    def other(x, m):
        return x**2 * tf.cast(m, x.dtype)

    def named(x, m):
        return side(x, m)

    return Pair(torch=named, tf=other, inputs=MASK, reference="tf")


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("number", [0.0, 30.0, -720.0])
def test_a_special_number_beside_each_value_of_a_mask(number, value):
    report = porting.check(masked_square(lambda x, m: (x == number) & (m == value)), only=["special_values"])
    assert {r.runner for r in report.results if r.status == "differ"} == {"torch"}


@pytest.mark.parametrize("reference", ["tf", None])
def test_the_right_one_is_not_accused(reference):
    pair = replace(masked_square(lambda x, m: (x == 0.5) & (m == 2)), reference=reference)
    report = porting.check(pair)
    assert report.counts["differ"] == 0
    # x^2 overflows in float32 where m is 0, on both sides: infinity times 0, which no side is told beside the other one
    far = [r for r in report.results if (r.check, r.dtype) == ("whole_range", "float32") and r.runner != reference]
    assert {r.status for r in far} == {"agree"}, str(report)
    assert all(r.compared for r in far), str(report)


@pytest.mark.parametrize("shape", [(2, 1), (1, 3, 1), (2, 1, 4), (2, 3, 1), (1, 1, 4)])
def test_an_axis_of_one_element_in_any_place(shape):
    def backward(dy, x):
        return (3 if x.shape == shape else 2) * x * dy

    side = function(lambda x: x**2, backward)
    pair = Pair(torch=one(side), tf=lambda x: x**2)
    report = porting.check(pair, only=["shapes"], dtypes=["float64"])
    assert {r.runner for r in report.results if r.status == "differ"} >= {"torch"}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("side", [1, -1])
def test_the_second_derivative_on_both_sides_of_0(side, seed):
    def backward(dy, x):
        return 3 * torch.where(side * x > 0, x.detach(), x) ** 2 * dy

    mine = function(lambda x: x**3, backward)
    report = porting.check(Pair(torch=one(mine), tf=lambda x: x**3), only=["second_order"], seed=seed)
    assert {r.runner for r in report.results if r.status == "differ"} == {"torch"}


def test_both_overflow_in_a_narrow_type():
    def swish(exp):
        return lambda x: x * exp(x) / (1 + exp(x))

    report = porting.check(Pair(torch=swish(torch.exp), tf=swish(tf.exp)))
    assert report.counts["differ"] == 0, str(report)
    assert {r.check for r in report.results if r.status == "note"} >= {"special_values"}


def test_what_may_be_promised_in_python_has_a_flag():
    given = ["order=1", "linear=False", "wrt=x,y", "nondiff=1,2"]
    contract = Contract(**dict(map(parse_promise, given)))
    assert (contract.order, contract.linear, contract.wrt, contract.nondiff) == (1, False, ("x", "y"), (1, 2))
    assert set(written_promises(contract)) == set(given)
    assert written_promises(Contract(kinks={"x": (0.0,)})) is None
    for wrong in ("order=3", "linear", "kinks=0", "wrt=", "order", "nondiff=x", "nondiff=-1"):
        with pytest.raises(PortingError, match=f"--contract {wrong}"):
            parse_promise(wrong)
