"""Two processes under DistributedDataParallel, with other data each, end with the gradients of one process."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(
    not (torch.distributed.is_available() and torch.distributed.is_gloo_available()), reason="needs gloo"
)

PROGRAM = Path(__file__).parent / "ddp_step.py"


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    """Return the gradients of one process, of each of the two, and of each half alone."""
    folder = tmp_path_factory.mktemp("ddp")
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
    if sys.platform == "linux":
        environment["GLOO_SOCKET_IFNAME"] = "lo"
    run = [sys.executable, str(PROGRAM)]
    both = [
        subprocess.Popen([*run, str(rank), folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        for rank in (0, 1)
    ]
    try:
        for process in both:
            said, _ = process.communicate(timeout=120)
            assert process.returncode == 0, said.decode()
    finally:
        for process in both:
            process.kill()
    from ddp_step import BATCH, Model, gradients

    halves = [gradients(Model(), slice(k * BATCH // 2, (k + 1) * BATCH // 2)) for k in (0, 1)]
    found = [list(np.load(folder / f"{rank}.npz").values()) for rank in (0, 1)]
    return gradients(Model(), slice(None)), found, halves


@pytest.mark.slow
def test_both_processes_have_the_gradients_of_one(steps):
    want, found, _ = steps
    for got in found:
        for g, w in zip(got, want, strict=True):
            np.testing.assert_allclose(g, w, rtol=1e-12, atol=1e-14)


def test_neither_half_has_them_and_the_first_weights_have_some(steps):
    want, _, halves = steps
    assert np.abs(want[0]).max() > 1e-3  # through the rounding
    assert all(not np.allclose(half[0], want[0], rtol=1e-3) for half in halves)
