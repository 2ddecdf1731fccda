"""In each mode of PyTorch an op that keeps its gradient is right, and one that loses it there is wrong."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest

from porting.loading import load
from porting.runners import RUNNERS, Case
from porting.runners.base import NOT_POSSIBLE

torch = pytest.importorskip("torch")
forward_ad = torch.autograd.forward_ad

TORCH = RUNNERS["torch"]
MODES = [mode for mode in TORCH.modes if mode not in TORCH.whole]
NARROW = {"autocast-bfloat16": ml_dtypes.bfloat16, "autocast-float16": np.float16}
X = np.array([[0.5, -1.25, 2.0], [1.5, -0.75, 0.25]])
DY = np.array([[0.25, -0.5, 0.375], [0.125, 0.5, -0.25]])


TOYS = Path(__file__).parent / "torch_toys.py"
Square, kept, kept_by_detach, averaged = (
    load(f"{TOYS}:{name}", "a toy") for name in ("Square", "kept", "kept_by_detach", "averaged")
)


class Itself(Square):
    """x with its own gradient."""

    @staticmethod
    def forward(x):
        return x.clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, dy):
        return dy


HIDDEN = {"square": Square}


def hides(x):
    """Calls one Function by a name that can be followed, and another one that stands in a dictionary."""
    return Itself.apply(HIDDEN["square"].apply(x))


def plain_if(there, x):
    """The gradient is the function's own, but not where something is so."""
    return x * x if there(x) else kept_by_detach(x)


# The op that loses its gradient in a mode: PyTorch drops that of a Function, or the op itself looks where it is.
LOST = {
    "autocast-bfloat16": partial(plain_if, lambda _: torch.is_autocast_enabled("cpu")),
    "autocast-float16": partial(plain_if, lambda _: torch.is_autocast_enabled("cpu")),
    "checkpoint": partial(plain_if, lambda _: torch._C._autograd._top_saved_tensors_default_hooks(True) is not None),
    "compile": partial(plain_if, lambda _: torch.compiler.is_compiling()),
    "compile-func": kept,
    "custom-op": hides,
    "ddp": averaged,
    "export": kept,
    "fsdp": averaged,
    "func": partial(plain_if, torch._C._functorch.is_functorch_wrapped_tensor),
    "jvp": partial(plain_if, lambda x: forward_ad.unpack_dual(x).tangent is not None),
    "make-fx": kept,
    "vmap": partial(plain_if, torch._C._functorch.is_functorch_wrapped_tensor),
}
# Of an op without a Function nothing can be made in the mode custom-op.
KEPT = [
    (mode, op)
    for mode in MODES
    for op in (kept, kept_by_detach)
    if LOST[mode] is not op and (mode, op) != ("custom-op", kept_by_detach)
]


def asked(mode, function):
    kind = NARROW.get(mode, np.float64)
    op = SimpleNamespace(wrt=("x",), twin=lambda _: function)
    return TORCH.run(Case(op, np.dtype(kind).name, {"x": X.astype(kind)}, (DY.astype(kind),), mode=mode))


def test_every_mode_has_a_loss_here():
    assert set(LOST) == set(MODES)


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "op"), KEPT)
def test_what_keeps_its_gradient_is_right(mode, op):
    outcome = asked(mode, op)
    assert outcome.raised is None, outcome.raised
    assert np.allclose(outcome.value[0].astype(float), X * X, rtol=1e-2 if mode in NARROW else 1e-12)
    assert np.allclose(outcome.vjp[0].astype(float), 3 * DY, rtol=1e-2 if mode in NARROW else 1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_what_loses_its_gradient_there_is_seen(mode):
    eager = asked("eager", LOST[mode])
    assert np.allclose(eager.vjp[0].astype(float), 3 * DY)  # in eager mode it is right
    outcome = asked(mode, LOST[mode])
    assert outcome.raised is None, outcome.raised
    instead = 1.5 * DY if mode in {"ddp", "fsdp"} else 2 * X * DY
    assert np.allclose(outcome.vjp[0].astype(float), instead, rtol=1e-2 if mode in NARROW else 1e-12)


@pytest.mark.parametrize("op", [kept_by_detach, torch.nn.Softsign()])
def test_what_calls_no_function_cannot_be_a_custom_op(op):
    raised = asked("custom-op", op).raised
    assert raised is not None
    assert raised.stage == NOT_POSSIBLE
