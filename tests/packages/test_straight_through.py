"""The family straight_through beside the frameworks' own clips and quantisers."""

import numpy as np
import pytest

from porting.registry import ops

X = [-1.5, -1.0, -0.4, -0.0, 0.0, 0.125, 0.5, 0.875, 1.0, 1.1, 1.5]


def torch_gradient(fn):
    torch = pytest.importorskip("torch")
    x = torch.tensor(X, requires_grad=True)
    y = fn(x)
    return y.tolist(), torch.autograd.grad(y.sum(), x)[0].tolist()


def tf_gradient(fn):
    tf = pytest.importorskip("tensorflow")
    x = tf.Variable(X)
    with tf.GradientTape() as tape:
        y = fn(x)
    return y.numpy().tolist(), tape.gradient(y, x).numpy().tolist()


@pytest.mark.parametrize("name", ["ste_sign", "ste_heaviside", "ste_ternary"])
def test_gradient_is_that_of_the_clips_of_both_frameworks_at_the_ends_too(name):
    statics = {"threshold": 0.3} if name == "ste_ternary" else {}
    clip, clip_tf = torch_gradient(lambda x: x.clamp(-1, 1)), tf_gradient(lambda x: _tf().clip_by_value(x, -1.0, 1.0))
    assert torch_gradient(lambda x: ops()[name].twin("torch")(x, **statics))[1] == clip[1] == clip_tf[1]
    assert tf_gradient(lambda x: ops()[name].twin("tf")(x, **statics))[1] == clip_tf[1]


def test_hardtanh_of_torch_gives_nothing_at_its_ends():
    torch = pytest.importorskip("torch")
    (_, ours), (_, theirs) = (
        torch_gradient(ops()["ste_sign"].twin("torch")),
        torch_gradient(torch.nn.functional.hardtanh),
    )
    assert [x for x, a, b in zip(X, ours, theirs, strict=True) if a != b] == [-1.0, 1.0]


def test_dorefa_quantize_beside_fake_quantize_of_torch():
    torch = pytest.importorskip("torch")
    y, dx = torch_gradient(lambda x: torch.fake_quantize_per_tensor_affine(x, 1 / 3, 0, 0, 3))
    ours, our_dx = torch_gradient(lambda x: ops()["dorefa_quantize"].twin("torch")(x, bits=2))
    np.testing.assert_allclose(y, ours, rtol=4 * 2.0**-24)  # levels as k (1 / 3) there, as k / 3 here
    differ = [x for x, a, b in zip(X, our_dx, dx, strict=True) if a != b]
    assert differ == [1.1]  # passes up to half a level beyond: 7 / 6


def test_dorefa_quantize_beside_fake_quant_of_tensorflow():
    tf = pytest.importorskip("tensorflow")
    y, dx = tf_gradient(lambda x: tf.quantization.fake_quant_with_min_max_args(x, 0.0, 1.0, num_bits=2))
    ours, our_dx = tf_gradient(lambda x: ops()["dorefa_quantize"].twin("tf")(x, bits=2))
    np.testing.assert_allclose(y, ours, rtol=4 * 2.0**-24)
    assert dx == our_dx
    half = tf.constant(0.5 / 3)  # a half goes up there, to the even level here
    assert tf.quantization.fake_quant_with_min_max_args(half, 0.0, 1.0, num_bits=2) > 0.3
    assert ops()["dorefa_quantize"].twin("tf")(half, bits=2) == 0.0


def _tf():
    return pytest.importorskip("tensorflow")
