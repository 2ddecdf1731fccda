"""Two processes that train one small module under DistributedDataParallel: what they are asked, and what they do.

Both are fresh interpreters, found by the op's name and kept for further ops: they meet once, over gloo and a file.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import weakref
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import torch
from torch import Tensor, distributed
from torch.utils._python_dispatch import TorchDispatchMode

from porting.backends.torch.arrays import to_numpy, to_torch
from porting.backends.torch.by_name import named
from porting.runners.fresh import Failed, FreshProcessError, allowed, raise_failed, told
from porting.workers.fate import TIMEOUT
from porting.workers.pool import Ended, Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from porting.backends.torch.in_mode import Asked, Gradients, Tensors
    from porting.runners.base import Array

# How often the sample of each rank counts: a gradient that is not averaged is that of neither, and their mean is 1.
_SAMPLES: Final = (1.5, 0.5)
_STEPS: Final = 2  # DDP notices at the second one that a parameter got no gradient in the first
# Collectives, as PyTorch's dispatcher and its users call them.
_NAMES: Final = {
    "allreduce": "all_reduce", "allgather": "all_gather", "_allgather_base": "all_gather_into_tensor",
    "_reduce_scatter_base": "reduce_scatter_tensor", "alltoall": "all_to_all", "alltoall_base": "all_to_all_single",
}  # fmt: skip


@dataclass(frozen=True)
class Question:
    """What both processes are asked.

    Attributes
    ----------
    folder : str
        Where they meet, and see who is which rank.
    source : str
        The op `by_name`.
    inputs, dy : tuple of numpy.ndarray
        All inputs, and the cotangents.
    weights, live : tuple of int
        The places of the inputs that are the module's parameters, and of the outputs that the loss is made of.
    """

    folder: str
    source: str
    inputs: tuple[Array, ...]
    dy: tuple[Array, ...]
    weights: tuple[int, ...]
    live: tuple[int, ...]


def answered(asked: Asked, source: str, places: tuple[int, ...]) -> list[tuple[Tensors, Gradients]]:
    """Return outputs and averaged gradients as each of the two processes has them.

    Parameters
    ----------
    asked : Asked
        The op on its numbers.
    source : str
        The op `by_name`.
    places : tuple of int
        Which of ``asked.x`` are parameters: DDP wants that each of them gets a gradient.

    Raises
    ------
    FreshProcessError
        If an exception was raised there, a process died, or did not come to its end.
    """
    weights = tuple(list(asked.case.inputs).index(asked.case.op.wrt[k]) for k in places)
    inputs, dy = tuple(asked.case.inputs.values()), tuple(map(to_numpy, asked.dy))
    pool, folder = _pair(os.getpid(), allowed())
    question = Question(folder, source, inputs, dy, weights, asked.live)
    said: list[Any] = [item for _, item in pool.run([question, question])]
    wrong = [item for item in said if isinstance(item, Ended | Failed)]
    if wrong:
        pool.close()  # what is left of it waits for a partner
        _pair.cache_clear()
        _raise_first(asked, wrong)
    found = []
    for outputs, slopes in said:
        dx: list[Tensor | None] = [None] * len(asked.x)
        for k, g in zip(places, slopes, strict=True):
            dx[k] = None if g is None else to_torch(g, "cpu")
        found.append((tuple(to_torch(y, "cpu") for y in outputs), tuple(dx)))
    return found


def _raise_first(asked: Asked, wrong: list[Ended | Failed]) -> NoReturn:
    """Raise what went wrong first: who dies, raises or hangs leaves the other one in a collective."""
    ends = [end for end in wrong if isinstance(end, Ended)]
    failed = [said for said in wrong if isinstance(said, Failed)]
    for end in ends:
        if end.reason != TIMEOUT:
            raise FreshProcessError(told(end))
    for said in sorted(failed, key=lambda said: said.during != ""):
        if not (said.during and ends):
            raise_failed(asked, said)
    others = [f"meanwhile in {said.during}" for said in failed]
    raise FreshProcessError("; ".join([*sorted(map(told, ends)), *others]))


@lru_cache(maxsize=1)
def _pair(_parent: int, seconds: float) -> tuple[Pool, str]:  # a fork of the parent has none yet
    loopback = [name for _, name in socket.if_nameindex() if name.startswith("lo")]  # no network is needed
    environment = {"GLOO_SOCKET_IFNAME": loopback[0]} if loopback else {}
    pool = Pool(2, "porting.backends.torch.ranks:answer", timeout=seconds, environment=environment)
    folder = tempfile.mkdtemp(prefix="porting-ddp-")
    weakref.finalize(pool, shutil.rmtree, folder, ignore_errors=True)
    return pool, folder


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
        if func.namespace == "c10d":
            name = func.overloadpacket.__name__.removesuffix("_")
            self.collective = f"{_NAMES.get(name, name)} in {self.stage} of rank {self._rank}"
            self._announce(self.collective)
        return func(*args, **(kwargs or {}))


class _Sample(torch.autograd.Function):
    """The parameters as a sample sees them: itself, with a gradient that counts so often."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: float) -> Tensor:
        ctx.weight = weight
        return x.clone()

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> tuple[Tensor, None]:
        return dy * ctx.weight, None


class _Module(torch.nn.Module):
    """The op of parameters and constants."""

    def __init__(self, question: Question) -> None:
        super().__init__()
        self._op = named(question.source)
        self._places = question.weights
        self._inputs = [to_torch(x, "cpu") for x in question.inputs]
        self.weights = torch.nn.ParameterList(torch.nn.Parameter(self._inputs[k]) for k in self._places)

    def forward(self, sample: float) -> Tensors:
        """Return the outputs for one sample of the batch."""
        inputs = list(self._inputs)
        for place, weight in zip(self._places, self.weights, strict=True):
            inputs[place] = _Sample.apply(weight, sample)  # type: ignore[no-untyped-call]  # PyTorch leaves it untyped
        return self._op(*inputs)


def _trained(question: Question, rank: int, where: _Where) -> tuple[list[Array], list[Array | None]]:
    where.enter("import")
    module = _Module(question)
    where.enter("forward")
    model = torch.nn.parallel.DistributedDataParallel(module)
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
    slopes = [None if weight.grad is None else to_numpy(weight.grad) for weight in module.weights]
    return [to_numpy(y) for y in outputs], slopes
