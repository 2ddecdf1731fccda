"""The activations against the frameworks' own."""

import numpy as np
import pytest
import tensorflow as tf
import torch
from torch.nn import functional

from tf_impl import activation as ours_tf
from torch_impl import activation as ours

X = np.array([-30.0, -4.0, -1.25, -1e-5, 0.0, 0.5, 3.0, 25.0])
TERMS = 16 * 2.0**-52  # roundings of terms that are about 1, or about x where it is larger

TORCH = {
    "swish": functional.silu,
    "mish": functional.mish,
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
}
TENSORFLOW = {"swish": tf.nn.silu, "gelu_tanh": lambda x: tf.nn.gelu(x, approximate=True)}


@pytest.mark.parametrize("name", TORCH)
def test_torch_has_the_same_value_and_gradient(name):
    x = torch.tensor(X, requires_grad=True)
    for second in (False, True):  # the second time the gradient is computed by a formula, not by a kernel
        mine, theirs = getattr(ours, name)(x), TORCH[name](x)
        got = mine, *torch.autograd.grad(mine.sum(), x, create_graph=second)
        want = theirs, *torch.autograd.grad(theirs.sum(), x, create_graph=second)
        if second:
            got, want = ((*pair, *torch.autograd.grad(pair[1].sum(), x)) for pair in (got, want))
        for g, w in zip(got, want, strict=True):
            torch.testing.assert_close(g, w, rtol=TERMS, atol=TERMS)


@pytest.mark.parametrize("name", TENSORFLOW)
def test_tensorflow_has_the_same_value_and_gradient(name):
    x = tf.constant(X)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        mine, theirs = getattr(ours_tf, name)(x), TENSORFLOW[name](x)
    # tf.nn.gelu rounds its 0.044715 to float32, in float64 too: by 2^-24 of it, which y and dx hardly multiply by 8
    allowed = 2.0**-24 * 0.044715 * 8 if name == "gelu_tanh" else TERMS
    np.testing.assert_allclose(mine, theirs, rtol=0, atol=max(allowed, 25 * TERMS))
    np.testing.assert_allclose(tape.gradient(mine, x), tape.gradient(theirs, x), rtol=0, atol=max(allowed, 25 * TERMS))
