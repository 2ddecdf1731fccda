"""Ops without fault, which are checked after the others, and what they are made from."""

import numpy as np
import torch

import porting


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.cos(x)


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return torch.sin(x) * scale

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.cos(x) * ctx.scale, None


def sine(x):
    return Sine.apply(x)


def wave(x, *, height=1.0):
    return Sine.apply(x) * height


def product(x1, x2):
    return x1 * x2


def any_number(*xs):
    return sum(xs)


@porting.op
def oracle(x):
    return np.sin(x)


@oracle.defvjp
def oracle_vjp(dy, y, x):
    return dy * np.cos(x)


@porting.op
def oracle_of_two(x1, x2):
    return x1 * x2


@oracle_of_two.defvjp
def oracle_of_two_vjp(dy, y, x1, x2):
    return dy * x2, dy * x1


def no_oracle(x):
    return np.sin(x)


HEIGHT = 3


def made(scale):
    class Inner(Sine):
        height = scale

    return Inner.apply(torch.zeros(3))


class Held(torch.nn.Module):
    def __init__(self, weight: torch.Tensor):
        super().__init__()
        self.weight = torch.nn.Parameter(weight)

    def forward(self, x):
        return x * self.weight
