"""Derivatives that a gradient asks its framework for: PyTorch's in a block that records, TensorFlow's on a tape."""

import numpy as np
import pytest
import tensorflow as tf
import torch

from porting.port.discover import units_of
from porting.port.one import port

_X, _W, _DY = np.array([-1.4, 0.3, 2.6]), np.array([0.5, -2.0, 1.25]), np.array([1.0, -0.5, 2.0])
_TORCH = """import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, power=2):
        ctx.save_for_backward(x, w)
        ctx.power = power
        return torch.sin(x) * w**power

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        {backward}
"""
_BLOCK = """with torch.enable_grad():
            x = x.detach().requires_grad_(True)
            w = w.detach()
            w.requires_grad = True
            y = torch.sin(x) * w**ctx.power
            dx, dw = torch.autograd.grad(y, (x, w), dy)
        return dx, dw, None"""
_LEAVES_BEFORE = """x = x.detach().requires_grad_()
        w = w.detach().requires_grad_()
        with torch.enable_grad():
            y = torch.sin(x) * w**ctx.power
        dx = torch.autograd.grad(y, x, dy, retain_graph=True)[0]
        dw, = torch.autograd.grad(outputs=y, inputs=[w], grad_outputs=dy)
        return dx, dw, None"""
_TF = """import tensorflow as tf


@tf.custom_gradient
def mine(x, w):
    {forward}
    y = tf.sin(x) * w**2

    def grad(dy):
        {grad}

    return y, grad
"""
_AGAIN = """with tf.GradientTape() as tape:
            tape.watch([x, w])
            z = tf.sin(x) * w**2
        return tape.gradient(z, [x, w], output_gradients=dy)"""
_ONE_BY_ONE = """with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            tape.watch(w)
            z = tf.sin(x) * w**2
        return tape.gradient(z, x, dy), tape.gradient(z, w, output_gradients=dy)"""
_IN_FORWARD = """with tf.GradientTape() as tape:
        tape.watch([x, w])
        z = tf.sin(x) * w**2"""
_OF_A_SUM = """with tf.GradientTape() as tape:
        tape.watch([x, w])
        z = tf.sin(x) * w**2
    dx, dw = tape.gradient(z, (x, w))"""


def made_of(tmp_path, source, to):
    """Return a translation that was not checked, and why it is refused."""
    path = tmp_path / "mine.py"
    path.write_text(source, encoding="utf-8")
    (unit,) = units_of(path, "", to)
    return port(unit, check=False)


def run(made):
    assert made.refused == (), made.refused
    space = {"__name__": "mine"}
    exec(made.text, space)  # noqa: S102 - what the translator wrote
    return space["mine"]


def wanted():
    return np.sin(_X) * _W**2, _DY * np.cos(_X) * _W**2, _DY * np.sin(_X) * 2 * _W


@pytest.mark.parametrize("backward", [_BLOCK, _LEAVES_BEFORE], ids=["in the block", "before it"])
def test_what_pytorch_records_is_on_a_tape(backward, tmp_path):
    op = run(made_of(tmp_path, _TORCH.format(backward=backward), "tf"))
    x, w = tf.constant(_X), tf.constant(_W)
    for call in (op, tf.function(op), tf.function(op, jit_compile=True)):
        with tf.GradientTape() as tape:
            tape.watch((x, w))
            y = call(x, w)
        found = (y, *tape.gradient(y, (x, w), tf.constant(_DY)))
        for got, want in zip(found, wanted(), strict=True):
            np.testing.assert_allclose(got.numpy(), want, rtol=1e-12)


@pytest.mark.parametrize(
    ("forward", "grad"),
    [
        ("", _AGAIN),
        ("", _ONE_BY_ONE),
        (_IN_FORWARD, "return tape.gradient(z, [x, w], output_gradients=dy)"),
        (_OF_A_SUM, "return dy * dx, dy * dw"),
    ],
    ids=["again", "one by one", "in the forward", "of a sum"],
)
def test_what_a_tape_records_pytorch_records(forward, grad, tmp_path):
    op = run(made_of(tmp_path, _TF.format(forward=forward, grad=grad), "torch"))
    x, w = torch.tensor(_X, requires_grad=True), torch.tensor(_W, requires_grad=True)
    y = op(x, w)
    first = torch.autograd.grad(y, (x, w), torch.tensor(_DY), create_graph=True)
    for got, want in zip((y, *first), wanted(), strict=True):
        np.testing.assert_allclose(got.detach().numpy(), want, rtol=1e-12)
    plain = torch.autograd.grad(op(x, w), (x, w), torch.tensor(_DY))  # PyTorch records nothing in this backward
    for got, want in zip(plain, first, strict=True):
        np.testing.assert_allclose(got.numpy(), want.detach().numpy(), rtol=1e-12)
    (second,) = torch.autograd.grad(first[0], x, torch.ones_like(x), allow_unused=True)
    np.testing.assert_allclose(second.numpy(), -_DY * np.sin(_X) * _W**2, rtol=1e-12)


@pytest.mark.parametrize(
    ("backward", "why"),
    [
        (_BLOCK.replace("dy)", "dy, create_graph=True)"), "create_graph has no rule"),
        (_BLOCK.replace("with torch.enable_grad():", "if True:"), "outside of `with torch.enable_grad():`"),
        (_BLOCK.replace("x = x.detach().requires_grad_(True)", "x = x * 1.0"), "x is computed in the block"),
        (_BLOCK.replace("dx, dw = torch.autograd.grad(y, (x, w), dy)", "dx, dw = y, y"), "no torch.autograd.grad asks"),
    ],
)
def test_what_pytorch_is_asked_otherwise_is_refused(backward, why, tmp_path):
    made = made_of(tmp_path, _TORCH.format(backward=backward), "tf")
    assert made.refused, made.text
    assert why in made.refused[0][1]


@pytest.mark.parametrize(
    ("grad", "why"),
    [
        (_AGAIN.replace("tape.gradient(z, [x, w], output_gradients=dy)", "tape.jacobian(z, [x, w])"), "tape.jacobian"),
        (_AGAIN.replace("[x, w])\n", "[x])\n"), "w is not watched"),
        (_AGAIN.replace("        return tape", "            return tape"), "is asked while the tape records"),
    ],
)
def test_what_a_tape_is_asked_otherwise_is_refused(grad, why, tmp_path):
    made = made_of(tmp_path, _TF.format(forward="", grad=grad), "torch")
    assert why in made.refused[0][1], made.refused
