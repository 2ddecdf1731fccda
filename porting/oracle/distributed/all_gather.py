"""Every rank gets what all ranks have, block by block. Here are two: x[k] is what rank k gives, and y[k] what it gets.

    y  = (x, x)
    dx = dy[0] + dy[1]

Derivation: x[j] is a block of the output of every rank. So its gradient is the sum of that block over the cotangents
of all ranks: a reduce-scatter of the cotangents. The block of rank j in its own cotangent, dy[j, j], is the gradient of
the loss of rank j alone.

Source: Hewett & Grady, "A Linear Algebraic Approach to Model Parallelism in Deep Learning", 2020: a collective is a
linear map of all ranks, and its vjp is the transpose.
"""

from typing import Any

import numpy as np

from porting.spec import op


@op(shapes={"x": (2, "n")}, complex=True)
def all_gather(x: Any) -> Any:
    """All blocks, once for each rank."""
    return np.broadcast_to(x, (len(x), *x.shape))


@all_gather.defvjp
def all_gather_vjp(dy: Any, y: Any, x: Any) -> Any:
    """The sum over the ranks that got the block."""
    return dy.sum(axis=0)


all_gather = all_gather.through("distributed:all_gathered")
