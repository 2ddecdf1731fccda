"""A stub for the side that is not there yet: with it, a dry run of its checks asks what the later checks will ask."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from porting.dtypes import as_dtype, is_inexact
from porting.recordings.memory import Recorder, digest
from porting.runners import RUNNERS, Case, Outcome, Raised

if TYPE_CHECKING:
    from porting.runners.uses import Audit

Array = np.ndarray[Any, Any]
Spoil = Callable[[Case, Outcome], Outcome]

_INSIDES: Final["Audit"] = {
    "promises": ("vmap", "jvp"), "saved": 0, "on ctx": (), "bytes on ctx": 0, "alive": 0, "intermediates": 0,
    "their numbers": (), "variables": (), "baked": (), "changed": (),
}  # fmt: skip


class Understudy:
    """A stub backend: it answers with the truth in the tested type, or with an answer that is made wrong on purpose.

    Parameters
    ----------
    key : {"torch", "tf"}
        The backend whose modes, layouts and uses it has.
    recorder : Recorder
        The recorder; it must not record the questions of this stub.
    """

    def __init__(self, key: str, recorder: Recorder) -> None:
        self._runner = RUNNERS[key]
        self._recorder = recorder
        self.spoil: Spoil = as_it_is

    def __getattr__(self, name: str) -> Any:
        """Be the runner in all else."""
        return getattr(self._runner, name)

    def state(self) -> dict[str, Any]:
        """Return nothing: nothing runs."""
        return {}

    def restore(self, state: Any) -> None:
        """Do nothing."""

    def where(self, op: Any) -> str:  # noqa: ARG002 - nothing stands anywhere
        """Return nothing."""
        return ""

    def run(self, case: Case) -> Outcome:
        """Answer with the truth, changed as wanted."""
        if case.use in {"audited", "settings"}:
            return Outcome(audit=_INSIDES)
        with self._recorder.silent():
            outcome = _mapped(case) if case.use.startswith("vmapped") else _true(case)
            before = tuple(self.spoil(other, _true(other)) for other in case.earlier)
        return self.spoil(case, replace(outcome, audit={**_INSIDES, "before": before}))


def _true(case: Case) -> Outcome:
    plain = Case(case.op, case.dtype, case.inputs, case.dy, statics=case.statics)
    truth = RUNNERS["oracle"].run(plain)
    if truth.raised is not None:
        return truth
    value, vjp = _cast(truth.value, case.dtype), _cast(truth.vjp, case.dtype)
    second = () if case.ddx is None else (None,) * (len(case.dy or ()) + len(vjp))
    return Outcome(value=value, vjp=vjp, raw=vjp, second=second, ty=(None,) * len(value))


def _mapped(case: Case) -> Outcome:
    count = len(next(iter(case.inputs.values())))
    each = [
        _true(replace(case, inputs={n: x[k] for n, x in case.inputs.items()}, dy=tuple(v[k] for v in case.dy or ())))
        for k in range(count)
    ]
    raised = next((one.raised for one in each if one.raised), None)
    if raised is not None:
        return Outcome(raised=raised)
    value, vjp = (
        tuple(np.stack(parts) for parts in zip(*(getattr(one, part) for one in each), strict=True))
        for part in ("value", "vjp")
    )
    return Outcome(value=value, vjp=vjp)


def _cast(arrays: tuple[Any, ...], dtype: str) -> tuple[Array, ...]:
    narrow = np.complex64 if dtype == "float32" else np.complex128
    with np.errstate(all="ignore"):
        return tuple(
            (x.astype(narrow) if np.iscomplexobj(x) else x.astype(as_dtype(dtype))) if is_inexact(x) else x
            for x in arrays
        )


def as_it_is(case: Case, outcome: Outcome) -> Outcome:  # noqa: ARG001 - see Spoil
    """Leave the answer unchanged."""
    return outcome


def raising(case: Case, outcome: Outcome) -> Outcome:  # noqa: ARG001 - see Spoil
    """Raise."""
    return Outcome(raised=Raised("forward", "RuntimeError", "rehearsed", ""))


def raising_in_use(case: Case, outcome: Outcome) -> Outcome:
    """Raise where a case is used or laid out in a special way."""
    plain = Case(case.op, case.dtype, case.inputs, case.dy, case.ddx, case.statics, case.device, case.mode)
    return outcome if digest(case) == digest(plain) else raising(case, outcome)


def _each(change: Callable[[Array], Array | None]) -> Spoil:
    def spoil(case: Case, outcome: Outcome) -> Outcome:  # noqa: ARG001 - see Spoil
        with np.errstate(all="ignore"):
            vjp = tuple(None if g is None else change(g) for g in outcome.vjp)
        return replace(outcome, vjp=vjp, raw=vjp)

    return spoil


def _noisy(g: Array) -> Array:
    return np.asarray(g * np.random.default_rng(g.size).uniform(0.5, 2.0, g.shape)).astype(g.dtype)


def _hole(g: Array) -> Array:
    holed = g.copy()
    holed.reshape(-1)[:1] = np.nan
    return holed


# what can be wrong with a gradient, as far as the questions about it differ
SPOILS: Final[dict[str, Spoil]] = {
    "noisy": _each(_noisy),
    "doubled": _each(lambda g: g * 2),
    "absent": _each(lambda _: None),
    "misshapen": _each(lambda g: g[None]),
    "not finite": _each(lambda g: _hole(g) if g.dtype.kind != "i" else g),
    "raising": raising,
}
