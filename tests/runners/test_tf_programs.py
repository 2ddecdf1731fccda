"""Traces are kept where a call with other numbers gives what a new trace would, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest

import porting
from porting.runners import RUNNERS, Case
from porting.runners.tf_programs import _TWINS, Programs

tf = pytest.importorskip("tensorflow")


def counting():
    """Return a twin of x², and a list that grows whenever Python runs it."""
    runs = []

    @tf.custom_gradient
    def square(x):
        runs.append(x)
        return x * x, lambda dy: 2 * dy * x

    return square, runs


def case(op, number, **fields):
    x = np.full((2, 3), number)
    return Case(op, "float64", {"x": x}, (np.ones_like(x),), mode="function", **fields)


@pytest.fixture
def traced():
    twin, runs = counting()
    return porting.Pair(tf=twin).on("tf"), runs


def gradient(outcome):
    assert outcome.raised is None
    return outcome.vjp[0]


@pytest.mark.parametrize("use", ["plain", "traced before", "any shape"])
def test_other_numbers_are_not_traced_again(traced, use) -> None:
    """The second seed of one check gets its own numbers, from the trace of the first."""
    op, runs = traced
    other = case(op, 0.5) if use == "traced before" else None
    first = RUNNERS["tf"].run(case(op, 3.0, use=use, other=other))
    count = len(runs)
    second = RUNNERS["tf"].run(case(op, 5.0, use=use, other=other and case(op, 7.0)))
    assert (gradient(first) == 6).all()
    assert (gradient(second) == 10).all()
    if other:
        assert [gradient(o)[0, 0] for o in (*first.audit["before"], *second.audit["before"])] == [1.0, 14.0]
    assert len(runs) == count


def test_a_use_with_a_second_case_in_the_graph_is_traced_again(traced) -> None:
    """The second case of `interleaved` is a constant of the graph."""
    op, runs = traced
    for number in (3.0, 5.0):
        count = len(runs)
        interleaved = case(op, number, use="interleaved", other=case(op, 1.0))
        assert (gradient(RUNNERS["tf"].run(interleaved)) == 2 * number).all()
        assert len(runs) > count


def test_random_numbers_are_traced_again() -> None:
    """A generator in a graph would go on where it should begin."""
    runs = []

    def noisy(x):
        runs.append(x)
        return x * tf.random.uniform(x.shape, dtype=x.dtype)

    op = porting.Pair(tf=noisy).on("tf")
    for number in (3.0, 5.0):
        count = len(runs)
        RUNNERS["tf"].run(case(op, number))
        assert len(runs) > count


def test_only_the_twins_that_were_asked_last_are_held(traced) -> None:
    """Thousands of mutants are checked in one process."""
    op, _ = traced
    programs, twins = Programs(), [counting()[0] for _ in range(_TWINS + 1)]
    asked = case(op, 1.0)
    for number, twin in enumerate(twins[:-1]):
        programs.keep(asked, twin, number, None)
    assert programs.find(asked, twins[0]) == (0, None)
    programs.keep(asked, twins[-1], _TWINS, None)
    assert programs.find(asked, twins[0]) == (0, None)  # asked after the second
    assert programs.find(asked, twins[1]) is None
    assert programs.find(replace(asked, statics={"axis": []}), twins[0]) is None
