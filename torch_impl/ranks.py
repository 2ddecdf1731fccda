"""A function of one rank, as a function of all ranks in one process."""

import functools
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import torch
from torch import Tensor, distributed

_PATIENCE = timedelta(seconds=60)  # of a rank that waits for another one, which raised


class OnRanksFunction(torch.autograd.Function):
    """``OnRanksFunction.apply(function, *inputs)``, whose vjp is another function of one rank."""

    @staticmethod
    def forward(function: Callable[..., Any], *inputs: Tensor) -> tuple[Tensor, ...]:
        found = _everywhere(function, list(zip(*(x.unbind() for x in inputs), strict=True)))
        return tuple(torch.stack(outputs) for outputs in zip(*found, strict=True))

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.function, *tensors = inputs
        ctx.save_for_backward(*tensors)

    @staticmethod
    def backward(ctx, *dy: Tensor) -> tuple[Tensor | None, ...]:  # None: function
        inputs = ctx.saved_tensors
        pulled = functools.partial(_pulled, ctx.function, len(inputs))
        return None, *OnRanksFunction.apply(pulled, *inputs, *dy)

    @staticmethod
    def vmap(info, in_dims, function, *inputs: Tensor) -> tuple[Any, Any]:
        dims = [None if dim is None else 0 for dim in in_dims[1:]]
        moved = [x if d is None else x.movedim(d, 1) for x, d in zip(inputs, in_dims[1:], strict=True)]

        def batched(*inputs: Tensor, group: Any) -> Any:
            return torch.vmap(functools.partial(function, group=group), tuple(dims), randomness=info.randomness)(
                *inputs
            )

        outputs = OnRanksFunction.apply(batched, *moved)
        return outputs, (1,) * len(outputs)


def on_ranks(function: Callable[..., Tensor], ranks: int = 2) -> Callable[[Tensor], Tensor]:
    """Run a function on every rank, each in a thread with a gloo group of its own.

    Parameters
    ----------
    function : callable
        ``function(x, group=group)`` of one rank: takes and returns a tensor on the CPU. It calls the collectives of
        ``torch.distributed`` with that group.
    ranks : int
        How many there are.

    Returns
    -------
    callable
        Takes what all ranks give, of shape ``[ranks, ...]``, and returns what all of them get. Its gradient is that of
        the sum over all ranks, by the backward of every rank; it can be differentiated again. It raises a `ValueError`
        if the first axis has another length.
    """

    def single(x: Tensor, group: Any) -> tuple[Tensor]:
        return (function(x, group=group),)

    def run(x: Tensor) -> Tensor:
        if x.dim() == 0 or len(x) != ranks:
            raise ValueError(f"x of shape {list(x.shape)}: the first axis must be that of the {ranks} ranks")
        (y,) = OnRanksFunction.apply(single, x)
        return y

    return run


def _pulled(function: Callable[..., Any], count: int, *given: Tensor, group: Any) -> tuple[Tensor, ...]:
    """Return the gradients of one rank: of its inputs, followed by the cotangents."""
    with torch.enable_grad():
        inputs = [x.view_as(x) if x.requires_grad else x.detach().requires_grad_() for x in given[:count]]
        outputs = function(*inputs, group=group)
        return torch.autograd.grad(outputs, inputs, given[count:], create_graph=True, materialize_grads=True)


def _everywhere(function: Callable[..., Any], inputs: Sequence[Sequence[Tensor]]) -> list[Any]:
    """Return what each rank gives of its inputs."""
    tracing = sys.modules.get("torch.fx.experimental.proxy_tensor")
    if tracing is not None and tracing.get_proxy_mode() is not None:
        raise RuntimeError("on_ranks runs in threads, which a trace does not see: trace the function of one rank")
    groups = _groups(len(inputs), os.getpid())
    try:
        with ThreadPoolExecutor(len(inputs)) as pool:
            return list(pool.map(lambda given, group: function(*given, group=group), inputs, groups))
    except BaseException:
        _groups.cache_clear()  # the ranks may be in different collectives
        raise


@functools.lru_cache
def _groups(ranks: int, _process: int) -> list[Any]:  # a fork of the process has none yet
    store = distributed.HashStore()
    with _loopback(), ThreadPoolExecutor(ranks) as pool:
        return list(pool.map(lambda rank: distributed.ProcessGroupGloo(store, rank, ranks, _PATIENCE), range(ranks)))


@contextmanager
def _loopback() -> Iterator[None]:
    """Let gloo use the loopback interface, so that no network is needed."""
    name = "GLOO_SOCKET_IFNAME"
    found = [interface for _, interface in socket.if_nameindex() if interface.startswith("lo")]
    before = os.environ.get(name)
    os.environ.update({name: found[0]} if found else {})
    try:
        yield
    finally:
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before
