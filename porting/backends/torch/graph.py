"""Reads autograd's graph: the nodes of Functions, and the gradient as a Function's own backward returns it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from porting.backends.torch.arrays import to_numpy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torch import Tensor

    from porting.runners.base import Array


def nodes_behind(outputs: Sequence[Tensor]) -> Iterator[Any]:
    """Yield each node of the graph behind some outputs once."""
    waiting, seen = [y.grad_fn for y in outputs], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        yield node
        waiting += [following for following, _ in node.next_functions]


def nodes_of(outputs: Sequence[Tensor]) -> list[Any]:
    """Return the nodes of the graph that come from an `autograd.Function`."""
    return [node for node in nodes_behind(outputs) if hasattr(type(node), "_forward_cls")]


def raw_gradient(outputs: Sequence[Any], dy: list[Tensor], leaves: list[Tensor]) -> tuple[Array | None, ...] | None:
    """Return what the op's own backward returns, before the engine sums it to the input's shape and casts it.

    Returns one gradient per leaf, or `None` if the outputs do not come straight from one `autograd.Function`.
    """
    live = [(y, v) for y, v in zip(outputs, dy) if y.grad_fn is not None]
    node: Any = live[0][0].grad_fn if live else None
    if not hasattr(node, "needs_input_grad") or any(y.grad_fn is not node for y, _ in live):
        return None
    found: list[Any] = []

    def recorded(*handed: Any) -> Any:
        found.append(type(node).apply(node, *handed))
        return found[-1]

    node.apply = recorded  # which the engine calls
    try:
        torch.autograd.grad([y for y, _ in live], leaves, [v for _, v in live], allow_unused=True)
    except Exception:
        if not found:  # else the engine refuses what was returned
            raise
    finally:
        del node.apply
    returned = found[0] if found and isinstance(found[0], tuple) else tuple(found)
    wanted = [g for g, needed in zip(returned, node.needs_input_grad) if needed]
    owners = [id(getattr(edge, "variable", None)) for edge, _ in node.next_functions if edge is not None]
    apart = len(set(owners)) == len(owners) == len(wanted)  # no input twice, and as many gradients as inputs
    if set(owners) != set(map(id, leaves)) or not apart:
        return None
    slots = dict(zip(owners, wanted))
    gradients = [slots[id(leaf)] for leaf in leaves]
    return tuple(to_numpy(g) if torch.is_tensor(g) else None for g in gradients)
