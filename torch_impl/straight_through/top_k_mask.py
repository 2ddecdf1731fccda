"""The k largest in magnitude along an axis, the others 0; the gradient is dense."""

import torch
from torch import Tensor


class TopKMaskFunction(torch.autograd.Function):
    """``TopKMaskFunction.apply(x, k, axis)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, k: int, axis: int) -> Tensor:
        size = x.abs().nan_to_num(nan=torch.inf, posinf=torch.inf)
        least = size.topk(k, axis).values.narrow(axis, k - 1, 1)
        larger, equal = size > least, size == least
        room = k - larger.sum(axis, keepdim=True)
        return torch.where(larger | (equal & (equal.cumsum(axis) <= room)), x, 0)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        pass

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None]:  # None: k and axis are static
        return dy, None, None


def top_k_mask(x: Tensor, *, k: int, axis: int = -1) -> Tensor:
    """x among the k largest in magnitude, else 0; of equal ones the first stay. The gradient is dy."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not -x.dim() <= axis < x.dim():
        raise ValueError(f"axis={axis}: wanted {-x.dim()} <= axis < {x.dim()}, an axis of x")
    if not 1 <= k <= x.shape[axis]:
        raise ValueError(f"k={k}: wanted 1 <= k <= {x.shape[axis]}, the length of axis {axis}")
    return TopKMaskFunction.apply(x, k, axis)
