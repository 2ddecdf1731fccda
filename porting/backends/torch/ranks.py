"""Two processes that train one small module under a wrapper of PyTorch's: what they are asked, and what they answer.

Both are fresh interpreters, found by the op's name and kept for further ops: they meet once, over gloo and a file.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import weakref
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from torch import Tensor, distributed

from porting.backends.torch.arrays import to_numpy, to_torch
from porting.backends.torch.by_name import by_name
from porting.backends.torch.worse import worse
from porting.runners.base import NOT_POSSIBLE
from porting.runners.fresh import Failed, FreshProcessError, allowed, raise_failed, told
from porting.runners.modes import NotPossibleError
from porting.workers.fate import TIMEOUT
from porting.workers.pool import Ended, Pool

if TYPE_CHECKING:
    from porting.backends.torch.in_mode import Answer, Asked
    from porting.runners.base import Array


@dataclass(frozen=True)
class Question:
    """What both processes are asked.

    Attributes
    ----------
    mode : str
        The wrapper, see `porting.backends.torch.wrapped`.
    folder : str
        Where they meet, and see who is which rank.
    source : str
        The op `by_name`.
    inputs, dy : tuple of numpy.ndarray
        All inputs, and the cotangents.
    weights, live : tuple of int
        The places of the inputs that are the module's parameters, and of the outputs that the loss is made of.
    """

    mode: str
    folder: str
    source: str
    inputs: tuple[Array, ...]
    dy: tuple[Array, ...]
    weights: tuple[int, ...]
    live: tuple[int, ...]


def answer_of_ranks(asked: Asked, mode: str) -> Answer:
    """Return outputs and averaged gradients of the rank whose are further from the op's own.

    Raises
    ------
    NotPossibleError
        If there are no such processes here, or nothing for them to average.
    FreshProcessError
        If an exception was raised there, a process died, or did not come to its end.
    """
    if not (distributed.is_available() and distributed.is_gloo_available()):
        raise NotPossibleError("this build of PyTorch has no torch.distributed with gloo")
    if asked.case.device != "cpu":
        raise NotPossibleError("the two processes compute on the CPU, which is what gloo is for")
    outputs = asked(*asked.x)
    dx = asked.pulled(outputs)
    places = tuple(k for k, g in enumerate(dx) if g is not None)  # DDP wants that each parameter gets a gradient
    if not places:
        raise NotPossibleError("no input has a gradient, so that there is nothing for two processes to average")
    first, second = _answered(asked, mode, places)
    values = tuple(worse(*each) for each in zip(outputs, first[0], second[0], strict=True))
    return values, tuple(worse(*each) for each in zip(dx, first[1], second[1], strict=True))


def _answered(asked: Asked, mode: str, places: tuple[int, ...]) -> list[Answer]:
    """Return the answer of each of the two, to a module of which these of ``asked.x`` are the parameters."""
    source = by_name(asked)
    weights = tuple(list(asked.case.inputs).index(asked.case.op.wrt[k]) for k in places)
    inputs, dy = tuple(asked.case.inputs.values()), tuple(map(to_numpy, asked.dy))
    pool, folder = _pair(os.getpid(), allowed())
    question = Question(mode, folder, source, inputs, dy, weights, asked.live)
    said: list[Any] = [item for _, item in pool.run([question, question])]
    wrong = [item for item in said if isinstance(item, Ended | Failed)]
    if wrong:
        reasons = [item for item in wrong if isinstance(item, Failed) and item.stage == NOT_POSSIBLE]
        if len(reasons) == len(said):  # neither waits for the other one
            raise_failed(asked, reasons[0])
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
    pool = Pool(2, "porting.backends.torch.rank:answer", timeout=seconds, environment=environment)
    folder = tempfile.mkdtemp(prefix="porting-ranks-")
    weakref.finalize(pool, shutil.rmtree, folder, ignore_errors=True)
    return pool, folder
