"""Two replicas of a MirroredStrategy, with other data each, end with the gradients of one process."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("tensorflow")

PROGRAM = Path(__file__).parent / "mirrored_step.py"


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    """Return the gradients of one process, of each of the two replicas, and of each half alone."""
    file = tmp_path_factory.mktemp("mirrored") / "found.npz"
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "2", "PYTHONPATH": str(Path(__file__).parents[2])}
    run = subprocess.run(
        [sys.executable, str(PROGRAM), file], capture_output=True, env=environment, timeout=240, check=False
    )
    assert run.returncode == 0, run.stderr.decode()
    from mirrored_step import BATCH, gradients, weights

    def one(*rows):
        return [g.numpy() for g in gradients(*weights(), list(range(*rows)))]

    found = list(np.load(file).values())
    return one(BATCH), [found[:2], found[2:]], [one(BATCH // 2), one(BATCH // 2, BATCH)]


@pytest.mark.slow
def test_both_replicas_have_the_gradients_of_one_process(steps):
    want, found, _ = steps
    for got in found:
        for g, w in zip(got, want, strict=True):
            np.testing.assert_allclose(g, w, rtol=1e-12, atol=1e-14)


def test_neither_half_has_them_and_the_first_weights_have_some(steps):
    want, _, halves = steps
    assert np.abs(want[0]).max() > 1e-3  # through the rounding
    assert all(not np.allclose(half[0], want[0], rtol=1e-3) for half in halves)
