"""One cell of the matrix: an op in one mode of one framework, compared with the op in eager mode."""

from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from porting.backends import BACKENDS
from porting.dtypes import FLOATS, wide
from porting.errors import NoTruthError, PortingError
from porting.numeric.compare import Difference, compare
from porting.parity.probe import Probe, output_name
from porting.runners import Case, Outcome, Runner, runner_of
from porting.runners.base import NOT_POSSIBLE
from porting.spec import Op

Fate: TypeAlias = Literal["kept", "lost silently", "refused", "not applicable"]
LABEL: Final = "survive"  # of the cases, so that they have numbers of their own
_ENOUGH: Final = ("float64", "float32")  # where a mode computes in a narrower type, eager mode is given float32


@dataclass(frozen=True)
class Cell:
    """What was seen of one op in one mode.

    Attributes
    ----------
    op, runner, mode : str
        The op, the framework, and the mode.
    fate : Fate
        ``kept``: value and gradient are those of eager mode. ``lost silently``: they are not, and nothing was raised.
        ``refused``: an exception. ``not applicable``: the mode cannot be had with this op, or here.
    dtype : str
        The type of the numbers.
    seed : int
        The numbers follow from it.
    name : str
        The array that is not that of eager mode, ``dx`` or ``y``, with the place of the worst element.
    got, want : float, optional
        That element, here and in eager mode; `got` is `None` where there is no gradient at all.
    message, where : str
        The exception, or the reason; and the place in the op's own file.
    accepted : str
        Why a gradient that is lost is accepted, see `porting.parity.known`.
    """

    op: str
    runner: str
    mode: str
    fate: Fate
    dtype: str
    seed: int
    name: str = ""
    got: float | None = None
    want: float | None = None
    message: str = ""
    where: str = ""
    accepted: str = ""


def cell(op: Op, key: str, mode: str, seed: int) -> Cell:
    """Run an op in one mode of a framework and in eager mode, and compare value and gradient.

    Parameters
    ----------
    op : Op
        The op; of a pair, one side alone.
    key : str
        The framework.
    mode : str
        One of its modes.
    seed : int
        The numbers follow from it.
    """
    runner, own = runner_of(op, key), "float32" if op.narrow else op.widest
    dtype = min(BACKENDS[key].modes[mode].dtype, own, key=FLOATS.index)
    probe = Probe(op, dtype, "cpu", "eager", seed, LABEL, quick=True, runner=runner)
    found = Cell(op.name, key, mode, "not applicable", dtype, seed)
    settings = runner.state()
    try:
        case = next(probe.ordinary())
        return _compared(probe, case, runner, found)
    except (NoTruthError, PortingError) as error:
        return replace(found, message=str(error))
    finally:
        runner.restore(settings)


def _compared(probe: Probe, case: Case, runner: Runner, found: Cell) -> Cell:
    first = runner.run(case if case.dtype in _ENOUGH else case.in_single())
    if first.raised is not None:
        return replace(found, message=f"eager mode raises {first.raised}", where=first.raised.where)
    there = runner.run(replace(case, mode=found.mode))
    if there.raised is not None:
        fate: Fate = "not applicable" if there.raised.stage == NOT_POSSIBLE else "refused"
        message = there.raised.message if fate == "not applicable" else str(there.raised)
        return replace(found, fate=fate, message=message, where=there.raised.where)
    for name, want, got, allowed in _arrays(probe, case, first, there):
        if want is None and got is None:
            continue
        shown = np.zeros_like(want if want is not None else got) if got is None else got
        truth = np.zeros_like(shown) if want is None else want
        if shown.shape != truth.shape:
            said = f"shape {list(shown.shape)} where eager mode gives {list(truth.shape)}"
            return replace(found, fate="lost silently", name=name, message=said)
        worst = _worst(shown, truth, allowed, probe.arithmetic)
        if worst is not None:
            at = name + "".join(f"[{k}]" for k in worst.place)
            number = None if got is None else worst.got
            return replace(found, fate="lost silently", name=at, got=number, want=worst.want)
    return replace(found, fate="kept")


def _arrays(probe: Probe, case: Case, first: Outcome, there: Outcome) -> list[tuple[str, Any, Any, Any]]:
    """Return each output and gradient: its name, eager mode's, this mode's, and how far apart they may be."""
    values = probe.between(first.value, probe.value_tolerance(case))
    slopes = probe.between(first.vjp, probe.vjp_tolerance(case))
    names = [output_name(k, len(first.value)) for k in range(len(first.value))]
    found = list(zip(names, first.value, there.value, values, strict=False))
    return found + list(zip((f"d{n}" for n in probe.op.wrt), first.vjp, there.vjp, slopes, strict=False))


def _worst(got: Any, want: Any, allowed: Any, arithmetic: str) -> Difference | None:
    parts = (np.real, np.imag) if np.iscomplexobj(got) or np.iscomplexobj(want) else (np.asarray,)
    for part in parts:
        found = compare(wide(part(got)), wide(part(want)), allowed, arithmetic)
        if found.bad:
            return found
    return None
