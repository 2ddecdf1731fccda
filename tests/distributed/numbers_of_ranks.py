"""What each rank gives to each collective, and the cotangent of what it gets."""

import numpy as np

LENGTH = 4


def inputs(ranks):
    """Return for each collective the inputs of all ranks, as its users have them."""
    rng = np.random.default_rng(0)
    return {
        "all_reduce": rng.standard_normal((ranks, LENGTH, 2)),
        "all_gather": rng.standard_normal((ranks, LENGTH, 2)),
        "reduce_scatter": rng.standard_normal((ranks, ranks * LENGTH, 2)),
    }


def cotangents(name, ranks):
    """Return the cotangents of all ranks."""
    rows = ranks * LENGTH if name == "all_gather" else LENGTH
    return np.random.default_rng(1).standard_normal((ranks, rows, 2))
