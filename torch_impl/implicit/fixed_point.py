"""The solution of z = tanh(w z + x), differentiated as a solution, not through the iterations that found it."""

import torch
from torch import Tensor


class FixedPointFunction(torch.autograd.Function):
    """``FixedPointFunction.apply(x, w, slope, tolerance, max_iter)``: z = f(z w^T + x).

    f is tanh, or multiplication by the slope, if there is one: the linear equation of the gradient and its own.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, w: Tensor, slope: Tensor | None, tolerance: float, max_iter: int) -> Tensor:
        x_wide, wt = _wide(x), _wide(w).mT
        z = torch.zeros_like(x_wide)
        for _ in range(max_iter):
            a = z @ wt + x_wide
            before, z = z, torch.tanh(a) if slope is None else slope * a
            if _settled(z, before, tolerance):
                break
        return z.to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, w, slope, ctx.tolerance, ctx.max_iter = inputs
        ctx.save_for_backward(output, w, *([] if slope is None else [slope, x]))

    @staticmethod
    def backward(ctx, dz: Tensor) -> tuple[Tensor, Tensor, Tensor | None, None, None]:  # None: statics, tanh
        z, w, *linear = ctx.saved_tensors
        z_wide, w_wide, dz_wide = _wide(z), _wide(w), _wide(dz)
        s = linear[0] if linear else 1 - z_wide * z_wide
        dx = FixedPointFunction.apply(dz_wide, w_wide.mT, s, ctx.tolerance, ctx.max_iter)
        dw = dx.reshape(-1, dx.shape[-1]).mT @ z_wide.reshape(-1, dx.shape[-1])
        ds = (dx @ w_wide + dz_wide) * (z_wide @ w_wide.mT + linear[1]) if linear else None
        return dx.to(z.dtype), dw.to(w.dtype), ds, None, None


def _wide(x: Tensor) -> Tensor:
    return x.float() if x.dtype.itemsize == 2 else x


def _settled(z: Tensor, before: Tensor, tolerance: float) -> bool:
    """Tell whether no row changed; when compiled the numbers are not there, and all iterations are done."""
    if torch.compiler.is_compiling():
        return False
    small = (z - before).abs().amax(-1) <= tolerance * z.abs().amax(-1)
    return bool(torch.func.debug_unwrap(small).all())


def fixed_point(x: Tensor, w: Tensor, *, tolerance: float, max_iter: int) -> Tensor:
    """z = tanh(z w^T + x), found in max_iter iterations, or when no row changes by more than tolerance of its size."""
    if tolerance < 0:
        raise ValueError(f"tolerance={tolerance}: wanted tolerance >= 0")
    if max_iter < 1:
        raise ValueError(f"max_iter={max_iter}: wanted max_iter >= 1")
    if w.shape != 2 * x.shape[-1:]:
        raise ValueError(f"w of shape {list(w.shape)}: wanted {list(2 * x.shape[-1:])}, by the last axis of x")
    return FixedPointFunction.apply(x, w, None, tolerance, max_iter)
