"""What Inductor has made is found again in a later run, and another gradient is never taken for it."""

import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from porting.runners import RUNNERS, Case
from porting.runners.cached import SETTING, folder_for

torch = pytest.importorskip("torch")

TORCH = RUNNERS["torch"]
FOLDER = "TORCHINDUCTOR_CACHE_DIR"
X, DY = np.array([[0.5, -1.25, 2.0]]), np.array([[0.25, -0.5, 0.375]])


def times(factor):
    """Return a function whose value is x^2, and whose gradient is the cotangent so many times."""

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, dy):
            return factor * dy

    return Square.apply


def slope(function, mode="compile"):
    op = SimpleNamespace(wrt=("x",), twin=lambda _: function)
    outcome = TORCH.run(Case(op, "float64", {"x": X}, (DY,), mode=mode))
    assert outcome.raised is None, outcome.raised
    return outcome.vjp[0] / DY


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv(SETTING, str(tmp_path / "kept"))
    monkeypatch.delenv(FOLDER, raising=False)
    return tmp_path / "kept"


def programs(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*.so")}


@pytest.mark.slow
def test_a_second_run_compiles_nothing_and_another_gradient_is_another_program(cache):
    assert np.allclose(slope(times(3)), 3)
    first = programs(cache)
    assert first
    torch._dynamo.utils.counters.clear()
    assert np.allclose(slope(times(3)), 3)
    assert programs(cache) == first
    assert torch._dynamo.utils.counters["inductor"]["fxgraph_cache_hit"] > 0
    for factor in (2, -1.5, 3):
        assert np.allclose(slope(times(factor)), factor)


def test_what_the_user_says_is_left_alone_and_so_is_his_environment(cache, tmp_path, monkeypatch):
    slope(times(3))
    assert Path(os.environ.get(FOLDER, "torchinductor_x")).name.startswith("torchinductor_")  # at most PyTorch's own
    own = tmp_path / "own"
    monkeypatch.setenv(FOLDER, str(own))
    before = programs(cache)
    slope(times(5))
    assert os.environ[FOLDER] == str(own)
    assert programs(own)
    assert programs(cache) == before


def test_nothing_is_kept_if_that_is_said_or_there_is_no_room(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(SETTING, "")
    assert folder_for("a") is None
    assert not (tmp_path / "home").exists()
    monkeypatch.delenv(SETTING)
    assert Path(folder_for("a")).parent == tmp_path / "home" / "porting"
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(SETTING, str(tmp_path / "file"))
    assert folder_for("a") is None
    monkeypatch.delenv(FOLDER, raising=False)
    assert np.allclose(slope(times(3)), 3)


def test_files_that_were_cut_off_are_no_fault_of_the_op(cache):
    assert np.allclose(slope(times(7)), 7)
    for path in cache.rglob("*"):
        if path.is_file():
            path.unlink()
            path.touch()
    for loaded in (torch._inductor.codecache.PyCodeCache, torch._inductor.codecache.CppCodeCache):
        loaded.cache_clear()
    assert np.allclose(slope(times(7)), 7)


def test_an_exception_counts_if_it_comes_without_the_cache_too(cache):
    from porting.backends.torch.compiled import compiled

    folders = []

    def raises():
        folders.append(os.environ[FOLDER])
        raise ValueError(str(len(folders)))

    asked = SimpleNamespace(stage="backward")
    with pytest.raises(ValueError, match="2"):
        compiled(asked, raises)
    assert Path(folders[0]).parent == cache
    assert cache not in Path(folders[1]).parents
    assert asked.stage == "forward"
