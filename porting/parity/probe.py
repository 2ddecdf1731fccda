"""What a check works with: one op on one runner in one dtype, cases to ask, the truth, and a tally of what was compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from porting.dtypes import as_dtype, is_float
from porting.numeric import samples, tolerance
from porting.numeric.compare import compare
from porting.numeric.differences import as_tuple
from porting.parity.finding import Finding, Worst
from porting.runners import RUNNERS, Case, Outcome, Runner
from porting.spec import Op

Array = np.ndarray[Any, Any]

SHAPE: Final = (3, 4)
_NATURAL_SHAPE: Final = (4, 12)  # with eight draws, enough elements to meet the narrow part of a steep function


@dataclass
class Probe:
    """One op on one runner, device, mode and dtype, while one check looks at it.

    Attributes
    ----------
    findings : dict of str to Finding
        By what they say; the same thing said of several cases is one finding.
    compared, excused : int
        Elements and facts compared; elements not judged.
    largest : float
        The largest error seen, in units of the tolerance.
    waived, note : str
        What the contract waives and why that holds; anything else to say.
    kind, context : str
        The kind of the findings from now on, and what is added to their first line.
    """

    op: Op
    runner: Runner
    dtype: str
    device: str = "cpu"
    mode: str = "eager"
    seed: int = 0
    label: str = ""
    findings: dict[str, Finding] = field(default_factory=dict)
    compared: int = 0
    excused: int = 0
    largest: float = 0.0
    waived: str = ""
    note: str = ""
    kind: str = "fault"
    context: str = ""

    @property
    def arithmetic(self) -> str:
        """The type that the runner computes in: the oracle takes rounded inputs, but works in float64."""
        return "float64" if self.runner.key == "oracle" else self.dtype

    # -- asking ----------------------------------------------------------------------------------------------------

    def variants(self) -> Iterator[dict[str, Any]]:
        """Yield the statics to check with: the defaults, then each further value of each static."""
        examples = self.op.contract.statics
        base = {name: values[0] for name, values in examples.items() if name not in self.op.settings({})}
        yield base
        for name, values in examples.items():
            for value in values:
                if base.get(name) != value:
                    yield {**base, name: value}

    def case(
        self,
        label: str = "",
        *,
        shape: tuple[int, ...] = SHAPE,
        scale: float = 1.0,
        statics: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Array] | None = None,
        order: int = 1,
        **how: Any,
    ) -> Case:
        """Make a case: inputs away from kinks (or the given ones), a signed cotangent per output, one more for order 2."""
        statics = next(self.variants()) if statics is None else dict(statics)
        rng = samples.generator(self.seed, self.op.name, self.label, label, self.dtype, str(shape))
        chosen = dict(inputs) if inputs is not None else self._draw(rng, shape, scale, statics)
        with np.errstate(all="ignore"):
            outputs = as_tuple(self.op(*(_wide(x) for x in chosen.values()), **statics))
        dy = tuple(samples.cotangent(rng, np.shape(y), self.dtype) for y in outputs) if order else None
        ddx = tuple(samples.cotangent(rng, chosen[n].shape, self.dtype) for n in self.op.wrt) if order > 1 else None
        return Case(
            self.op, self.dtype, chosen, dy, ddx, statics=statics, device=self.device, mode=self.mode, **how
        )

    def kinks(self, inputs: Mapping[str, Array], statics: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
        """Return where each input has kinks, given the others."""
        wide = [_wide(x) for x in inputs.values()]
        settings = self.op.settings(statics)
        return {
            name: tuple(k(*wide, **settings) if callable(k) else k)
            for name, k in self.op.contract.kinks.items()
        }

    def ordinary(self, order: int = 1) -> Iterator[Case]:
        """Yield the everyday cases of every variant: two ranks, both sides of each kink, ten times wider numbers."""
        for statics in self.variants():
            ordinary = self.case("ordinary", statics=statics, order=order)
            yield ordinary
            yield self.case("vector", shape=(7,), statics=statics, order=order)
            close = self.case("close", statics=statics, scale=0.1)  # small, so that 16 bits resolve what is beside a kink
            for name, places in self.kinks(close.inputs, close.statics).items():
                beside = self._beside(name, places, close)
                yield self.case(f"beside the kinks of {name}", inputs=beside, statics=statics, order=order)
            if self.dtype in {"float32", "float64"}:  # in 16 bits intermediate results overflow: no formula is at fault
                yield self.case("wide", statics=statics, scale=10.0, order=order)

    def _beside(self, name: str, places: Sequence[Any], case: Case) -> dict[str, Array]:
        """Put the elements of an input close to its kinks, on both sides, as far as other kinks leave room."""
        rng = samples.generator(self.seed, self.op.name, "beside", name, self.dtype)
        x = case.inputs[name]
        kinks = np.stack([np.broadcast_to(np.asarray(p, dtype=np.float64), x.shape) for p in places])
        chosen = np.take_along_axis(kinks, rng.integers(len(places), size=(1, *x.shape)), axis=0)[0]
        near = chosen + rng.choice([-1.0, 1.0], x.shape) * rng.uniform(0.04, 0.08, x.shape)
        moved = near.astype(x.dtype)
        stuck = samples.near(moved, list(kinks), self.dtype)
        return {**case.inputs, name: np.where(stuck, x, moved)}

    def _draw(
        self, rng: np.random.Generator, shape: tuple[int, ...], scale: float, statics: Mapping[str, Any]
    ) -> dict[str, Array]:
        def one(name: str, shape: tuple[int, ...] = shape) -> Array:
            return samples.draw(rng, shape, self.dtype, self.op.contract.domain.get(name), scale)

        inputs = {name: one(name) for name in self.op.inputs}
        return samples.move_off_kinks(inputs, lambda at: self.kinks(at, statics), one, self.dtype)

    def run(self, case: Case) -> Outcome | None:
        """Run a case; an exception becomes a finding, and `None` comes back."""
        outcome = self.runner.run(case)
        if outcome.raised is None:
            return outcome
        r = outcome.raised
        shapes = ", ".join(f"{name} {case.dtype}{list(x.shape)}" for name, x in case.inputs.items())
        self.find(Finding(f"{r.stage} raised {r}", details=(f"for {shapes}, at {r.where}",)))
        return None

    def truth(self, case: Case) -> Outcome:
        """Run the oracle on the same numbers.

        Raises
        ------
        ArithmeticError
            If the oracle itself raises: there is nothing to compare with.
        """
        outcome = RUNNERS["oracle"].run(case)
        if outcome.raised is not None:
            raise ArithmeticError(f"the oracle of {self.op.name} raised {outcome.raised} at {outcome.raised.where}")
        return outcome

    # -- judging ---------------------------------------------------------------------------------------------------

    def find(self, finding: Finding) -> None:
        """Note a finding; one that was made before is merged."""
        kind = finding.kind if finding.kind != "fault" else self.kind
        finding = replace(finding, what=finding.what + self.context, kind=kind)
        before = self.findings.get(finding.what)
        self.findings[finding.what] = before.merged(finding) if before else finding

    def fact(self, holds: bool, what: str, *details: str, kind: str = "fault") -> bool:
        """Count one yes-or-no comparison and note a finding if it does not hold."""
        self.compared += 1
        if not holds:
            self.find(Finding(what, kind=kind, details=details))
        return holds

    def expect_value(self, case: Case, outcome: Outcome, *, excused: Array | None = None) -> None:
        """Compare the outputs with the oracle's, by rule R*."""
        want = self.truth(case).value
        rng = samples.generator(self.seed, self.op.name, "tolerance of the value")
        scale = self._ordinary_size(case)
        allowed = tolerance.of_value(self._value(case), _wides(case), self.arithmetic, rng, scale)
        for k, (y, truth, tol) in enumerate(zip(outcome.value, want, allowed, strict=False)):
            name = "y" if len(want) == 1 else f"y{k}"
            self.expect(f"{name} differs from the oracle", name, y, truth, tol, case, excused)

    def expect_vjp(self, case: Case, outcome: Outcome, *, excused: Array | None = None) -> None:
        """Compare the gradients with the oracle's, by rule R*."""
        want = self.truth(case).vjp
        allowed = self.vjp_tolerance(case)
        for name, dx, truth, tol in zip(self.op.wrt, outcome.vjp, want, allowed, strict=True):
            assert truth is not None  # noqa: S101 - the oracle gives every gradient
            got = np.zeros_like(truth) if dx is None else dx
            self.expect(f"gradient of {name} differs from the oracle", f"d{name}", got, truth, tol, case, excused)

    def vjp_tolerance(self, case: Case) -> tuple[Array, ...]:
        """Return the tolerance of each gradient of a case."""
        rng = samples.generator(self.seed, self.op.name, "tolerance of the gradient")
        v = [_wide(v) for v in case.dy or ()]
        scale = self.natural_scale("vjp", self._vjp(case), case)
        return tolerance.of_gradient(self._vjp(case), _wides(case), v, self.arithmetic, rng, scale)

    def expect(
        self, what: str, name: str, got: Array, want: Array, tol: Array, case: Case, excused: Array | None = None
    ) -> None:
        """Compare one array element by element and note a finding with its worst element."""
        if got.shape != want.shape:
            self.fact(False, f"{what}: its shape is {list(got.shape)}, should be {list(want.shape)}")
            return
        if excused is not None and excused.shape != want.shape:
            excused = np.full(want.shape, excused.any())
        d = compare(got, want, tol, self.arithmetic, excused)
        self.compared += d.total
        self.excused += d.excused
        self.largest = max(self.largest, d.ratio)
        if d.bad:
            at = _values_at(case, d.place, want.shape)
            worst = Worst(name, d.place, d.got, d.want, at, d.ulp, d.allowed, d.ratio)
            self.find(Finding(what, worst=worst, bad=d.bad, total=d.total))

    # -- the oracle as a function, for tolerances --------------------------------------------------------------------

    def _value(self, case: Case) -> Any:
        def value(inputs: Sequence[Array]) -> tuple[Array, ...]:
            with np.errstate(all="ignore"):
                return tuple(np.asarray(y) for y in as_tuple(self.op(*inputs, **case.statics)))

        return value

    def _vjp(self, case: Case) -> Any:
        def vjp(inputs: Sequence[Array], v: Sequence[Array]) -> tuple[Array, ...]:
            with np.errstate(all="ignore"):
                gradients = self.op.vjp(v[0] if len(v) == 1 else tuple(v), *inputs, **case.statics)
            return tuple(np.asarray(g) for g in as_tuple(gradients))

        return vjp

    def natural_scale(self, what: str, vjp: Any, case: Case, *, order: int = 1) -> float:
        """Return J1 of the oracle's vjp, or of its second order, with the case's statics; computed once per process."""
        key, rng = self._key(what, case)
        if key not in _NATURAL_SCALES:

            def ordinary() -> tuple[list[Array], list[Array]]:
                inputs = self._ordinary_inputs(rng)
                outputs = self._value(case)(inputs)
                if order == 1:
                    return inputs, [rng.choice([-1.0, 1.0], y.shape) for y in outputs]
                dy = [samples.cotangent(rng, y.shape, "float64") for y in outputs]
                ddx = [rng.choice([-1.0, 1.0], x.shape) for x, n in zip(inputs, self.op.inputs, strict=True) if n in self.op.wrt]
                return [*dy, *inputs], ddx

            _NATURAL_SCALES[key] = tolerance.natural_scale(vjp, ordinary)
        return _NATURAL_SCALES[key]

    def _ordinary_size(self, case: Case) -> float:
        key, rng = self._key("value", case)
        if key not in _NATURAL_SCALES:
            drawn = [self._value(case)(self._ordinary_inputs(rng)) for _ in range(8)]
            _NATURAL_SCALES[key] = max(tolerance.peak(y) for outputs in drawn for y in outputs)
        return _NATURAL_SCALES[key]

    def _ordinary_inputs(self, rng: np.random.Generator) -> list[Array]:
        domain = self.op.contract.domain
        return [samples.draw(rng, _NATURAL_SHAPE, "float64", domain.get(name)) for name in self.op.inputs]

    def _key(self, what: str, case: Case) -> tuple[tuple[str, ...], np.random.Generator]:
        key = (self.op.module, self.op.name, what, repr(sorted(case.statics.items())))
        return key, samples.generator(0, *key)


_NATURAL_SCALES: dict[tuple[str, ...], float] = {}

def _wide(x: Array) -> Array:
    return x.astype(np.float64) if is_float(x) else x


def _wides(case: Case) -> list[Array]:
    return [_wide(x) for x in case.inputs.values()]


def _values_at(case: Case, place: tuple[int, ...], shape: tuple[int, ...]) -> dict[str, float]:
    """Return the inputs and cotangents at one element, those that have an element there."""
    dy = case.dy or ()
    named = {**case.inputs, **{("dy" if len(dy) == 1 else f"dy{k}"): v for k, v in enumerate(dy)}}
    return {name: float(x[place]) for name, x in named.items() if x.shape == shape}


def rounded(value: Any, shape: tuple[int, ...], dtype: str) -> Array:
    """Return an array of one number in a type."""
    return np.full(shape, value, dtype=np.float64).astype(as_dtype(dtype))
