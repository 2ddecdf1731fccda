"""Compares a run with the bounds: what is out, what is too noisy to judge, and which bounds matched nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan

from porting.bench.bounds import GROWTH, KEPT, PEAK, TIMES, Bound, Bounds
from porting.bench.modes import backend_of
from porting.bench.result import Bench, Row
from porting.bench.size import written_size
from porting.bench.subjects import COMPOSITION, TWIN
from porting.parity.report import EXIT_AGREE, EXIT_DIFFER, EXIT_NOTHING
from porting.spec import Op

WITHIN, OUT, NO_VERDICT = "within", "out", "no verdict"


@dataclass(frozen=True)
class Verdict:
    """One bound at one op, mode and size.

    Attributes
    ----------
    verdict : {"within", "out", "no verdict"}
        What came of it.
    what, op, mode, size : str, str, str, int
        Of which measurement; the size is 0 for what is no time.
    value, most : float
        What was measured, NaN if nothing was; what is allowed.
    note : str
        Why there is no verdict, or why another bound holds here.
    """

    verdict: str
    what: str
    op: str
    mode: str
    size: int
    value: float
    most: float
    note: str = ""

    @property
    def place(self) -> str:
        """Return ``swish torch-eager 2^22 / floor``."""
        said = f"/ {self.what}" if self.what in TIMES else self.what
        return " ".join([self.op, self.mode, *([written_size(self.size)] if self.size else []), said])

    def __str__(self) -> str:
        """One line."""
        value = "not measured" if isnan(self.value) else f"{self.value:.2f}"
        return f"{self.verdict}: {self.place}: {value}, {self.most:g} allowed" + (
            f" ({self.note})" if self.note else ""
        )


@dataclass(frozen=True)
class Judgement:
    """All verdicts of a run, and the bounds that matched nothing."""

    verdicts: tuple[Verdict, ...]
    dead: tuple[str, ...]

    def of(self, kind: str) -> list[Verdict]:
        """Return the verdicts of one kind."""
        return [v for v in self.verdicts if v.verdict == kind]

    @property
    def exit_code(self) -> int:
        """1 if something is out or a bound is dead, 5 if nothing could be judged, else 0."""
        if self.of(OUT) or self.dead:
            return EXIT_DIFFER
        return EXIT_AGREE if self.of(WITHIN) else EXIT_NOTHING


def judge(bench: Bench, bounds: Bounds, ops: Sequence[Op], registered: Sequence[Op]) -> Judgement:
    """Compare a run with the bounds.

    Parameters
    ----------
    bench : Bench
        What was measured.
    bounds : Bounds
        What is allowed.
    ops, registered : sequence of Op
        What was asked for, and all there are: a bound that matches nothing is dead only if all it speaks of was asked
        for.
    """
    verdicts: list[Verdict] = []
    dead: list[str] = []
    used: set[int] = set()
    modes, sizes = {row.mode for row in bench.rows}, {row.size for row in bench.rows}
    for bound in bounds.bounds:
        here = []
        for op in bounds.members(bound, ops):
            for mode, size, value, trouble in _measured(bench, bound, op.name):
                excepted = bounds.exception(bound, op.name, mode, size)
                if excepted:
                    used.add(id(excepted))
                holds, note = excepted or bound, excepted.note if excepted else ""
                verdict, note = _verdict(value, trouble, holds.most, note)
                here.append(Verdict(verdict, bound.what, op.name, mode, size, value, holds.most, note))
        verdicts += here
        asked = set(bounds.members(bound, registered)) <= set(ops) and set(bound.modes) <= modes
        if not here and asked and set(bound.sizes) <= sizes and not bench.interrupted:
            dead.append(f"bound matches nothing: {bound.label}")
    for entry in bounds.exceptions:
        asked = set(entry.ops) <= {op.name for op in ops} and set(entry.modes) <= modes and set(entry.sizes) <= sizes
        if asked and id(entry) not in used and not bench.interrupted:
            dead.append(f"exception matches nothing: {entry.label}")
    return Judgement(tuple(verdicts), tuple(dead))


def _verdict(value: float, trouble: str, most: float, note: str) -> tuple[str, str]:
    """Return the verdict on one measurement and what is to be said with it."""
    if isnan(value):  # the twin does not run there: that is no question of noise
        return OUT, trouble
    if trouble:
        return NO_VERDICT, trouble
    return WITHIN if value <= most else OUT, note


def _measured(bench: Bench, bound: Bound, op: str) -> Iterator[tuple[str, int, float, str]]:
    """Yield mode, size, value and why it says nothing, for what a bound speaks of in one op."""
    if bound.what in TIMES:
        yield from _times(bench, bound, op)
    elif bound.what == PEAK:
        for peak in bench.peaks:
            if peak.op == op and peak.mode in bound.modes and {TWIN, COMPOSITION} <= set(peak.tensors):
                yield peak.mode, 0, peak.tensors[TWIN] / peak.tensors[COMPOSITION], ""
    else:
        for kept in bench.kept:
            found = {KEPT: kept.inputs, GROWTH: kept.growth}[bound.what]
            mode = f"{kept.backend}-eager"
            if kept.op == op and mode in bound.modes and TWIN in found:
                yield mode, 0, found[TWIN], ""


def _times(bench: Bench, bound: Bound, op: str) -> Iterator[tuple[str, int, float, str]]:
    for row in bench.rows:
        if row.op != op or row.mode not in bound.modes or row.size not in bound.sizes:
            continue
        if bound.what in row.ratios:
            yield row.mode, row.size, row.ratios[bound.what].median, row.noisy.get(bound.what, "")
        elif TWIN in row.errors and _compared(bench, bound.what, row):
            yield row.mode, row.size, nan, row.errors[TWIN]


def _compared(bench: Bench, what: str, failed: Row) -> bool:
    """Tell whether an op has what a bound compares it with: what ran at no size and failed at none is not there."""
    others = [r for r in bench.rows if r.op == failed.op and backend_of(r.mode) == backend_of(failed.mode)]
    measured = [r for r in others if r.seconds]
    return not measured or any(what in r.seconds or what in r.errors for r in measured)
