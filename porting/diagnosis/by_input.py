"""Causes input by input: what is wrong with one gradient may hide what is wrong with another one."""

from typing import NamedTuple

import numpy as np

from porting.diagnosis.cause import Cause, causes
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.experiments import repaired
from porting.errors import NotRecordedError, NoTruthError, PortingError, RunnerError

Passed = type[Exception] | tuple[()]


class Match(NamedTuple):
    """What fits the gradient of one input: the numbers that support the cause, and the checks that it explains."""

    name: str
    cause: Cause
    seen: str
    explains: set[str]


def matched(evidence: Evidence, cause: Cause, passed_over: Passed) -> tuple[str, float] | None:
    """Return what supports a cause, and the share of the wrong elements that it explains; nothing if it does not fit.

    A cause whose experiments are not possible, or raise what is to be passed over, does not fit.
    """
    try:
        with np.errstate(all="ignore"):  # NaN and infinity are what it is about; a warning may be an error here
            seen = cause.detect(evidence)
            seen_in = set(evidence.looked_at)
            share = _explained(evidence, cause) if seen is not None else None
            if evidence.told_of:  # it explains no number of another input
                evidence.looked_at = seen_in
    except RunnerError:
        raise
    except (PortingError, NoTruthError, NotRecordedError):  # this experiment is not possible with the op
        return None
    except passed_over:
        return None
    return None if seen is None or share is None else (seen, share)


def of_each_input(evidence: Evidence, passed_over: Passed) -> tuple[list[Match], list[str]]:
    """Return a cause for each input whose gradient is wrong, if they are wrong in several ways, by rank.

    With it come the inputs of whose gradients no cause is known.
    """
    try:
        wrong = _wrong(evidence)
    except RunnerError:
        raise
    except (PortingError, NoTruthError, NotRecordedError):  # everyday cases cannot be asked
        return [], []
    except passed_over:
        return [], []
    names = [name for name in evidence.op.wrt if name in wrong]
    if len(names) < 2:  # one input has one cause
        return [], []
    found = [match for name in names if (match := _of_input(evidence, name, passed_over))]
    others = [name for name in names if name not in {match.name for match in found}]
    if not found or (len({match.cause.name for match in found}) == 1 and not others):
        return [], []
    first, *further = sorted(found, key=lambda match: match.cause.rank)
    if others:
        also = f"; gradient of {' and '.join(others)} is off too, and why is not known"
        first = first._replace(seen=first.seen + also)
    return [first, *further], others


def _wrong(evidence: Evidence) -> set[str]:
    """Return the inputs whose gradients are wrong in everyday cases; none where they follow from a wrong value."""
    if evidence.raised or evidence.value_wrong or not evidence.example:
        return set()
    return {name for example in (evidence.example, *evidence.examples) for name in example.wrong}


def _of_input(evidence: Evidence, name: str, passed_over: Passed) -> Match | None:
    """Return the first cause that explains all that is wrong with the gradient of one input."""
    for cause in causes().values():
        if not cause.by_input:
            continue
        alone = evidence.of_input(name)
        found = matched(alone, cause, passed_over)
        if found is not None and found[1] == 1:
            return Match(name, cause, found[0], alone.looked_at)
    return None


def _explained(evidence: Evidence, cause: Cause) -> float | None:
    """Return the share of the wrong elements that a cause explains; nothing if its repair makes one worse."""
    if cause.beside:
        seen_in = set(evidence.looked_at)
        if evidence.example and evidence.example.gross:
            return 0.0
        evidence.looked_at = seen_in  # lost digits have causes of their own
        return 1.0
    return repaired(evidence, cause.repair) if cause.repair else 1.0
