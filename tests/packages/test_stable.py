"""The stable functions against the frameworks' own, where those are right: away from the ends."""

import numpy as np
import pytest
import tensorflow as tf
import torch
from torch.nn import functional

from tf_impl import stable as ours_tf
from torch_impl import stable as ours

ONE = np.array([[-0.9, -0.25, 1e-5], [0.125, 0.5, 0.75]])
TWO = np.array([[2.0, -3.0, 0.5], [1e-5, 19.0, -7.0]])
TERMS = 16 * 2.0**-52  # roundings of terms that are about 1

TORCH = {
    "artanh": (torch.atanh, {}, 1),
    "log1p_exp": (functional.softplus, {}, 1),
    "logaddexp": (torch.logaddexp, {}, 2),
    "logsumexp": (lambda x: torch.logsumexp(x, 0), {"axis": 0}, 1),
    "safe_norm": (lambda x: torch.linalg.vector_norm(x, dim=-1), {"axis": -1}, 1),
}
TENSORFLOW = {
    "artanh": (tf.math.atanh, {}, 1),
    "log1p_exp": (tf.math.softplus, {}, 1),
    "logsumexp": (lambda x: tf.reduce_logsumexp(x, 0), {"axis": 0}, 1),
    "safe_divide": (tf.math.divide_no_nan, {}, 2),
    "safe_norm": (lambda x: tf.norm(x, axis=-1), {"axis": -1}, 1),
}


@pytest.mark.parametrize("name", TORCH)
def test_torch_has_the_same_value_and_gradients(name):
    built_in, statics, arity = TORCH[name]
    inputs = [torch.tensor(x, requires_grad=True) for x in (ONE, TWO)[:arity]]
    mine, theirs = getattr(ours, name)(*inputs, **statics), built_in(*inputs)
    got, want = ([y, *torch.autograd.grad(y.square().sum(), inputs)] for y in (mine, theirs))
    for g, w in zip(got, want, strict=True):
        torch.testing.assert_close(g, w, rtol=TERMS, atol=TERMS)


@pytest.mark.parametrize("name", TENSORFLOW)
def test_tensorflow_has_the_same_value_and_gradients(name):
    built_in, statics, arity = TENSORFLOW[name]
    inputs = [tf.constant(x) for x in (ONE, TWO)[:arity]]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(inputs)
        mine, theirs = getattr(ours_tf, name)(*inputs, **statics), built_in(*inputs)
    got, want = ([y, *tape.gradient(y, inputs)] for y in (mine, theirs))
    for g, w in zip(got, want, strict=True):
        np.testing.assert_allclose(g, w, rtol=TERMS, atol=TERMS)
