"""What was made and computed of one op: cases, truths, tolerances, for all that ask about it in a row.

Both frameworks are asked for the same cases, most checks of one framework for the same few, and planted faults of one
op are told apart by their twins only.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from porting.recordings.memory import digest_of, statics_text
from porting.runners import Case
from porting.spec import Op

T = TypeVar("T")

_FOUND: dict[Any, Any] = {}  # of one op and seed at a time: large cases are large
_OF: list[Any] = []
_LATEST: list[Any] = []  # a case and its digest


def kept(op: Op, seed: int, key: Any, compute: Callable[[], T]) -> T:
    """Return what is kept under a key, or compute and keep it."""
    told = [op.value, op.rule, op.contract, op.truth, seed]
    if told != _OF:
        _FOUND.clear()
        _OF[:] = told
    if key not in _FOUND:
        _FOUND[key] = compute()
    found: T = _FOUND[key]
    return found


def digest(case: Case) -> str:
    """Return what identifies a case's numbers and statics; the same one is asked for its truth and its tolerances."""
    if not _LATEST or _LATEST[0] is not case:
        arrays = [*case.inputs.values(), *(case.dy or ()), *(case.ddx or ())]
        _LATEST[:] = case, statics_text(case.statics) + digest_of(arrays)
    found: str = _LATEST[1]
    return found
