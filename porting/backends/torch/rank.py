"""One of two processes that train one small module under a wrapper of PyTorch's: what it does with a `Question`."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch
from torch import Tensor, distributed
from torch.utils._python_dispatch import TorchDispatchMode

from porting.backends.torch.arrays import to_numpy, to_torch
from porting.backends.torch.by_name import named
from porting.backends.torch.wrapped import WRAPPERS, whole
from porting.runners.base import NOT_POSSIBLE
from porting.runners.fresh import Failed
from porting.runners.modes import NotPossibleError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from porting.backends.torch.in_mode import Tensors
    from porting.backends.torch.ranks import Question
    from porting.runners.base import Array

# How often the sample of each rank counts: a gradient that is not averaged is that of neither, and their mean is 1.
_SAMPLES: Final = (1.5, 0.5)
_STEPS: Final = 2  # DDP notices at the second one that a parameter got no gradient in the first
_BACKENDS: Final = ("c10d", "_c10d_functional")
# Collectives, as PyTorch's dispatcher and its users call them.
_NAMES: Final = {
    "allreduce": "all_reduce", "allgather": "all_gather", "_allgather_base": "all_gather_into_tensor",
    "_reduce_scatter_base": "reduce_scatter_tensor", "alltoall": "all_to_all", "alltoall_base": "all_to_all_single",
}  # fmt: skip


def answer(question: Question, announce: Callable[[str], None]) -> Generator[Any, None, str | None]:
    """Yield outputs and gradients, or what was raised instead; the handler of both processes."""
    announce("rendezvous")
    rank = _joined(question.folder)
    where = _Where(rank, announce)
    try:
        where.enter("rendezvous")
        distributed.barrier()  # so that no process takes both questions
        with where:
            yield _trained(question, rank, where)
    except NotPossibleError as error:
        yield Failed(NOT_POSSIBLE, "NotPossibleError", str(error))
    except Exception as error:  # noqa: BLE001 - whatever the op or PyTorch raises is part of the answer
        said = f"{where.collective}: {error}" if where.collective else str(error)
        yield Failed(where.stage, type(error).__name__, said, where.collective)
        return "dirty"  # the partner learns of it
    return None


@lru_cache(maxsize=1)
def _joined(folder: str) -> int:
    """Return which rank this process is: the first one that comes is 0; they then wait for each other."""
    rank = 1
    with suppress(FileExistsError):
        (Path(folder) / "first").touch(exist_ok=False)
        rank = 0
    store = distributed.FileStore(str(Path(folder) / "store"), 2)  # type: ignore[attr-defined]  # PyTorch's own door
    distributed.init_process_group("gloo", store=store, rank=rank, world_size=2)
    return rank


class _Where(TorchDispatchMode):
    """Announces the stage of a rank, and the collective that it has begun there."""

    def __init__(self, rank: int, announce: Callable[[str], None]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # PyTorch leaves it untyped
        self._rank, self._announce = rank, announce
        self.stage = self.collective = ""

    def enter(self, stage: str) -> None:
        """Announce a stage."""
        self.stage, self.collective = stage, ""
        self._announce(f"{stage} of rank {self._rank}")

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        if func.namespace in _BACKENDS:
            name = func.overloadpacket.__name__.removesuffix("_")
            self.collective = f"{_NAMES.get(name, name)} in {self.stage} of rank {self._rank}"
            self._announce(self.collective)
        return func(*args, **(kwargs or {}))


class _Module(torch.nn.Module):
    """The op of parameters and constants; it says where the op begins, for which the wrapper's collectives are done."""

    def __init__(self, question: Question, where: _Where) -> None:
        super().__init__()
        self._op = named(question.source)
        self._where = where
        self._places = question.weights
        self._inputs = [to_torch(x, "cpu") for x in question.inputs]
        self.weights = torch.nn.ParameterList(torch.nn.Parameter(self._inputs[k]) for k in self._places)

    def forward(self, sample: float) -> Tensors:
        """Return the outputs for one sample of the batch, whose gradient counts so often.

        The op is given the memory of the parameters, which a wrapper may take away after the forward; no output is.
        """
        self._where.enter("forward")
        inputs = list(self._inputs)
        for place, weight in zip(self._places, self.weights, strict=True):
            inputs[place] = _hooked(weight.view_as(weight), lambda g: g * sample)
        outputs = self._op(*inputs)
        return tuple(_hooked(y, lambda _: self._where.enter("backward")).clone() for y in outputs)


def _hooked(tensor: Tensor, hook: Callable[[Tensor], Tensor | None]) -> Tensor:
    if tensor.requires_grad:
        tensor.register_hook(hook)  # type: ignore[no-untyped-call]  # PyTorch leaves it untyped
    return tensor


def _trained(question: Question, rank: int, where: _Where) -> tuple[list[Array], list[Array | None]]:
    where.enter("import")
    module = _Module(question, where)
    where.enter("forward")
    model = WRAPPERS[question.mode](module)
    outputs: Tensors = ()
    for _ in range(_STEPS):
        model.zero_grad()
        where.enter("forward")
        outputs = model(_SAMPLES[rank])
        where.enter("backward")
        sent = [(outputs[k], to_torch(v, "cpu")) for k, v in zip(question.live, question.dy, strict=True)]
        live = [(y, v.to(y.dtype)) for y, v in sent if y.requires_grad]
        if live:
            torch.autograd.backward([y for y, _ in live], [v for _, v in live])
    slopes = [None if weight.grad is None else to_numpy(whole(weight.grad)) for weight in module.weights]
    return [to_numpy(y) for y in outputs], slopes
