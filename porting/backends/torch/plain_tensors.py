"""Tensors that a module holds in plain attributes: no parameters and no buffers."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from porting.runners.base import Array


class Place(NamedTuple):
    """A tensor, and what holds it in which attribute."""

    tensor: Any
    owner: Any
    attribute: str

    def put(self, tensor: Any) -> None:
        """Put another tensor there."""
        vars(self.owner)[self.attribute] = tensor


def plain_tensors(module: Any) -> dict[str, Place]:
    """Return the tensors of real numbers by the paths that lead to them; what a call has computed is none of them."""
    import torch

    found = {}
    for path, part in module.named_modules():
        for name, value in vars(part).items() if type(part).__module__.partition(".")[0] != "torch" else ():
            if isinstance(value, torch.Tensor) and value.is_floating_point() and value.grad_fn is None:
                found[f"{path}.{name}" if path else name] = Place(value, part, name)
    return found


def numbers(tensor: Any) -> Array:
    """Return what a tensor holds."""
    held: Array = tensor.detach().cpu().double().numpy()
    return held


def another(again: Callable[[], Any] | None) -> Any:
    """Return another module that is made likewise, with other random numbers; nothing if that cannot be had."""
    from porting.runners import RUNNERS
    from porting.runners.seeded import other_seeds

    with suppress(Exception), other_seeds(RUNNERS["torch"]):  # what it raises is told elsewhere
        return None if again is None else again()
    return None


def drawn(module: Any, again: Callable[[], Any] | None) -> dict[str, Place]:
    """Return those plain tensors that are drawn: another module that is made likewise has other ones."""
    mine = plain_tensors(module)
    other = another(again) if mine else None
    theirs = {} if other is None else plain_tensors(other)
    return {n: place for n, place in mine.items() if n in theirs and _differ(place.tensor, theirs[n].tensor)}


def _differ(one: Any, other: Any) -> bool:
    return one.shape == other.shape and not one.equal(other)
