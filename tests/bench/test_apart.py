"""A function runs in a fork: its answer comes back, and nothing else of it stays."""

import os
import sys

import pytest

from porting.bench.apart import apart

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a fork")


def test_the_answer_comes_back_and_nothing_else_stays():
    seen = []
    assert apart(lambda: (seen.append(1), os.getpid())[1]) != os.getpid()
    assert seen == []


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda: sys.exit(3), "SystemExit: 3"),
        (lambda: os._exit(7), "ended with status 7"),
        (os.abort, "ended with status -6"),
        (lambda: lambda: 0, "pickle"),
    ],
)
def test_why_there_is_no_answer(function, said):
    with pytest.raises(RuntimeError, match=said):
        apart(function)
