"""For which inputs a second derivative raises: tensors that are saved may be no inputs to the author."""

from contextlib import suppress
from dataclasses import replace

from porting.errors import NotRecordedError
from porting.parity.probe import Probe
from porting.runners import Case, Outcome
from porting.runners.base import SECOND, OutOfTimeError


def raised_with(probe: Probe, case: Case, outcome: Outcome) -> tuple[str, ...]:
    """Return the inputs that get no gradient, if it does not raise where the others alone need one.

    Parameters
    ----------
    probe : Probe
        Who asks.
    case : Case
        What was asked, of all inputs.
    outcome : Outcome
        What came: nothing is said of one that did not raise, or raised before the second derivative.
    """
    wrt = probe.op.wrt
    if outcome.raised is None or outcome.raised.stage != SECOND or len(outcome.vjp) != len(wrt):
        return ()
    silent = tuple(name for name, g in zip(wrt, outcome.vjp, strict=True) if g is None)
    others = tuple(name for name in wrt if name not in silent)
    if not (silent and others):
        return ()
    ddx = tuple(v for name, v in zip(wrt, case.ddx or (), strict=True) if name in others)
    with suppress(NotRecordedError, OutOfTimeError):
        if probe.runner.run(replace(case, watch=others, ddx=ddx)).raised is None:
            return silent
    return ()
