"""Forward mode: the Jacobian is made column by column, and contracted with the cotangents."""

import torch
from torch.autograd import forward_ad

from porting.backends.torch.in_mode import Answer, Asked


def answer(asked: Asked) -> Answer:
    """Return the gradient whose every element is the derivative along one direction, times the cotangents."""
    asked.ensure_linear()
    x = [each.detach() for each in asked.x]
    outputs = asked(*x)
    dx = tuple(torch.zeros_like(each) for each in x)
    for number, gradient in enumerate(dx):
        for k in range(gradient.numel()):
            gradient.view(-1)[k] = _along(asked, x, number, k)
    return outputs, dx


def _along(asked: Asked, x: list[torch.Tensor], number: int, k: int) -> torch.Tensor:
    direction = torch.zeros_like(x[number])
    direction.view(-1)[k] = 1
    with forward_ad.dual_level():
        duals = list(x)
        duals[number] = forward_ad.make_dual(x[number], direction)  # type: ignore[no-untyped-call]  # PyTorch's
        tangents = [forward_ad.unpack_dual(y).tangent for y in asked(*duals)]  # type: ignore[no-untyped-call]
        return asked.sent([torch.zeros(()) if t is None else t for t in tangents])
