"""Each kind of input makes numbers of its kind, of any shape that it takes, and says what it cannot be."""

import numpy as np
import pytest

from porting.errors import PortingError
from porting.numeric.kinds import KINDS, kind_of

SHAPES = [(4,), (3, 5), (2, 3, 3), (1, 1), (0, 4), (3, 0)]
HOLDS = {
    "simplex": lambda x: np.allclose(x.sum(-1), 1) and (x > 0).all(),
    "onehot": lambda x: np.isin(x, (0, 1)).all() and (x.sum(-1) == 1).all(),
    "unit": lambda x: np.allclose((x * x).sum(-1), 1),
    "sorted": lambda x: (np.diff(x, axis=-1) >= 0).all(),
    "spd": lambda x: np.array_equal(x, np.swapaxes(x, -1, -2)) and (np.linalg.eigvalsh(x) > 0.5).all(),
    "orthogonal": lambda x: np.allclose(x @ np.swapaxes(x, -1, -2), np.eye(x.shape[-1])),
}


def test_each_kind_has_its_law():
    assert HOLDS.keys() == KINDS.keys()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", KINDS)
def test_what_is_made_is_of_the_kind(name, shape):
    kind = kind_of(name)
    shape = shape if not kind.square else (*shape[:-2], shape[-1], shape[-1])
    for seed in range(5):
        made = kind(np.random.default_rng(seed).standard_normal(shape) * 10**seed)
        assert made.shape == shape
        assert not made.size or HOLDS[name](made)


def test_numbers_occur_equally_often():
    made = kind_of("-1, 0,1")(np.random.default_rng(0).standard_normal(3000))
    numbers, counts = np.unique(made, return_counts=True)
    assert numbers.tolist() == [-1, 0, 1]
    assert counts.min() > 900


@pytest.mark.parametrize(("share", "kept"), [("0.1", 2), ("0.01", 1), ("1", 20)])
def test_sparse_keeps_its_share(share, kept):
    x = np.random.default_rng(0).standard_normal((4, 5))
    made = kind_of(f"sparse {share}")(x)
    assert np.count_nonzero(made) == kept
    assert np.array_equal(made[made != 0], x[made != 0])


@pytest.mark.parametrize("text", ["", "simplexx", "1", "sparse", "sparse 0", "sparse 2", "nan,1", "0,a"])
def test_what_is_no_kind_is_told(text):
    with pytest.raises(PortingError, match="no kind of input is"):
        kind_of(text)


def test_a_function_of_another_shape_is_told(tmp_path):
    (tmp_path / "cases_of_shape.py").write_text("def make(x):\n    return x.sum(-1)\n")
    with pytest.raises(PortingError, match=r"made of numbers of shape \[2, 3\], the input has shape \[2\]"):
        kind_of(f"@{tmp_path}/cases_of_shape.py:make")(np.ones((2, 3)))


def test_a_misspelt_function_is_told_before_it_is_called(tmp_path):
    (tmp_path / "cases_of_names.py").write_text("def make(x):\n    return x\n")
    with pytest.raises(PortingError, match="did you mean make"):
        kind_of(f"@{tmp_path}/cases_of_names.py:mak")
