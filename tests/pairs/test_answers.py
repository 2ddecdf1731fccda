"""What the side that has the truth answered before is asked again until it is believed."""

import numpy as np
import pytest

from porting.pairs.answers import Answers
from porting.registry import ops
from porting.runners import Case, Outcome


def case(number):
    return Case(ops()["sin_squared"], "float64", {"x": np.array([number])}, (np.ones(1),))


class Side:
    """Answers with a square; from the `first` call on it adds what it was called before."""

    def __init__(self, first=10**9):
        self.calls, self.first = 0, first

    def __call__(self, asked):
        self.calls += 1
        more = float(self.calls) if self.calls >= self.first else 0.0
        (x,) = asked.inputs.values()
        return Outcome(value=(x**2 + more,), vjp=(2 * x,), raw=(2 * x,))


def test_what_was_asked_is_not_asked_again_once_four_answers_came_twice():
    answers, side = Answers(), Side()
    for _ in range(10):
        for number in range(3):
            assert answers.of(case(float(number)), side).value[0] == number**2
    assert side.calls == 3 + 4


@pytest.mark.parametrize(("first", "others"), [(1, 20), (5, 17)])
def test_one_that_answers_otherwise_is_asked_each_time(first, others):
    answers, side = Answers(), Side(first)
    got = [float(answers.of(case(1.0), side).value[0][0]) for _ in range(20)]
    assert side.calls == 20
    assert len(set(got)) == others


def test_nobody_writes_into_what_is_kept():
    answers, side = Answers(), Side()
    for _ in range(10):
        y = answers.of(case(3.0), side).value[0]
        assert y == 9
        y += 1


def test_what_is_large_is_asked_each_time():
    answers, side = Answers(), Side()
    large = Case(ops()["sin_squared"], "float64", {"x": np.ones(5000)}, (np.ones(5000),))
    for _ in range(8):
        answers.of(large, side)
    assert side.calls == 8
