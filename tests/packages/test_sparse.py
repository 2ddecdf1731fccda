"""Sparsemax, entmax and their losses beside the package entmax."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
entmax = pytest.importorskip("entmax")

from torch_impl.loss import entmax15_loss, sparsemax_loss  # noqa: E402
from torch_impl.sparse import entmax15, sparsemax  # noqa: E402

RNG = np.random.default_rng(0)
X, DY = (torch.tensor(a) for a in RNG.standard_normal((2, 50, 40)))
LABELS = torch.tensor(RNG.integers(40, size=50))
# In float64 a row's sums have 40 terms of size 1 and each of them one rounding; entmax's variance cancels, and a root
# of it with 1 / k = 1/40 in front multiplies its error by sqrt(40) / 2.
ROUNDING = 40 * 4 * 2.0**-53
PAIRS = {"sparsemax": (sparsemax, entmax.sparsemax), "entmax15": (entmax15, entmax.entmax15)}
LOSSES = {"sparsemax": (sparsemax_loss, entmax.sparsemax_loss), "entmax15": (entmax15_loss, entmax.entmax15_loss)}


def value_and_gradient(f, x, dy):
    x = x.clone().requires_grad_()
    y = f(x)
    return y.detach(), torch.autograd.grad(y, x, dy)[0]


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("scale", [0.1, 1.0, 10.0, 720.0])
def test_the_same_in_float64(name, scale):
    ours, theirs = (value_and_gradient(f, scale * X, DY) for f in PAIRS[name])
    for a, b in zip(ours, theirs, strict=True):
        # the gradient divides by sums of roots: an error of y counts as that of a root, for the smallest y > 1e-8
        torch.testing.assert_close(a, b, rtol=0, atol=ROUNDING * (1 if a is ours[0] else 1e4))


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("scale", [0.1, 1.0, 10.0, 720.0])
def test_losses_are_the_same_in_float64(name, scale):
    ours, theirs = (value_and_gradient(lambda x, f=f: f(x, LABELS), scale * X, DY[:, 0]) for f in LOSSES[name])
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=ROUNDING * max(scale, 1) * 10)  # |dy| < 10


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_closer_in_16_bits(name, dtype):
    """Theirs sums, and takes the variance, in 16 bits; ours in float32."""
    x = X.to(dtype)
    ours, theirs = PAIRS[name]
    truth = ours(x.double())
    off, theirs_off = ((f(x).double() - truth).abs().max().item() for f in (ours, theirs))
    assert off <= torch.finfo(dtype).eps / 2  # y is at most 1: one rounding
    assert off < theirs_off


def test_theirs_has_no_second_derivative_beside_a_zero():
    x = torch.tensor([1.0, 0.5, -5.0], dtype=torch.float64, requires_grad=True)

    def second(f):
        (dx,) = torch.autograd.grad(f(x, -1) if f is entmax.entmax15 else f(x), x, DY[0, :3], create_graph=True)
        return torch.autograd.grad(dx[0], x)[0]

    assert second(entmax15).isfinite().all()
    assert second(entmax.entmax15).isnan().any()


@pytest.mark.parametrize("name", LOSSES)
def test_theirs_detaches_the_second_derivative_of_the_loss(name):
    x = X[:2].clone().requires_grad_()
    gradients = [torch.autograd.grad(f(x, LABELS[:2]).sum(), x, create_graph=True)[0] for f in LOSSES[name]]
    assert [g.requires_grad for g in gradients] == [True, False]


@pytest.mark.parametrize(("name", "margin"), [("sparsemax", 1.0), ("entmax15", 2.0)])
def test_small_losses_keep_their_digits(name, margin):
    x, label = torch.tensor([[0.9999 * margin, 0.0, -0.1]]), torch.tensor([0])
    ours, theirs = LOSSES[name]
    truth = ours(x.double(), label).item()
    assert abs(ours(x, label).item() / truth - 1) < 1e-3
    assert abs(theirs(x, label).item() / truth - 1) > 0.1


@pytest.mark.parametrize("name", PAIRS)
def test_theirs_raises_at_nan(name):
    x = torch.tensor([[1.0, torch.nan]])
    ours, theirs = PAIRS[name]
    assert ours(x).isnan().all()
    with pytest.raises(RuntimeError, match="index -1 is out of bounds"):
        theirs(x)
