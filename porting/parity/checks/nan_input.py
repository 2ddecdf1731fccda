"""A NaN in an input."""

import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from porting.backends import having
from porting.dtypes import wide
from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Array, Probe, output_name
from porting.runners import RUNNERS, Case

_ONEDNN: Final = "TF_ENABLE_ONEDNN_OPTS"
NUMBERS: Final = (-3.0, -0.3, 0.3, 3.0, 30.0)  # in place of the NaN: of both signs, so that a clamp passes some


@check()
def nan_input(probe: Probe) -> None:
    """A NaN in an input makes those outputs and gradients NaN that the oracle makes NaN, and no others."""
    if probe.dtype not in {"float32", "float64"}:
        raise NotApplicableError("NaN is the same in every type; tested in float64 and float32")
    ensure_nan_is_kept(probe)
    for statics in probe.variants():
        base = probe.case("nan", statics=statics)
        for name in probe.op.wrt:
            if base.inputs[name].size:
                _each(probe, base, name)


def _each(probe: Probe, base: Case, name: str) -> None:
    """Give one input a NaN."""
    x, *numbers = (with_first(base.inputs[name], first) for first in (np.nan, *NUMBERS))
    case, *others = (replace(base, inputs={**base.inputs, name: y}) for y in (x, *numbers))
    outcome = probe.run(case, "nan input", of_input=name)
    if outcome is None or not probe.independent:
        return
    truth, values, gradients = probe.truth(case), *defined(probe, base)
    for k, (y, want) in enumerate(zip(outcome.value, truth.value, strict=False)):
        free = partial(untouched, probe, others, k)
        same_nan(probe, "value", output_name(k, len(truth.value)), name, y, want, free, values.get(k))
    for j, (other, dx, want_dx) in enumerate(zip(probe.op.wrt, outcome.vjp, truth.vjp, strict=True)):
        if dx is not None and want_dx is not None:
            free = partial(untouched, probe, others, j)
            same_nan(probe, "gradient", other, name, dx, want_dx, free, gradients.get(j))
    masks = [np.isnan(np.asarray(want_dx)) for want_dx in truth.vjp]
    if len({mask.shape for mask in masks}) == 1:
        excused = np.logical_or.reduce(masks)
        if probe.op.truth != "oracle" and excused.shape == x.shape:
            mine = [np.isnan(dx) for dx in outcome.vjp if dx is not None and dx.shape == x.shape]  # is said above
            # Between two sides nobody says what a gradient at NaN is.
            excused = np.logical_or.reduce([excused, np.isnan(x), *mine])
        probe.expect_vjp(case, outcome, how="beside nan", of_input=name, excused=excused)


def defined(probe: Probe, plain: Case) -> tuple[dict[int, Array], dict[int, Array]]:
    """Return where neither side has NaN without one being given, by outputs and by gradients; nothing of an oracle's.

    Outside of its domain one side may have NaN and the other one infinity: that is no matter of a NaN that is given.
    """
    if probe.op.truth == "oracle" or probe.op.memory is not None:
        return {}, {}
    mine, theirs = probe.runner.run(plain), probe.truth(plain)
    return _where_defined(mine.value, theirs.value), _where_defined(mine.vjp, theirs.vjp)


def _where_defined(mine: Sequence[Array | None], theirs: Sequence[Array | None]) -> dict[int, Array]:
    both = ((k, a, b) for k, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a is not None and b is not None)
    return {k: ~(np.isnan(wide(a)) | np.isnan(wide(b))) for k, a, b in both if a.shape == b.shape}


def with_first(x: Array, number: float) -> Array:
    """Return a copy with another number in the first element."""
    other = x.copy()
    other.reshape(-1)[0] = number
    return other


def untouched(probe: Probe, others: Iterable[Case], place: int, quantity: str) -> Array | None:
    """Return where no number in place of the NaN changes what the other side has; nothing if that is not known.

    It does not depend on that number there, and has NaN only since it multiplies by 0: who leaves the term out hides
    nothing. An oracle has such a NaN nowhere.
    """
    if probe.op.truth == "oracle" or probe.op.memory is not None:
        return None
    outcomes = [RUNNERS["oracle"].run(case) for case in others]
    if any(outcome.raised for outcome in outcomes):
        return None
    first, *rest = ((outcome.value if quantity == "value" else outcome.vjp)[place] for outcome in outcomes)
    if first is None or any(a is None or a.shape != first.shape for a in rest):
        return None
    return np.asarray(np.logical_and.reduce([a == first for a in rest]))


def ensure_nan_is_kept(probe: Probe) -> None:
    """Leave the check where the framework itself drops NaN: the oneDNN kernels of TensorFlow do, in float32.

    Raises
    ------
    NotApplicableError
        If so.
    """
    here = platform.machine().lower() in {"x86_64", "amd64"} and os.environ.get(_ONEDNN, "1") != "0"
    if probe.runner.key in having("oneDNN") and probe.dtype == "float32" and here:
        raise NotApplicableError(f"oneDNN's kernels drop NaN in float32; set {_ONEDNN}=0 before TensorFlow is imported")


def same_nan(
    probe: Probe,
    quantity: str,
    name: str,
    source: str,
    got: Array,
    want: Array,
    free: Callable[[str], Array | None],
    judged: Array | None = None,
) -> None:
    """Note a finding where one is NaN and the other is not.

    Elements that are not `judged` are excused; so is a number for a NaN where `free` says that it hangs on none.
    """
    if got.shape != want.shape:
        return  # said by other checks
    judged = np.ones(want.shape, dtype=bool) if judged is None else judged
    mine, wanted = np.isnan(np.asarray(got, dtype=np.float64)), np.isnan(want)
    hidden, invented = wanted & ~mine & judged, mine & ~wanted & judged
    if hidden.any() and (excused := free(quantity)) is not None:
        probe.excused += int((hidden & excused).sum())
        hidden = hidden & ~excused
    probe.compared += int(judged.sum()) - 1
    said: dict[str, Any] = {
        "quantity": quantity,
        "name": name,
        "source": source,
        "truth": probe.who,
        "total": want.size,
    }
    probe.fact(not hidden.any(), "nan_hidden", count=int(hidden.sum()), **said)
    if not invented.reshape(-1)[1:].any():  # the first one is given
        said["itself"] = True
    probe.fact(not invented.any(), "nan_spreads", count=int(invented.sum()), **said)
