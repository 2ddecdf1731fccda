"""The oracle itself: its gradient is the derivative that the contract claims."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from porting.numeric import differences
from porting.parity.allowed import least_of_vjp, where_near
from porting.parity.cases import rounded
from porting.parity.checks import check
from porting.parity.finding import Finding
from porting.parity.probe import Array, Probe
from porting.parity.truth import batched
from porting.runners import Case
from porting.spec import Unstated

_POINTS: Final = (0.0, 1.0, -1.0)  # where hand-written branches usually meet
_STEP: Final = 1e-5
_FADES: Final = 0.8  # a kink's jump is the same at any step; that of |x|**1.2 has 0.57 of it at a sixteenth
_UNCERTAIN: Final = 0.01  # a difference whose own error is beyond this share of the scale decides nothing


@check(runners=("oracle",))
def gradient_of(probe: Probe) -> None:
    """The oracle's gradient is the derivative of the function that the contract names."""
    claim = probe.op.contract.gradient_of
    if isinstance(claim, Unstated):
        _waiver(probe, claim)
        return
    named = "the primal" if claim is None else getattr(claim, "__name__", "gradient_of")
    for case in probe.ordinary():
        _compare(probe, case, named)
    _undeclared_kinks(probe, named)


def _compare(probe: Probe, case: Case, named: str) -> None:
    derivative = _derivative(probe, case, probe.op.gradient_of)
    want = [np.asarray(g) for g in probe.truth(case).vjp]
    parts = zip(probe.op.wrt, want, *derivative, _allowed(probe, case, derivative, want), strict=True)
    for name, g, numeric, error, tol in parts:
        unsure = error > _UNCERTAIN * max(float(np.abs(numeric).max(initial=0)), 1e-300)
        probe.expect("oracle_differs", {"name": name, "function": named}, g, numeric, tol, case, unsure)


def _allowed(probe: Probe, case: Case, derivative: differences.Derivative, want: Sequence[Array]) -> tuple[Array, ...]:
    """Return how far the gradient may be from the differences, or a part of it, if it is near."""

    def with_errors(tolerances: Sequence[Array]) -> tuple[Array, ...]:
        return tuple(tol + 4 * error for tol, error in zip(tolerances, derivative.error, strict=True))

    least = with_errors(least_of_vjp(case, probe.arithmetic, want, rows=False))
    return where_near(case, want, derivative.value, [least]) or with_errors(probe.vjp_tolerance(case))


def _derivative(probe: Probe, case: Case, function: Callable[..., Any]) -> differences.Derivative:
    inputs = [x.astype(np.float64) if name in probe.op.wrt else x for name, x in case.inputs.items()]
    wrt = [list(case.inputs).index(name) for name in probe.op.wrt]
    dy = [v.astype(np.float64) for v in case.dy or ()]

    def f(at: Sequence[Array]) -> tuple[Array, ...]:
        return differences.as_tuple(function(*at, **case.statics))

    return differences.vjp(batched(f"derivative of {function.__name__}", f, case), inputs, dy, wrt)


def _waiver(probe: Probe, claim: Unstated) -> None:
    """Test the waiver, which is a claim too: the gradient must really not be the primal's derivative."""
    probe.fact(any(_apart(probe, case) for case in probe.ordinary()), "needless_waiver", claim="gradient_of")
    probe.waived = f"gradient_of unstated: {claim.reason}"


def _apart(probe: Probe, case: Case) -> bool:
    numeric = _derivative(probe, case, probe.op.value)
    parts = zip(probe.truth(case).vjp, numeric.value, numeric.error, probe.vjp_tolerance(case), strict=True)
    return any(bool((np.abs(np.asarray(g) - d) > tol + 4 * e).any()) for g, d, e, tol in parts)


def _fades(along: Callable[[float], float], point: float, jump: float) -> bool:
    """Whether the jump shrinks with the step, as of abs(x)^1.5: its slope is steep beside 0, and 0 there."""
    left, right = differences.one_sided(along, point, _STEP / 16)
    return abs(left - right) < _FADES * jump


def _undeclared_kinks(probe: Probe, named: str) -> None:
    """Find points where left and right derivative of the named function differ and no kink is declared."""
    op = probe.op
    if op.contract.shapes:  # one number says little where elements are mixed
        return
    base = probe.case("undeclared kinks", shape=(1,))
    for name in op.wrt:
        for point in _POINTS:
            declared = probe.kinks(base.inputs, base.statics).get(name, ())
            if any(np.any(np.abs(point - np.asarray(k)) < 3 * _STEP) for k in declared):
                continue

            def along(x: float, name: str = name) -> float:
                at = {n: np.asarray(v, dtype=np.float64) for n, v in base.inputs.items()}
                at[name] = rounded(x, (1,), "float64")
                with np.errstate(all="ignore"):
                    outputs = differences.as_tuple(op.gradient_of(*at.values(), **base.statics))
                return float(sum(np.sum(v.astype(np.float64) * y) for v, y in zip(base.dy or (), outputs, strict=True)))

            left, right = differences.one_sided(along, point, _STEP)
            jump = abs(left - right)
            probe.compared += 1
            if jump > 1e-5 * (1 + abs(left) + abs(right)) and not _fades(along, point, jump):
                said = {"name": name, "number": point, "function": named, "left": left, "right": right}
                probe.find(Finding("undeclared_kink", said, kind="kink convention"))
