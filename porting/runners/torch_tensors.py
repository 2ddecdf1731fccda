"""Arrays to PyTorch tensors and back, in any memory layout."""

from typing import TYPE_CHECKING

import ml_dtypes
import numpy as np

from porting.runners.base import Array

if TYPE_CHECKING:
    import torch


def to_torch(x: Array, device: str = "cpu") -> "torch.Tensor":
    """Copy an array to a tensor; bfloat16, which `torch.from_numpy` refuses, crosses as the same bits in int16."""
    import torch

    if x.dtype == ml_dtypes.bfloat16:
        tensor = torch.from_numpy(x.view(np.int16).copy()).view(torch.bfloat16)
    else:
        tensor = torch.from_numpy(np.array(x))
    return tensor.to("cuda" if device == "gpu" else device)


def to_numpy(tensor: "torch.Tensor") -> Array:
    """Copy a tensor to an array."""
    import torch

    tensor = tensor.detach().cpu().contiguous()
    if tensor.dtype == torch.bfloat16:
        return np.array(tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16))
    return np.array(tensor.numpy())


def lay_out(tensor: "torch.Tensor", layout: str) -> "torch.Tensor":
    """Return the same numbers in another memory layout; a tensor without axes stays as it is."""
    import torch

    if tensor.dim() == 0 or layout == "contiguous":
        return tensor
    match layout:
        case "transposed":
            return tensor.transpose(0, -1).contiguous().transpose(0, -1)
        case "strided":
            wide = torch.zeros((*tensor.shape[:-1], 2 * tensor.shape[-1]), dtype=tensor.dtype, device=tensor.device)
            view = wide[..., ::2]
        case "offset":
            flat = torch.zeros(tensor.numel() + 3, dtype=tensor.dtype, device=tensor.device)
            view = flat[3:].view(tensor.shape)
        case "expanded":
            return tensor[:1].clone().expand(tensor.shape)
    return view.copy_(tensor)
