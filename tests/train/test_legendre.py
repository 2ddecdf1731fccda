"""The published training run: each runner reproduces the text, a wrong gradient does not, and the picture is whole."""

import dataclasses
import subprocess
import sys
from functools import cache
from importlib import import_module

import numpy as np
import pytest

from porting.oracle.published.legendre_polynomial3 import legendre_polynomial3
from porting.train.legendre import PUBLISHED_LOSSES, STEPS, Fit, apart, deviation, mismatches
from porting.train.plot import plot

FRAMEWORK = {"oracle": "numpy", "torch": "torch", "tf": "tensorflow"}
RUNNERS = pytest.mark.parametrize("runner", FRAMEWORK)


@cache
def trained(runner):
    pytest.importorskip(FRAMEWORK[runner])
    return import_module(f"porting.train.{runner}").fit()


@pytest.fixture
def double_derivative(monkeypatch):
    """Return what doubles P3' for a runner, and leaves P3 as it is."""

    def plant(runner):
        framework = pytest.importorskip(FRAMEWORK[runner])
        if runner == "oracle":
            right = legendre_polynomial3.rule
            monkeypatch.setitem(vars(legendre_polynomial3), "rule", lambda dy, y, x: 2 * right(dy, y, x))
            return
        family = import_module(f"{runner}_impl.published")
        p3 = family.legendre_polynomial3
        constant = framework.stop_gradient if runner == "tf" else framework.detach
        monkeypatch.setattr(family, "legendre_polynomial3", lambda x: 2 * p3(x) - constant(p3(x)))

    return plant


@RUNNERS
def test_run_reproduces_the_text(runner):
    fit = trained(runner)
    assert mismatches(fit) == []
    assert (
        deviation(fit) < 3e-6
    )  # measured: 9.4e-7 (oracle), 2.1e-7 (torch), 7.6e-7 (tf); in float64 it would be 4.8e-6
    assert fit.runner == runner
    assert len(fit.curve) == STEPS
    assert list(fit.losses) == list(range(99, STEPS, 100))


@RUNNERS
def test_doubled_derivative_is_not_the_text(runner, double_derivative):
    right = trained(runner)
    double_derivative(runner)
    fit = import_module(f"porting.train.{runner}").fit()
    assert fit.curve[0] == pytest.approx(right.curve[0])  # the value is right, so the first loss is
    assert any(sentence.startswith("the loss at step 99 is") for sentence in mismatches(fit))
    assert deviation(fit) > 1e-3


@RUNNERS
def test_runners_agree_at_every_step(runner):
    assert apart(trained(runner), trained("oracle")) < 1e-5  # measured: 1.3e-6


def test_the_printed_table_is_a_weak_test_of_a_gradient(monkeypatch):
    """A derivative that is 1 % off still reproduces the text; the whole curves tell it from the right one."""
    right = legendre_polynomial3.rule
    expected = trained("oracle")
    monkeypatch.setitem(vars(legendre_polynomial3), "rule", lambda dy, y, x: 1.01 * right(dy, y, x))
    fit = import_module("porting.train.oracle").fit()
    assert mismatches(fit) == []
    assert apart(fit, expected) > 1e-3


@RUNNERS
def test_every_step_is_reported(runner):
    pytest.importorskip(FRAMEWORK[runner])
    seen = []
    fit = import_module(f"porting.train.{runner}").fit(seen.append)
    assert seen == list(range(STEPS))
    assert fit == trained(runner)  # and a second run is the first one, to the bit


def test_predict_gives_the_last_loss():
    fit = trained("oracle")
    x = np.linspace(-np.pi, np.pi, 2000)
    assert np.sum((fit.predict(x) - np.sin(x)) ** 2) == pytest.approx(fit.curve[-1], rel=1e-4)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"b": -2.2084}, "b is -2.2084, printed is -2.20852685: 1.3e-04 off, 1e-05 allowed"),
        ({"d": 0.2555}, "d is 0.2555, printed is 0.255486101: 1.4e-05 off, 1e-05 allowed"),
        ({"a": 2e-6}, "a is 2e-06, which is not zero within 1e-06"),
        ({"c": float("nan")}, "c is nan, which is not zero within 1e-06"),
        ({"curve": (1.0,)}, "there are 1 losses, and 2000 are wanted"),
    ],
    ids=["b", "d", "a", "nan", "short"],
)
def test_each_deviation_is_said(change, sentence):
    assert mismatches(dataclasses.replace(printed(), **change)) == [sentence]


def test_nan_loss_is_no_reproduction():
    fit = dataclasses.replace(printed(), curve=(float("nan"),) * STEPS)
    assert len(mismatches(fit)) == len(PUBLISHED_LOSSES)
    assert np.isnan(deviation(fit))


def printed(runner="oracle"):
    """Return a fit made of the printed numbers, for what needs no training."""
    curve = tuple(np.interp(np.arange(STEPS), list(PUBLISHED_LOSSES), list(PUBLISHED_LOSSES.values())).tolist())
    return Fit(runner, curve, a=0.0, b=-2.208526849746704, c=0.0, d=0.2554861009120941)


def test_plot_writes_the_same_png_again_and_nothing_else(tmp_path):
    mpl = pytest.importorskip("matplotlib")
    path = tmp_path / "fits.png"
    plot([printed(runner) for runner in FRAMEWORK], path)
    first = path.read_bytes()
    with mpl.rc_context({"axes.facecolor": "red", "savefig.dpi": 50}):  # somebody's matplotlibrc
        plot([printed(runner) for runner in FRAMEWORK], path)
        assert mpl.rcParams["axes.facecolor"] == "red"
    assert first.startswith(b"\x89PNG\r\n")
    assert path.read_bytes() == first
    assert [p.name for p in tmp_path.iterdir()] == ["fits.png"]


@pytest.mark.parametrize("name", ["missing/fits.png", "file/fits.png", "folder"])
def test_plot_that_cannot_be_written_leaves_nothing(name, tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"fits\.png|folder"):
        plot([printed()], tmp_path / name)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]


def test_plot_without_matplotlib_says_what_to_install(monkeypatch, tmp_path):
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r'^--plot needs matplotlib: pip install "gradport\[report\]"$'):
        plot([printed()], tmp_path / "fits.png")
    assert not list(tmp_path.iterdir())


def test_loading_the_runs_loads_no_framework():
    code = "import porting.train.oracle, porting.train.torch, porting.train.tf, porting.train.plot, sys\n"
    code += "print(*{'torch', 'tensorflow', 'matplotlib'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "\n"
