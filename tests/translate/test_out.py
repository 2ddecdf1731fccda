"""A result that is written into a tensor (out=) becomes the tensor; what else has its memory changes with it."""

import numpy as np
import pytest
from against_source import same_numbers, text_of

from porting.port.discover import units_of
from porting.port.one import port

_SOURCE = """import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        y = torch.empty_like(x)
        z = x.clone()
        flat = z.view(-1)
        {line}
        return y + z

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        z = torch.empty_like(dy)
        torch.mul(dy, w, out=z)
        dw = dy * x
        torch.where(x > 0, dw, -dw, out=dw)
        return z, dw
"""
_LINES = {
    "torch.mul(x, w, out=y)": "y = x * w",
    "torch.add(torch.mul(x, w, out=y), x, alpha=2, out=y)": "y = x * w + 2 * x",
    "torch.exp(flat, out=flat[:]); y = z * 2": "z = tf.reshape(flat, tf.shape(x))",
    "y = x * 0; torch.mul(x[0], w[0], out=y[1])": "y = tf.concat([y[:1], tf.expand_dims(x[0] * w[0], 0), y[2:]], 0)",
    "y = torch.gt(x, w, out=y)": "y = tf.cast(x > w, y.dtype)",
    "torch.gt(x, w, out=y)": "y = tf.cast(x > w, y.dtype)",
    "torch.index_select(w, 0, torch.arange(3), out=y[:, :])": "y = tf.cast(tf.gather(w, tf.range(3)), y.dtype)",
}


@pytest.mark.parametrize("line", _LINES)
def test_a_result_is_written_into_a_tensor(line, tmp_path):
    rng = np.random.default_rng(9)
    text = same_numbers(tmp_path, _SOURCE.format(line=line), *rng.normal(size=(2, 3, 4)), twice=False)
    assert _LINES[line] in text


def test_an_oracle_has_it_too(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(_SOURCE.format(line="torch.mul(x, w, out=y)\n        y = torch.exp(y, out=y)"), encoding="utf-8")
    (unit,) = units_of(path, "Mine", "numpy")
    made = port(unit, check=False)
    assert made.refused == ()
    space = {"__name__": "mine"}
    exec(made.text, space)  # noqa: S102 - what the translator wrote
    x, w, dy = np.random.default_rng(9).normal(size=(3, 3, 4))
    np.testing.assert_allclose(space["mine"](x, w), np.exp(x * w) + x)
    np.testing.assert_allclose(space["mine"].vjp(dy, x, w)[1], np.abs(x) * dy)


@pytest.mark.parametrize(
    "line",
    [
        "torch.mul(torch.exp(x, out=y), y, out=y)",
        "torch.mul(torch.exp(x, out=z), x, out=y)",
        "y = torch.exp(x, out=z)",
        "z = torch.gt(x, w, out=y)",
        "torch.exp(x.t(), out=z.t()); y = z * 2",
        "v = z.t(); torch.exp(x, out=z); y = v.t()",
    ],
)
def test_what_others_may_see_is_refused(line, tmp_path):
    text, why = text_of(tmp_path, _SOURCE.format(line=line.replace("; ", "\n        ")))
    assert not text
    assert why


@pytest.mark.parametrize("line", ["torch.exp(x, out=y)", "y.mul_(2)", "y[0] = 1.0"])
def test_a_tensor_of_the_function_around_is_not_changed_by_an_inner_one(line, tmp_path):
    inner = f"y = x * 2\n\n        def change():\n            {line}\n            return y\n\n        y = y + change()"
    text, why = text_of(tmp_path, _SOURCE.format(line=inner))
    assert not text
    assert any("belongs to the function around" in one for one in why)
