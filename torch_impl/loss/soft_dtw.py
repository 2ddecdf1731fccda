"""Soft dynamic time warping: the soft minimum of the costs of all alignments of two series."""

import torch
from torch import Tensor
from torch.nn.functional import pad


class SoftDtwFunction(torch.autograd.Function):
    """``SoftDtwFunction.apply(distance, gamma)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(distance: Tensor, gamma: float) -> Tensor:
        return (-gamma * _potentials(_gains(distance, gamma))[..., -1, -1]).to(distance.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        distance, ctx.gamma = inputs
        ctx.save_for_backward(distance)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: gamma is static
        (distance,) = ctx.saved_tensors
        a = _gains(distance, ctx.gamma)
        there, back = _potentials(torch.stack([a, a.flip(-2, -1)])).unbind()
        exponent = there + back.flip(-2, -1) - a - there[..., -1:, -1:]
        share = exponent.clamp(max=0).exp()  # of the alignments that go through each place
        return dy[..., None, None] * share.to(dy.dtype), None


def _gains(distance: Tensor, gamma: float) -> Tensor:
    """Return -distance / gamma, cut off where sums of it would overflow."""
    distance = distance.to(torch.promote_types(distance.dtype, torch.float32))  # 16 bits lose the sums
    end = torch.finfo(distance.dtype).max / (8 * sum(distance.shape[-2:]))
    return (distance / -gamma).clamp(-end, end)


def _potentials(a: Tensor) -> Tensor:
    """Return log(sum of e^(sum of a along the path)) over the paths from the first place to each, by antidiagonals."""
    n, m = a.shape[-2:]
    lowest = torch.finfo(a.dtype).min / 2  # of no path
    skewed = pad(a, (0, n)).flatten(-2)[..., :-n].unflatten(-1, (n, n + m - 1))  # [i, i + j]
    first, *further = skewed.movedim(-1, 0).unbind()
    z = pad(first[..., :1], (0, n - 1), value=lowest)
    before, found = torch.full_like(z, lowest), [z]
    for diagonal in further:
        from_above = pad(torch.logaddexp(before, z)[..., :-1], (1, 0), value=lowest)
        before, z = z, diagonal + torch.logaddexp(from_above, z)
        found.append(z)
    return pad(torch.stack(found, -1).flatten(-2), (0, n)).unflatten(-1, (n, n + m))[..., :m]


def soft_dtw(distance: Tensor, *, gamma: float) -> Tensor:
    """-gamma log of the sum over all alignments of e^(-cost / gamma), for distances of shape [..., n, m]."""
    if not (distance.is_floating_point() or distance.is_complex()):
        raise TypeError(f"distance: floating numbers are wanted, got {str(distance.dtype).removeprefix('torch.')}")
    if not 0 < gamma < float("inf"):
        raise ValueError(f"gamma={gamma}: wanted a finite gamma > 0")
    if distance.dim() < 2 or 0 in distance.shape[-2:]:
        raise ValueError(f"distance {list(distance.shape)}: wanted [..., n, m] with n, m >= 1")
    return SoftDtwFunction.apply(distance, gamma)
