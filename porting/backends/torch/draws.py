"""PyTorch with random numbers that are given: `torch.rand`, `bernoulli`, dropout, wherever they are called."""

from collections.abc import Callable
from typing import Any, Final

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from porting.runners.stream import Stream


class drawing(TorchDispatchMode):  # type: ignore[no-untyped-call]  # noqa: N801 - no types there; as `torch.no_grad`
    """While it is entered, what is drawn comes from a stream; it works below autograd, so in a backward too.

    Parameters
    ----------
    stream : Stream
        Gives the numbers.
    """

    def __init__(self, stream: Stream) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # PyTorch has no types here
        self._stream = stream

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Return what an operation returns, with the stream's numbers in it if it draws."""
        found, make = func(*args, **(kwargs or {})), _MADE.get(func.overloadpacket)
        if make is None or not isinstance(found, Tensor) or not found.is_floating_point():
            return found
        return found.copy_(make(self._stream, found, *args, **(kwargs or {})))


def _uniform(stream: Stream, y: Tensor, *_: Any, **__: Any) -> Any:
    return torch.from_numpy(stream.uniform(y.shape)).to(y.device)


def _between(stream: Stream, y: Tensor, _x: Tensor, low: float = 0.0, high: float = 1.0, **named: Any) -> Any:
    start: float = named.get("from", low)
    return start + (named.get("to", high) - start) * _uniform(stream, y)


def _normal(stream: Stream, y: Tensor, *_: Any, **__: Any) -> Any:
    return torch.from_numpy(stream.normal(y.shape)).to(y.device)


def _normal_in_place(stream: Stream, y: Tensor, _x: Tensor, mean: float = 0.0, std: float = 1.0, **_: Any) -> Any:
    return mean + std * _normal(stream, y)


def _normal_of(stream: Stream, y: Tensor, mean: Any, std: Any = 1.0, *_: Any, **__: Any) -> Any:
    return mean + std * _normal(stream, y)


def _bernoulli(stream: Stream, y: Tensor, x: Tensor, p: Any = None, **_: Any) -> Any:
    return _uniform(stream, y) < (x if p is None else p)


def _bernoulli_in_place(stream: Stream, y: Tensor, _x: Tensor, p: Any = 0.5, **_: Any) -> Any:
    return _uniform(stream, y) < p


_ATEN: Final = torch.ops.aten
_MADE: Final[dict[Any, Callable[..., Any]]] = {
    _ATEN.rand: _uniform,
    _ATEN.rand_like: _uniform,
    _ATEN.uniform_: _between,
    _ATEN.randn: _normal,
    _ATEN.randn_like: _normal,
    _ATEN.normal_: _normal_in_place,
    _ATEN.normal: _normal_of,
    _ATEN.bernoulli: _bernoulli,
    _ATEN.bernoulli_: _bernoulli_in_place,
}
