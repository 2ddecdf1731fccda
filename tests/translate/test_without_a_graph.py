"""What PyTorch computes without a graph is a constant, and a backward that only raises stays one."""

import numpy as np
import pytest
import tensorflow as tf

from porting.port.discover import units_of
from porting.port.one import port

_HEAD = "import torch\n\n\nclass Mine(torch.autograd.Function):\n"
_X = np.array([-1.4, 0.3, 2.6])
_QUIETLY = """\
import torch


def rounded(x):
    with torch.no_grad():
        off = torch.round(x) - x
    return x + off


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return rounded(x) * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (rounded(x) + x * x)
"""


def test_what_is_computed_without_a_graph_is_a_constant(tmp_path):
    """The second derivative of rounded(x) is 1: without the constant it would be 0."""
    path = tmp_path / "mine.py"
    path.write_text(_QUIETLY, encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit, check=False)
    assert made.refused == ()
    ours = {}
    exec(made.text, ours)  # noqa: S102 - what the translator wrote
    x = tf.constant(_X)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = ours[made.called](x)
        slope = tape.gradient(y, x)
    np.testing.assert_allclose(slope, np.round(_X) + _X**2, rtol=1e-12)
    np.testing.assert_allclose(outer.gradient(slope, x), 1 + 2 * _X, rtol=1e-12)


_REFUSING = """\
    @staticmethod
    def forward(ctx, x, table):
        with torch.no_grad():
            found = ((x[:, None] - table) ** 2).argmin(1)
            ctx.mark_non_differentiable(found)
            return found

    @staticmethod
    def backward(ctx, dy):
        raise RuntimeError("what is found has no gradient")
"""


def test_a_backward_that_only_raises_stays_one(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(_HEAD + _REFUSING, encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit, check=False)
    assert made.refused == ()
    assert 'raise RuntimeError("what is found has no gradient")' in made.text
    ours = {}
    exec(made.text, ours)  # noqa: S102 - what the translator wrote
    assert ours[made.called](tf.constant(_X), tf.constant([0.0, 3.0, -2.0], tf.float64)).numpy().tolist() == [2, 0, 1]


@pytest.mark.parametrize("line", ["off += 1", "off.mul_(2.0)", "off[0] = 1.0"])
def test_what_is_changed_in_place_without_a_graph_is_refused(line, tmp_path):
    """The graph of what was computed before stays, of another value."""
    path = tmp_path / "mine.py"
    block = "    with torch.no_grad():\n        off = torch.round(x) - x\n"
    assert block in _QUIETLY
    before = f"    off = x * 2\n    with torch.no_grad():\n        {line}\n"
    path.write_text(_QUIETLY.replace(block, before), encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    assert any("in place" in why for _, why in port(unit, check=False).refused)


def test_it_raises_for_each_input(tmp_path):
    path = tmp_path / "mine.py"
    body = _REFUSING.replace("            ctx.mark_non_differentiable(found)\n", "").replace(".argmin(1)", ".amin(1)")
    body = body.replace("- table)", "- table[None])")
    path.write_text(_HEAD + body, encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made, ours = port(unit, check=False), {}
    exec(made.text, ours)  # noqa: S102 - what the translator wrote
    x, table = tf.constant(_X), tf.constant([0.0, 3.0], tf.float64)
    for of in (x, table):
        with tf.GradientTape() as tape:
            tape.watch(of)
            y = ours[made.called](x, table)
        with pytest.raises(RuntimeError, match="what is found has no gradient"):
            tape.gradient(y, of)
