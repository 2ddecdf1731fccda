"""In each mode of TensorFlow an op that keeps its gradient is right, and one that loses it there is wrong or raises."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("tensorflow")

from porting.loading import load
from porting.runners import RUNNERS, Case

TF = RUNNERS["tf"]
MODES = [mode for mode in TF.modes if mode not in TF.whole]
TOYS = Path(__file__).parent / "tf_toys.py"
X = np.array([[0.5, -1.25, 2.0], [1.5, -0.75, 0.25]])
DY = np.array([[0.25, -0.5, 0.375], [0.125, 0.5, -0.25]])

# The op that loses its gradient in a mode, and what comes in its place: another gradient, or an exception.
LOST = {
    "cond": ("capturing", "AssertionError"),
    "forward": ("differentiable", 2 * X * DY),
    "forward-inside": ("kept", 0 * DY),
    "jacobian": ("counting", 1.5 * DY),
    "jacobian-loop": ("counting", 1.5 * DY),
    "keras": ("of_a_global", 1 * DY),
    "keyword": ("decorated", None),  # nothing comes through stop_gradient
    "mirrored": ("averaged", 1.5 * DY),
    "mixed": ("single", "InvalidArgumentError"),
    "saved-model": ("in_python", "InvalidArgumentError"),  # there is no such function in Python
    "saved-model-gradients": ("in_python", "InvalidArgumentError"),
    "unknown-rank": ("by_rank", "TypeError"),
    "vectorized-map-inside": ("eager_only", 2 * X * DY),
    "vectorized-map-outside": ("kept", 0 * DY),
    "while": ("eager_only", 2 * X * DY),
}
KEPT = [(mode, toy) for mode in MODES for toy in ("kept_by_stop_gradient", "kept") if LOST[mode][0] != toy]


def toy(name):
    return load(f"{TOYS}:{name}", "a toy")


def asked(mode, function, inputs=None, dy=(DY,), wrt=("x",), **statics):
    dtype = "bfloat16" if mode == "mixed" else "float64"
    from ml_dtypes import bfloat16

    def typed(x):
        return x.astype(bfloat16) if dtype == "bfloat16" and x.dtype.kind == "f" else x

    inputs = {name: typed(x) for name, x in (inputs or {"x": X}).items()}
    op = SimpleNamespace(wrt=wrt, twin=lambda _: function)
    return TF.run(Case(op, dtype, inputs, dy and tuple(map(typed, dy)), mode=mode, statics=statics))


def test_every_mode_has_a_loss_here():
    assert set(LOST) == set(MODES)


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "name"), KEPT)
def test_what_keeps_its_gradient_is_right(mode, name):
    outcome = asked(mode, toy(name))
    assert outcome.raised is None, outcome.raised
    assert np.allclose(outcome.value[0].astype(float), X * X, rtol=1e-2 if mode == "mixed" else 1e-12)
    assert np.allclose(outcome.vjp[0].astype(float), 3 * DY, rtol=1e-2 if mode == "mixed" else 1e-12)
    assert outcome.vjp[0].dtype.name == ("bfloat16" if mode == "mixed" else "float64")


@pytest.mark.parametrize("mode", MODES)
def test_what_loses_its_gradient_there_is_seen(mode, monkeypatch):
    name, instead = LOST[mode]
    monkeypatch.setattr(sys.modules[toy(name).__module__], "SLOPE", [3.0])
    eager = asked("eager", toy(name))
    assert np.allclose(eager.vjp[0], 3 * DY)  # in eager mode it is right
    outcome = asked(mode, toy(name))
    if isinstance(instead, str):
        assert outcome.raised.type == instead, outcome.raised
        assert outcome.raised.stage in {"forward", "backward"}
    else:
        assert outcome.raised is None, outcome.raised
        assert np.allclose(outcome.value[0], X * X)
        got = outcome.vjp[0]
        assert got is None if instead is None else np.allclose(got, instead)


@pytest.mark.parametrize("mode", [mode for mode in MODES if LOST[mode][0] != "kept"])
def test_an_integer_input_is_bound_and_an_integer_output_gets_no_cotangent(mode):
    inputs, sent = {"x": X, "k": np.array(2)}, (DY, np.zeros(2))
    outcome = asked(mode, toy("two"), inputs, sent)
    assert outcome.raised is None, outcome.raised
    assert np.allclose(outcome.vjp[0].astype(float), 6 * DY, rtol=1e-2)
    assert outcome.value[1].tolist() == X.argmax(-1).tolist()


@pytest.mark.parametrize("mode", MODES)
def test_the_value_alone_can_be_asked(mode):
    outcome = asked(mode, toy("kept"), dy=None)
    assert outcome.raised is None, outcome.raised
    assert np.allclose(outcome.value[0].astype(float), X * X, rtol=1e-2)


@pytest.mark.parametrize("mode", MODES)
def test_where_nothing_has_a_gradient_the_mode_cannot_be_had(mode):
    outcome = asked(mode, toy("kept"), {"x": np.array([1, 2])}, (np.zeros(2),))
    assert (outcome.raised.stage, outcome.raised.type) == ("mode", "NotPossibleError")


@pytest.mark.parametrize("mode", ["keras", "mirrored"])
def test_another_process_finds_the_op_by_its_name_with_its_statics(mode):
    outcome = asked(mode, toy("scaled"), slope=float("inf"), names=("a", "b"))
    assert np.isposinf(outcome.value[0]).all()
    assert "another process" in asked(mode, lambda x: x * x).raised.message
    assert "static" in asked(mode, toy("scaled"), slope=max, names=()).raised.message


@pytest.mark.parametrize("mode", ["keras", "mirrored"])
def test_what_is_wrapped_is_found_by_its_name_if_that_is_the_same_function(mode):
    def wrapped(factor):
        def around(x):
            return toy("kept")(x) * factor

        around.__wrapped__ = toy("kept")
        return around

    assert asked(mode, wrapped(1.0)).raised is None
    assert "is not called as this side is" in asked(mode, wrapped(2.0)).raised.message


@pytest.mark.slow
def test_a_fresh_process_that_dies_is_named_and_replaced():
    outcome = asked("mirrored", toy("ends"))
    assert outcome.raised.type == "FreshProcessError"
    assert "left with exit code 3, in forward" in outcome.raised.message
    assert asked("mirrored", toy("kept")).raised is None


@pytest.mark.parametrize("mode", ["jacobian", "jacobian-loop", "forward", "forward-inside"])
def test_a_gradient_that_is_not_linear_in_its_cotangent_has_no_jacobian(mode):
    raised = asked(mode, toy("clipped")).raised
    assert (raised.stage, "not linear" in raised.message) == ("mode", True)


def test_the_global_policy_of_keras_is_left_alone():
    import keras

    before = keras.config.dtype_policy().name, keras.config.floatx()
    asked("mixed", toy("kept"))
    asked("keras", toy("kept"))
    assert (keras.config.dtype_policy().name, keras.config.floatx()) == before


def test_a_mixed_policy_is_asked_in_bfloat16_only():
    op = SimpleNamespace(wrt=("x",), twin=lambda _: toy("kept"))
    outcome = TF.run(Case(op, "float32", {"x": X.astype("float32")}, (DY.astype("float32"),), mode="mixed"))
    assert (outcome.raised.stage, "bfloat16" in outcome.raised.message) == ("mode", True)
