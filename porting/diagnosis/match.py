"""From the findings on one side of an op to the causes, the likeliest first."""

from collections.abc import Sequence

from porting.diagnosis.cause import causes
from porting.diagnosis.evidence import Evidence
from porting.errors import NoTruthError, PortingError
from porting.parity.finding import Diagnosis, Result
from porting.spec import Op


def diagnose(op: Op, results: Sequence[Result], seed: int) -> tuple[Diagnosis, ...]:
    """Name the causes of the findings on one side.

    Parameters
    ----------
    op : Op
        The op, with the side as its twin.
    results : sequence of Result
        All results of one runner, device and mode.
    seed : int
        Numbers of the experiments follow from it.

    Returns
    -------
    tuple of Diagnosis
        The likeliest first; nothing if nothing differs.
    """
    wrong = [r for r in results if r.status == "differ"]
    if not wrong or wrong[0].runner == "oracle":
        return ()
    first = wrong[0]
    evidence = Evidence(op, first.runner, first.device, first.mode, results, seed)
    kinds = {finding.kind for result in wrong for finding in result.findings}
    found = []
    for cause in causes().values():
        try:
            seen = cause.detect(evidence)
        except (PortingError, NoTruthError):  # this experiment is not possible with the op
            continue
        if seen is not None:
            fix = cause.torch if first.runner == "torch" else cause.tf
            kind = cause.kind if cause.kind != "fault" or len(kinds) > 1 else next(iter(kinds))
            side = first.runner, first.device, first.mode
            found.append(Diagnosis(op.name, *side, cause.name, kind, cause.title, seen, fix))
    return tuple(found)
