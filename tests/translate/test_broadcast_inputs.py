"""PyTorch sums a gradient to the shape of its input, whatever a backward returns; a translation does where it must."""

import pytest

from porting.port.discover import units_of
from porting.port.one import port
from porting.port.options import Checking
from porting.runners import RUNNERS
from porting.translate.module import Translator
from porting.translate.read.source import read_source

pytestmark = [
    pytest.mark.skipif(any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks"),
    pytest.mark.slow,
]
SOURCE = """import torch


class Squares(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, mask=None):
        ctx.save_for_backward(x, w)
        return {value} if mask is None else {value} * mask

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return {dx}, {dw}, None
"""
FREE = {"value": "x**3 + w**2", "dx": "3 * x**2 * dy", "dw": "2 * w * dy"}
MATRICES = {"value": "x @ w", "dx": "dy @ w.mT", "dw": "x.mT @ dy"}


def ported(tmp_path, parts):
    path = tmp_path / "squares.py"
    path.write_text(SOURCE.format(**parts))
    (unit,) = units_of(path, "Squares", "tf")
    return port(unit, how=Checking(dtypes=["float64"]).begun())


def test_a_gradient_is_summed_where_inputs_may_be_broadcast(tmp_path):
    made = ported(tmp_path, FREE)
    assert made.status == "proven", made
    assert not made.limits, made.limits
    assert "also with fewer axes of w, with fewer axes of x" in made.said
    assert "_sum_to(3 * x ** 2 * dy, tf.shape(x))" in made.text


def test_matrices_have_their_shapes(tmp_path):
    made = ported(tmp_path, MATRICES)
    assert made.status == "proven", made
    assert "_sum_to" not in made.text


_HEAD = """import torch


class Squares(torch.autograd.Function):
    @staticmethod
    def forward(ctx, {arguments}):
        ctx.save_for_backward({arguments})
{forward}

    @staticmethod
    def backward(ctx, dy):
        {arguments} = ctx.saved_tensors
{backward}
"""
BOUND = {
    "arguments": "x, bound",
    "forward": "        return torch.max(x, bound)",
    "backward": "        return dy * ((x >= bound) | (dy < 0)), None",
}
MASKED = {
    "arguments": "x, p, limit",
    "forward": "        y = x.clone()\n        y[p.le(limit)] = 0.5\n        return y",
    "backward": "        dx = dy.clone()\n        dx[p.le(limit)] = 0\n        return dx, None, None",
}
LINEAR = {
    "arguments": "x, w, b",
    "forward": "        return x.mm(w.t()) + b.unsqueeze(0)",
    "backward": "        return dy.mm(w), dy.t().mm(x), dy.sum(0)",
}
ONE_SHAPE = {
    "arguments": "x, y",
    "forward": "        assert x.shape == y.shape\n        return x * y",
    "backward": "        return dy * y, dy * x",
}


@pytest.mark.parametrize(
    ("parts", "written", "not_written"),
    [
        (BOUND, ["dy.dtype), tf.shape(x))"], []),
        (MASKED, ["_over(p <= limit, x)", "_over(p <= limit, dy)"], ["_sum_to"]),
        (LINEAR, ["_sum_to(tf.reduce_sum(dy, 0), tf.shape(b))"], ["_sum_to(tf.matmul"]),
        (ONE_SHAPE, [], ["_sum_to"]),
    ],
)
def test_it_holds_where_an_input_is_smaller_than_another_one(parts, written, not_written, tmp_path):
    """One that gets no gradient, a mask of the first axes, a bias of one number; not where the source refuses that."""
    path = tmp_path / "squares.py"
    path.write_text(_HEAD.format(**parts))
    (unit,) = units_of(path, "Squares", "tf")
    made = port(unit, how=Checking(dtypes=["float64"]).begun())
    assert made.status == "proven", made
    assert not made.limits, made.limits
    assert all(text in made.text for text in written), made.text
    assert not any(text in made.text for text in not_written), made.text


def test_what_is_none_and_never_given_is_told(tmp_path):
    assert "nothing is known where mask is given" in ported(tmp_path, FREE).said


def test_nothing_is_summed_in_the_short_form(tmp_path):
    path = tmp_path / "squares.py"
    path.write_text(SOURCE.format(**FREE))
    assert "_sum_to" not in Translator(read_source(path), "torch", "tf").translate("Squares").text
