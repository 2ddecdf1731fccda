"""Runs a Function of PyTorch and its translation at the same numbers, eagerly and in a graph."""

import numpy as np
import tensorflow as tf
import torch

from porting.port.discover import units_of
from porting.port.one import port


def text_of(tmp_path, source):
    """Return the translation of the class `Mine`, with the reasons for which there is none."""
    path = tmp_path / "mine.py"
    path.write_text(source, encoding="utf-8")
    (unit,) = units_of(path, "Mine", "tf")
    made = port(unit, check=False)
    return made.text, tuple(why for _, why in made.refused)


def same_numbers(tmp_path, source, *inputs, statics=(), twice=True):
    """Compare values, gradients, and, `twice`, gradients of gradients; return the text of the translation."""
    text, why = text_of(tmp_path, source)
    assert why == (), why
    theirs, ours = {"__name__": "mine"}, {"__name__": "mine"}
    exec(source, theirs)  # noqa: S102 - the test's own
    exec(text, ours)  # noqa: S102 - what the translator wrote
    want = _in_pytorch(lambda *x: theirs["Mine"].apply(*x, *statics), inputs, twice)
    for run in (_in_tensorflow, tf.function(_in_tensorflow)):
        found = run(lambda *x: ours["mine"](*x, *statics), [tf.constant(x) for x in inputs], twice)
        for got, number in zip(tf.nest.flatten(found), want, strict=True):
            assert got.shape == number.shape
            np.testing.assert_allclose(got, number, rtol=1e-9, atol=1e-12)
    return text


def _in_pytorch(op, inputs, twice):
    given = [torch.tensor(x, requires_grad=True) for x in inputs]
    y = op(*given)
    dy = torch.sin(torch.arange(y.numel(), dtype=y.dtype)).reshape(y.shape).requires_grad_()
    first = torch.autograd.grad(y, given, dy, create_graph=twice)
    second = torch.autograd.grad(sum((dx * dx).sum() for dx in first), dy) if twice else ()
    return [part.detach().numpy() for part in (y, *first, *second)]


def _in_tensorflow(op, given, twice):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            tape.watch(given)
            y = op(*given)
        dy = tf.reshape(tf.sin(tf.range(tf.size(y, y.dtype), dtype=y.dtype)), y.shape)
        outer.watch(dy)
        first = tape.gradient(y, given, dy)
        whole = tf.add_n([tf.reduce_sum(dx * dx) for dx in first])
    return (y, first, outer.gradient(whole, dy)) if twice else (y, first)
