"""Turns arrays into PyTorch tensors, in any memory layout, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porting.backends.torch.gpu import name_of
from porting.runners.bits import BFLOAT16

if TYPE_CHECKING:
    import torch

    from porting.runners.base import Array


def to_torch(x: Array, device: str = "cpu") -> torch.Tensor:
    """Copy an array to a tensor with memory of its own, which can be resized, as that of a cotangent can be.

    `torch.from_numpy` refuses bfloat16, so its bits are passed as int16.
    """
    import torch

    if x.dtype == BFLOAT16:
        tensor = torch.from_numpy(np.array(x.view(np.int16))).view(torch.bfloat16)
    else:
        tensor = torch.from_numpy(np.array(x))
    return tensor.clone().to(name_of(device))


def to_numpy(tensor: torch.Tensor) -> Array:
    """Copy a tensor to an array."""
    import torch

    tensor = tensor.detach().cpu()
    tensor = (tensor if tensor.layout == torch.strided else tensor.to_dense()).contiguous()
    if hasattr(tensor, "resolve_neg"):  # since PyTorch 1.10 a view may be conjugated, or negative, later
        tensor = tensor.resolve_conj().resolve_neg()
    # Zeros without memory, as of abs twice; there is no public way to ask.
    if hasattr(tensor, "_is_zerotensor") and tensor._is_zerotensor():  # noqa: SLF001
        tensor = torch.zeros(tensor.shape, dtype=tensor.dtype)
    if tensor.dtype == torch.bfloat16:
        return np.array(tensor.view(torch.int16).numpy().view(BFLOAT16))
    return np.array(tensor.numpy())


def lay_out(tensor: torch.Tensor, layout: str) -> torch.Tensor:
    """Return the same numbers in another memory layout; a tensor without axes stays as it is."""
    import torch

    if tensor.dim() == 0 or layout == "contiguous":
        return tensor
    if layout == "transposed":
        return tensor.transpose(0, -1).contiguous().transpose(0, -1)
    if layout == "expanded":
        return tensor[:1].clone().expand(tensor.shape)
    if layout == "strided":
        wide = torch.zeros((*tensor.shape[:-1], 2 * tensor.shape[-1]), dtype=tensor.dtype, device=tensor.device)
        return wide[..., ::2].copy_(tensor)
    flat = torch.zeros(tensor.numel() + 3, dtype=tensor.dtype, device=tensor.device)  # "offset"
    return flat[3:].view(tensor.shape).copy_(tensor)
