"""What the results of a check prove of a translation: the source counts as right."""

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Final

import numpy as np

from porting.parity.finding import Finding, Result
from porting.parity.report import Report
from porting.parity.sides import is_within
from porting.port.proof import Proof

TOLD: Final = ("value", "vjp")  # without these nothing is proven
OF_COMPLEX: Final = "complex_numbers"  # compares values and gradients too
_OWN: Final = "adjoint"  # whether a gradient is that of its own forward
_TWICE: Final = "second_order"
_FAR: Final = "whole_range"
_TYPES: Final = ("got_dtype", "want_dtype")
RAW: Final = "raw_gradient"  # whether a gradient has the shape of its input
_LATE: Final = "the time of --budget was over before the source was judged"
_COUNTS: Final = {"int32", "int64"}
_ROUNDED: Final = 2.0**-20  # of a number: eight roundings of float32
# sign(NaN) is 0 in PyTorch and NaN in TensorFlow, and so on.
_NOT_NUMBERS: Final = ("nan_input", "nan_cotangent")


def judged(report: Report, of: str, to: str, *, of_complex: bool = False, ended: str = "") -> Proof:
    """Return what the results prove.

    Parameters
    ----------
    report : Report
        Of the source and its translation.
    of, to : {"torch", "tf"}
        The framework of each.
    of_complex : bool
        Whether its inputs are complex numbers: a side that takes no others is compared by `OF_COMPLEX` alone.
    ended : str
        Why some results may be missing; empty if all are there.
    """

    def differing(runner: str) -> dict[tuple[str, str], Result]:
        wrong = [r for r in report.results if r.runner == runner and r.status == "differ"]
        return {(r.check, r.dtype): r for r in wrong}

    theirs, ours = differing(of), differing(to)
    unfit = [r.findings[0] for r in theirs.values() if is_unfit(r)]
    misshapen = next(iter(unfit), None)
    if misshapen:  # TensorFlow hands it out, PyTorch refuses it or sums it: neither is right
        return Proof("no verdict", f"of the source: {misshapen.what}", report=report)
    of_ours = [r for r in report.results if r.runner == to]
    surrogate = any(name == _OWN for name, _ in (*theirs, *ours))  # that is what many are written for
    own = {(r.check, r.findings[0].what if r.findings else r.note): r for r in theirs.values() if r.check != _OWN}
    faults = {f"{r.check}: {seen(r)}": r.check for r in own.values()}
    kept = {name for name, _ in ours} | _raised_by_both(theirs, of_ours)
    untold = _untold(theirs.values(), {r.check for r in of_ours if r.status == "no verdict"})
    # Where the source computes in a type of its own, as with .float(), it is no measure for another one.
    rounded = {r.dtype for r in theirs.values() if r.findings and _has_own_type(r.findings[0])}
    known = {(r.check, r.dtype) for r in report.results if r.runner == of and r.status != "no verdict"}
    late = any(r.cut for r in report.results if r.runner == of)  # its own time was over, where a file takes long to run
    raised = {key for key, r in ours.items() if key[0] not in TOLD and _is_limit(r)}  # in a graph, whatever the type
    new = {key: r for key, r in ours.items() if key not in theirs and (r.dtype not in rounded or key in raised)}
    shared = {name for name, _ in theirs}  # a fault of the source, in a type at least
    new = {key: r for key, r in new.items() if key in known or key[0] not in shared}
    if ended or late:  # it may be a fault of the source too, or of a type of its own
        doubtful = {key for key in new if not known >= {key, (TOLD[0], key[1])}}
        new = {key: r for key, r in new.items() if key not in doubtful}
        ended = ended or (_LATE if doubtful else "")
    if all(any(r.check == name and r.status == "agree" for r in of_ours) for name in TOLD):
        new = {key: r for key, r in new.items() if key[0] != _OWN}  # the law is kept, or broken, by both
    limits = {r.check: r for r in new.values() if _is_limit(r)}
    narrow = _narrow_alone(new.values(), of_ours)
    if narrow:
        limits["in float64, to the digits of float32"] = narrow[0]
    wrong = [r for r in new.values() if r.check not in limits and r not in narrow]
    proof = partial(
        Proof,
        faults=tuple(said for said, check in faults.items() if check in kept),
        mended=tuple(said for said, check in faults.items() if check not in kept | untold and not ended),
        limits={name: seen(r) for name, r in limits.items()},
        report=report,
    )
    if wrong:
        return proof("different", f"{wrong[0].check} in {wrong[0].dtype}: {seen(wrong[0])}")
    agreeing = [r for r in report.results if r.runner == to and r.status == "agree" and r.dtype not in rounded]
    agreed = {(r.check, r.dtype) for r in agreeing if r.compared}
    if ended:
        same = sorted({check for check, _ in agreed}, key=lambda check: (check not in TOLD, check))
        return proof("no verdict", f"{ended}; what was compared, and is the same: {', '.join(same) or 'nothing'}")
    lacking = [name for name in TOLD if not any(check == name for check, _ in agreed)]
    if of_complex and any(check == OF_COMPLEX for check, _ in agreed):
        lacking = [r.check for r in of_ours if r.check in TOLD and r.status == "differ"]
    if lacking:
        notes = [r.note for r in report.results if r.runner == to and r.check in lacking and r.note]
        return proof("no verdict", notes[0] if notes else f"{lacking[0]} was not compared")
    compared = sum(r.compared for r in agreeing)
    kinds = " and ".join(sorted({dtype for _, dtype in agreed}))
    names = len({name for name, _ in agreed})
    also = "; the gradient is no derivative of its forward: a surrogate, or a fault" * surrogate
    also += "; both were given the same random numbers" * any(r.drawn for r in agreeing)
    once = any(r.check == _TWICE and r.status == "differ" for r in report.results)
    counted = f"{names} check{'s' * (names > 1)} in {kinds}, {compared:,} numbers"
    return proof("proven", f"{'first order only; ' * once}{counted}", also)


def is_unfit(result: Result) -> bool:
    """Whether a gradient of a source has another shape than its input."""
    first = result.findings[0] if result.findings else None
    if first is None:
        return False
    return first.code == "raw_shape" or (result.check, first.code) == (RAW, "shape_differs")


def raises(proof: Proof, to: str) -> bool:
    """Whether a translation raises wherever it differs: then no number of it is wrong."""
    results = proof.report.results if proof.report else ()
    told = [r for r in results if r.runner == to and r.status == "differ"]
    return bool(told) and all(f.code in {"raised", "no_truth"} for r in told for f in r.findings)


def seen(result: Result) -> str:
    """Return what a result found, or why it found nothing."""
    return result.findings[0].seen if result.findings else result.note


def _narrow_alone(wrong: Iterable[Result], ours: Iterable[Result]) -> list[Result]:
    """Return what differs in float64 by what float32 rounds, and agrees in float32.

    A kernel of TensorFlow may have its options in float32, whatever its numbers are: `tf.nn.leaky_relu` and 0.3.
    """
    of_float32 = [r for r in ours if r.dtype == "float32"]
    same = {r.check for r in of_float32 if r.status == "agree" and r.compared}
    if not same >= {*TOLD}:
        return []
    judged = {r.check for r in of_float32 if r.status != "not applicable"}
    asked = judged - same  # others are asked in the widest type alone
    alike = [r for r in wrong if r.dtype == "float64" and r.check not in asked]
    return [r for r in alike if all(f.code == "differs" and is_within(f, _ROUNDED) for f in r.findings)]


def _raised_by_both(theirs: Mapping[tuple[str, str], Result], ours: Iterable[Result]) -> set[str]:
    """Return the checks in which the source raises, and its translation is as the source."""
    raised = {key for key, r in theirs.items() if r.findings and r.findings[0].code == "raised"}
    return {r.check for r in ours if r.status == "agree" and (r.check, r.dtype) in raised}


def _untold(wrong: Iterable[Result], unjudged: Collection[str]) -> set[str]:
    """Return the checks of which nobody knows whether the translation has the fault: it was not judged there.

    What a forward raises there is no fault of another check either: of an argument that is None, say.
    """
    raised = [(r.check, r.findings[0]) for r in wrong if r.findings and r.findings[0].has(stage="forward")]
    everywhere = {f.fields.get("message") for check, f in raised if check in unjudged}
    return {*unjudged, *(check for check, f in raised if f.fields.get("message") in everywhere)}


def _is_limit(result: Result) -> bool:
    """Whether no number is wrong.

    A translation raises where its source does not, or has another convention for NaN; both have lost so many digits; or
    an input is no ordinary number, whose square overflows or underflows: TensorFlow takes the smallest ones for 0; or
    an output counts in int32, as TensorFlow does, or in int64, as PyTorch does.
    """
    raised = bool(result.findings) and result.findings[0].code in {"raised", "no_truth"}
    lost = bool(result.findings) and all(f.fields.get("scattered") for f in result.findings)
    counts = bool(result.findings) and all({f.fields.get(k) for k in _TYPES} == _COUNTS for f in result.findings)
    far = result.check == _FAR and bool(result.findings) and all(_is_far(f, result.dtype) for f in result.findings)
    return (result.check not in TOLD and (raised or lost or counts)) or far or result.check in _NOT_NUMBERS


def _is_far(finding: Finding, dtype: str) -> bool:
    """Whether the square of an input overflows or is none at the worst element; ordinary numbers have other checks."""
    at = finding.worst.at.items() if finding.worst else ()
    limits = np.finfo(dtype if dtype in {"float32", "float64"} else "float32")
    large, small = float(np.sqrt(limits.max)), float(limits.tiny)
    return any(abs(x) >= large or 0 < abs(x) < small for name, x in at if not name.startswith("dy"))


def _has_own_type(finding: Finding) -> bool:
    return finding.code == "dtype_differs" and finding.has(quantity="value")
