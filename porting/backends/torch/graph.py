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
    """Call the op's own backward, which the engine would repair: sum to the input's shape, cast to its dtype.

    Returns one gradient per leaf, or `None` if the outputs do not come straight from one `autograd.Function`.
    """
    live = {y.output_nr: (y.grad_fn, v) for y, v in zip(outputs, dy) if y.grad_fn is not None}
    node: Any = next((node for node, _ in live.values()), None)
    if not hasattr(node, "needs_input_grad") or any(other is not node for other, _ in live.values()):
        return None
    handed = _materialized(node, {k: v for k, (_, v) in live.items()})
    if handed is None:
        return None
    returned = node.apply(*handed)
    returned = returned if isinstance(returned, tuple) else (returned,)
    wanted = [g for g, needed in zip(returned, node.needs_input_grad) if needed]
    edges = [edge for edge, _ in node.next_functions if edge is not None]
    owners = [id(getattr(edge, "variable", None)) for edge in edges]
    apart = len(set(owners)) == len(owners) == len(wanted)  # no input twice, and as many gradients as inputs
    if set(owners) != set(map(id, leaves)) or not apart:
        return None
    slots = dict(zip(owners, wanted))
    found = [slots[id(leaf)] for leaf in leaves]
    return tuple(to_numpy(g) if torch.is_tensor(g) else None for g in found)


def _materialized(node: Any, given: dict[int, Tensor]) -> list[Tensor] | None:
    """Return a cotangent for each output of a node, as the engine hands them over: 0 for those that nobody uses.

    An old PyTorch does not tell how many there are: `None` then, if one is lacking for all that is known.
    """
    known = getattr(node, "_input_metadata", None)
    if known is None:
        return [given[k] for k in sorted(given)] if len(given) == max(given) + 1 else None
    return [
        given[k] if k in given else torch.zeros(meta.shape, dtype=meta.dtype, device=meta.device)
        for k, meta in enumerate(known)
    ]
