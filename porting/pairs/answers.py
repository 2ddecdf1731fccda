"""What a side that has the truth answered before: where it differs, it is asked the same many times over."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from porting.recordings.memory import digest_of, statics_text
from porting.runners import Case, Outcome

Array = np.ndarray[Any, Any]
_MOST: Final = 4096  # answers that are kept
_ELEMENTS: Final = 1024  # of all inputs: a larger case is asked once or twice
_REPEATS: Final = 4  # answers that must come again, to the last bit, before the others are believed


class Answers:
    """Keeps the answers of one function, once it has repeated some: one that draws, or counts its calls, does not."""

    def __init__(self) -> None:
        self._found: dict[str, Outcome] = {}
        self._repeated = 0

    def of(self, case: Case, ask: Callable[[Case], Outcome]) -> Outcome:
        """Return the answer to a case in everyday use; it is asked if it was not before, or is not believed yet."""
        if self._repeated < 0 or sum(x.size for x in case.inputs.values()) > _ELEMENTS:
            return ask(case)
        numbers = digest_of([*case.inputs.values(), *(case.dy or ())])
        key = f"{case.dtype}{case.dy is None}{statics_text(case.statics)}{numbers}"
        known = self._found.get(key)
        if known is not None and self._repeated >= _REPEATS:
            return _copied(known)
        answer = ask(case)
        if known is not None:
            self._repeated = self._repeated + 1 if _same(known, answer) else -1
        if len(self._found) >= _MOST:
            self._found.clear()
        self._found[key] = _copied(answer)
        return answer


def _copied(answer: Outcome) -> Outcome:
    """Return an answer whose arrays nobody else writes to."""
    value = tuple(map(np.array, answer.value))
    return replace(answer, value=value, vjp=tuple(None if g is None else np.array(g) for g in answer.vjp))


def _same(first: Outcome, again: Outcome) -> bool:
    pairs = zip((*first.value, *first.vjp), (*again.value, *again.vjp), strict=False)
    return first.raised == again.raised and all(_equal(a, b) for a, b in pairs)


def _equal(a: Array | None, b: Array | None) -> bool:
    if a is None or b is None:
        return a is b
    return a.shape == b.shape and a.tobytes() == b.tobytes()
