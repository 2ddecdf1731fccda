"""Bad input that is taken without a word, or refused in another way than the truth refuses it."""

# mypy: allow-untyped-defs, allow-untyped-calls

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.torch import twins


@planted(toys.between, "wrong_refusal")
def takes_any_bounds(x, *, low=0.0, high=1.5):
    """Bounds in the wrong order are taken."""
    return twins.BetweenFunction.apply(x, low, high)


@planted(toys.between, "wrong_refusal")
def asserts_the_bounds(x, *, low=0.0, high=1.5):
    """Bounds in the wrong order raise an AssertionError, which python -O leaves out."""
    assert low < high, f"low={low} and high={high}: low < high is wanted"  # noqa: S101  # the fault
    return twins.BetweenFunction.apply(x, low, high)
