"""The wrappers under which two processes train one module, and a gradient under each as one process would have it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import torch
from torch import Tensor

from porting.runners.modes import NotPossibleError

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch.nn import Module


def replicated(module: Module) -> Module:
    """Return the module with all its parameters in each process."""
    return torch.nn.parallel.DistributedDataParallel(module)


def sharded(module: Module) -> Module:
    """Return the module with half of each parameter in each process; the whole is there only while it is needed.

    Raises
    ------
    NotPossibleError
        If this version cannot, or not with parameters like these: a copy of them is used by plain operations first.
    """
    try:
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard
    except ImportError as error:
        raise NotPossibleError("this PyTorch has no torch.distributed.fsdp.fully_shard; 2.6 is the first") from error
    mesh = init_device_mesh("cpu", (2,))
    shard: Any = partial(fully_shard, mesh=mesh, reshard_after_forward=True)  # if not said, not of the outermost module
    try:
        plain = shard(_Plain(module))
        torch.autograd.backward(
            plain(), [torch.ones(parameter.shape).to(parameter) for parameter in module.parameters()]
        )
    except Exception as error:
        raise NotPossibleError(
            f"fully_shard refuses parameters like these, whatever is done with them: {error}"
        ) from error
    found: Module = shard(module)
    return found


class _Plain(torch.nn.Module):
    """Twice each of the parameters of another module."""

    def __init__(self, other: Module) -> None:
        super().__init__()
        self._own = torch.nn.ParameterList(torch.nn.Parameter(p.detach().clone()) for p in other.parameters())

    def forward(self) -> list[Tensor]:
        return [2 * parameter for parameter in self._own]


def whole(gradient: Tensor) -> Tensor:
    """Return a gradient with the parts that the other process has."""
    gather = getattr(gradient, "full_tensor", None)
    return gradient if gather is None else gather()


WRAPPERS: Final[dict[str, Callable[[Module], Module]]] = {"ddp": replicated, "fsdp": sharded}
