"""The family `normalize` beside the frameworks' own layers."""

import numpy as np
import pytest

EPS = 1e-5
# Both sides round each of the n terms of a mean and a few operations more; sizes stay below 10.
TOLERANCE = {"float32": 10 * 32 * 2.0**-24, "float64": 10 * 32 * 2.0**-53}
KINDS = pytest.mark.parametrize("dtype", TOLERANCE)


def numbers(dtype, bias):
    rng = np.random.default_rng(0)
    shapes = [(5, 16), (16,), (16,)] if bias else [(5, 16), (16,)]
    return [rng.standard_normal(shape).astype(dtype) for shape in (*shapes, (5, 16))]


@KINDS
@pytest.mark.parametrize("name", ["layer_norm", "rms_norm"])
def test_torch(name, dtype):
    torch = pytest.importorskip("torch")
    import torch_impl.normalize as ours

    *inputs, dy = map(torch.tensor, numbers(dtype, name == "layer_norm"))
    leaves = [x.requires_grad_() for x in inputs]
    theirs = getattr(torch.nn.functional, name)(leaves[0], (16,), *leaves[1:], eps=EPS)
    y = getattr(ours, name)(*leaves, eps=EPS)
    np.testing.assert_allclose(y.detach(), theirs.detach(), atol=TOLERANCE[dtype], rtol=0)
    for got, want in zip(torch.autograd.grad(y, leaves, dy), torch.autograd.grad(theirs, leaves, dy), strict=True):
        np.testing.assert_allclose(got, want, atol=TOLERANCE[dtype], rtol=0)


@KINDS
@pytest.mark.parametrize(("name", "layer"), [("layer_norm", "LayerNormalization"), ("rms_norm", "RMSNormalization")])
def test_keras(name, layer, dtype):
    tf = pytest.importorskip("tensorflow")
    keras = pytest.importorskip("keras")
    import tf_impl.normalize as ours

    *inputs, dy = map(tf.constant, numbers(dtype, name == "layer_norm"))
    theirs = getattr(keras.layers, layer)(epsilon=EPS, dtype=dtype)
    theirs.build(inputs[0].shape)
    theirs.set_weights(inputs[1:])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(inputs)
        y, y_theirs = getattr(ours, name)(*inputs, eps=EPS), theirs(inputs[0])
    np.testing.assert_allclose(y, y_theirs, atol=TOLERANCE[dtype], rtol=0)
    sources = [inputs[0], *theirs.trainable_variables]
    wanted = tape.gradient(y_theirs, sources, output_gradients=dy)
    for got, want in zip(tape.gradient(y, inputs, output_gradients=dy), wanted, strict=True):
        np.testing.assert_allclose(got, want, atol=TOLERANCE[dtype], rtol=0)
