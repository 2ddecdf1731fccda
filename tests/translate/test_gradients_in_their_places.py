"""Each gradient reaches its own input: where some have none, where defaults are left out, where a tuple is repeated.

Seen in code of public repositories.
"""

from dataclasses import replace

import numpy as np
import pytest
import tensorflow as tf
import torch

from porting.port.discover import units_of
from porting.port.one import port

_X, _W, _DY = np.array([-1.4, 0.3, 2.6]), np.array([0.5, -2.0, 1.25]), np.array([1.0, -0.5, 2.0])
_TF = """import tensorflow as tf


@tf.custom_gradient
def mine(a, b, c):
    def grad(dy):
        return {gradients}

    return {value}, grad
"""
_TORCH = """{head}

class Mine(torch.autograd.Function):
    @staticmethod
    def forward({inputs}):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        {backward}
"""
_PLAIN = {"head": "import torch\n", "inputs": "ctx, x, w", "backward": "return dy * w, dy * x"}


def made_of(tmp_path, source, to, inputs=()):
    """Return a translation that was not checked."""
    path = tmp_path / "mine.py"
    path.write_text(source, encoding="utf-8")
    (unit,) = units_of(path, "", to)
    return port(replace(unit, inputs=inputs), check=False)


def run(made):
    assert made.refused == (), made.refused
    space = {"__name__": "mine"}
    exec(made.text, space)  # noqa: S102 - what the translator wrote
    return space["mine"]


@pytest.mark.parametrize(
    ("gradients", "value", "wanted"),
    [
        ("dy * c, None, dy * a", "a * c", (_DY * _W, None, _DY * _X)),
        ("None, dy * a, None", "a * b", (None, _DY * _X, None)),
        ("None, dy * c, dy * b", "b * c", (None, _DY * _W, _DY * _X)),
        ("dy * c, 0, dy * a * 1.0", "a * c", (_DY * _W, None, _DY * _X)),
        ("[dy * c, None] + [dy * a] * 1", "a * c", (_DY * _W, None, _DY * _X)),
    ],
)
def test_an_input_without_a_gradient_may_stand_anywhere(gradients, value, wanted, tmp_path):
    """The gradients moved to the first inputs, and reached the wrong ones."""
    op = run(made_of(tmp_path, _TF.format(gradients=gradients, value=value), "torch"))
    at = {"a": _X, "b": _X, "c": _W}
    given = [torch.tensor(x, requires_grad=True) for x in at.values()]
    found = torch.autograd.grad(op(*given), given, torch.tensor(_DY), allow_unused=True)
    for got, want in zip(found, wanted, strict=True):
        assert (got is None) == (want is None)
        if got is not None:
            np.testing.assert_allclose(got.numpy(), want, rtol=1e-12)


def test_no_gradient_at_all_is_refused(tmp_path):
    made = made_of(tmp_path, _TF.format(gradients="None, None, None", value="a * b * c"), "torch")
    assert "gives no gradient at all" in made.refused[0][1]


def test_outputs_in_a_list_are_outputs(tmp_path):
    source = _TF.format(gradients="dy * b + other, dy * a, None", value="[a * b, a + c]").replace("(dy)", "(dy, other)")
    op = run(made_of(tmp_path, source, "torch"))
    given = [torch.tensor(x, requires_grad=True) for x in (_X, _W, _W)]
    first, second = op(*given)
    found = torch.autograd.grad((first, second), given[0], (torch.tensor(_DY), torch.tensor(_DY)))
    np.testing.assert_allclose(found[0].numpy(), _DY * _W + _DY, rtol=1e-12)


def gradients_in_tensorflow(op):
    x, w = tf.constant(_X), tf.constant(_W)
    with tf.GradientTape() as tape:
        tape.watch((x, w))
        y = op(x, w)
    return [g.numpy() for g in tape.gradient(y, (x, w), tf.constant(_DY))]


@pytest.mark.parametrize(
    ("changed", "given"),
    [
        ({"inputs": "ctx, x, w, mode='plain', seed=None"}, ()),  # PyTorch takes two gradients where both are left out
        ({"inputs": "ctx, *inputs", "backward": "return tuple(dy * i for i in (w, x))"}, None),
        ({"backward": "print(ctx.__class__.__name__)\n        return dy * w, dy * x"}, ()),
        ({"backward": "return (dy * w).type(x.type()), (dy * x).type(w.type())"}, ()),
        ({"head": "from .all_of_it import *\n"}, ()),
        ({"head": "from .compat import torch\n"}, ()),
    ],
    ids=["defaults", "unknown", "print", "type", "star", "other module"],
)
def test_small_things_of_pytorch_are_read(changed, given, tmp_path):
    source = _TORCH.format(**{**_PLAIN, **changed})
    made = made_of(tmp_path, source, "tf")
    if given is None:
        assert "forward(*args): how many inputs" in made.refused[0][1]
        return
    for got, want in zip(gradients_in_tensorflow(run(made)), (_DY * _W, _DY * _X), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)


def test_what_a_default_that_is_given_would_raise_is_said(tmp_path):
    source = _TORCH.format(**{**_PLAIN, "inputs": "ctx, x, w, mode='plain'"})
    assert "no gradient for mode" in " ".join(made_of(tmp_path, source, "tf").notes)


def test_a_tuple_as_long_as_the_inputs_is_counted(tmp_path):
    source = """import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *inputs):
        ctx.save_for_backward(*inputs)
        return inputs[0] + inputs[1]

    @staticmethod
    def backward(ctx, dy):
        return (dy,) * len(ctx.saved_tensors)
"""
    op = run(made_of(tmp_path, source, "tf", ("a", "b")))
    for got in gradients_in_tensorflow(op):
        np.testing.assert_allclose(got, _DY, rtol=1e-12)


def test_who_gets_the_context_is_named(tmp_path):
    source = _TORCH.format(**{**_PLAIN, "backward": "keep(ctx, dy)\n        return dy * w, dy * x"})
    assert "ctx is handed to keep: what that keeps is not seen here" in made_of(tmp_path, source, "tf").refused[0][1]
