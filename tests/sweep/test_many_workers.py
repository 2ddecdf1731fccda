"""A simulated cluster of 32 workers: each unit is counted once, and the plan is never handed out as a whole."""

import json
import os
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed")
from many_workers import PROCESSES, SEEDS, THREADS, swept

from porting.sweep import hand_out

UNITS = 400
MOST = 2 * PROCESSES * THREADS


@pytest.fixture
def _environment():
    """Put the environment back: dask sets variables for its workers in its own process too, and leaves them there."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.slow
@pytest.mark.usefixtures("_environment")
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_many_workers_count_each_unit_once(tmp_path, monkeypatch):
    waiting = []
    wait = hand_out.wait
    monkeypatch.setattr(hand_out, "wait", lambda futures, **how: waiting.append(len(futures)) or wait(futures, **how))
    log = Path(tmp_path) / "sweep.jsonl"
    found, _ = swept(UNITS, 0.05, log)
    assert (found.done, found.chunks, found.broken) == (UNITS, UNITS, "")
    numbers = [json.loads(line)["chunk"] for line in log.read_text().splitlines()[1:]]
    assert sorted(numbers) == list(range(UNITS))
    assert {max(result.compared for result in found.report.results) % (UNITS * SEEDS)} == {0}
    assert max(waiting) == MOST
    assert found.where == {"here": UNITS}
