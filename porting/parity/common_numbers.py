"""Two sides that draw random numbers, compared with the same ones.

Both frameworks are given the numbers of one stream. That compares the sides only if they make the same of them: a mask
may be where a number is below p, or above 1 - p. They do if other numbers change the outputs of both in the same
direction, whatever else is wrong with one. Where they do not, nothing is said of either.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from porting.backends import BACKENDS
from porting.dtypes import wide
from porting.numeric import samples
from porting.pairs.pair import Pair
from porting.parity.cases import Cases
from porting.runners import Case, runner_of
from porting.runners.seeded import SeededRunner
from porting.subject import Subject

_CASES: Final = 3
_OTHER: Final = 1  # seed
_ALIKE: Final = 0.95  # the least cosine between two changes: of a mask and the rest of it, it is -1
Arrays = tuple[np.ndarray[Any, Any] | None, ...]


def in_common(pair: Pair) -> dict[str, Subject]:
    """Return the ops of a pair whose sides are given the same random numbers; none if they make other things of them.

    Parameters
    ----------
    pair : porting.Pair
        Of two sides, one of which draws.
    """
    if len(pair.compared) != 2 or not all(BACKENDS[key].draws for key in pair.compared):
        return {}
    runners = {key: SeededRunner(runner_of(pair, key)) for key in pair.compared}
    ops = pair.in_common(runners)
    others = {key: SeededRunner(runner_of(pair, key), _OTHER) for key in pair.compared}
    settings = {key: runner.state() for key, runner in runners.items()}
    try:
        drawing = _drawing(ops, runners, pair.in_common(others), others, pair.widest)
    finally:
        for key, runner in runners.items():
            runner.restore(settings[key])
    for op in ops.values():
        op.common = drawing
    return ops if drawing else {}


def _drawing(
    ops: Mapping[str, Subject],
    runners: Mapping[str, SeededRunner],
    other_ops: Mapping[str, Subject],
    others: Mapping[str, SeededRunner],
    dtype: str,
) -> str:
    """Return what draws last, as `Subject.common` has it; nothing where the sides make other things of the numbers."""
    first, second = runners
    last = ""
    for inputs, dy in _drawn(ops[first], runners[first], dtype):
        cases = {key: Case(op, dtype, inputs, dy) for key, op in ops.items()}
        found = {key: runners[key].run(case) for key, case in cases.items()}
        again = {key: others[key].run(Case(other_ops[key], dtype, inputs, dy)) for key in ops}
        if any(outcome.raised for outcome in (*found.values(), *again.values())):
            return ""
        backward = any(runners[key].drawn_in_backward(case) for key, case in cases.items())
        for of in ("value", "vjp") if backward else ("value",):
            changes = [_change(getattr(found[key], of), getattr(again[key], of)) for key in (first, second)]
            if not _is_alike(*changes):
                return ""
            last = last or ("forward" if changes[0].any() else "")
        last = "backward" if backward else last
    return last


def _drawn(op: Subject, runner: SeededRunner, dtype: str) -> Iterator[tuple[dict[str, Any], tuple[Any, ...]]]:
    """Yield inputs with cotangents."""
    rng = samples.generator(0, op.name, "common random numbers")
    for _ in range(_CASES):
        inputs = Cases(op, dtype).draw(rng)
        outcome = runner.run(Case(op, dtype, inputs))
        yield inputs, tuple(samples.cotangent(rng, y.shape, dtype) for y in outcome.value)


def _change(these: Arrays, those: Arrays) -> np.ndarray[Any, Any]:
    """Return what other numbers change, in one row; what is not finite is left out."""
    pairs = [(a, b) for a, b in zip(these, those, strict=False) if a is not None and b is not None]
    with np.errstate(all="ignore"):
        changes = [wide(a) - wide(b) for a, b in pairs if a.shape == b.shape]
    return np.concatenate([np.zeros(0), *(np.nan_to_num(c, posinf=0.0, neginf=0.0).ravel() for c in changes)])


def _is_alike(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Whether two changes point in the same direction, however large each is."""
    if a.shape != b.shape or a.any() != b.any():
        return False
    return float(np.real(np.vdot(a, b))) >= _ALIKE * float(np.linalg.norm(a) * np.linalg.norm(b))
