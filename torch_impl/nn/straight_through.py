"""Quantisers, signs and masks whose gradient passes straight through."""

import torch
from torch import Tensor
from torch.nn import Parameter

from torch_impl.nn.statics import Statics
from torch_impl.straight_through.dorefa_quantize import dorefa_quantize
from torch_impl.straight_through.fake_quantize import fake_quantize
from torch_impl.straight_through.gumbel_softmax import gumbel_softmax
from torch_impl.straight_through.lsq_quantize import lsq_quantize
from torch_impl.straight_through.ste_ceil import ste_ceil
from torch_impl.straight_through.ste_clamp import ste_clamp
from torch_impl.straight_through.ste_floor import ste_floor
from torch_impl.straight_through.ste_heaviside import ste_heaviside
from torch_impl.straight_through.ste_round import ste_round
from torch_impl.straight_through.ste_sign import ste_sign
from torch_impl.straight_through.ste_ternary import ste_ternary
from torch_impl.straight_through.top_k_mask import top_k_mask
from torch_impl.straight_through.vector_quantize import vector_quantize


class DorefaQuantize(Statics):
    """The nearest of 2^bits levels between 0 and 1; the gradient is that of the clip."""

    def __init__(self, *, bits: int) -> None:
        super().__init__()
        self.bits = bits
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return dorefa_quantize(x, bits=self.bits)


class FakeQuantize(Statics):
    """Integers of some bits and back, with one scale and one zero point; the gradient is 0 where x is clipped."""

    def __init__(self, scale: float, zero_point: int, *, bits: int, signed: bool) -> None:
        super().__init__()
        self.scale, self.zero_point, self.bits, self.signed = scale, zero_point, bits, signed
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        scale = torch.full((), self.scale, dtype=torch.promote_types(x.dtype, torch.float32), device=x.device)
        zero_point = torch.full((), self.zero_point, dtype=torch.int32, device=x.device)
        return fake_quantize(x, scale, zero_point, bits=self.bits, signed=self.signed)


class GumbelSoftmax(Statics):
    """One-hot at the largest of logits + noise; the gradient is that of the softmax."""

    def __init__(self, *, temperature: float, axis: int = -1) -> None:
        super().__init__()
        self.temperature, self.axis = temperature, axis

    def forward(self, logits: Tensor, noise: Tensor) -> Tensor:
        return gumbel_softmax(logits, noise, temperature=self.temperature, axis=self.axis)


class LsqQuantize(Statics):
    """Quantisation whose step is learned."""

    def __init__(self, initial_step: float = 1.0, *, bits: int, signed: bool) -> None:
        super().__init__()
        self.initial_step, self.bits, self.signed = initial_step, bits, signed
        self.step = Parameter(torch.full((), initial_step))
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return lsq_quantize(x, self.step, bits=self.bits, signed=self.signed)


class SteCeil(Statics):
    """Ceiling; the gradient is dy."""

    def forward(self, x: Tensor) -> Tensor:
        return ste_ceil(x)


class SteClamp(Statics):
    """x clipped to [low, high]; the gradient is dy everywhere."""

    def __init__(self, *, low: float, high: float) -> None:
        super().__init__()
        self.low, self.high = low, high
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return ste_clamp(x, low=self.low, high=self.high)


class SteFloor(Statics):
    """Floor; the gradient is dy."""

    def forward(self, x: Tensor) -> Tensor:
        return ste_floor(x)


class SteHeaviside(Statics):
    """1 above 0, else 0; the gradient is dy up to the clip."""

    def __init__(self, *, clip: float = 1.0) -> None:
        super().__init__()
        self.clip = clip
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return ste_heaviside(x, clip=self.clip)


class SteRound(Statics):
    """The nearest integer; the gradient is dy."""

    def forward(self, x: Tensor) -> Tensor:
        return ste_round(x)


class SteSign(Statics):
    """1 from 0 up, -1 below; the gradient is dy up to the clip."""

    def __init__(self, *, clip: float = 1.0) -> None:
        super().__init__()
        self.clip = clip
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return ste_sign(x, clip=self.clip)


class SteTernary(Statics):
    """The sign of x, 0 up to the threshold; the gradient is dy up to 1."""

    def __init__(self, *, threshold: float) -> None:
        super().__init__()
        self.threshold = threshold
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return ste_ternary(x, threshold=self.threshold)


class TopKMask(Statics):
    """x among the k largest in magnitude along an axis, else 0; the gradient is dy."""

    def __init__(self, *, k: int, axis: int = -1) -> None:
        super().__init__()
        self.k, self.axis = k, axis

    def forward(self, x: Tensor) -> Tensor:
        return top_k_mask(x, k=self.k, axis=self.axis)


class VectorQuantize(Statics):
    """The nearest row of a codebook, normal numbers at first, which a loss of its own has to train."""

    def __init__(self, codes: int, size: int) -> None:
        super().__init__()
        self.codes, self.size = codes, size
        self.codebook = Parameter(torch.randn(codes, size))

    def forward(self, x: Tensor) -> Tensor:
        return vector_quantize(x, self.codebook)
