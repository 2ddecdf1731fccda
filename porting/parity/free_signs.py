"""Outputs whose vectors may have either sign, as eigenvectors: what hangs on the signs is nobody's fault."""

from collections.abc import Collection, Mapping
from typing import Final

import numpy as np

from porting.parity.finding import Finding, Result
from porting.parity.sides import Results

_SIGNS: Final = (
    "the other side has vectors of {names} with the other sign, and nothing says which are right, as of eigenvectors: "
    "give a function around each side that makes the signs the same, or whose result has none, as v v^T"
)


def hanging_on_signs(result: Result, sides: Mapping[str, Results]) -> tuple[list[Finding], str]:
    """Return the findings that follow from free signs, and what to say of them; none if no output differs by them.

    An output that differs by more than them in everyday numbers is not such a one. Whether it differs by them there is
    chance: two solvers give some matrices the same signs.
    """
    found = [(r.check, f) for side in sides.values() for r in side for f in r.findings if f.has(quantity="value")]
    values = [f for _, f in found]
    more = {f.fields.get("name") for check, f in found if check == "value" and not f.fields.get("signs")}
    free = sorted({f.fields["name"] for f in values if f.has(signs="some")} - more)
    taken = [f for f in result.findings if f.code == "differs" and _follows(f, free)] if free else []
    return taken, _SIGNS.format(names=", ".join(free))


def _follows(finding: Finding, free: Collection[str]) -> bool:
    """Whether numbers hang on outputs whose signs are free: their own, or those of gradients that come through them."""
    numbers = finding.worst is None or np.isfinite([finding.worst.got, finding.worst.want]).all()
    if finding.has(quantity="value"):
        return bool(numbers) and finding.fields["name"] in free
    return bool(numbers) and (not finding.has(how="one output") or f"y{finding.fields['index']}" in free)
