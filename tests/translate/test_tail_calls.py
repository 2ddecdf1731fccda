"""A helper that returns all gradients of a backward is put in its place; the translation has the same gradients.

Seen in libraries of spiking networks.
"""

import numpy as np
import pytest
import tensorflow as tf
import torch

from porting.port.discover import units_of
from porting.port.one import port

_CLASS = """\
import torch


{helper}


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        if x.requires_grad:
            ctx.save_for_backward(x)
            ctx.alpha = alpha
        return (x >= 0).to(x)

    @staticmethod
    def backward(ctx, grad_output):
        {body}
"""
_SCRIPT = """\
@torch.jit.script
def slope(grad_output: torch.Tensor, x: torch.Tensor, alpha: float):
    s = (x * alpha).sigmoid_()
    return grad_output * (1.0 - s) * s * alpha, None
"""
_BRANCHES = """\
def slope(dy, at, k=2.0):
    at = at * k
    if k > 1:
        return dy * torch.cos(at), None
    return dy, None
"""
_CHAIN = """\
def inner(dy, x, grad_output):
    x = torch.tanh(x)
    return dy * x * grad_output, None


def slope(dy, x, alpha):
    scaled = dy * alpha
    return inner(scaled, x, grad_output=alpha)
"""
FORMS = {
    "a script": (_SCRIPT, "return slope(grad_output, ctx.saved_tensors[0], ctx.alpha)"),
    "assigned before": (_SCRIPT, "grads = slope(grad_output, ctx.saved_tensors[0], ctx.alpha)\n        return grads"),
    "branches and a default": (_BRANCHES, "x, = ctx.saved_tensors\n        return slope(grad_output, at=x + 0.1)"),
    "a helper of a helper": (_CHAIN, "x, = ctx.saved_tensors\n        return slope(grad_output, x, ctx.alpha)"),
    "names of its own": (
        _BRANCHES.replace("at = at * k", "x = at * k\n    at = x"),
        "x, = ctx.saved_tensors\n        at = x * 2\n        return slope(grad_output * at, x)",
    ),
}
_X = np.array([-1.4, 0.3, 2.6])


def written(folder, helper, body):
    path = folder / "mine.py"
    path.write_text(_CLASS.format(helper=helper, body=body), encoding="utf-8")
    return path


@pytest.mark.parametrize(("helper", "body"), FORMS.values(), ids=FORMS)
def test_the_gradient_is_the_same(helper, body, tmp_path, monkeypatch):
    path = written(tmp_path, helper, body)
    (unit,) = units_of(path, "", "tf")
    made = port(unit, check=False)
    assert made.refused == ()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(torch.jit, "script", lambda f: f)  # it reads a file that it is given, not a text
    theirs, ours = {}, {}
    exec(path.read_text(encoding="utf-8"), theirs)  # noqa: S102 - our own text
    exec(made.text, ours)  # noqa: S102 - what the translator wrote
    x = torch.tensor(_X, requires_grad=True)
    y = theirs["Mine"].apply(x, 1.5)
    y.backward(torch.full_like(y, 0.7))
    value = tf.constant(_X)
    with tf.GradientTape() as tape:
        tape.watch(value)
        made_y = ours[made.called](value, 1.5)
    slope = tape.gradient(made_y, value, output_gradients=tf.fill(made_y.shape, tf.constant(0.7, tf.float64)))
    np.testing.assert_allclose(made_y, y.detach(), rtol=1e-12)
    np.testing.assert_allclose(slope, x.grad, rtol=1e-12)


@pytest.mark.parametrize(
    ("helper", "body"),
    [
        ("def slope(*xs):\n    return xs[0], None\n", "return slope(grad_output, ctx.alpha)"),
        ("def waits(f):\n    return f\n\n\n@waits\ndef slope(dy):\n    return dy, None\n", "return slope(grad_output)"),
        ("def slope(dy):\n    return dy * 2\n", "return slope(grad_output)"),
    ],
    ids=["stars", "a decorator that is not known", "one gradient"],
)
def test_what_is_not_known_is_refused(helper, body, tmp_path):
    (unit,) = units_of(written(tmp_path, helper, body), "", "tf")
    (refused,) = port(unit, check=False).refused
    assert " for 2 inputs: which gradients that are is not seen here" in str(refused)
