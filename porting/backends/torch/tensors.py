"""Functions for PyTorch's tensors around a call of a side; see `porting.backends.backend.Tensors`."""

from collections.abc import Sequence

import torch
from torch import Tensor


def detached(y: Tensor) -> Tensor:
    """Return a tensor that no gradient comes through."""
    return y.detach()


def parted(y: Tensor) -> Tensor:
    """Return the real and the imaginary part, in a further axis of two, last."""
    two = torch.view_as_real(y.resolve_conj())  # of y.imag the gradient is i times its own: a NaN would spread
    return torch.stack([two[..., 0], two[..., 1]], -1)  # of which any cotangent is taken, in whatever layout


def symmetrised(x: Tensor) -> Tensor:
    """Return the symmetric part of a stack of matrices."""
    return (x + x.mT) / 2


def signed(y: Tensor, axis: int) -> Tensor:
    """Return vectors along an axis, turned to one side of a plane that no vector of simple numbers lies in."""
    if y.dim() < -axis:
        return y
    normal = torch.arange(1, y.shape[axis] + 1, dtype=y.dtype, device=y.device).sin()
    along = (y.detach() * (normal if axis == -1 else normal[:, None])).sum(axis, keepdim=True)
    return torch.where(along < 0, -y, y)


def in_order(x: Tensor, order: Sequence[int]) -> Tensor:
    """Return a tensor with its axes in another order; one with another number of axes as it is."""
    return x.permute(*order) if x.dim() == len(order) else x


def in_type(x: Tensor, dtype: str | torch.dtype) -> Tensor:
    """Return a real floating tensor in a type, anything else as it is."""
    if not (torch.is_tensor(x) and x.is_floating_point()):
        return x
    return x.to(getattr(torch, dtype) if isinstance(dtype, str) else dtype)


def seed(number: int) -> None:
    """Seed the random numbers. Without a GPU, `torch.manual_seed` queues the seed for each kind of GPU: 4 ms a call."""
    seeded = torch if torch.accelerator.is_available() else torch.default_generator
    seeded.manual_seed(number)


def switched() -> str:
    """Return nothing: no setting of PyTorch is put back."""
    return ""
