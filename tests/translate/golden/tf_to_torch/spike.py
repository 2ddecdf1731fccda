import numpy as np
import torch


class SpikeGaussianFunction(torch.autograd.Function):
    @staticmethod
    def forward(v_scaled, sigma, amplitude):
        z_ = v_scaled > 0.0
        z_ = z_.to(torch.float32)
        return z_

    @staticmethod
    def setup_context(ctx, inputs, output):
        v_scaled, ctx.sigma, ctx.amplitude = inputs
        ctx.save_for_backward(v_scaled)

    @staticmethod
    def backward(ctx, dy):
        (v_scaled,) = ctx.saved_tensors
        dz_dv_scaled = (
            torch.exp(-torch.square(v_scaled) / (2 * ctx.sigma ** 2))
            / (ctx.sigma * np.sqrt(2 * np.pi))
        )
        dz_dv_scaled = dz_dv_scaled * ctx.amplitude
        return dy * dz_dv_scaled, None, None


def spike_gaussian(v_scaled, sigma=0.5, amplitude=0.3):
    return SpikeGaussianFunction.apply(v_scaled, sigma, amplitude)
