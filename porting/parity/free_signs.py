"""Outputs whose vectors may have either sign, or any phase, as eigenvectors: what hangs on them is nobody's fault."""

from collections.abc import Collection, Mapping
from typing import Final

import numpy as np

from porting.backends import BACKENDS
from porting.parity.codes import OF_NUMBERS
from porting.parity.finding import Finding, Result
from porting.parity.sides import Results

_SIGNS: Final = (
    "the other side has vectors of {names} with the other sign, and nothing says which are right, as of eigenvectors: "
    "give a function around each side that makes the signs the same, or whose result has none, as v v^T"
)
_PHASES: Final = (
    "the other side has {names} of an eigenproblem in another order or with other phases, and nothing says which are "
    "right: give a function around each side that sorts them and whose result has no phase, as v v^H"
)
_COINCIDE: Final = (
    "where eigenvalues or singular values coincide, or nearly so, nothing says which vectors of {names} are right"
)
# What asks with numbers for which they coincide: zeros, ones, equal ones, very large and very small ones.
_COINCIDING: Final = frozenset({"coincidences", "special_values", "finite", "whole_range", "kinks", "nan_input"})


def hanging_on_signs(result: Result, sides: Mapping[str, Results], *, alone: bool) -> tuple[list[Finding], str]:
    """Return the findings that follow from free signs, and what to say of them; none if no output differs by them.

    An output that differs by more than them in everyday numbers is not such a one. Whether it differs by them there is
    chance: two solvers give some matrices the same signs. What a check finds of a side `alone` does not follow, but for
    an exception that says so. Where all sides were given the same signs, vectors are free where eigenvalues coincide.
    """
    found = [(r.check, f) for side in sides.values() for r in side for f in r.findings if f.has(quantity="value")]
    values = [f for _, f in found]
    more = {f.fields.get("name") for check, f in found if check == "value" and not f.fields.get("signs")}
    told = [f for f in values if f.fields.get("signs") in {"some", "phases"} and f.fields["name"] not in more]
    if coinciding := sorted({n for f in result.findings for n in f.fields.get("vectors", ())}):
        taken = [f for f in result.findings if f.code in OF_NUMBERS and result.check in _COINCIDING]
        return taken, _COINCIDE.format(names=", ".join(coinciding))
    free, phases = sorted({f.fields["name"] for f in told}), any(f.has(signs="phases") for f in told)
    compared = [f for f in result.findings if f.code == "differs" and free and not alone]
    taken = [f for f in compared if _follows(f, free)]
    taken += [f for f in result.findings if phases and _is_of_phases(result, f)]
    return taken, (_PHASES if phases else _SIGNS).format(names=", ".join(free))


def _is_of_phases(result: Result, finding: Finding) -> bool:
    """Whether a framework refuses a gradient that hangs on phases."""
    words = BACKENDS[result.runner].no_phase if result.runner in BACKENDS else ""
    return bool(words) and finding.code == "raised" and words in finding.fields["message"]


def _follows(finding: Finding, free: Collection[str]) -> bool:
    """Whether numbers hang on outputs whose signs are free: their own, or those of gradients that come through them."""
    numbers = finding.worst is None or np.isfinite([finding.worst.got, finding.worst.want]).all()
    if finding.has(quantity="value"):
        return bool(numbers) and finding.fields["name"] in free
    return bool(numbers) and (not finding.has(how="one output") or f"y{finding.fields['index']}" in free)
