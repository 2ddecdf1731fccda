"""Settings that an op changes are seen, whatever they were before."""

import random

import numpy as np
import pytest

import porting
from porting.runners import RUNNERS, Case
from porting.runners.state import changed_settings

torch = pytest.importorskip("torch")


def seeding(seed):
    class Seeds(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seed(0)
            return 2 * x

        @staticmethod
        def backward(ctx, dy):
            return 2 * dy

    return Seeds.apply


@porting.op
def twice(x):
    return 2 * x


@twice.defvjp
def twice_vjp(dy, y, x):
    return 2 * dy


@pytest.mark.parametrize(
    ("seed", "named"), [(np.random.seed, ("NumPy's random state",)), (random.seed, ("Python's random state",))]
)
def test_a_seed_is_seen_where_it_was_set_before(seed, named):
    settings = RUNNERS["torch"].state()
    try:
        seed(0)
        case = Case(twice.bind(torch=seeding(seed)), "float64", {"x": np.ones(2)})
        assert changed_settings(RUNNERS["torch"], case) == named
        seed(0)
        assert changed_settings(RUNNERS["torch"], Case(twice.bind(torch=lambda x: 2 * x), "float64", case.inputs)) == ()
    finally:
        RUNNERS["torch"].restore(settings)
