"""Samples follow from seed and labels, stay in their domain and away from kinks."""

import subprocess
import sys

import numpy as np
import pytest

from porting.dtypes import FLOATS
from porting.numeric import samples


def test_same_seed_same_numbers_in_every_process():
    code = "from porting.numeric.samples import generator; print(generator(3, 'swish', 'vjp').standard_normal())"
    here = samples.generator(3, "swish", "vjp").standard_normal()
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(run.stdout) == here
    assert here != samples.generator(3, "swish", "linear").standard_normal()


@pytest.mark.parametrize("dtype", FLOATS)
def test_cotangents_have_both_signs_and_are_not_one(dtype):
    v = samples.cotangent(samples.generator(0), (100,), dtype).astype(np.float64)
    assert (v > 0).any()
    assert (v < 0).any()
    assert (np.abs(v) >= 0.09).all()
    assert (np.abs(v) <= 10.1).all()
    assert np.abs(v).max() / np.abs(v).min() > 10


def test_integers_come_from_their_range():
    drawn = samples.draw(samples.generator(0), (100,), "float32", range(2, 5))
    assert set(drawn.tolist()) == {2, 3, 4}


def test_kinks_are_avoided():
    rng = samples.generator(0)
    x = {"x": np.array([0.0, 0.001, 5.0, -0.019])}
    moved = samples.move_off_kinks(x, lambda _: {"x": (0.0,)}, lambda _, s: rng.standard_normal(s), "float64")
    assert moved["x"][2] == 5.0
    assert (np.abs(moved["x"]) > samples.KINK_MARGIN).all()
    with pytest.raises(ValueError, match="no sample away from the kinks of x"):
        samples.move_off_kinks(x, lambda _: {"x": (0.0,)}, lambda _, s: np.zeros(s), "float64")


@pytest.mark.parametrize("dtype", FLOATS)
def test_special_values_fit_the_type(dtype):
    from porting.dtypes import as_dtype

    values = (
        np.array([x for numbers in samples.special_values(dtype) for x in numbers])
        .astype(as_dtype(dtype))
        .astype(np.float64)
    )
    assert np.isfinite(values).all()
    assert np.count_nonzero(values == 0) == 2
    assert 720.0 in values
