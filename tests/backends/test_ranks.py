"""The modes ``ddp`` and ``fsdp``: two processes, of which one may die, hang, raise or compute something else."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from porting.loading import load
from porting.runners import RUNNERS, Case, fresh
from porting.runners.modes import NotPossibleError

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(
    not (torch.distributed.is_available() and torch.distributed.is_gloo_available()), reason="needs gloo"
)
TORCH = RUNNERS["torch"]
MODES = ("ddp", "fsdp")
TOYS = Path(__file__).parent / "torch_toys.py"
X = np.array([[0.5, -1.25, 2.0], [1.5, -0.75, 0.25]])
DY = np.array([[0.25, -0.5, 0.375], [0.125, 0.5, -0.25]])


def asked(mode, function, inputs=None, dy=(DY,), wrt=("x",), **statics):
    function = load(f"{TOYS}:{function}", "a toy") if isinstance(function, str) else function
    op = SimpleNamespace(wrt=wrt, twin=lambda _: function)
    return TORCH.run(Case(op, "float64", inputs or {"x": X}, dy, mode=mode, statics=statics))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "times"), [("kept", 3), ("averaged", 1.5), ("summed", 6)])
@pytest.mark.parametrize("mode", MODES)
def test_the_gradient_is_averaged_once(mode, name, times):
    outcome = asked(mode, name)
    assert outcome.raised is None, outcome.raised
    assert np.allclose(outcome.vjp[0], times * DY)


@pytest.mark.parametrize("mode", MODES)
def test_a_process_that_computes_another_gradient_is_seen(mode):
    (found,) = asked(mode, "plain_in_second").vjp
    assert np.allclose(found, (1.5 * 3 * DY + 0.5 * 2 * X * DY) / 2)


@pytest.mark.parametrize("mode", MODES)
def test_what_has_no_gradient_in_eager_mode_is_no_parameter(mode):
    outcome = asked(mode, "two", {"x": X, "k": np.array(2), "c": X}, (DY, np.zeros(2)), ("x", "c"))
    assert outcome.raised is None, outcome.raised
    assert np.allclose(outcome.vjp[0], 6 * DY)
    assert outcome.vjp[1] is None
    assert outcome.value[1].tolist() == X.argmax(-1).tolist()
    nothing = asked(mode, lambda x: x.detach()).raised
    assert (nothing.stage, "no input has a gradient" in nothing.message) == ("mode", True)


@pytest.mark.parametrize("mode", MODES)
def test_the_op_is_found_by_its_name_with_its_statics(mode):
    assert np.allclose(asked(mode, "scaled", slope=-2.0).vjp[0], -6 * DY)
    raised = asked(mode, lambda x: x * x).raised
    assert (raised.stage, "another process" in raised.message) == ("mode", True)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_a_process_that_dies_is_named_and_both_are_replaced(mode):
    raised = asked(mode, "dies").raised
    assert raised.type == "FreshProcessError"
    assert raised.message == "left with exit code 7, in forward of rank 1"
    assert asked(mode, "kept").raised is None


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_what_one_process_raises_is_told_not_what_the_other_one_then_meets(mode):
    raised = asked(mode, "raises").raised
    assert (raised.type, raised.message, raised.stage) == ("ValueError", "in the second process only", "forward")


@pytest.fixture
def _in_haste():
    before = fresh.allowed()
    fresh.allow(8)  # imports on a busy machine take some
    yield
    fresh.allow(before)


@pytest.mark.usefixtures("_in_haste")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.slow
def test_who_hangs_ends_after_the_timeout_with_the_collective(mode):
    (line,) = [n for n, text in enumerate(TOYS.read_text().splitlines(), 1) if "# here: hangs" in text]
    raised = asked(mode, "hangs").raised
    assert raised.type == "FreshProcessError"
    waits = {"ddp": "all_reduce", "fsdp": "all_gather_into_tensor"}[mode]
    assert f"in {waits} in backward of rank 0" in raised.message
    if "forward of rank 1" in raised.message:  # else it was killed before it was asked
        assert f"torch_toys.py:{line}" in raised.message


@pytest.mark.slow
@pytest.mark.usefixtures("_in_haste")
@pytest.mark.parametrize("mode", MODES)
def test_who_waits_for_a_collective_of_one_process_is_told_with_it(mode):
    raised = asked(mode, "one_collective_more").raised
    assert "took longer than 8 s" in raised.message
    assert (
        "all_reduce in backward of rank 1" if mode == "ddp" else "all_reduce in forward of rank 1"
    ) in raised.message


# Inputs of which fully_shard makes no parameters, whatever the op is: without an axis, empty, of two types.
UNSHARDED = {
    "without axes": {"x": np.array(0.5)},
    "empty": {"x": X[:0]},
    "of two types": {"x": X, "c": X.astype(np.float32)},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", UNSHARDED)
def test_parameters_that_cannot_be_halved_are_the_reason_not_the_op(name):
    from porting.backends.torch import ranks

    assert asked("fsdp", "kept").raised is None
    processes = ranks._pair.cache_info().misses
    inputs = UNSHARDED[name]
    for mode in MODES:
        function = "product" if "c" in inputs else "kept"
        outcome = asked(mode, function, inputs, (np.ones_like(inputs["x"]),), tuple(inputs))
        if mode == "fsdp":
            assert outcome.raised.stage == "mode", outcome.raised
            assert "fully_shard refuses parameters like these" in outcome.raised.message
        else:
            assert outcome.raised is None, outcome.raised
    assert np.allclose(asked("fsdp", "kept").vjp[0], 3 * DY)
    assert ranks._pair.cache_info().misses == processes  # both said so: they wait for nobody


def test_one_row_is_a_parameter_of_which_the_second_process_has_nothing():
    assert np.allclose(asked("fsdp", "kept", {"x": X[:1]}, (DY[:1],)).vjp[0], 3 * DY[:1])


def test_memory_that_an_op_keeps_cannot_be_freed_there():
    assert np.allclose(asked("ddp", "keeps_memory").vjp[0], 3 * DY)
    raised = asked("fsdp", "keeps_memory").raised
    assert (raised.type, raised.stage) == ("RuntimeError", "forward")


def test_a_version_without_it_is_the_reason(monkeypatch):
    from porting.backends.torch.wrapped import sharded

    monkeypatch.setitem(sys.modules, "torch.distributed.fsdp", None)
    with pytest.raises(NotPossibleError, match=r"2\.6 is the first"):
        sharded(torch.nn.Linear(2, 2))
