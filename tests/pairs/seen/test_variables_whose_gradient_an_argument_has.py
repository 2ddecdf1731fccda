"""A captured variable whose gradient an argument carries by design: an adjoint of an ODE does so.

Seen in code of public repositories.
"""

import numpy as np
import pytest
from everyday import WIDEST

import porting
from porting import Pair

tf = pytest.importorskip("tensorflow")

INPUTS = {"params": porting.array((4,)), "x": porting.array(("n", 3))}


def made(carried, of_bias=0.0):
    """Return a function of parameters that it does not read: their gradient is that of variables, or none of them."""
    weight = tf.Variable(np.array([0.5, -1.0, 0.25]), dtype=tf.float64)
    bias = tf.Variable(np.array([0.75]), dtype=tf.float64)

    @tf.custom_gradient
    def op(params, x):
        y = x * tf.cast(weight, x.dtype) + tf.cast(bias, x.dtype)

        def grad(dy, variables=()):
            dw, db = tf.reduce_sum(dy * x, axis=0), tf.reshape(tf.reduce_sum(dy), [1])
            dparams = tf.concat([dw, db], 0) if carried else tf.zeros_like(params)
            none = [None if v is weight else tf.cast(of_bias * db, v.dtype) for v in variables]
            return (dparams, dy * tf.cast(weight, x.dtype)), none

        return y, grad

    return op


def checked(function, **inputs):
    return porting.check(Pair(tf=function, inputs={**INPUTS, **inputs}), only=["variables"], **WIDEST)


def test_variables_whose_gradient_an_argument_has_are_no_fault():
    report = checked(made(carried=True))
    assert not report.counts["differ"], str(report)
    assert "no output depends on params" in report.results[0].note


@pytest.mark.parametrize("of_bias", [0.0, 2.0])
def test_variables_without_a_gradient_are_a_fault_where_no_argument_has_it(of_bias):
    report = checked(made(carried=False, of_bias=of_bias))
    assert [d.cause for d in report.diagnoses] == ["wrong_variable_gradient"], str(report)


def test_an_argument_of_another_length_has_not_the_gradient_of_the_variables():
    carried = made(carried=True)
    report = checked(lambda params, x: carried(params[:4], x), params=porting.array((6,)))
    assert report.counts["differ"] == 1, str(report)


def test_a_wrong_gradient_beside_one_that_an_argument_has_is_a_fault():
    assert checked(made(carried=True, of_bias=2.0)).counts["differ"] == 1
