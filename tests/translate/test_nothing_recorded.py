"""What a helper computes under torch.no_grad() is a constant, also where it is returned from within."""

import numpy as np
import pytest
from against_source import same_numbers, text_of

_SOURCE = """import torch


def scale_of(x, bits, plain=False):
    with torch.no_grad():
        n = 2 ** bits - 1
        top = x.abs().max().unsqueeze(0)
        {line}
        top[top == 0] = n
        if plain:
            return 1.0, n
        top *= 2
        return n / top, n


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, bits):
        scale, n = scale_of(x, bits)
        ctx.save_for_backward(x, scale)
        ctx.n = n
        return x * scale * n + w

    @staticmethod
    def backward(ctx, dy):
        x, scale = ctx.saved_tensors
        own, _ = scale_of(dy, 3, plain=False)
        return dy * scale * own + ctx.n, dy * x, None
"""


@pytest.mark.parametrize("line", ["pass", "top.mul_(3.0)"])
def test_what_is_returned_from_within_is_a_constant(line, tmp_path):
    text = same_numbers(tmp_path, _SOURCE.format(line=line), np.array([0.3, -1.2]), np.array([1.4, 0.7]), statics=(4,))
    assert "return tf.stop_gradient(n / top), n" in text


@pytest.mark.parametrize("line", ["x.mul_(3.0)", "whole = x.view(-1); whole[0] = 1.0", "x[0] = 1.0", "x += 1"])
def test_what_others_see_is_not_changed_where_nothing_is_recorded(line, tmp_path):
    _, why = text_of(tmp_path, _SOURCE.format(line=line))
    assert any("in place" in one for one in why)


def test_a_number_in_one_place_and_a_tensor_in_another_is_written_as_a_tensor(tmp_path):
    source = _SOURCE.format(line="pass").replace("return x * scale * n + w", "return x * scale.to(x.device) * n + w")
    text = same_numbers(tmp_path, source, np.array([0.3, -1.2]), np.array([1.4, 0.7]), statics=(4,))
    assert ".to(" not in text
