"""What detectors work with: the findings on one side of an op, and experiments on it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from porting.diagnosis.example import Array, Arrays, Example, size
from porting.diagnosis.own_forward import OwnForward
from porting.dtypes import FLOATS, real_of, wide
from porting.errors import NotRecordedError, NoTruthError
from porting.numeric.compare import same_but_ones
from porting.parity.allowed import of_gradients
from porting.parity.digits import explains, noise
from porting.parity.finding import Finding, Result
from porting.parity.probe import NotApplicableError, OracleError, Probe
from porting.parity.sides import is_of_type
from porting.parity.undefined import defined
from porting.runners import RUNNERS, Case, Outcome, Raised, runner_of
from porting.spec import Op

# What an op does beside its numbers: no wrong number explains it.
LEFT_BEHIND: Final = frozenset({"overwritten", "setting_changed", "value_kept", "never_freed"})


@dataclass
class Evidence:
    """One side of an op, the findings about it, and experiments, which run the op again.

    Attributes
    ----------
    op : Op
        The op, with the side as its twin.
    runner, device, mode : str
        The side.
    results : sequence of Result
        What the checks said of it.
    seed : int
        Numbers follow from it.
    looked_at : set of str
        The checks whose findings were asked for, and were there.
    raised_in : str
        The type in which an everyday case was asked what it raises, if it raises.
    told_of : str
        The input that a cause is of, where the numbers of others are wrong in another way.
    only : str
        The input whose gradient is looked at, as if those of the others were right; empty for all.
    doubted : callable
        Whether the side that has the truth breaks a law that this one keeps: then its gradients are no measure.
    """

    op: Op
    runner: str
    device: str
    mode: str
    results: Sequence[Result]
    seed: int = 0
    looked_at: set[str] = field(default_factory=set)
    raised_in: str = ""
    told_of: str = ""
    only: str = ""
    doubted: Callable[[], bool] = bool
    _probes: dict[str, Probe] = field(default_factory=dict)

    def of_input(self, name: str) -> "Evidence":
        """Return the evidence on the gradient of one input, as if those of the others were right."""
        found = replace(self, only=name, looked_at=set())
        found.__dict__ |= {"ordinary": self.ordinary, "_everyday": self._everyday}  # what was asked is not asked again
        return found

    def without_everyday(self, results: Sequence[Result]) -> "Evidence":
        """Return the evidence of some results, as if everyday cases were right: what is wrong there is known."""
        found = replace(self, results=results, looked_at=set(), raised_in="")
        found.__dict__ |= {"ordinary": [], "_example": None}
        return found

    def finding(self, check: str, *codes: str, **wanted: Any) -> Finding | None:
        """Return a check's first finding with one of these codes, if any are given, and with these fields."""
        return next(self.findings(check, *codes, **wanted), None)

    def said(self, *codes: str, **wanted: Any) -> Finding | None:
        """Return the first such finding of any check."""
        every = dict.fromkeys(r.check for r in self.results)
        found = [finding for check in every for finding in self.findings(check, *codes, **wanted)]
        return found[0] if found else None

    def raising(self, *words: str, which: Callable[[Finding], bool] = bool) -> Finding | None:
        """Return the first such finding of an exception with all these words in its type and message."""
        wrong = [(r.check, f) for r in self.results if r.status == "differ" for f in r.findings]
        raised = [(check, f) for check, f in wrong if f.code in {"raised", "no_truth"}]
        said = [(check, f) for check, f in raised if all(word in exception(f) for word in words) and which(f)]
        self.looked_at |= {check for check, _ in said}
        return said[0][1] if said else None

    def findings(self, check: str, *codes: str, **wanted: Any) -> Iterator[Finding]:
        """Yield all such findings of a check."""
        for result in self.results:
            if result.check == check and result.status == "differ":
                for found in result.findings:
                    if (not codes or found.code in codes) and found.has(**wanted):
                        self.looked_at.add(check)
                        yield found

    def differs(self, *checks: str) -> bool:
        """Whether one of these checks has findings."""
        found = {r.check for r in self.results if r.check in checks and r.status == "differ"}
        self.looked_at |= found
        return bool(found)

    def differs_in(self, dtype: str) -> bool:
        """Whether anything was found in a type."""
        return any(r.dtype == dtype and r.status == "differ" for r in self.results)

    def probe(self, dtype: str = "float64") -> Probe:
        """Return a probe of the side in a type."""
        if dtype not in self._probes:
            runner = runner_of(self.op, self.runner)
            self._probes[dtype] = Probe(self.op, dtype, self.device, self.mode, self.seed, "diagnosis", runner=runner)
        return self._probes[dtype]

    def _differing(self, *, raised: bool) -> set[str]:
        """Return what checks have findings of exceptions, or of numbers: all saw what is wrong in everyday cases."""
        wrong = [r for r in self.results if r.status == "differ"]
        codes = [(r.check, f.code) for r in wrong for f in r.findings if f.code not in LEFT_BEHIND]
        return {check for check, code in codes if (code == "raised") is raised}

    @property
    def raised(self) -> Raised | None:
        """What an everyday case raises, the first that does; of a side that takes complex numbers only nothing."""
        asked = (r for r in self.results if r.check in {"value", "vjp"})  # with real numbers, which it may refuse
        if self.op.contract.complex and not any(f.code == "raised" for r in asked for f in r.findings):
            return None
        found = next((o.raised for case, o in self._everyday.values() if o.raised and not self._misled(case, o)), None)
        if found:
            self.looked_at |= self._differing(raised=True)
            self.raised_in = self.dtype
        return found

    def _misled(self, case: Case, outcome: Outcome) -> bool:
        """Whether another side raises there too, or has outputs of other shapes, one of which the cotangent has."""
        if self.op.truth in {"oracle", self.runner} or self.op.memory is not None:
            return False
        if runner_of(self.op, self.op.truth).run(case).raised is not None:
            return True
        if outcome.raised is not None and outcome.raised.stage == "backward":
            with suppress(NoTruthError):
                return self.probe(self.dtype).output_differs(case, outcome)
        return False

    @cached_property
    def _everyday(self) -> dict[int, tuple[Case, Outcome]]:
        """Everyday cases by their identity, with what the side answers; none where the truth takes no real numbers."""
        probe, cases = self.probe(self.dtype), [*self.ordinary]
        refused = (NoTruthError,) if self.op.contract.complex else ()
        with suppress(*refused):
            cases.insert(0, probe.case())
        return {id(case): (case, probe.runner.run(case)) for case in cases}

    @cached_property
    def ordinary(self) -> list[Case]:
        """Everyday cases in the widest type, up to the first that the side with the truth refuses."""
        found: list[Case] = []
        with suppress(NoTruthError):
            found.extend(self.probe(self.dtype).ordinary())
        if self.op.truth == "oracle" or self.op.memory is not None:  # a recording has no other numbers
            return found
        return [defined(self.probe(self.dtype), case) for case in found]  # NaN of both sides hides what is wrong

    @cached_property
    def dtype(self) -> str:
        """The widest type that was checked, and has a verdict."""
        if self.op.narrow:
            return "float32"
        types = {r.dtype for r in self.results}
        apart = {dtype for dtype in types if self._raises(dtype, of_type=True)}
        if any(self._raises(dtype, of_type=False) for dtype in types - apart):  # what the type hides elsewhere
            types -= apart
        return max(types, key=FLOATS.index, default="float64")

    def _raises(self, dtype: str, *, of_type: bool) -> bool:
        """Whether the gradient raises in a type: because of the types alone, or of something else."""
        wrong = [r for r in self.results if (r.dtype, r.check, r.status) == (dtype, "vjp", "differ")]
        return any(f.code == "raised" and is_of_type(r, f) is of_type for r in wrong for f in r.findings)

    @cached_property
    def clean(self) -> bool:
        """Whether everyday cases are right: what is wrong is wrong in a special use."""
        return not (self.raised or self.example or self.value_wrong or self.misshapen)

    @property
    def takes_real(self) -> bool:
        """Whether gradients were judged with real numbers: some sides take complex ones only."""
        return not self.op.contract.complex or any(r.check == "vjp" and r.status == "agree" for r in self.results)

    @cached_property
    def misshapen(self) -> bool:
        """Whether a gradient of an everyday case has another shape than its input."""
        answers = [(case, self.ask(case)) for case in self.ordinary]
        return any(g.shape != case.inputs[n].shape for case, got in answers if got for n, g in got.items())

    def explains_numbers(self) -> None:
        """Say that what is seen explains the wrong numbers of everyday cases too, if there are any."""
        if self._example:
            self.looked_at |= self._differing(raised=False)

    @property
    def example(self) -> Example | None:
        """The first everyday case in the widest type whose gradient is wrong; through one output alone if it can be."""
        self.explains_numbers()
        return self._example

    @property
    def is_gross(self) -> bool:
        """Whether a gradient of an everyday case is wrong by more than digits."""
        return self._example is not None and self._example.gross

    @cached_property
    def _example(self) -> Example | None:
        found = self.first_wrong(self.ordinary)
        if found is None and any(r.check in {"shapes", "large"} and r.status == "differ" for r in self.results):
            found = self.first_wrong(self._larger())
        if found and (self._lacks_digits(found) or self.doubted()):
            return None
        dy = found.case.dy or () if found else ()
        if found is None or len(dy) < 2:
            return found
        alone = [tuple(v if j == k else np.zeros_like(v) for j, v in enumerate(dy)) for k in range(len(dy))]
        return self.first_wrong([replace(found.case, dy=one) for one in alone]) or found

    def _lacks_digits(self, found: Example) -> bool:
        """Whether another side, which stands in for the oracle, loses as many digits as the gradients are off by."""
        another = self.op.truth not in {"oracle", self.runner} and self.op.memory is None
        if not another or found.gross or found.case.dtype != "float64":
            return False
        places = {name: self.op.wrt.index(name) for name in found.wrong}
        jumps = {name: noise(found.case, RUNNERS["oracle"].run, "gradient", k) for name, k in places.items()}
        return all(explains(jump, found.got[n], found.want[n], found.allowed[n]) for n, jump in jumps.items())

    def _larger(self) -> Iterator[Case]:
        """Yield cases with three axes and, of an op that works element by element, with many elements."""
        with suppress(NoTruthError):
            yield self.probe(self.dtype).case("three axes", shape=(2, 3, 4))
            if not self.op.contract.shapes:
                yield self.probe(self.dtype).case("many", shape=(40, 50))

    @cached_property
    def examples(self) -> list[Example]:
        """Every everyday case in the widest type that can be compared, roughly: six digits of the largest element."""
        silent = [not v.any() for v in (self.example.case.dy or () if self.example else ())]  # as in the example

        def asked(case: Case) -> Case:
            dy = tuple(np.zeros_like(v) if off else v for v, off in zip(case.dy or (), silent, strict=False))
            return replace(case, dy=dy) if any(silent) else case

        looked = (self.look(asked(case), rough=True) for case in self.ordinary)
        return [found for found in looked if found is not None]

    @property
    def narrow_finding(self) -> tuple[str, Finding] | None:
        """A finding on values or gradients in a type narrower than float64, finite but wrong."""
        judged = {"vjp", "value", "large", "special_values", "linear", "kinks"}
        wide = {r.status for r in self.results if r.dtype == "float64" and r.check in judged} - {"no verdict"}
        if not wide or "differ" in wide:
            return None
        for result in self.results:
            if result.dtype != "float64" and result.check in {"vjp", "value", "large", "special_values", "linear"}:
                for finding in result.findings:
                    if finding.worst and np.isfinite(finding.worst.got):
                        self.looked_at.add(result.check)
                        return result.dtype, finding
        return None

    @property
    def value_wrong(self) -> bool:
        """Whether the forward differs from the truth."""
        wrong = [r for r in self.results if (r.check, r.dtype, r.status) == ("value", self.dtype, "differ")]
        found = any(not f.lacks_digits("want") for r in wrong for f in r.findings)  # else the truth lacks digits
        if found:
            self.looked_at.add("value")
        return found

    def cotangents(self, label: str) -> list[Array]:
        """Return other cotangents for the example."""
        assert self.example is not None  # noqa: S101 - asked for where there is one
        case = self.example.case
        return list(self.probe(case.dtype).case(label, inputs=case.inputs, statics=case.statics).dy or ())

    @cached_property
    def raws(self) -> list[tuple[Case, Arrays]]:
        """Cases of several shapes, with the gradients as the op itself returned them."""
        probe = self.probe(self.dtype)
        asked = [(case, probe.runner.run(replace(case, raw=True))) for case in self._shaped(probe)]
        return [(case, self._raw(case, got)) for case, got in asked if not self._sent_another(probe, case, got)]

    @staticmethod
    def _sent_another(probe: Probe, case: Case, outcome: Outcome) -> bool:
        """Whether a side is sent a cotangent of another shape than its output, as the other side's is."""
        with suppress(NoTruthError):
            return probe.output_differs(case, outcome)
        return False

    def raw(self, case: Case) -> Arrays:
        """Return the gradients as the op itself returned them, by input; none for a cotangent of another's output."""
        return self._raw(case, self.probe(case.dtype).runner.run(replace(case, raw=True)))

    def _raw(self, case: Case, outcome: Outcome) -> Arrays:
        if any(y.shape != v.shape for y, v in zip(outcome.value, case.dy or (), strict=False)):
            return {}
        raw = outcome.raw if outcome.raw is not None else outcome.vjp
        return {n: g for n, g in zip(self.op.wrt, raw, strict=False) if g is not None}

    def _shaped(self, probe: Probe) -> Iterator[Case]:
        if len(self.op.inputs) > 1 and not self.op.contract.shapes and self.differs("broadcast"):
            x, *others = probe.case("raw").inputs.items()
            yield probe.case("raw", inputs={x[0]: x[1], **{name: b[0] for name, b in others}})
            yield probe.case("raw", inputs={x[0]: x[1][:, :1], **{name: b[:1] for name, b in others}})
        for shape in ((3, 4), (2, 3, 4), (5,), (1,), ()):
            if shape or not self.op.contract.shapes:
                try:
                    yield probe.case("raw", shape=shape)
                except NoTruthError:
                    continue

    def raised_for(self, shape: tuple[int, ...]) -> str | None:
        """Return what is raised for a shape, in one line; nothing if nothing is."""
        probe = self.probe(self.dtype)
        try:
            case = probe.case("raised", shape=shape)
        except NoTruthError:
            return None
        outcome = probe.runner.run(case)
        if probe.output_differs(case, outcome):  # it was sent a cotangent of the other side's shape
            return None
        if self.op.contract.complex and outcome.raised and probe.takes_complex(case):
            return None
        raised = outcome.raised
        shapes = ", ".join(f"{name} {list(x.shape)}" for name, x in case.inputs.items())
        return f"{raised} in {raised.stage} for {shapes}, at {raised.where}" if raised else None

    def first_wrong(self, cases: Iterable[Case]) -> Example | None:
        """Return the first of some cases in which the gradient is wrong."""
        for case in cases:
            found = self.look(case)
            if found is not None and found.wrong:
                return found
        return None

    def look(self, case: Case, *, rough: bool = False) -> Example | None:
        """Return what comes and what should come in a case; nothing if either side raises or shapes differ.

        With `rough` the tolerance is six digits of the largest element, which costs nothing.
        """
        got, want = self.ask(case), self.truth(case)
        if got and want:  # the numbers of a gradient that lacks an axis of length 1 may be wrong as well
            got = {n: g.reshape(want[n].shape) if same_but_ones(g.shape, want[n].shape) else g for n, g in got.items()}
        if got is None or want is None or any(g.shape != want[n].shape for n, g in got.items()):
            return None
        got = {n: g if self.only in {"", n} else want[n] for n, g in got.items()}
        if self._alone or rough:
            allowed: Arrays = {n: np.full(w.shape, 1e-6 * size(w) + 1e-300) for n, w in want.items()}
        else:
            dtype, wanted = self.probe(case.dtype).arithmetic, tuple(want.values())
            tolerances = of_gradients(case, dtype, self.seed, list(got.values()), wanted, rows=False)
            allowed = dict(zip(self.op.wrt, tolerances, strict=True))
        return Example(case, got, want, allowed)

    def further(self, label: str, **how: Any) -> Example | None:
        """Look, roughly, at a case that no check asks about: nothing of a recording, which lacks it."""
        with suppress(NotRecordedError):
            return self.look(self.probe(self.dtype).case(label, **how), rough=True)
        return None

    def ask(self, case: Case, dy: Sequence[Array] | None = None) -> Arrays | None:
        """Return the side's gradients by input; zeros where it gives none, nothing if it raises.

        Of a complex gradient of a real input it is the real part: that the type is another one is a finding by itself.
        """
        outcome = self.outcome(case if dy is None else replace(case, dy=tuple(dy)))
        if outcome.raised is not None:
            return None
        parts = zip(self.op.wrt, outcome.vjp, strict=True)
        inputs = case.inputs
        return {n: np.zeros(inputs[n].shape) if g is None else wide(real_of(g, inputs[n])) for n, g in parts}

    def outcome(self, case: Case) -> Outcome:
        """Return what the side answers; an everyday case is not asked again."""
        known = self._everyday.get(id(case))
        return known[1] if known else self.probe(case.dtype).runner.run(case)

    def second(self, case: Case) -> Arrays:
        """Return the side's second derivatives, by cotangent and input; nothing if it raises or where it gives none."""
        outcome, dy = self.probe(case.dtype).runner.run(case), case.dy or ()
        by = [*("dy" if len(dy) == 1 else f"dy{k}" for k in range(len(dy))), *self.op.wrt]
        return {n: wide(g) for n, g in zip(by, outcome.second, strict=False) if g is not None}

    def truth(self, case: Case, dy: Sequence[Array] | None = None) -> Arrays | None:
        """Return the true gradients by input; of a side alone, differences of its forward."""
        asked = case if dy is None else replace(case, dy=tuple(dy))
        if self._alone:
            return self.own(asked)
        try:
            outcome = self.probe(case.dtype).truth(asked)
        except (OracleError, NoTruthError, NotApplicableError):
            return None
        return {n: wide(np.asarray(g)) for n, g in zip(self.op.wrt, outcome.vjp, strict=True)}

    def own(self, case: Case) -> Arrays | None:
        """Return differences of the side's own forward by input."""
        return self._own.gradients(case)

    @property
    def _alone(self) -> bool:
        return self.op.truth == self.runner

    @cached_property
    def _own(self) -> OwnForward:
        return OwnForward(self.op, self.probe().runner)


def exception(finding: Finding) -> str:
    """Return the type and the message of an exception."""
    return f"{finding.fields.get('type', '')}: {finding.fields.get('message', '')}"
