"""Spikes as layers: a step with a surrogate gradient."""

import torch
from torch import Tensor

from torch_impl.nn.statics import Statics
from torch_impl.spiking.atan_spike import atan_spike
from torch_impl.spiking.fast_sigmoid_spike import fast_sigmoid_spike
from torch_impl.spiking.lif_step import lif_step
from torch_impl.spiking.sigmoid_spike import sigmoid_spike
from torch_impl.spiking.triangular_spike import triangular_spike


class AtanSpike(Statics):
    """1 above 0, else 0; the gradient is that of an arc tangent."""

    def __init__(self, *, alpha: float = 2.0) -> None:
        super().__init__()
        self.alpha = alpha
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return atan_spike(x, alpha=self.alpha)


class FastSigmoidSpike(Statics):
    """1 above 0, else 0; the gradient is that of x / (1 + slope |x|)."""

    def __init__(self, *, slope: float = 25.0) -> None:
        super().__init__()
        self.slope = slope
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return fast_sigmoid_spike(x, slope=self.slope)


class LifStep(Statics):
    """One step of a leaky integrate-and-fire neuron: its spike, and its next potential."""

    def __init__(self, *, decay: float, threshold: float, slope: float) -> None:
        super().__init__()
        self.decay, self.threshold, self.slope = decay, threshold, slope
        self.forward(torch.empty(0), torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        return lif_step(x, v, decay=self.decay, threshold=self.threshold, slope=self.slope)


class SigmoidSpike(Statics):
    """1 above 0, else 0; the gradient is that of sigmoid(slope x)."""

    def __init__(self, *, slope: float = 25.0) -> None:
        super().__init__()
        self.slope = slope
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return sigmoid_spike(x, slope=self.slope)


class TriangularSpike(Statics):
    """1 above 0, else 0; the gradient is a triangle."""

    def __init__(self, *, width: float = 1.0, dampening: float = 0.3) -> None:
        super().__init__()
        self.width, self.dampening = width, dampening
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return triangular_spike(x, width=self.width, dampening=self.dampening)
