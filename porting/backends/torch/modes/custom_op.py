"""``torch_impl.exportable``: each Function is a ``torch.library.custom_op``, eager and in an exported program."""

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from porting.backends.torch.in_mode import Answer, Asked
from porting.backends.torch.modes import export
from porting.backends.torch.worse import worse
from porting.runners.base import enter
from porting.runners.modes import NotPossibleError
from torch_impl import exportable

_CHECKED = ("test_schema", "test_autograd_registration")  # an exported program needs the rest, and is made


class _Seen(TorchDispatchMode):
    """Holds which custom ops were called, with what."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # PyTorch leaves it untyped
        self.calls: dict[Any, tuple[Any, ...]] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        if func.namespace == "gradport":
            self.calls.setdefault(func, args)
        return func(*args, **(kwargs or {}))


def answer(asked: Asked) -> Answer:
    """Return outputs and gradients of eager mode or of the program: those that are further from the op's own."""
    own = asked(*asked.x)
    dx = asked.pulled(own)
    asked.stage = enter("forward")
    try:
        asked.twin = exportable(asked.twin)
    except TypeError as error:
        raise NotPossibleError(str(error)) from error
    with _Seen() as seen:
        outputs = asked(*asked.x)
    for op, args in seen.calls.items():
        torch.library.opcheck(op, tuple(map(_with_gradient, args)), test_utils=_CHECKED)
    slopes = asked.pulled(outputs)
    asked.stage = enter("forward")
    there, last = export.answer(asked)
    values = tuple(worse(*each) for each in zip(own, outputs, there, strict=True))
    return values, tuple(worse(*each) for each in zip(dx, slopes, last, strict=True))


def _with_gradient(arg: Any) -> Any:
    if not torch.is_tensor(arg):
        return arg
    return arg.detach().clone().requires_grad_(arg.is_floating_point() or arg.is_complex())
