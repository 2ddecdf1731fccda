"""A function that takes float32 only, by what it raises or by what is said, is asked in float32 in every mode."""

import subprocess
import sys

import pytest

pytest.importorskip("tensorflow")

SINGLE = """
import tensorflow as tf

@tf.custom_gradient
def spike(x):
    x = tf.identity(x)
    return tf.cast(x >= tf.constant(0.25, tf.float32), tf.float32), lambda dy: dy * 0.5
"""


@pytest.mark.parametrize("said", [[], ["--input", "x=float32[n,k]"]])
@pytest.mark.slow
def test_it_is_kept_or_lost_there(tmp_path, said):
    (tmp_path / "f.py").write_text(SINGLE)
    modes = ["--mode", "function", "--mode", "cond", "--mode", "vectorized-map-outside"]
    command = [sys.executable, "-m", "porting", "survive", "--tf", "f.py:spike", *modes, *said]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "3 cells: 2 kept, 1 lost silently" in run.stdout, run.stdout
