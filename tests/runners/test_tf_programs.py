"""A traced function is kept for the next case: not traced again, and never with anything that a case changes."""

from dataclasses import replace

import numpy as np
import pytest

import porting
from porting.backends.tf.programs import _TWINS, Programs
from porting.runners import RUNNERS, Case

tf = pytest.importorskip("tensorflow")


@porting.op
def power(x, *, n=2):
    return x**n


@power.defvjp
def power_vjp(dy, y, x, *, n=2):
    return n * x ** (n - 1) * dy


def counted(traces):
    def twin(x, *, n=2):
        traces.append(n)
        return x**n

    return twin


def asked(op, x, **more):
    x = np.asarray(x, "float32")
    case = {"dy": (np.ones_like(x),), "mode": "function", **more}
    outcome = RUNNERS["tf"].run(Case(op, "float32", {"x": x}, **case))
    assert outcome.raised is None, outcome.raised
    return outcome


@pytest.mark.parametrize("mode", ["function", "xla"])
def test_one_signature_is_traced_once(mode):
    traces = []
    op = power.bind(tf=counted(traces))
    for x in ([1, 2], [3, 4], [5, 6]):
        assert asked(op, x, mode=mode).vjp[0].tolist() == [2 * v for v in x]
    assert traces == [2]


def test_another_shape_static_or_cotangent_is_another_trace():
    traces = []
    op = power.bind(tf=counted(traces))
    asked(op, [1, 2])
    asked(op, [1, 2, 3])
    assert asked(op, [1, 2], statics={"n": 3}).value[0].tolist() == [1, 8]
    assert asked(op, [1, 2], dy=None).vjp == ()
    assert asked(op, [3, 4]).value[0].tolist() == [9, 16]
    assert traces == [2, 2, 3, 2]


def test_a_static_that_has_no_hash_is_traced_each_time():
    def twin(x, *, n):
        return x ** n[0]

    op = power.bind(tf=twin)
    for n in (2, 3):
        assert asked(op, [2.0], statics={"n": [n]}).value[0].tolist() == [2.0**n]


def test_another_op_takes_the_place():
    first, second = (power.bind(tf=lambda x, k=k: x * k) for k in (2.0, 3.0))
    assert asked(first, [1, 1]).value[0].tolist() == [2, 2]
    assert asked(second, [1, 1]).value[0].tolist() == [3, 3]
    assert asked(first, [1, 1]).value[0].tolist() == [2, 2]


def test_random_numbers_begin_anew():
    op = power.bind(tf=lambda x: x + tf.random.normal(tf.shape(x), dtype=x.dtype))
    seen = []
    for _ in range(2):
        tf.random.set_seed(1)
        seen.append(asked(op, [0, 0, 0]).value[0].tolist())
    assert seen[0] == seen[1]


def test_what_raises_says_so_each_time():
    @tf.custom_gradient
    def twin(x):
        def grad(dy):
            tf.debugging.assert_less(x, tf.constant(10.0))
            return dy

        return tf.identity(x), grad

    op = power.bind(tf=twin)
    asked(op, [1, 2])
    for _ in range(2):
        x = np.array([1, 20], "float32")
        outcome = RUNNERS["tf"].run(Case(op, "float32", {"x": x}, dy=(x,), mode="function"))
        assert outcome.raised is not None
        assert outcome.raised.stage == "backward"


def at(op, x, **more):
    x = np.asarray(x, "float32")
    return Case(op, "float32", {"x": x}, dy=(np.ones_like(x),), mode="function", **more)


def test_the_cases_before_are_asked_of_the_kept_trace_too():
    """The next seed of the check `traced` gets its own numbers, from the trace of the first."""
    traces = []
    op = power.bind(tf=counted(traces))
    for before, now in (([1, 2], [3, 4]), ([5, 6], [7, 8])):
        outcome = RUNNERS["tf"].run(at(op, now, use="traced before", other=at(op, before)))
        assert outcome.vjp[0].tolist() == [2 * v for v in now]
        assert outcome.audit["before"][0].vjp[0].tolist() == [2 * v for v in before]
    assert traces == [2]


def test_a_trace_for_any_shape_is_kept():
    traces = []
    op = power.bind(tf=counted(traces))
    for x in ([1, 2], [3, 4, 5]):
        assert asked(op, x, use="any shape").vjp[0].tolist() == [2 * v for v in x]
    assert traces == [2]


def test_a_second_case_in_the_graph_is_traced_each_time():
    """Its numbers are constants there."""
    traces = []
    op = power.bind(tf=counted(traces))
    for x in ([1, 2], [3, 4]):
        count = len(traces)
        assert asked(op, x, use="interleaved", other=at(op, [9, 9])).vjp[0].tolist() == [2 * v for v in x]
        assert len(traces) > count


def test_only_the_twins_that_were_asked_last_are_held():
    """Thousands of mutants are checked in one process."""
    programs, twins = Programs(), [counted([]) for _ in range(_TWINS + 1)]
    case = at(power, [1, 2])
    for number, twin in enumerate(twins[:-1]):
        programs.keep(case, twin, number, None)
    assert programs.find(case, twins[0]) == (0, None)
    programs.keep(case, twins[-1], _TWINS, None)
    assert programs.find(case, twins[0]) == (0, None)  # asked after the second
    assert programs.find(case, twins[1]) is None
    assert programs.find(replace(case, statics={"n": 3}), twins[0]) is None
