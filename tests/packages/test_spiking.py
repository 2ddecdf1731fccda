"""The family spiking beside snntorch, whose surrogates work in float32 only."""

import numpy as np
import pytest

from porting.registry import ops

torch = pytest.importorskip("torch")
pytest.importorskip("snntorch")
surrogate = pytest.importorskip("snntorch.surrogate")

U = 2.0**-24  # half a unit in the last place of float32
X = np.concatenate([np.linspace(-1.7, 1.7, 601), [-0.0, 1e-30, -1e-30]]).astype(np.float32)  # slope x below 44
THEIRS = {
    "fast_sigmoid_spike": surrogate.fast_sigmoid(slope=25),
    "atan_spike": surrogate.atan(alpha=2.0),
    "sigmoid_spike": surrogate.sigmoid(slope=25),
}


def with_gradient(fn, x, dtype=None):
    x = torch.tensor(x, dtype=dtype or torch.float32, requires_grad=True)
    y = fn(x)
    return y.detach(), torch.autograd.grad(y.sum(), x)[0]


@pytest.mark.parametrize("name", THEIRS)
def test_value_and_scale_are_those_of_snntorch(name):
    y, dx = with_gradient(THEIRS[name], X)
    ours, our_dx = with_gradient(ops()[name].twin("torch"), X)
    assert torch.equal(y, ours)
    # slope x is rounded: the logistic tail e^(-slope |x|) moves by slope |x| u, below 44 u; some operations more
    np.testing.assert_allclose(dx, our_dx, rtol=100 * U, atol=1e-37)


def test_sigmoid_of_snntorch_is_lost_and_then_nan_where_the_neuron_is_silent():
    _, dx = with_gradient(THEIRS["sigmoid_spike"], [-30.0, -3.7, -1.8, 1.8])
    _, ours = with_gradient(ops()["sigmoid_spike"].twin("torch"), [-30.0, -3.7, -1.8, 1.8])
    assert torch.isnan(dx).tolist() == [True, True, False, False]
    assert dx[2] == 0 < dx[3]  # the square in the denominator overflows on one side alone
    assert ours[2] == ours[3]
    assert torch.isfinite(ours).all()


def test_triangular_of_snntorch_is_no_triangle():
    _, dx = with_gradient(surrogate.triangular(threshold=1), [-5.0, -0.5, 0.5, 5.0])
    _, ours = with_gradient(ops()["triangular_spike"].twin("torch"), [-5.0, -0.5, 0.5, 5.0])
    assert dx.tolist() == [1.0, 1.0, -1.0, -1.0]
    np.testing.assert_allclose(ours, [0.0, 0.15, 0.15, 0.0], rtol=4 * U)


def test_snntorch_turns_float64_into_float32():
    y, _ = with_gradient(THEIRS["atan_spike"], [0.5], torch.float64)
    ours, _ = with_gradient(ops()["atan_spike"].twin("torch"), [0.5], torch.float64)
    assert (y.dtype, ours.dtype) == (torch.float32, torch.float64)


STATICS = {"decay": 0.75, "threshold": 1.0, "slope": 5.0}


def leaky(**settings):
    from snntorch import Leaky

    spike = surrogate.fast_sigmoid(slope=STATICS["slope"])
    return Leaky(STATICS["decay"], STATICS["threshold"], spike, reset_mechanism="subtract", **settings)


def test_lif_steps_are_those_of_leaky_that_resets_at_once():
    lif_step, neuron = ops()["lif_step"].twin("torch"), leaky(reset_delay=False)
    currents = torch.linspace(0.0, 0.6, 70).reshape(10, 7)  # no potential reaches twice the threshold
    v = theirs = torch.zeros(7)
    spikes = 0.0
    for x in currents:
        spike, v = lif_step(x, v, **STATICS)
        their_spike, theirs = neuron(x, theirs)
        assert torch.equal(spike, their_spike)
        np.testing.assert_allclose(v, theirs.detach(), rtol=0, atol=30 * U)  # three roundings of numbers below 2 a step
        spikes += spike.sum()
    assert spikes > 10


@pytest.mark.parametrize("reset_delay", [True, False])
def test_lif_step_detaches_the_reset_as_leaky_does_by_default(reset_delay):
    x = torch.tensor([0.25, 0.9, 1.1, 1.5], requires_grad=True)
    s = 1 / (1 + STATICS["slope"] * (x.detach() - 1).abs()) ** 2
    spike, v_next = ops()["lif_step"].twin("torch")(x, torch.zeros(4), **STATICS)
    their_spike, theirs = leaky(reset_delay=reset_delay)(x, torch.zeros(4))
    for output in (spike, their_spike):
        np.testing.assert_allclose(torch.autograd.grad(output.sum(), x, retain_graph=True)[0], s, rtol=20 * U)
    assert torch.autograd.grad(v_next.sum(), x)[0].tolist() == [1.0] * 4
    attached = 0 if reset_delay else s
    np.testing.assert_allclose(torch.autograd.grad(theirs.sum(), x)[0], 1 - attached + 0 * s, rtol=0, atol=20 * U)
