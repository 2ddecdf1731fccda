"""Collectives: what each rank gets depends on all ranks, and so does its gradient.

``all_reduced`` and the others below are of all ranks at once, in one process: so they are checked.
"""

from torch import Tensor

from torch_impl import keep_signatures, on_ranks
from torch_impl.distributed.all_gather import all_gather as all_gather
from torch_impl.distributed.all_reduce import all_reduce as all_reduce
from torch_impl.distributed.reduce_scatter import reduce_scatter as reduce_scatter

keep_signatures(__name__)


def all_reduced(x: Tensor) -> Tensor:
    """x[k] is what rank k gives, y[k] what it gets."""
    return on_ranks(all_reduce)(x)


def all_gathered(x: Tensor) -> Tensor:
    """x[k] is what rank k gives, y[k, j] the block of rank j in what it gets."""
    return on_ranks(all_gather)(x).unflatten(1, (len(x), -1))


def reduce_scattered(x: Tensor) -> Tensor:
    """x[j, k] is the block that rank j gives to rank k, y[k] what rank k gets."""
    return on_ranks(reduce_scatter)(x.flatten(1, 2))
