"""TensorFlow's forward mode: an accumulator in a tf.function asks no custom gradient; the ways round do."""

import numpy as np
import pytest
from test_tf_modes import DY, X, asked, toy

from porting.registry import ops
from porting.survive.cell import cell

tf = pytest.importorskip("tensorflow")

T = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]])  # a direction
# What raises, aloud, as a tf.function in forward mode: its gradient looks at more than its inputs and outputs.
LOUD = {
    "fixed_point", "sinkhorn", "matrix_inverse_sqrt", "matrix_sqrt", "safe_eigh", "entmax15", "masked_softmax",
    "gamma_sample_gradient",
}  # fmt: skip


def tangent_inside(function):
    @tf.function(autograph=False)
    def traced(x, t):
        with tf.autodiff.ForwardAccumulator(x, t) as forward:
            y = function(x)
        return forward.jvp(y, tf.UnconnectedGradients.ZERO)

    return traced(X, T)


def tangent_outside(function):
    x = tf.constant(X)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(T)) as forward:
        y = tf.function(function, autograph=False)(x)
    return forward.jvp(y)


def tangent_of_second_tape(function):
    @tf.function(autograph=False)
    def traced(x, t):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = function(x)
                v = tf.zeros_like(y)
                outer.watch(v)
            dx = inner.gradient(y, x, output_gradients=v)
        return outer.gradient(dx, v, output_gradients=t)

    return traced(tf.constant(X), tf.constant(T))


@pytest.mark.parametrize("name", ["kept", "differentiable"])
def test_the_framework_loses_it_there_by_itself(name):
    assert np.allclose(tangent_inside(toy(name)), 0 if name == "kept" else 2 * X * T)


@pytest.mark.parametrize("name", ["kept", "differentiable"])
def test_the_ways_round_have_the_gradient(name):
    assert np.allclose(tangent_inside(tf.function(toy(name), autograph=False)), 3 * T)
    assert np.allclose(tangent_outside(toy(name)), 3 * T)
    assert np.allclose(tangent_of_second_tape(toy(name)), 3 * T)


def test_the_mode_tells_a_lost_gradient_from_the_way_round():
    assert np.allclose(asked("forward-inside", toy("differentiable")).vjp[0], 2 * X * DY)
    outcome = asked("forward-inside", toy("in_function"))
    assert outcome.raised is None, outcome.raised
    assert np.allclose(outcome.vjp[0], 3 * DY)


def test_a_gradient_that_reads_what_is_bound_after_the_call_is_refused_in_eager_mode():
    assert np.allclose(asked("eager", toy("late")).vjp[0], 3 * DY)
    assert asked("forward", toy("late")).raised.type == "NameError"


@pytest.mark.slow
def test_no_twin_loses_its_gradient_silently_as_a_function():
    twins = {name: op for name, op in ops().items() if op.in_catalogue}
    functions = {name: op.bind(tf=tf.function(op.twin("tf"), autograph=False)) for name, op in twins.items()}
    found = {name: cell(op, "tf", "forward-inside", 0) for name, op in functions.items()}
    assert [name for name, each in found.items() if each.fate == "lost silently"] == []
    assert {name for name, each in found.items() if each.fate == "refused"} == LOUD


def test_a_block_that_reads_its_outputs_has_the_tangents_of_its_gradient():
    from tf_impl.structure.reversible_block import reversible_block

    rng = np.random.default_rng(0)
    x = [tf.constant(rng.standard_normal(shape)) for shape in ((3, 4), (3, 2), (2, 4), (4, 2))]
    t = [tf.constant(rng.standard_normal(each.shape)) for each in x]

    def gradients():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y1, y2 = reversible_block(*x)
            loss = tf.reduce_sum(y1 * y1 * y2[:, :1]) + tf.reduce_sum(tf.sin(y2))
        return tape.gradient(loss, x)

    with tf.autodiff.ForwardAccumulator(x, t) as forward:
        slopes = gradients()
    with tf.GradientTape() as outer:
        outer.watch(x)
        again = gradients()
    by_tape = outer.gradient(again, x, output_gradients=t)
    for slope, want in zip(slopes, by_tape, strict=True):
        assert np.allclose(forward.jvp(slope), want, rtol=1e-12, atol=1e-13)
