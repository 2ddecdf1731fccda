"""An argument that is None by default, and another branch where it is given: that branch is said to be left out."""

import torch

from porting import Pair


class MaskWeight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight_mask=None):
        ctx.mask = weight_mask
        if weight_mask is not None:
            return x * weight_mask
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return dy if ctx.mask is None else dy * ctx.mask, None


def negated(x, dim=None):
    if dim is None:
        dim = -1
    return -x.flip(dim).flip(dim)


def doubled(x, out=None):
    return 2 * x


def tripled(x, mask=None):
    return _scaled(3 * x, mask)


def _scaled(x, by):
    return x if by is None else x * by


def lines(side, **said):
    return [line for line in Pair(torch=side, **said).described().splitlines() if "None alone is compared" in line]


def test_the_branch_of_a_mask_is_said_to_be_left_out_with_what_compares_it():
    (line,) = lines(MaskWeight)
    assert line.strip().startswith("weight_mask: None alone is compared")
    assert 'as in --input "x=float64[...]" --input "weight_mask=float64[...]"' in line


def test_so_is_that_of_a_helper():
    assert len(lines(tripled)) == 1


def test_a_default_and_what_nothing_asks_for_are_no_branch():
    assert lines(negated) == []
    assert lines(doubled) == []


def test_nothing_is_said_of_what_somebody_described():
    assert lines(MaskWeight, statics={"weight_mask": None}) == []
