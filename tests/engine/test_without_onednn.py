"""What TensorFlow computes on a CPU with oneDNN alone, which is left out here, is no fault of a side."""

import pytest

from porting import Pair
from porting.engine.no_fault import no_fault
from porting.parity.finding import Finding, Result

SAID = "Depthwise convolution on CPU is only supported for NHWC format [Op:DepthwiseConv2dNative]"


def raised(message):
    fields = {"type": "UnimplementedError", "message": message, "stage": "backward", "where": "f.py:3"}
    found = Finding("raised", fields)
    return Result("f", "vjp", "tf", "cpu", "eager", "float32", 0, "differ", findings=(found,))


@pytest.mark.parametrize(("message", "setting", "is_one"), [
    (SAID, "0", False),
    ("Default AvgPoolingOp only supports NHWC on device type CPU [Op:AvgPool]", "0", False),
    (SAID, "1", True),
    ("no gradient defined for operation f", "0", True),
], ids=["convolution", "pooling", "with it", "another error"])  # fmt: skip
def test_it_accuses_nobody(monkeypatch, message, setting, is_one):
    monkeypatch.setenv("TF_ENABLE_ONEDNN_OPTS", setting)
    pair = Pair(tf=lambda x: x, name="f")
    why = no_fault(raised(message), pair, None)
    assert ("TF_ENABLE_ONEDNN_OPTS=1" in why) != is_one
