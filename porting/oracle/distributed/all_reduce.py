"""Every rank gets the sum over all ranks. Here are two: x[k] is what rank k gives, and y[k] what it gets.

    y  = (s, s)                                  with s = x[0] + x[1]
    dx = (t, t)                                  with t = dy[0] + dy[1]

Derivation: the loss is the sum of the losses of all ranks, and x[k] is in the output of every rank with the factor 1.
So the gradient sums over the ranks too: it is an all-reduce of the cotangents. The matrix of this map is symmetric: it
has ones only. dx = dy would be the gradient of the loss of the own rank alone.

Source: Hewett & Grady, "A Linear Algebraic Approach to Model Parallelism in Deep Learning", 2020: a collective is a
linear map of all ranks, and its vjp is the transpose.
"""

from typing import Any

import numpy as np

from porting.spec import op


@op(shapes={"x": (2, "n")}, complex=True)
def all_reduce(x: Any) -> Any:
    """The sum over the ranks, once for each."""
    return np.broadcast_to(x.sum(axis=0), x.shape)


@all_reduce.defvjp
def all_reduce_vjp(dy: Any, y: Any, x: Any) -> Any:
    """The same of the cotangents."""
    return np.broadcast_to(dy.sum(axis=0), dy.shape)


all_reduce = all_reduce.through("distributed:all_reduced")
