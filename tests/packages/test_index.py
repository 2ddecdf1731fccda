"""The family index beside the built-ins of both frameworks."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

import tf_impl.index as ours_tf  # noqa: E402
import torch_impl.index as ours_torch  # noqa: E402

RNG = np.random.default_rng(0)
TABLE, INDICES = RNG.standard_normal((5, 3)).astype(np.float32), np.array([[4, 0, 4], [1, 0, 4]])
ROWS, SEGMENTS = RNG.standard_normal((7, 3)).astype(np.float32), np.array([4, 0, 4, 1, 0, 4, 4])
DY = RNG.standard_normal((2, 3, 3)).astype(np.float32)
DY_MEAN = RNG.standard_normal((6, 3)).astype(np.float32)


def in_torch(f, x, indices, dy):
    t = torch.tensor(x, requires_grad=True)
    y = f(t, torch.tensor(indices))
    return y.detach().numpy(), torch.autograd.grad(y, t, torch.tensor(dy))[0].numpy()


def in_tf(f, x, indices, dy):
    t = tf.Variable(x)
    with tf.GradientTape() as tape:
        y = f(t, tf.constant(indices))
    return y.numpy(), tf.convert_to_tensor(tape.gradient(y, t, tf.constant(dy))).numpy()


def assert_same(ours, theirs):
    for got, want in zip(ours, theirs, strict=True):
        # sums of at most 4 terms below 4, each addition and division off by 2^-24 of them
        np.testing.assert_allclose(got, want, rtol=0, atol=8 * 16 * 2.0**-24)


def test_gather_rows_is_indexing():
    assert_same(in_torch(ours_torch.gather_rows, TABLE, INDICES, DY), in_torch(lambda x, i: x[i], TABLE, INDICES, DY))
    assert_same(in_tf(ours_tf.gather_rows, TABLE, INDICES, DY), in_tf(tf.gather, TABLE, INDICES, DY))


@pytest.mark.parametrize("padding", [0, 4])
def test_embedding_padding_is_the_built_in(padding):
    theirs = in_torch(lambda x, i: torch.nn.functional.embedding(i, x, padding_idx=padding), TABLE, INDICES, DY)
    for run, ours in ((in_torch, ours_torch), (in_tf, ours_tf)):
        assert_same(run(lambda x, i, op=ours: op.embedding_padding(x, i, padding=padding), TABLE, INDICES, DY), theirs)


def test_scatter_mean_is_the_built_in():
    ours = in_torch(lambda x, i: ours_torch.scatter_mean(x, i, size=6), ROWS, SEGMENTS, DY_MEAN)
    theirs = in_torch(
        lambda x, i: torch.zeros(6, 3).scatter_reduce(
            0, i[:, None].expand(-1, 3), x, "mean", include_self=False
        ),
        ROWS, SEGMENTS, DY_MEAN,
    )  # fmt: skip
    assert_same(ours, theirs)
    mean = in_tf(lambda x, i: tf.math.unsorted_segment_mean(x, i, 6), ROWS, SEGMENTS, DY_MEAN)
    assert_same(in_tf(lambda x, i: ours_tf.scatter_mean(x, i, size=6), ROWS, SEGMENTS, DY_MEAN), mean)


def test_the_built_in_mean_counts_in_the_type_of_the_rows():
    ones, zeros = tf.ones([1000, 1], tf.bfloat16), tf.zeros([1000], tf.int32)
    assert ours_tf.scatter_mean(ones, zeros, size=1).numpy().item() == 1.0
    counted = tf.math.unsorted_segment_sum(tf.ones([1000], tf.bfloat16), zeros, 1)
    assert counted.numpy().item() != 1000
