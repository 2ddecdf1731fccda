"""Linearity."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, Arrays, Example, alike
from porting.diagnosis.experiments import few_digits, finite
from porting.runners import Case

Ask: TypeAlias = Callable[[Case, Sequence[Array] | None], Arrays | None]

_SMALL: Final = 1e-3
_FACTORS: Final = (-1.0, _SMALL, 1.0, 1e3)
_LINEAR: Final = (-1.0, 0.5)
_JUDGED: Final = {"float32": 1e-6, "float64": 1e-10}  # near the true one; of 16 bits no number is to six digits
_MOSTLY: Final = 0.5
_LEAST: Final = 1e-6


def _named(e: Evidence, example: Example) -> Arrays:
    """Put right what is wrong, unless the gradients that are said not to be linear are those of other inputs."""
    names = {f.fields["name"] for f in e.findings("linear", "not_zero", "not_linear")}
    another = names and e.example and not names & set(e.example.wrong)
    return example.got if another else example.want


def _beside_values(e: Evidence) -> bool:
    """Whether all checks that found another gradient found another value too, which no cotangent makes."""
    checks: dict[str, set[str]] = {"value": set(), "gradient": set()}
    for result in e.results:
        for finding in result.findings if result.status == "differ" else ():
            if finding.code == "differs" and finding.fields["quantity"] in checks:
                checks[finding.fields["quantity"]].add(result.check)
    return bool(checks["gradient"]) and checks["gradient"] <= checks["value"]


@cause(
    rank=43,
    alone=True,
    repair=_named,
    meant="Say that it is not linear: --contract linear=False (Contract(linear=False)).",
)
def not_linear(e: Evidence) -> str | None:
    """The gradient is not linear in the cotangent.

    A gradient is a matrix times the cotangent. Clipping, a sign, an absolute value or an added number makes the result
    depend on the size of the loss: two losses added no longer have the sum of their gradients. One-hot cotangents of 1,
    which gradient checkers send, do not show it. Neither do ordinary ones where the threshold is tiny or huge.
    """
    found = e.finding("linear", "not_zero", "not_linear")
    if found is None or e.raised:
        return None if e.example or e.raised else _beyond_ordinary_sizes(e)
    if not np.isfinite(found.worst.got if found.worst else found.fields.get("number", 0.0)) and _scales(e.ask, e, 2.0):
        return None  # no matter of linearity: it is no number for other reasons
    if found.worst and few_digits(found) and e.example:  # rounding breaks it, too; the numbers themselves are wrong
        return None
    if e.example and (_beside_values(e) or not all(finite(g) for g in e.example.got.values())):
        return None
    at = e.example.case if e.example else e.probe(e.dtype).case()
    parts, off = [], []
    for factor in _FACTORS[1:] if e.dtype in _JUDGED else ():
        dy = [(factor * v).astype(v.dtype) for v in at.dy or ()]
        got, want = e.ask(at, dy), e.truth(at, dy)
        if got is not None and want is not None:
            right = alike(got, want, _JUDGED[e.dtype])  # an added number is small beside large cotangents
            parts.append(f"{'right' if right else 'wrong'} for cotangents times {factor:g}")
            off.append(_off(got, want))
    same = len({part.partition(" ")[0] for part in parts}) == 1
    neither = same and not _is_linear(e.truth, e, at, _FACTORS)
    # A clip, say: what it lets pass is linear, and just as much another gradient.
    as_far = same and len(off) == len(_FACTORS) - 1 and off[0] >= max(_MOSTLY * off[1], _LEAST)
    if e.example and (neither or (as_far and _passes(e, at) and _is_linear(e.ask, e, _small(at), _LINEAR))):
        return None
    return ", ".join([*parts, found.seen])


def _is_linear(ask: Ask, e: Evidence, at: Case, factors: Sequence[float]) -> bool:
    return all(_scales(ask, e, factor, at) for factor in factors)


def _passes(e: Evidence, at: Case) -> bool:
    """Whether anything is left of small cotangents: of rounded ones nothing is, which is as linear as zero."""
    got = e.ask(_small(at), None)
    return got is not None and any(g.any() for g in got.values())


def _off(got: Arrays, want: Arrays) -> float:
    """Return how far off a gradient is, of its largest element or of the true one."""
    sizes = [max(np.abs(got[n]).max(initial=0.0), np.abs(want[n]).max(initial=0.0)) for n in want]
    far = [np.abs(got[n] - want[n]).max(initial=0.0) / size for n, size in zip(want, sizes, strict=True) if size]
    return float(max(far, default=0.0))


def _small(case: Case) -> Case:
    return replace(case, dy=tuple((_SMALL * v).astype(v.dtype) for v in case.dy or ()))


def _beyond_ordinary_sizes(e: Evidence) -> str | None:
    """Return what differs at very small or large cotangents alone."""
    found = e.finding("cotangent_sizes", "differs", quantity="gradient")
    power = found.fields.get("power", 0) if found else 0
    return f"right for ordinary cotangents; {found.seen}" if found and not _scales(e.ask, e, 2.0**power) else None


def _scales(ask: Ask, e: Evidence, factor: float, at: Case | None = None) -> bool:
    """Whether a gradient of an everyday case grows with the cotangents, as far as it can be asked."""
    case = at or (e.example.case if e.example else e.probe(e.dtype).case())
    usual, scaled = ask(case, None), ask(case, [(factor * v).astype(v.dtype) for v in case.dy or ()])
    return usual is None or scaled is None or alike(scaled, {n: factor * g for n, g in usual.items()})
