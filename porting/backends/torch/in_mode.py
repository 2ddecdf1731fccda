"""Runs one case in PyTorch in another mode than ``eager``: value and gradient as that mode gives them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from porting.backends.torch.arrays import to_numpy, to_torch
from porting.dtypes import wide
from porting.runners.base import NOT_POSSIBLE, Outcome, as_outputs, enter, raised_by
from porting.runners.modes import NotPossibleError, answer_of, ensure_linear

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porting.runners.base import Case, Raised

Tensors = tuple[Tensor, ...]
Gradients = tuple[Tensor | None, ...]
# What the function ``answer`` of a mode returns: the outputs, and one gradient for each of `Asked.x`.
Answer = tuple[Tensors, Gradients]


class Asked:
    """An op on the numbers of a case, as a function of the inputs that it is differentiated by.

    Attributes
    ----------
    case : Case
        The case.
    x : tuple of Tensor
        The inputs in ``op.wrt``: leaves that require a gradient.
    dy : tuple of Tensor
        The cotangents, one for each of the outputs in `live`; ones where only the value is asked for.
    live : tuple of int
        The outputs that a gradient comes through, in eager mode.
    stage : str
        The current stage.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.twin = case.op.twin("torch")
        self.stage = enter("forward")
        self._inputs = {name: to_torch(x, case.device) for name, x in case.inputs.items()}
        self.x = tuple(self._inputs[name].requires_grad_() for name in case.op.wrt)
        outputs = self(*self.x)
        self.live = tuple(k for k, y in enumerate(outputs) if y.requires_grad)
        sent = None if case.dy is None else [to_torch(v, case.device) for v in case.dy]
        self.dy = tuple(torch.ones_like(outputs[k]) if sent is None else sent[k] for k in self.live)

    def __call__(self, *x: Tensor) -> Tensors:
        """Return the outputs."""
        at = {**self._inputs, **dict(zip(self.case.op.wrt, x, strict=True))}
        return as_outputs(self.twin(*at.values(), **self.case.statics), torch.is_tensor, "a tensor")

    def in_single(self) -> Asked:
        """Return the same op on the same numbers in float32."""
        return Asked(self.case.in_single())

    def loss(self, *x: Tensor) -> Tensor:
        """Return a number whose gradient is the vjp of the cotangents."""
        return self.sent(self(*x))

    def sent(self, outputs: Sequence[Tensor]) -> Tensor:
        """Return the number that `loss` is, of the outputs."""
        terms = [outputs[k] * v.conj() for k, v in zip(self.live, self.dy, strict=True)]
        return sum((t.real if t.is_complex() else t).sum() for t in terms)  # type: ignore[return-value]  # of tensors

    def ensure_linear(self) -> None:
        """Refuse a gradient that is not linear in its cotangent, see `porting.runners.modes.ensure_linear`."""

        def gradient(factor: float) -> list[Any]:
            outputs, sent = self(*self.x), [v * factor for v in self.dy]
            dx = torch.autograd.grad([outputs[k] for k in self.live], self.x, sent, allow_unused=True)
            return [None if g is None else wide(to_numpy(g)) for g in dx]

        ensure_linear(gradient)

    def pulled(self, outputs: Sequence[Tensor]) -> Gradients:
        """Return the gradients of outputs by `x` under autograd; `None` where it sees no dependence."""
        self.stage = enter("backward")
        live = [(outputs[k], v) for k, v in zip(self.live, self.dy, strict=True) if outputs[k].requires_grad]
        if not live:
            return (None,) * len(self.x)
        ys, dy = zip(*((y, v.to(y.dtype)) for y, v in live), strict=True)
        return torch.autograd.grad(ys, self.x, dy, allow_unused=True)


def run_in_mode(case: Case) -> Outcome:
    """Return value and gradient; what cannot be had in the mode has an exception of the stage `NOT_POSSIBLE`."""
    value: tuple[Any, ...] = ()
    vjp: tuple[Any, ...] = ()
    raised: Raised | None = None
    twin, stage = case.op.twin("torch"), "forward"
    asked: Asked | None = None
    try:
        asked = Asked(case)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch's compilers warn of PyTorch's own code
            outputs, dx = answer_of("porting.backends.torch.modes", case.mode)(asked)
        value, vjp = tuple(map(to_numpy, outputs)), tuple(None if g is None else to_numpy(g) for g in dx)
    except NotPossibleError as error:
        raised = raised_by(error, NOT_POSSIBLE, twin)
    except Exception as error:  # noqa: BLE001 - whatever the op or a compiler raises is part of the answer
        raised = raised_by(error, asked.stage if asked else stage, twin)
    return Outcome(value=value, vjp=vjp, raised=raised)
