"""What is computed of one op is computed once for both frameworks, and not for another op."""

import pytest

import porting
from porting.parity.kept import kept
from porting.registry import ops


def test_the_second_side_asks_the_oracle_for_nothing_new():
    pytest.importorskip("torch")
    pytest.importorskip("tensorflow")
    calls = []

    def twice(x):
        calls.append(x)
        return 2 * x

    op = porting.op(twice)
    op.defvjp(twice_vjp)
    bound = op.bind(torch=lambda x: 2 * x, tf=lambda x: 2 * x)
    only = {"dtypes": ["float64"], "only": ["value", "vjp", "special_values"]}
    assert porting.check(bound, runners=["torch"], **only).exit_code == 0
    before = len(calls)
    assert porting.check(bound, runners=["tf"], **only).exit_code == 0
    assert (before > 0, len(calls)) == (True, before)


def twice_vjp(dy, y, x):
    return 2 * dy


def test_another_op_or_seed_begins_anew():
    first, second = ops()["swish"], ops()["mish"]
    assert kept(first, 0, "what", lambda: 1) == 1
    assert kept(first, 0, "what", lambda: 2) == 1
    assert kept(first, 1, "what", lambda: 3) == 3
    assert kept(second, 1, "what", lambda: 4) == 4
    assert kept(first, 0, "what", lambda: 5) == 5
