"""The mode ``ddp``: two processes, of which one may die, hang, raise or compute something else."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from porting.loading import load
from porting.runners import RUNNERS, Case, fresh

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(
    not (torch.distributed.is_available() and torch.distributed.is_gloo_available()), reason="needs gloo"
)
TORCH = RUNNERS["torch"]
TOYS = Path(__file__).parent / "torch_toys.py"
X = np.array([[0.5, -1.25, 2.0], [1.5, -0.75, 0.25]])
DY = np.array([[0.25, -0.5, 0.375], [0.125, 0.5, -0.25]])


def asked(function, inputs=None, dy=(DY,), wrt=("x",), **statics):
    function = load(f"{TOYS}:{function}", "a toy") if isinstance(function, str) else function
    op = SimpleNamespace(wrt=wrt, twin=lambda _: function)
    return TORCH.run(Case(op, "float64", inputs or {"x": X}, dy, mode="ddp", statics=statics))


@pytest.mark.parametrize(("name", "times"), [("kept", 3), ("averaged", 1.5), ("summed", 6)])
def test_the_gradient_is_averaged_once(name, times):
    outcome = asked(name)
    assert outcome.raised is None, outcome.raised
    assert np.allclose(outcome.vjp[0], times * DY)


def test_a_process_that_computes_another_gradient_is_seen():
    (found,) = asked("plain_in_second").vjp
    assert np.allclose(found, (1.5 * 3 * DY + 0.5 * 2 * X * DY) / 2)


def test_what_has_no_gradient_in_eager_mode_is_no_parameter():
    outcome = asked("two", {"x": X, "k": np.array(2), "c": X}, (DY, np.zeros(2)), ("x", "c"))
    assert outcome.raised is None, outcome.raised
    assert np.allclose(outcome.vjp[0], 6 * DY)
    assert outcome.vjp[1] is None
    assert outcome.value[1].tolist() == X.argmax(-1).tolist()
    nothing = asked(lambda x: x.detach()).raised
    assert (nothing.stage, "no input has a gradient" in nothing.message) == ("mode", True)


def test_the_op_is_found_by_its_name_with_its_statics():
    assert np.allclose(asked("scaled", slope=-2.0).vjp[0], -6 * DY)
    raised = asked(lambda x: x * x).raised
    assert (raised.stage, "another process" in raised.message) == ("mode", True)


def test_a_process_that_dies_is_named_and_both_are_replaced():
    raised = asked("dies").raised
    assert raised.type == "FreshProcessError"
    assert raised.message == "left with exit code 7, in forward of rank 1"
    assert asked("kept").raised is None


def test_what_one_process_raises_is_told_not_what_the_other_one_then_meets():
    raised = asked("raises").raised
    assert (raised.type, raised.message, raised.stage) == ("ValueError", "in the second process only", "forward")


@pytest.fixture
def _in_haste():
    before = fresh.allowed()
    fresh.allow(3)
    yield
    fresh.allow(before)


@pytest.mark.usefixtures("_in_haste")
def test_who_hangs_ends_after_the_timeout_with_the_collective():
    (line,) = [n for n, text in enumerate(TOYS.read_text().splitlines(), 1) if "# here: hangs" in text]
    raised = asked("hangs").raised
    assert raised.type == "FreshProcessError"
    assert "in all_reduce in backward of rank 0" in raised.message
    if "forward of rank 1" in raised.message:  # else it was killed before it was asked
        assert f"torch_toys.py:{line}" in raised.message


@pytest.mark.slow
@pytest.mark.usefixtures("_in_haste")
def test_who_waits_for_a_collective_of_one_process_is_told_with_it():
    raised = asked("one_collective_more").raised
    assert "took longer than 3 s" in raised.message
    assert "all_reduce in backward of rank 1" in raised.message
