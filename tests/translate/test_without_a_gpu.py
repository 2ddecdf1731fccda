"""A source that moves its numbers to a GPU is proven where there is none, without that, and the translation says so."""

import pytest
import torch

from porting.port.discover import units_of
from porting.port.one import port

_SOURCE = """\
import torch


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        out = torch.zeros(x.size()).type(torch.cuda.FloatTensor)
        out[x > 0] = 1.0
        return out

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        zero = torch.zeros_like(x).cuda()
        return dy * torch.maximum(zero, 1.0 - x.abs()).to("cuda:0")
"""


@pytest.mark.skipif(torch.cuda.is_available(), reason="the source runs as it is")
@pytest.mark.slow
def test_it_is_proven_with_a_note(tmp_path):
    path = tmp_path / "spike.py"
    path.write_text(_SOURCE, encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit)
    assert made.status == "proven", made
    assert "checked without its .cuda(): there is no GPU here" in made.notes
    assert "without its .cuda()" in made.text
