"""Decorators of one's own: refused with what to type, and left out where the user says that they change no number."""

from dataclasses import replace

import numpy as np
import pytest
import tensorflow as tf
import torch

from porting.port.discover import units_of
from porting.port.one import port

TORCH = """import functools
import torch


def {decorator}(f):
    @functools.wraps(f)
    def wrapped(*args):
        torch.cuda.is_available()
        return f(*args)

    return wrapped


{on_helper}
def scaled(x, k):
    return k * torch.sin(x)


class Mine(torch.autograd.Function):
    @staticmethod
    {on_method}
    def forward(ctx, x, k):
        ctx.k = k
        return scaled(x, k)

    @staticmethod
    def backward(ctx, dy):
        return 3.0 * ctx.k * dy, None
"""
TF = """import tensorflow as tf


def {decorator}(f):
    return f


class Layer:
    @{decorator}
    @tf.custom_gradient
    def mine(self, x):
        @{decorator}
        def grad(dy):
            return 3.0 * self.k * dy

        return self.k * tf.sin(x), grad
"""
X = np.linspace(-1.0, 1.0, 4)


def ported(tmp_path, text, to, *transparent):
    path = tmp_path / "theirs.py"
    path.write_text(text)
    (unit,) = units_of(path, "", to)
    return port(replace(unit, transparent=transparent), check=False)


def in_tensorflow(text):
    ours = {"__name__": "ours"}
    exec(text, ours)  # noqa: S102 - what the translator wrote
    with tf.GradientTape() as tape:
        x = tf.constant(X)
        tape.watch(x)
        y = ours["mine"](x, 0.5)
    return y.numpy(), tape.gradient(y, x).numpy()


def in_pytorch(text):
    ours = {"__name__": "ours"}
    exec(text, ours)  # noqa: S102 - what the translator wrote
    x = torch.tensor(X, requires_grad=True)
    y = ours["mine"](x, 0.5)
    y.backward(torch.ones_like(y))
    return y.detach().numpy(), x.grad.numpy()


@pytest.mark.parametrize("on", ["helper", "method"])
def test_one_that_is_not_known_is_refused_and_may_be_said_to_change_nothing(on, tmp_path):
    places = {"on_helper": "", "on_method": "", f"on_{on}": "@waits"}
    text = TORCH.format(decorator="waits", **places)
    ((_, why),) = ported(tmp_path, text, "tf").refused
    assert why.endswith("@waits may change numbers; if it does not, --transparent waits")
    made = ported(tmp_path, text, "tf", "waits")
    assert made.refused == ()
    assert "`@waits` is left out: it was said to change no number" in made.notes
    np.testing.assert_allclose(in_tensorflow(made.text), (0.5 * np.sin(X), np.full(4, 1.5)))


def test_so_is_one_of_a_method_and_of_its_gradient(tmp_path):
    text = TF.format(decorator="traced")
    ((_, why),) = ported(tmp_path, text, "torch").refused
    assert "--transparent traced" in why
    made = ported(tmp_path, text, "torch", "traced")
    assert made.refused == ()
    np.testing.assert_allclose(in_pytorch(made.text), (0.5 * np.sin(X), np.full(4, 1.5)))


@pytest.mark.parametrize("known", ["jit_fuser", "custom_fwd", "typechecked"])
def test_what_libraries_call_alike_is_known(known, tmp_path):
    made = ported(tmp_path, TORCH.format(decorator=known, on_helper=f"@{known}", on_method=f"@{known}"), "tf")
    assert made.refused == ()
    np.testing.assert_allclose(in_tensorflow(made.text), (0.5 * np.sin(X), np.full(4, 1.5)))


OF_A_LIBRARY = """import torch

import a_library_that_is_not_here


@a_library_that_is_not_here.jit.script
def scaled(x):
    return 2.0 * x


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return scaled(x)

    @staticmethod
    def backward(ctx, dy):
        return 2.0 * dy
"""


@pytest.mark.slow
def test_a_librarys_own_decorator_keeps_no_gradient_from_its_proof(tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(OF_A_LIBRARY, encoding="utf-8")
    (unit,) = units_of(path, "Mine", "tf")
    made = port(unit)
    assert made.status == "proven", made.said
    assert any("checked apart" in note for note in made.notes)
