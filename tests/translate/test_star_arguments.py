"""A gradient of ``*args`` is translated where the user names its inputs, and refused otherwise."""

import numpy as np
import pytest
import tensorflow as tf
import torch

from porting import array
from porting.port.discover import units_of
from porting.port.one import port
from porting.port.options import Checking

TORCH = """import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scale, *tensors):
        {body}
        ctx.scale = scale
        ctx.save_for_backward(*tensors)
        return scale * x * w

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return None, ctx.scale * dy * w, 2 * ctx.scale * dy * x
"""
TF = """import tensorflow as tf


@tf.custom_gradient
def mine(*tensors):
    {body}

    def grad(dy):
        return dy * tensors[1], 2.0 * dy * tensors[0]

    return 3.0 * x * w, grad
"""
BODIES = ["x, w = tensors", "x = tensors[0]; w = tensors[1]"]
_X, _W = np.array([-1.4, 0.3]), np.array([0.5, 2.0])
NAMED = Checking(inputs={"x": array((2,)), "w": array((2,))})


def ported(text, to, tmp_path, how):
    path = tmp_path / "theirs.py"
    path.write_text(text, encoding="utf-8")
    (unit,) = units_of(path, "", to)
    made = port(unit, check=False, how=how)
    ours = {}
    exec(made.text, ours)  # noqa: S102 - what the translator wrote
    return made, ours.get(made.called)


@pytest.mark.parametrize("body", BODIES)
def test_of_pytorch(body, tmp_path):
    made, f = ported(TORCH.format(body=body), "tf", tmp_path, NAMED)
    assert not made.refused
    x, w = tf.constant(_X), tf.constant(_W)
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = f(3.0, x, w)
    dx, dw = tape.gradient(y, [x, w])
    np.testing.assert_allclose(y, 3 * _X * _W)
    np.testing.assert_allclose(dx, 3 * _W)
    np.testing.assert_allclose(dw, 6 * _X)


@pytest.mark.parametrize("body", BODIES)
def test_of_tensorflow(body, tmp_path):
    made, f = ported(TF.format(body=body), "torch", tmp_path, NAMED)
    assert not made.refused
    x, w = torch.tensor(_X, requires_grad=True), torch.tensor(_W, requires_grad=True)
    y = f(x, w)
    y.sum().backward()
    np.testing.assert_allclose(y.detach(), 3 * _X * _W)
    np.testing.assert_allclose(x.grad, _W)
    np.testing.assert_allclose(w.grad, 2 * _X)


@pytest.mark.parametrize(("text", "to"), [(TORCH, "tf"), (TF, "torch")], ids=["torch", "tf"])
@pytest.mark.parametrize("how", [None, Checking(), Checking(inputs={"x": array((2,))})], ids=["no", "none", "too few"])
def test_without_all_names_it_is_refused(text, to, how, tmp_path):
    made, _ = ported(text.format(body=BODIES[0]), to, tmp_path, how)
    assert not made.text
    assert "how many inputs? Name each with --input" in made.said


@pytest.mark.parametrize(("text", "to"), [(TORCH, "tf"), (TF, "torch")], ids=["torch", "tf"])
@pytest.mark.parametrize("body", ["w, x = tensors", "x = 2 * tensors[0]; w = tensors[0]"], ids=["others", "changed"])
def test_a_variable_that_is_called_as_another_input_is_refused(text, to, body, tmp_path):
    made, _ = ported(text.format(body=body), to, tmp_path, NAMED)
    assert not made.text
    assert "how many inputs?" in made.said
