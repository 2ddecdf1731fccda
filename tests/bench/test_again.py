"""What is out or noisy is measured again, and the second measurement stands."""

from math import nan

import pytest

from porting.bench.again import LONGER, again, doubtful
from porting.bench.judge import NO_VERDICT, OUT, WITHIN, Verdict
from porting.bench.ratio import Spread
from porting.bench.result import Bench, Kept, Row
from porting.bench.run import Asked
from porting.registry import ops
from porting.runners import RUNNERS

SINE = ops()["sin_squared"]
ASKED = Asked([SINE], [64, 256], ["torch-eager"], rounds=5)
SLOW = Spread(100.0, 100.0, 100.0)


def row(size):
    return Row("sin_squared", "activation", "torch-eager", size, ratios={"floor": SLOW}, rounds=5)


def verdict(kind, what="floor", size=64, value=100.0):
    return Verdict(kind, what, "sin_squared", "torch-eager", size, value, 3.0)


def test_what_is_doubtful():
    asked = [
        verdict(OUT),
        verdict(OUT, "composition"),  # the same measurement
        verdict(WITHIN, size=256),
        verdict(NO_VERDICT, size=1024),
        verdict(OUT, size=4096, value=nan),  # did not run
        verdict(OUT, "kept", 0),
        verdict(OUT, "peak", 0),
    ]
    assert doubtful(asked) == [
        ("time", "sin_squared", "torch-eager", "64"),
        ("time", "sin_squared", "torch-eager", "1024"),
        ("kept", "sin_squared", "torch"),
        ("stack", "sin_squared", "torch-eager"),
    ]


@pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch")
@pytest.mark.slow
def test_the_second_measurement_stands_and_the_others_stay():
    first = Bench((row(64), row(256)), {}, "", "float32", (Kept("sin_squared", "torch", {"twin": 7.0}),))
    told = []
    places = doubtful([verdict(OUT), verdict(OUT, "kept", 0)])
    found = again(first, ASKED, places, on_result=lambda: told.append(1))
    new, old = found.rows
    assert new.rounds == LONGER * 5
    assert 0 < new.ratios["floor"].median != 100
    assert new.ratios["composition"].median > 0
    assert old is first.rows[1]
    assert found.kept == (Kept("sin_squared", "torch", {"twin": 1.0, "composition": 2.0}),)
    assert len(told) == 2
    assert not found.interrupted


def test_ctrl_c_keeps_what_is_there():
    first = Bench((row(64),), {}, "", "float32")

    def stop():
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("porting.bench.again._replaced", lambda *_: stop())
        found = again(first, ASKED, doubtful([verdict(OUT)]))
    assert found.interrupted
    assert found.rows == first.rows


def test_a_dead_process_leaves_the_first_measurement(monkeypatch):
    monkeypatch.setattr("sys.executable", "/bin/false")
    first = Bench((row(64),), {}, "", "float32", (Kept("sin_squared", "torch", {"twin": 7.0}),))
    assert again(first, ASKED, doubtful([verdict(OUT), verdict(OUT, "kept", 0)])) == first
