"""What every table of a report says of a cell, an op and a side: in the terminal, on a page, on the site."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from porting.backends import TITLES
from porting.parity.finding import Result
from porting.parity.report import Report
from porting.parity.sides import EVERYDAY
from porting.registry import ops

_WORST_FIRST: Final = ("differ", "no verdict", "known", "note", "agree", "waived", "not applicable")

_AGREES: Final = {"note", "agree", "waived"}
_GRADIENT: Final = "vjp"


def worst(results: Iterable[Result], *, cut: bool = False) -> str:
    """Return the worst status of a cell, empty if nothing was asked; a waiver that holds agrees.

    Of a run that was `cut` short nothing agrees whose gradient was not reached. What could not compare counts if it is
    value or gradient, or as many as agree. Beside a gradient that agrees it does not, where real numbers are refused,
    or random ones are drawn: most checks ask nothing there.
    """
    several = list(results)
    alike = {
        (r.op, r.runner)
        for r in several
        if r.status == "agree" and (r.check == "complex_numbers" or (r.drawn and r.check == "vjp"))
    }
    several = [r for r in several if r.status != "no verdict" or (r.op, r.runner) not in alike]
    counted = Counter(r.status for r in several)
    lost = any(r.status == "no verdict" and r.check in EVERYDAY for r in several)
    if not lost and counted["no verdict"] < counted["agree"]:
        del counted["no verdict"]
    found = next((status for status in _WORST_FIRST if counted[status]), "")
    if cut and found in _AGREES and not any(r.check == _GRADIENT for r in several):
        return "no verdict"
    return "agree" if found == "waived" else found


def home(op: str, report: Report) -> tuple[str, str]:
    """Return the family of an op, and the kind of its gradient; a user's pair is of none."""
    known = ops()
    if op in known and op not in report.pairs:
        return known[op].family, known[op].contract.kind
    return "your own", ""


def side_title(runner: str, device: str, mode: str) -> str:
    """Return what a side is called: ``PyTorch gpu xla``; the usual device and mode are not said."""
    return " ".join([TITLES.get(runner, runner), *([device] * (device != "cpu")), *([mode] * (mode != "eager"))])
