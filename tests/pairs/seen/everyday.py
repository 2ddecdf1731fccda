"""What the tests of code seen in public repositories ask about, and how they read a report."""

import porting

ANY = {"x": porting.array()}
FREE = {"x": porting.array(("n",))}

WIDEST = {"dtypes": ["float64"]}
ASKED = {"only": ["value", "vjp"], **WIDEST}
EVERYDAY = ["value", "vjp", "adjoint", "linear", "special_values"]
CHECKS = {**WIDEST, "only": EVERYDAY}
CHECKS_AND_INPUTS = {**WIDEST, "only": [*EVERYDAY, "inputs_unchanged"]}
CHECKS_AND_REPEATED = {**WIDEST, "only": ["value", "vjp", "adjoint", "linear", "repeated", "special_values"]}


def differing(report):
    """Return what differs, as pairs of a side and a check."""
    return {(r.runner, r.check) for r in report.results if r.status == "differ"}


def causes(report, runner):
    """Return the causes that are told of a side, the first one first."""
    return [d.cause for d in report.diagnoses if d.runner == runner]


def described(pair, **asked):
    """Return the report on the values and gradients of a pair, and how the pair is described in it."""
    report = porting.check(pair, **{**ASKED, **asked})
    return report, report.described[0]
