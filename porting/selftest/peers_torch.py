"""PyTorch's own checkers on the same ops: `gradcheck` in both modes and `gradgradcheck`, at default tolerances."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from porting.backends.torch.arrays import to_torch
from porting.runners import RUNNERS, Case

PEERS: Final = ("gradcheck fast", "gradcheck slow", "gradgradcheck")


def caught(cases: Iterable[Case], seed: int) -> dict[str, bool]:
    """Return for each checker whether it accuses the PyTorch twin on any of the cases: it raises, or returns False."""
    import torch
    from torch.autograd import gradcheck, gradgradcheck

    checkers: dict[str, Callable[..., Any]] = {
        "gradcheck fast": lambda f, xs: gradcheck(f, xs, fast_mode=True),
        "gradcheck slow": lambda f, xs: gradcheck(f, xs, fast_mode=False),
        "gradgradcheck": gradgradcheck,
    }
    found = dict.fromkeys(PEERS, False)
    settings = RUNNERS["torch"].state()
    for case in cases:
        for name in PEERS:
            torch.manual_seed(seed)  # gradgradcheck draws its cotangents
            found[name] |= _accuses(checkers[name], case)
            RUNNERS["torch"].restore(settings)
    return found


def _accuses(checker: Callable[..., Any], case: Case) -> bool:
    twin = case.op.twin("torch")
    xs = tuple(to_torch(x).requires_grad_(name in case.op.wrt) for name, x in case.inputs.items())
    try:
        return not checker(lambda *inputs: twin(*inputs, **case.statics), xs)
    except Exception:  # noqa: BLE001 - whatever it raises is its way to accuse
        return True
