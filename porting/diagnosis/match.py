"""From the findings on one side of an op to the causes, the likeliest first."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from porting.backends import BACKENDS, TITLES
from porting.diagnosis.by_input import Match, matched, of_each_input
from porting.diagnosis.cause import Cause, causes
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.experiments import beyond_digits, wrong_beside_types
from porting.parity.finding import Diagnosis, Finding, Result
from porting.parity.sentences import TRUTHS, settled_by
from porting.runners import runner_of
from porting.spec import Op

_UNEXPLAINED: Final = 80  # the rank of `forward_gradient_disagree`, which says that numbers differ and not how
_HALF: Final = 0.5
_SPEAKS: Final = 0.01  # of what is wrong: no less speaks for a cause
_OF_COTANGENTS: Final = "not_linear"  # no value is wrong by it; it says nothing of which gradient is wrong besides
_OF_FORWARD: Final = frozenset({"value"})  # the experiments look at every wrong number of everyday cases


def diagnose(
    op: Op,
    results: Sequence[Result],
    seed: int,
    *,
    of_a_pair: bool = False,
    doubted: Callable[[], bool] = bool,
) -> Iterator[Diagnosis]:
    """Name the causes of the findings on one side, each as soon as it is known: the experiments may be cut off.

    Parameters
    ----------
    op : Op
        The op, with the side as its twin.
    results : sequence of Result
        All results of one runner, device and mode.
    seed : int
        Numbers of the experiments follow from it.
    of_a_pair : bool
        Whether the op is somebody's pair: what breaks an experiment is then its own, and the other causes are tried.
    doubted : callable
        Whether the side that has the truth is at fault by itself; asked where a gradient differs from it.

    Yields
    ------
    Diagnosis
        The likeliest first; nothing if nothing differs.
    """
    wrong = [r for r in results if r.status == "differ"]
    if not wrong or wrong[0].runner == "oracle":
        return
    first = wrong[0]
    evidence = Evidence(op, first.runner, first.device, first.mode, results, seed, doubted=doubted)
    runner = runner_of(op, first.runner)
    settings = runner.state()
    try:
        passed_over: type[Exception] | tuple[()] = Exception if of_a_pair else ()
        lost = False
        for diagnosis in _matching(evidence, wrong, passed_over):
            lost |= causes()[diagnosis.cause].of_digits
            yield diagnosis
        rest = [r for r in wrong if r.check in beyond_digits(evidence)] if lost else []
        if rest:  # everyday cases lose digits: what is wrong by more is asked about without them
            yield from _matching(evidence.without_everyday(rest), rest, passed_over)
    finally:
        runner.restore(settings)  # the experiments run the op, which may change them


def _matching(
    evidence: Evidence, wrong: Sequence[Result], passed_over: type[Exception] | tuple[()]
) -> Iterator[Diagnosis]:
    """Yield the causes by rank; one whose experiments raise what is to be passed over, is.

    One whose repair leaves some wrong elements comes before the cause that explains nothing, one that leaves most of
    them behind it.
    """
    partly: list[Diagnosis] = []
    hardly: list[Diagnosis] = []
    asked, whole = False, False  # whether each input was asked about; whether one cause mends all numbers
    lost = False  # whether digits are lost in everyday cases, and no more
    for cause in causes().values():
        if cause.rank >= _UNEXPLAINED and not asked:
            mine, others = ([], []) if whole else of_each_input(evidence, passed_over)
            found, known = [_of_input(evidence, wrong, match) for match in mine], {match.cause.name for match in mine}
            late = {one.cause for one in hardly} if others else set()  # most of what is wrong has no known cause
            yield from (one for one in found if one.cause not in late)
            yield from (one for one in partly if one.cause not in known)
            hardly = [*(one for one in found if one.cause in late), *(one for one in hardly if one.cause not in known)]
            asked, partly = True, []
        evidence.looked_at.clear()
        evidence.raised_in = evidence.told_of = ""
        fits = matched(evidence, cause, passed_over)
        if fits is None:
            continue
        seen, share = fits
        whole |= cause.repair is not None and cause.of_gradients and share == 1
        speaks = _SPEAKS <= share < 1
        more = f"; {share:.0%} of what is wrong is then right" if speaks else ""
        more = "; the gradient is wrong by itself" if cause.of_values and not share else more
        looked_at = evidence.looked_at
        beyond = beyond_digits(evidence) if lost or cause.of_digits else set()
        if beyond:  # `diagnose` asks about these by themselves
            looked_at = (looked_at or {result.check for result in wrong}) - beyond
            if not looked_at:
                continue
            lost = True
        if cause.of_gradients or cause.name == _OF_COTANGENTS:
            # What was seen without a finding could explain any number but those of the forward.
            looked_at = (looked_at or _of_gradients(wrong)) - _OF_FORWARD
            if not looked_at:
                continue
        told = _told(evidence, wrong, cause, seen + more, looked_at)
        told = replace(told, raised_in=evidence.raised_in, of_input=evidence.told_of)
        if share < 1 or (cause.of_digits and wrong_beside_types(evidence)):
            (partly if share >= _HALF or cause.of_values else hardly).append(told)
        else:
            yield told
    yield from hardly


def _of_gradients(wrong: Sequence[Result]) -> set[str]:
    """Return the checks that found more than values and exceptions of a forward: no wrong gradient explains those."""
    return {result.check for result in wrong if not all(map(_is_no_gradients, result.findings))}


def _is_no_gradients(finding: Finding) -> bool:
    of_graph = str(finding.fields.get("how", "")).startswith(("function", "xla"))
    return finding.has(quantity="value") or (finding.code == "raised" and (finding.has(stage="forward") or of_graph))


def _told(evidence: Evidence, wrong: Sequence[Result], cause: Cause, seen: str, explains: Collection[str]) -> Diagnosis:
    """Return a cause with what supports it, and the checks that it explains."""
    kinds = {finding.kind for result in wrong for finding in result.findings}
    kind = cause.kind if cause.kind != "fault" or len(kinds) > 1 else next(iter(kinds))
    fix = cause.fix(evidence.runner, oracle=evidence.op.truth == "oracle")
    return Diagnosis(*wrong[0].side, cause.name, kind, cause.title, seen, fix, explains=tuple(sorted(explains)))


def _of_input(evidence: Evidence, wrong: Sequence[Result], match: Match) -> Diagnosis:
    """Return the cause of what is wrong with the gradient of one input."""
    about = (match.explains or _of_gradients(wrong)) - _OF_FORWARD
    return replace(_told(evidence, wrong, match.cause, match.seen, about), of_input=match.name)


def supposed(diagnosis: Diagnosis, results: Sequence[Result]) -> Diagnosis:
    """Return a diagnosis as it holds where the sides disagree: only if the other one is right."""
    whole = [result for result in results if result.side == diagnosis.side]
    differing = [result for result in whole if result.status == "differ"] or whole  # notes are no accusation
    mine = [finding for result in differing for finding in result.findings]
    every = [finding for result in whole for finding in result.findings]
    masked = {finding.code for finding in every if finding.fields.get("masked")}  # what the sign masks may be meant so
    alone = causes()[diagnosis.cause].alone and diagnosis.cause not in masked
    if alone or not any(finding.kind == "disagreement" for finding in mine):
        return _of_either(diagnosis, differing)
    said = {finding.fields.get("truth") for finding in mine if finding.kind == "disagreement"}
    others = [key for key in BACKENDS if key != diagnosis.runner]
    other = next((key for key in others if TITLES[key] in said), others[0])
    fix = settled_by({diagnosis.runner, other})
    return replace(diagnosis, kind="disagreement", provided=TITLES[other], fix=fix)


def _of_either(diagnosis: Diagnosis, results: Sequence[Result]) -> Diagnosis:
    """Return a loss of digits as it holds where nothing shows whose it is: the truth may have lost them, too.

    A constant in float32 makes numbers that are off by as much everywhere: they jump on neither side. A type that is
    another one is so whoever has lost digits.
    """
    cause = causes()[diagnosis.cause]
    wide = [finding for result in results if result.dtype == "float64" for finding in result.findings]
    theirs = [str(f.fields["truth"]) for f in wide if f.code == "differs" and f.fields.get("truth") not in TRUTHS]
    if not (cause.of_digits and not cause.alone and theirs) or any(f.lacks_digits("got") for f in wide):
        return diagnosis
    return replace(diagnosis, provided=theirs[0], seen=f"{diagnosis.seen}; {theirs[0]} may be the one that lost them")
