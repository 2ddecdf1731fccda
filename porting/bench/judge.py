"""A run held to the bounds: what is out, what is too noisy to tell, which bounds matched nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan

from porting.bench.bounds import GROWTH, KEPT, PEAK, TIMES, Bound, Bounds
from porting.bench.result import Bench
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
    place : str
        ``swish torch-eager 2^22 / floor``.
    value, most : float
        What was measured, NaN if nothing was; what is allowed.
    note : str
        Why there is no verdict, or why another bound holds here.
    """

    verdict: str
    place: str
    value: float
    most: float
    note: str = ""

    def __str__(self) -> str:
        """One line."""
        value = "not measured" if isnan(self.value) else f"{self.value:.2f}"
        return f"{self.verdict}: {self.place}: {value}, {self.most:g} allowed" + (
            f" ({self.note})" if self.note else ""
        )


@dataclass(frozen=True)
class Judgement:
    """All verdicts of a run, and the bounds that nothing was found for."""

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
    """Hold a run to the bounds.

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
                place = f"{op.name} {mode}{f' {written_size(size)}' if size else ''} {_said(bound.what)}"
                here.append(_verdict(place, value, trouble, excepted or bound, excepted.note if excepted else ""))
        verdicts += here
        asked = set(bounds.members(bound, registered)) <= set(ops) and set(bound.modes) <= modes
        if not here and asked and set(bound.sizes) <= sizes and not bench.interrupted:
            dead.append(f"bound matches nothing: {bound.label}")
    for entry in bounds.exceptions:
        asked = set(entry.ops) <= {op.name for op in ops} and set(entry.modes) <= modes and set(entry.sizes) <= sizes
        if asked and id(entry) not in used and not bench.interrupted:
            dead.append(f"exception matches nothing: {entry.label}")
    return Judgement(tuple(verdicts), tuple(dead))


def _verdict(place: str, value: float, trouble: str, bound: Bound, note: str) -> Verdict:
    if isnan(value):  # the twin does not run there: that is no question of noise
        return Verdict(OUT, place, value, bound.most, trouble)
    if trouble:
        return Verdict(NO_VERDICT, place, value, bound.most, trouble)
    return Verdict(WITHIN if value <= bound.most else OUT, place, value, bound.most, note)


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
        elif TWIN in row.errors:
            yield row.mode, row.size, nan, row.errors[TWIN]


def _said(what: str) -> str:
    return f"/ {what}" if what in TIMES else what
