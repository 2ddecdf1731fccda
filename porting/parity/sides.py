"""What is known of a side of a pair from its results."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from porting.backends import BACKENDS
from porting.dtypes import FLOATS
from porting.pairs.pair import Pair
from porting.parity.finding import Finding, Result

# Of one side, run eagerly on the processor: what differs elsewhere alone is its own.
Results: TypeAlias = Sequence[Result]
# That of the forward's derivative: a surrogate never keeps it, so it counts only where the pair says what it is.
DERIVATIVE: Final = "adjoint"
SECOND: Final = "second_order"
# What a side says of its gradient as a whole: where one of these is broken, the side is no measure for another one.
LINEAR: Final = "linear"
REPEATED: Final = "repeated"
TRACED: Final = "traced"
LAWS: Final = (LINEAR, REPEATED)
FINITE: Final = "finite"
EVERYDAY: Final = ("value", "vjp")
ALONE: Final = frozenset(
    {*LAWS, FINITE, DERIVATIVE, "raw_gradient", "inputs_unchanged", "global_state", "leak", "retained"}
)  # what a side is asked without another one
ASKED: Final = (*LAWS, FINITE, DERIVATIVE, *EVERYDAY)  # what must be known of both sides to judge any one result
# Codes of findings that compare a side with the other one.
COMPARED: Final = frozenset(
    {
        "not_its_derivative",
        "differs",
        "shape_differs",
        "count_differs",
        "dtype_differs",
        "nan_hidden",
        "nan_spreads",
        "not_finite",
    }
)
NARROW: Final = 1e-5  # of an element: some hundred roundings of float32


def has(side: Results, check: str, status: str, dtypes: Collection[str] = FLOATS) -> bool:
    """Whether a check has this status in one of these types."""
    return any((r.check, r.status) == (check, status) and r.dtype in dtypes for r in side)


def differs(side: Results, check: str) -> bool:
    """Whether a check has findings."""
    return has(side, check, "differ")


def breaks(side: Results, law: str) -> bool:
    """Whether a side breaks a law; what the sign of the cotangent masks is meant so, and who raises breaks none."""
    mine = [f for r in side if (r.check, r.status) == (law, "differ") for f in r.findings]
    return differs(side, law) and not (
        mine and all(f.fields.get("masked") or f.code in {"raised", "no_truth"} for f in mine)
    )


def breaks_in_a_graph(side: Results) -> bool:
    """Whether the gradient of a side in a graph is another one than that of an ordinary call of it."""
    found = [f for r in side if (r.check, r.status) == (TRACED, "differ") for f in r.findings]
    return any(f.has(truth="plain", quantity="gradient") for f in found)


def draws_values(side: Results) -> bool:
    """Whether a side gives other values each time, and not other gradients alone."""
    return any(f.has(quantity="value") for r in side if r.check == REPEATED for f in r.findings)


def overflows(result: Result) -> bool:
    """Whether all that is found is NaN or infinity where an ordinary number is wanted."""
    worst = [finding.worst for finding in result.findings]
    return bool(worst) and all(w is not None and np.isfinite(w.want) > np.isfinite(w.got) for w in worst)


def overflow_together(result: Result, sides: Mapping[str, Results]) -> bool:
    """Whether the other sides overflow in the same check and type as this one does."""
    if all(finding.fields.get("shared") for finding in result.findings):
        return True
    same = [[r for r in side if (r.check, r.dtype) == (result.check, result.dtype)] for side in sides.values()]
    return all(any(map(overflows, side)) for side in same)


def is_of_type(result: Result, finding: Finding) -> bool:
    """Whether a finding is of a type alone: another one, its digits, or that it does not meet the one beside it."""
    f, backend = finding.fields, BACKENDS.get(result.runner)
    if finding.code == "raised" and backend:
        return backend.says_types(f"{f['type']}: {f['message']}")
    cast = finding.code == "raw_repaired" and f["got_dtype"] != f["want_dtype"] and f["got_shape"] == f["want_shape"]
    return cast or finding.code == "dtype_differs" or (finding.code == "differs" and finding.has(single="got"))


def is_within(finding: Finding, share: float) -> bool:
    """Whether the worst element is off by less than a share of what it should be."""
    worst = finding.worst
    return worst is not None and abs(worst.got - worst.want) <= share * abs(worst.want)


def is_settled(pair: Pair) -> bool:
    """Whether somebody said what is right."""
    return pair.reference is not None or pair.like is not None


def is_declared(pair: Pair) -> bool:
    """Whether somebody said what the gradient is the derivative of."""
    return pair.surrogate_of is not None or pair.contract.gradient_of is not None


def is_typed(side: Results) -> bool:
    """Whether a side gives an output or a gradient in float32 where it is asked in float64."""
    return any(f.has(got_dtype="float32") for r in side if r.dtype == "float64" for f in r.findings)
