"""What a gradient that is not its own forward's derivative may be: a known surrogate, or a curve to look at."""

import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from porting.dtypes import as_dtype, wide
from porting.numeric.families import curve, family_of
from porting.parity.probe import Probe
from porting.runners import Case

Array = np.ndarray[Any, Any]

_TIMES: Final = (2.0**-7, -(2.0**7))  # exact, and on both sides of what is clipped at 1 or 0.1


def surrogate(probe: Probe, case: Case, *, flat: bool) -> dict[str, str]:
    """Return the options that say which surrogate a gradient is, or else a small picture of it.

    Nothing of an op that has several inputs, or does not work element by element at all real numbers, nor of one that
    clips the cotangent: it is no function's derivative times dy. Where the forward
    is not `flat`, a constant gradient is a wrong factor, and no surrogate; straight-through it may be. `case` was
    asked: a recording has no other.
    """
    op = probe.op
    name = op.inputs[0]
    shape = op.contract.shapes.get(name, (...,))
    free = name not in op.contract.domain and name not in op.contract.prepare
    if len(op.inputs) > 1 or not free or len(shape) != 1 or isinstance(shape[0], int):
        return {}
    kind = as_dtype(probe.dtype)

    def gradient(x: Array, times: float = 1.0) -> Array:
        dy = np.full(x.shape, times, kind)
        outcome = probe.runner.run(replace(case, inputs={name: x.astype(kind)}, dy=(dy,)))
        found = outcome.vjp[0] if outcome.raised is None and outcome.vjp else None
        return np.full(x.shape, np.nan) if found is None else np.asarray(found)

    if len(case.dy or ()) != 1 or (case.dy or ())[0].shape != case.inputs[name].shape:
        return {}
    if not _is_linear(gradient, case.inputs[name]):
        return {}
    known = family_of(gradient)
    if known and known[1].get("width") == 0:  # a number at one place alone, where it is asked
        known = None
    if known and (flat or known[0] != "scaled"):
        target = "porting:identity" if known[0] == "identity" else f"porting.surrogates:{known[0]}"
        words = ["--surrogate-of", target, *(w for n, v in known[1].items() for w in ("--static", f"{n}={v!r}"))]
        return {"surrogate": shlex.join(words)}
    return {"curve": curve(gradient)}


def _is_linear(gradient: Callable[..., Array], x: Array) -> bool:
    """Whether small and large cotangents are multiplied by the same."""
    once = wide(gradient(x))
    with np.errstate(all="ignore"):
        return all(np.allclose(gradient(x, times), times * once, rtol=1e-3, equal_nan=True) for times in _TIMES)
