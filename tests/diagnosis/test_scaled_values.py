"""Outputs that are off by one number are told with it; those that are off otherwise are not."""

import pytest

tf = pytest.importorskip("tensorflow")
torch = pytest.importorskip("torch")

import porting  # noqa: E402 - without both frameworks there is no pair
from porting import Pair  # noqa: E402

ASKED = {"only": ["value", "vjp"], "dtypes": ["float64"]}


def both(x):
    return torch.sin(x), torch.exp(x)


def pair(side, like=torch.sin):
    return Pair(torch=side, like=like, inputs={"x": porting.array((..., "n"))})


def told(report):
    return [(d.cause, d.seen) for d in report.diagnoses][:1]


@pytest.mark.parametrize(
    ("side", "like", "seen"),
    [
        (lambda x: 1.01 * torch.sin(x), torch.sin, "y is 1.01 times the true one"),
        (lambda x: -torch.sin(x), torch.sin, "y is -1 times the true one"),
        (lambda x: 1.01 * torch.sign(x), torch.sign, "y is 1.01 times the true one"),
        (lambda x: (torch.sin(x), torch.exp(x) / 2), both, "y1 is 0.5 times the true one"),
        (lambda x: torch.sin(x).mean(-1) / 4, lambda x: torch.sin(x).mean(-1), "y is 0.25 times the true one"),
        (lambda x: x.mean(-1), lambda x: x.sum(-1), "y is 0.25 (0.2 for other lengths) times the true one"),
    ],
)
def test_the_number_is_told(side, like, seen):
    report = porting.check(pair(side, like), **ASKED)
    assert told(report) == [("scaled_value", seen)], str(report)


@pytest.mark.parametrize(
    ("side", "like"),
    [
        (lambda x: torch.sin(x) + 0.01, torch.sin),
        (lambda x: torch.sin(1.01 * x), torch.sin),
        (lambda x: (2 * torch.sin(x), torch.exp(x) + 1), both),
        (torch.mean, torch.sum),  # which is another number for each shape
        (lambda x: torch.full_like(x, 6), lambda x: torch.full_like(x, 5)),  # which may be a term
    ],
)
def test_no_number_is_told_where_there_is_none(side, like):
    report = porting.check(pair(side, like), **ASKED)
    assert report.diagnoses, str(report)
    assert all(d.cause != "scaled_value" for d in report.diagnoses), str(report)


@pytest.mark.parametrize("side", [lambda x: torch.sin(x) * (1 + 1e-15), lambda x: torch.sin(x.float()).to(x.dtype)])
def test_lost_digits_are_no_factor(side):
    report = porting.check(pair(side), **ASKED)
    assert all(d.cause != "scaled_value" for d in report.diagnoses), str(report)
