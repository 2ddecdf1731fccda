"""Pairs are checked without a graph where a test does not say how: what these tests plant is seen in eager mode.

Graphs of the same functions are a sixth of the time. A test that needs them says ``modes=()``: all checks of a graph.
"""

import functools

import pytest
from turns import EVERY

import porting


@pytest.fixture(autouse=True)
def _without_a_graph(monkeypatch):
    if not EVERY:
        real = porting.check

        @functools.wraps(real)
        def check(*pairs, modes=("eager",), **how):
            return real(*pairs, modes=modes, **how)

        monkeypatch.setattr(porting, "check", check)
