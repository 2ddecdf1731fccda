"""An assertion about numbers holds in a graph too; what both sides raise for is a fault of both."""

import pytest

from porting.port.discover import units_of
from porting.port.one import port
from porting.port.options import Checking
from porting.runners import RUNNERS
from porting.translate.module import Translator
from porting.translate.read.source import read_source

SOURCE = """import torch


class StepFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight, alpha, low):
        assert {test}{said}
        assert low < 0, "low"
        ctx.save_for_backward(weight, alpha)
        ctx.low = low
        return (weight / alpha).round().clamp(low, 7) * alpha

    @staticmethod
    def backward(ctx, dy):
        weight, alpha = ctx.saved_tensors
        inside = (weight / alpha > ctx.low).float()
        dalpha = (inside * (weight / alpha).round() * dy).sum().unsqueeze(dim=0)
        return inside * dy, dalpha, None
"""
WRITTEN = {
    ("alpha > 0", ""): "tf.debugging.Assert(tf.reduce_all(alpha > 0), ['alpha > 0'])",
    ("(alpha > 0).all()", ""): "tf.debugging.Assert(tf.reduce_all(alpha > 0), ['tf.reduce_all(alpha > 0)'])",
    ("alpha > 0", ', "odd"'): 'tf.debugging.Assert(tf.reduce_all(alpha > 0), ["odd"])',
}


def source_file(tmp_path, test="alpha > 0", said=""):
    path = tmp_path / "step.py"
    path.write_text(SOURCE.format(test=test, said=said))
    return path


@pytest.mark.parametrize(("test", "said"), WRITTEN)
def test_it_is_written_for_tensors_alone(tmp_path, test, said):
    made = Translator(read_source(source_file(tmp_path, test, said)), "torch", "tf").translate("StepFunction")
    assert WRITTEN[test, said] in made.text
    assert 'assert low < 0, "low"' in made.text


@pytest.mark.slow
@pytest.mark.skipif(any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks")
def test_it_holds_in_a_graph_and_is_a_fault_of_both_for_what_it_refuses(tmp_path):
    """A gradient [1] says that its input has one element, an input that gets one holds no whole numbers."""
    (unit,) = units_of(source_file(tmp_path), "StepFunction", "tf")
    made = port(unit, how=Checking().begun())
    assert made.status == "proven", made
    assert "alpha[1]" in made.inputs
    assert not made.limits, made.limits
    assert any(fault.startswith("nan_input") for fault in made.faults), made
    assert not any(fault.startswith("nan_input") for fault in made.mended), made
