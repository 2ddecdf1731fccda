"""Convolutions in groups: TensorFlow's own have no gradient on a CPU."""

import numpy as np
import pytest
from against_source import same_numbers

_SOURCE = """import torch
import torch.nn.functional as F


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, groups):
        ctx.save_for_backward(x, w)
        ctx.groups = groups
        return F.conv2d(x, w, stride=(2, 1), padding=(0, 1), groups=groups)

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        dx = F.conv_transpose2d(dy, w, stride=(2, 1), padding=(0, 1), groups=ctx.groups)
        return dx, w * dy.sum(), None
"""


@pytest.mark.parametrize(("groups", "each"), [(1, 4), (2, 2), (4, 1)])
def test_a_convolution_in_groups_has_both_gradients(groups, each, tmp_path):
    rng = np.random.default_rng(3)
    x, w = rng.normal(size=(2, 4, 6, 5)), rng.normal(size=(8, each, 2, 3))
    same_numbers(tmp_path, _SOURCE, x, w, statics=(groups,))
