"""Every rank gets one block of the sum over all ranks. Here are two: x[k] are the blocks of rank k, y[k] what it gets.

    y  = x[0] + x[1]
    dx = (dy, dy)

Derivation: block k of every rank is in the output of rank k, with the factor 1, and in no other output. So its gradient
is the cotangent of rank k, whoever has the block: an all-gather of the cotangents. A rank knows the cotangent of one of
its blocks only; with zeros for the others it would lose what other ranks do with them.

Source: Hewett & Grady, "A Linear Algebraic Approach to Model Parallelism in Deep Learning", 2020: a collective is a
linear map of all ranks, and its vjp is the transpose.
"""

from typing import Any

import numpy as np

from porting.spec import op


@op(shapes={"x": (2, 2, "n")}, complex=True)
def reduce_scatter(x: Any) -> Any:
    """The sum of the blocks of one rank, for each."""
    return x.sum(axis=0)


@reduce_scatter.defvjp
def reduce_scatter_vjp(dy: Any, y: Any, x: Any) -> Any:
    """The cotangents of all ranks, for each rank."""
    return np.broadcast_to(dy, (len(dy), *dy.shape))


reduce_scatter = reduce_scatter.through("distributed:reduce_scattered")
