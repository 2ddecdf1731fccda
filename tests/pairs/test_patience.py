"""A guess is looked for as long on a machine that is busy with other things as on a quiet one."""

from types import SimpleNamespace

import pytest

from porting.pairs import patience
from porting.pairs.patience import Patience


@pytest.fixture
def clock(monkeypatch):
    """Return a clock, and this process's own time, that the test moves on."""
    at = SimpleNamespace(wall=100.0, own=7.0)
    monkeypatch.setattr(patience, "monotonic", lambda: at.wall)
    monkeypatch.setattr(patience, "process_time", lambda: at.own)
    return at


@pytest.mark.parametrize(
    ("wall", "own", "over"),
    [
        (9.9, 9.9, False),
        (10.0, 10.0, True),  # a quiet machine
        (30.0, 8.0, False),  # others compute
        (40.0, 0.1, True),  # other processes compute for this one
        (5.0, 12.0, False),  # two threads
    ],
)
def test_it_is_over_when_both_times_are(wall, own, over, clock):
    waiting = Patience(10.0)
    clock.wall += wall
    clock.own += own
    assert waiting.over is over


def test_none_is_over_at_once():
    assert Patience(0.0).over
