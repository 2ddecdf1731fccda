"""An argument that may be left out is given too, in shapes that suit it: what is wrong there is not handed over."""

import pytest

from porting import array
from porting.port.candidate_inputs import Attempt, variants
from porting.port.discover import units_of
from porting.port.one import port
from porting.port.options import Checking
from porting.port.verify import verify
from porting.translate.abstract_value import TENSOR
from porting.translate.argument import Argument
from porting.translate.module import Translator
from porting.translate.read.source import read_source
from porting.translate.rule import TOPICS

SOURCE = """\
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, weight, bias=None):
        ctx.save_for_backward(input, weight, bias)
        output = input.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output

    @staticmethod
    def backward(ctx, dy):
        input, weight, bias = ctx.saved_tensors
        d_bias = None
        if bias is not None:
            d_bias = dy.sum(0).squeeze(0)
        return dy.mm(weight), dy.t().mm(input), d_bias
"""


def written(folder):
    path = folder / "layer.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


@pytest.mark.slow
def test_no_axis_is_taken_away_of_a_sum_that_has_one(tmp_path):
    (unit,) = units_of(written(tmp_path), "", "tf")
    made = port(unit)
    assert made.status == "proven", made
    assert "d_bias = tf.reduce_sum(dy, 0)\n" in made.text


@pytest.mark.slow
def test_a_translation_that_raises_with_it_is_not_handed_over(tmp_path):
    path = written(tmp_path)
    made = Translator(read_source(path), "torch", "tf", general=TOPICS).translate("LinearFunction")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(made.text.replace("_squeeze(tf", "tf.squeeze(tf"), encoding="utf-8")
    assert made.text.count("_squeeze(tf") == 1
    found = verify(f"{path}:LinearFunction", f"{wrong}:{made.called}", "tf", made, Checking(dtypes=["float64"]).begun())
    assert found.status != "proven", found


def test_it_is_a_bias_of_one_matrix_or_of_two():
    arguments = [Argument(name, TENSOR, differentiated=True) for name in ("x", "w")]
    arguments.append(Argument("b", TENSOR, differentiated=True, default=True, absent=True))
    found = variants(Attempt({"x": array(), "w": array()}, {}), arguments, ())
    assert {name for name, _ in found} == {"with b"}
    assert [way.inputs["b"].shape for _, way in found] == [(...,), ("m",), ("m",)]
    assert [way.inputs["w"].shape for _, way in found] == [(...,), ("m", "k"), ("k", "m")]
