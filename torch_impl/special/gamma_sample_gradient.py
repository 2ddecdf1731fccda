"""A sample of the gamma distribution with the gradient of its shape: implicit reparameterisation."""

import torch
from torch import Tensor

FAR = 37.0
NODES = (  # half of the nodes of Gauss and Legendre on [0, 1], and their weights
    (0.001778751213022775, 0.0045621412965472586),
    (0.009348417314563623, 0.01056605629638563),
    (0.022870359685530903, 0.01645071389115219),
    (0.04218348680393396, 0.022136467379502114),
    (0.06705373871280247, 0.027553672837858374),
    (0.09717931454141042, 0.0326364619834998),
    (0.1321945609931841, 0.03732310711728439),
    (0.17167445298056752, 0.041556708614450606),
    (0.21513976409429914, 0.04528587219651642),
    (0.2620628875224409, 0.04846532899896496),
    (0.31187424195546065, 0.05105648378903038),
    (0.363969186182411, 0.05302788296142321),
    (0.41771535893330963, 0.05435559612914707),
    (0.47246035505798284, 0.0550235065082376),
)


class GammaSampleGradientFunction(torch.autograd.Function):
    """``GammaSampleGradientFunction.apply(alpha, sample)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(alpha: Tensor, sample: Tensor) -> Tensor:
        return sample.view_as(sample)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: the sample is a number that was drawn
        return dy * SampleDerivativeFunction.apply(*ctx.saved_tensors), None


class SampleDerivativeFunction(torch.autograd.Function):
    """``SampleDerivativeFunction.apply(alpha, z)``: the end of the line, whoever asks for its gradient is told so."""

    generate_vmap_rule = True

    @staticmethod
    def forward(alpha: Tensor, z: Tensor) -> Tensor:
        a, wide = (x.to(torch.promote_types(x.dtype, torch.float32)) for x in (alpha, z))
        return torch.where((a > 0) & (wide >= 0), _derivative(a, wide), torch.nan).to(alpha.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        pass

    @staticmethod
    def backward(ctx, dg: Tensor) -> tuple[None, None]:
        raise RuntimeError("gamma_sample_gradient is differentiable once")


def _derivative(alpha: Tensor, z: Tensor) -> Tensor:
    below, log_z = z <= alpha + 1, torch.where(z == 0, 1, z).log()
    small = torch.where(below, z, 0)
    first = h = torch.digamma(alpha + 1) - log_z
    series, term = torch.zeros_like(z), small / alpha
    for k in range(1, 5):
        series, h, term = series + term * h, h + 1 / (alpha + k), term * (small / (alpha + k))
    a = alpha + 4
    slope = torch.where(below, a - z, z - alpha)
    offset = torch.where(below, h - 1 / a, 1 / alpha - first)
    reach = torch.where(below, _reach_below(a, slope), _reach_above(z, slope))
    turn = 1 - 2 * below.to(z.dtype)
    integral = torch.zeros_like(z)
    for node, weight in NODES:
        for s in (reach * node, reach * (1 - node)):
            falls = torch.exp(-slope * s - z * (torch.expm1(turn * s) - turn * s))
            integral = integral + weight * (offset + s) * falls
    return series + torch.where(below, term * a, z) * reach * integral


def _reach_below(a: Tensor, slope: Tensor) -> Tensor:
    """Return where slope s + z (s + e^-s - 1) is FAR or a little more, from s^2 / (2 + s) for the bracket."""
    b = (2 * slope - FAR) / a
    return 4 * FAR / a / (b + torch.sqrt(b * b + 8 * FAR / a))


def _reach_above(z: Tensor, slope: Tensor) -> Tensor:
    """Return where slope s + z (e^s - 1 - s) is FAR or a little more, from s^2 / 2 or slope / z for the bracket."""
    slope = slope.clamp(min=1)
    by_square = 2 * FAR / slope / (1 + torch.sqrt(1 + 2 * FAR * (z / slope / slope)))
    return torch.minimum(by_square, torch.log1p(FAR / slope))


def gamma_sample_gradient(alpha: Tensor, sample: Tensor) -> Tensor:
    """The sample, drawn with the shape alpha, an array of the same shape; differentiable by alpha, once."""
    if alpha.shape != sample.shape:
        raise ValueError(f"sample: wanted the shape of alpha, {list(alpha.shape)}, got {list(sample.shape)}")
    return GammaSampleGradientFunction.apply(alpha, sample)
