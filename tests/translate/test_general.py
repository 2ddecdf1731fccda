"""A translation is as long as it has to be: small functions stand beside it where the short words have limits."""

import pytest

from porting.port.discover import units_of
from porting.port.one import Checking, port
from porting.translate.module import Translator
from porting.translate.read.source import read_source
from porting.translate.rule import TOPICS

_SOURCE = """\
import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return {value}

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * {slope}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "slope", "helpers"),
    [
        ("torch.tanh(x)", "(1 - torch.tanh(x) ** 2)", set()),
        ("torch.sign(x)", "(x.abs() < 1).to(x.dtype)", {"_sign"}),
        ("x * x.numel()", "x.numel()", set()),
        ("torch.sign(x) / x.numel()", "torch.ones_like(x)", {"_sign"}),
    ],
)
def test_it_is_general_where_the_short_form_has_limits(value, slope, helpers, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(_SOURCE.format(value=value, slope=slope), encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit, how=Checking(dtypes=["float64"]))
    assert (made.status, made.limits) == ("proven", ())
    assert {line.split("(")[0][4:] for line in made.text.splitlines() if line.startswith("def _")} == helpers


def test_what_tensorflow_takes_for_zero_is_zero(tmp_path):
    """The length may not be negative, and who checks it draws some that are."""
    path = tmp_path / "mine.py"
    path.write_text(
        "import tensorflow as tf\n\n\n@tf.custom_gradient\ndef mine(x, longest):\n    def grad(dy):\n"
        "        return tf.clip_by_norm(dy, longest), tf.zeros_like(longest)\n\n    return tf.identity(x), grad\n",
        encoding="utf-8",
    )
    short, long = (
        Translator(read_source(path), "tf", "torch", general=how).translate("mine").text for how in ((), TOPICS)
    )
    assert [text.count("longest.clamp(min=0)") for text in (short, long)] == [0, 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "lacks"),
    [
        ("import no_such_package_at_all", "No module named 'no_such_package_at_all'"),
        ("from .beside import helper", "No module named '{folder}.beside'"),
        ("import torch\n\nCell = torch.contrib.Cell", "AttributeError: module 'torch' has no attribute 'contrib'"),
    ],
)
def test_a_gradient_is_checked_apart_from_a_file_that_does_not_import(line, lacks, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(f"{line}\n{_SOURCE.format(value='torch.tanh(x)', slope='(1 - torch.tanh(x) ** 2)')}")
    (unit,) = units_of(path, "", "tf")
    made = port(unit, how=Checking(dtypes=["float64"]))
    assert made.status == "proven"
    assert made.notes == (
        f"checked apart from the rest of its file, which does not import: {lacks.format(folder=tmp_path.name)}",
    )


@pytest.mark.slow
def test_a_gradient_of_first_order_is_said_to_be_one_in_the_first_lines(tmp_path):
    path = tmp_path / "mine.py"
    text = _SOURCE.format(value="torch.exp(x)", slope="torch.exp(x)").replace(
        "    @staticmethod\n    def backward",
        "    @staticmethod\n    @torch.autograd.function.once_differentiable\n    def backward",
    )
    assert "once_differentiable" in text
    path.write_text(text)
    (unit,) = units_of(path, "", "tf")
    made = port(unit, how=Checking(dtypes=["float64"]))
    assert made.status == "proven"
    assert "first order only" in "".join(made.text.splitlines()[:3])
