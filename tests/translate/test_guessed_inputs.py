"""A proof finds out what a source takes, as a check does: shapes that it reads, places that it looks up."""

import pytest

from porting.port.discover import units_of
from porting.port.header import grouped
from porting.port.one import port
from porting.port.options import Checking
from porting.port.verify import verify
from porting.runners import RUNNERS
from porting.translate.module import Translator
from porting.translate.read.source import read_source

pytestmark = [
    pytest.mark.skipif(
        any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks to prove anything"
    ),
    pytest.mark.slow,
]
SOURCE = """import torch


class PickFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, index):
        b, n, d = x.shape
        ctx.save_for_backward(index)
        ctx.b = b
        return x.index_select(0, index) * d

    @staticmethod
    def backward(ctx, dy):
        (index,) = ctx.saved_tensors
        dx = dy.new_zeros(ctx.b, dy.shape[1], dy.shape[2])
        return dx.index_add(0, index, dy * dy.shape[2]), None


def pick(x, index):
    return PickFunction.apply(x, index)
"""


def proof(text, tmp_path):
    """Return what is proven of a translation, and the translator's own with it."""
    source, other = tmp_path / "source.py", tmp_path / "translation.py"
    source.write_text(SOURCE)
    made = Translator(read_source(source), "torch", "tf").translate("pick")
    other.write_text(text or made.text)
    return verify(f"{source}:pick", f"{other}:pick", "tf", made, Checking(dtypes=["float64"]).begun()), made.text


def test_inputs_are_guessed_where_none_that_names_tell_are_taken(tmp_path):
    found, text = proof("", tmp_path)
    assert found.status == "proven", found
    assert "index[" in found.report.described[0]
    (tmp_path / "wrong").mkdir()
    wrong, _ = proof(text.replace("dy * dy.shape[2]", "dy"), tmp_path / "wrong")
    assert wrong.status == "different", wrong
    assert any((r.check, r.runner, r.status) == ("vjp", "tf", "differ") for r in wrong.report.results), wrong


def test_what_nothing_is_taken_by_is_not_proven(tmp_path):
    found, _ = proof("def pick(x, index):\n    raise ValueError('not today')\n", tmp_path)
    assert found.status != "proven"


NUMBER = """import tensorflow as tf


@tf.custom_gradient
def scaled(x, a):
    def grad(dy):
        return dy * a, tf.reduce_sum(dy * x)

    return x * a, grad
"""


def test_a_number_is_guessed_where_its_gradient_is_one(tmp_path):
    """TensorFlow hands a gradient of any shape out: that it is one number says what its input is."""
    path = tmp_path / "mine.py"
    path.write_text(NUMBER, encoding="utf-8")
    (unit,) = units_of(path, "", "torch")
    made = port(unit, how=Checking(dtypes=["float64"]).begun())
    assert (made.status, made.faults) == ("proven", ()), made
    assert "a[]" in made.inputs


def test_checks_that_say_the_same_are_told_together():
    said = ("vjp: it raised", "large: 3 of 4 differ", "shapes: it raised")
    assert grouped(said) == ("vjp, shapes: it raised", "large: 3 of 4 differ")


MASKED = """import tensorflow as tf


@tf.custom_gradient
def held(x, sizes):
    def grad(dy):
        return tf.math.divide_no_nan(dy, sizes), None

    return x * 1.0, grad
"""


def test_numbers_that_nobody_gave_are_a_limit_where_arrays_are_proven(tmp_path):
    """TensorFlow makes a tensor of a number, PyTorch raises: a tensor is meant."""
    path = tmp_path / "mine.py"
    path.write_text(MASKED, encoding="utf-8")
    (unit,) = units_of(path, "", "torch")
    made = port(unit, how=Checking(dtypes=["float64"]).begun())
    assert made.status == "proven", made
    assert any(limit.startswith("with sizes=") for limit in made.limits), made.limits


LEVELS = """import torch
import torch.nn.functional as F


class Quantize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, step, levels):
        ctx.step, ctx.levels = step, levels
        y = F.hardtanh(input, min_val=-ctx.levels * ctx.step.item(), max_val=ctx.levels * ctx.step.item())
        return torch.round(y / ctx.step)

    @staticmethod
    def backward(ctx, dy):
        return dy.clone() / ctx.step, None, None
"""


def test_what_a_source_asks_of_tensors_alone_says_that_an_argument_is_one(tmp_path):
    path = tmp_path / "levels.py"
    path.write_text(LEVELS)
    (unit,) = units_of(path, "Quantize", "tf")
    made = port(unit)
    assert made.status == "proven", made
    assert "step[]" in made.inputs, made
