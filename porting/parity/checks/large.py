"""More than 100,000 elements: a fault in one of them, or in the tail of a block, is not seen in small arrays."""

from math import prod
from typing import Any, Final

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe
from porting.runners import Case

_SHAPE: Final = (317, 331)  # both prime: no block size divides them
_LENGTHS: Final = (331, 317, 311, 313, 307)
_MANY, _SMALL = (613, 1), (13, 11, 7, 5, 3)  # matrices, and their lengths
_SHORT: Final = (61, 59, 53, 47, 43)
_PLANE: Final = 2
_LEAST, _MOST = 90_000, 1_000_000


@check(once=True)
def large(probe: Probe) -> None:
    """Value and gradient of 100,000 elements equal the oracle's, each; of square matrices without an oracle, 3,721."""
    if probe.dtype not in {"float32", "float64"}:
        raise NotApplicableError("float64 and float32 see every element; 16 bits have nothing to add")
    case = large_case(probe)
    if case is None:
        raise NotApplicableError("the contract fixes the shapes")
    outcome = probe.run(case, "large")
    if outcome is not None:
        probe.expect_value(case, outcome, how="large")
        probe.expect_vjp(case, outcome, how="large")


def large_case(probe: Probe, label: str = "large") -> Case | None:
    """Return a case of 100,000 elements, not of millions, or nothing if the contract's shapes leave no room for it."""
    squares, beside = _squares(probe), probe.op.truth != "oracle"
    if any(given[:1] == (...,) for given in squares) and (beside or probe.dtype != "float64"):
        return probe.case(label, shape=_MANY, lengths=_SMALL)
    if beside and any(isinstance(n, str) for given in squares for n in given):
        return probe.case(label, lengths=_SHORT)
    for shape in (_SHAPE, (3, *_SHAPE[1:])):  # a batch of matrices is large with three of them
        size = max(prod(wanted) for wanted in probe.shapes(shape, _LENGTHS).values())
        if _LEAST <= size <= _MOST:
            return probe.case(label, shape=shape, lengths=_lengths(probe))
    return None


def larger_case(probe: Probe, label: str) -> Case:
    """Return a large case, or one of as many elements as the contract leaves room for."""
    one_axis = len({n for given in probe.op.contract.shapes.values() for n in given if isinstance(n, str)}) == 1
    return large_case(probe, label) or probe.case(label, lengths=_LENGTHS if one_axis else _SMALL)


def _squares(probe: Probe) -> list[tuple[Any, ...]]:
    """Return the shapes of inputs that are square matrices: what solvers lose grows with their length, and shows first.

    Of eigenvectors of 331 rows in float32 a few elements in a million are wrong in the fourth digit, by anybody's. Two
    solvers' eigenvalues of 331 rows differ by some 300 ulp in float64, which only an oracle can tell from a fault.
    """
    named = {given: [n for n in given if n is not ...] for given in probe.op.contract.shapes.values()}
    return [given for given, lengths in named.items() if len(set(lengths)) < len(lengths)]


def _lengths(probe: Probe) -> tuple[int, ...]:
    """Return the lengths of the named axes: shorter ones where two sides may form an array of more than two of them."""
    names = {n for given in probe.op.contract.shapes.values() for n in given if isinstance(n, str)}
    return _LENGTHS if probe.op.truth == "oracle" or len(names) <= _PLANE else _SHORT
