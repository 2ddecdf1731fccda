"""Quantisers, masks and samples of the family straight_through beside the frameworks' own."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

import tf_impl.straight_through as ours_tf  # noqa: E402
import torch_impl.straight_through as ours  # noqa: E402

HALVES = np.arange(-20, 20, dtype=np.float32) / 4  # beside and exactly at halves of the step 1/2
DTYPES = ["float16", "bfloat16", "float32", "float64"]


def in_torch(f, x):
    x = torch.tensor(x, requires_grad=True)
    y = f(x)
    return y.detach().numpy(), torch.autograd.grad(y.sum(), x)[0].numpy()


def in_tf(f, x):
    x = tf.Variable(x)
    with tf.GradientTape() as tape:
        y = f(x)
    return y.numpy(), tape.gradient(y, x).numpy()


def quantized_torch(x):
    return ours.fake_quantize(x, torch.tensor(0.5), torch.tensor(0), bits=3, signed=True)


def quantized_tf(x):
    return ours_tf.fake_quantize(x, 0.5, 0, bits=3, signed=True)


def test_fake_quantize_is_that_of_torch_at_halves_and_ends_too():
    theirs = in_torch(lambda x: torch.fake_quantize_per_tensor_affine(x, 0.5, 0, -4, 3), HALVES)
    for got, got_tf, want in zip(in_torch(quantized_torch, HALVES), in_tf(quantized_tf, HALVES), theirs, strict=True):
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(got_tf, want)


def test_fake_quantize_per_channel_is_that_of_torch():
    x = np.random.default_rng(0).standard_normal((50, 3)).astype(np.float32)
    scale, zero = torch.tensor([0.5, 0.25, 1.0]), torch.tensor([0, 3, -2], dtype=torch.int32)
    theirs = in_torch(lambda x: torch.fake_quantize_per_channel_affine(x, scale, zero, 1, -8, 7), x)
    for got, want in zip(
        in_torch(lambda x: ours.fake_quantize(x, scale, zero, bits=4, signed=True), x), theirs, strict=True
    ):
        np.testing.assert_array_equal(got, want)


def test_fake_quant_of_tensorflow_rounds_halves_up_and_ends_half_a_step_earlier():
    def theirs(x):
        return tf.quantization.fake_quant_with_min_max_args(x, min=-2.0, max=1.5, num_bits=3)

    (y, dx), (want, want_dx) = in_tf(quantized_tf, HALVES), in_tf(theirs, HALVES)
    assert HALVES[y != want].tolist() == [-1.75, -0.75, 0.25, 1.25]
    assert HALVES[dx != want_dx].tolist() == [-2.25]  # -4.5 steps: rounded to -4, which is inside
    beyond = np.float32([-2.2, 1.7])
    assert in_tf(quantized_tf, beyond)[1].tolist() == [1, 1]
    assert in_tf(theirs, beyond)[1].tolist() == [0, 0]
    x = np.random.default_rng(0).uniform(-4, 4, 1000).astype(np.float32)
    np.testing.assert_array_equal(in_tf(quantized_tf, x)[0], in_tf(theirs, x)[0])


@pytest.mark.parametrize(("low", "high"), [(-2.0, 1.5), (-1.95, 1.45)])
def test_learned_step_of_torch_agrees_but_for_the_last_half_step(low, high):
    x = torch.linspace(low, high, 1001)[1:-1].requires_grad_()
    scale, zero = torch.tensor([0.5], requires_grad=True), torch.tensor([0.0], requires_grad=True)
    g = (x.numel() * 3) ** -0.5
    y = torch._fake_quantize_learnable_per_tensor_affine(x, scale, zero, -4, 3, g)
    dx, dscale = torch.autograd.grad(y.sum(), (x, scale))
    step = torch.tensor(0.5, requires_grad=True)
    mine = ours.lsq_quantize(x, step, bits=3, signed=True)
    got_dx, dstep = torch.autograd.grad(mine.sum(), (x, step))
    torch.testing.assert_close(mine, y, rtol=0, atol=0)
    torch.testing.assert_close(got_dx, dx, rtol=0, atol=0)
    # a thousand terms of at most 1/2, each rounded
    torch.testing.assert_close(dstep, dscale[0], rtol=0, atol=float(g * 1000 * 2.0**-24))
    at = torch.tensor([1.7], requires_grad=True)  # 3.4 steps: beyond the range, but rounded to 3
    theirs = torch._fake_quantize_learnable_per_tensor_affine(at, scale, zero, -4, 3, g)
    assert torch.autograd.grad(theirs, at)[0].item() == 1
    assert torch.autograd.grad(ours.lsq_quantize(at, step, bits=3, signed=True), at)[0].item() == 0


def test_gumbel_softmax_is_that_of_torch_and_exactly_one_hot():
    logits = torch.randn(200, 7, generator=torch.Generator().manual_seed(0)).requires_grad_()
    torch.manual_seed(1)
    theirs = torch.nn.functional.gumbel_softmax(logits, tau=0.5, hard=True)
    torch.manual_seed(1)
    noise = -torch.empty_like(logits).exponential_().log()
    got = ours.gumbel_softmax(logits, noise, temperature=0.5)
    torch.testing.assert_close(got, theirs)
    assert set(got.unique().tolist()) == {0.0, 1.0}
    dy = torch.arange(7.0).expand(200, 7)
    (want_dx,), (dx,) = torch.autograd.grad(theirs, logits, dy), torch.autograd.grad(got, logits, dy)
    torch.testing.assert_close(dx, want_dx, rtol=0, atol=16 * 2.0**-24 * 12)  # terms of at most 6 / 0.5


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_first_of_equal_ones_wins(dtype):
    signs = np.tile([1.0, -1.0], (3, 500))  # equal magnitudes
    x, x_tf = torch.tensor(signs).to(getattr(torch, dtype)), tf.cast(signs, dtype)
    first = np.arange(1000) < 3
    np.testing.assert_array_equal(ours.top_k_mask(x, k=3) != 0, np.tile(first, (3, 1)))
    np.testing.assert_array_equal(ours_tf.top_k_mask(x_tf, k=3) != 0, np.tile(first, (3, 1)))
    np.testing.assert_array_equal((ours.top_k_mask(x, k=2, axis=0) != 0)[:, 0], [True, True, False])
    np.testing.assert_array_equal((ours_tf.top_k_mask(x_tf, k=2, axis=0) != 0)[:, 0], [True, True, False])
    one, one_tf = (
        ours.gumbel_softmax(x, 0 * x, temperature=1.0),
        ours_tf.gumbel_softmax(x_tf, 0 * x_tf, temperature=1.0),
    )
    np.testing.assert_array_equal(one.float(), np.tile(np.arange(1000) == 0, (3, 1)))
    np.testing.assert_array_equal(tf.cast(one_tf, tf.float32), one.float())
    codes = [[1.0, 1.0], [0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]  # (1/2, 1/2) is as near to all of them
    nearest = ours.vector_quantize(torch.full((2,), 0.5).to(x.dtype), torch.tensor(codes).to(x.dtype))
    nearest_tf = ours_tf.vector_quantize(tf.cast([0.5, 0.5], dtype), tf.cast(codes, dtype))
    assert nearest.tolist() == tf.cast(nearest_tf, tf.float32).numpy().tolist() == codes[0]


@pytest.mark.parametrize("k", [1, 5, 64])
def test_top_k_mask_keeps_what_topk_finds(k):
    x = torch.randn(20, 64, generator=torch.Generator().manual_seed(0))
    kept = x.abs().topk(k).indices
    torch.testing.assert_close(ours.top_k_mask(x, k=k), torch.zeros_like(x).scatter(1, kept, x.gather(1, kept)))
    np.testing.assert_array_equal(ours_tf.top_k_mask(x.numpy(), k=k), ours.top_k_mask(x, k=k))


def test_codes_far_from_0_are_told_apart():
    x = 1000 + torch.rand(100, 8, generator=torch.Generator().manual_seed(0))
    codes = 1000 + torch.rand(16, 8, generator=torch.Generator().manual_seed(1))
    nearest = codes[torch.cdist(x.double(), codes.double(), compute_mode="donot_use_mm_for_euclid_dist").argmin(-1)]
    torch.testing.assert_close(ours.vector_quantize(x, codes), nearest, rtol=0, atol=0)
    np.testing.assert_array_equal(ours_tf.vector_quantize(x.numpy(), codes.numpy()), nearest)
    expanded = x.square().sum(-1, keepdim=True) - 2 * x @ codes.mT + codes.square().sum(-1)  # in float32
    assert (codes[expanded.argmin(-1)] != nearest).any()
