"""What a check works with: it asks (`porting.parity.asking`), compares with the truth, and counts what was compared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from porting.dtypes import largest, real_of, unit_roundoff, wide
from porting.numeric.compare import Difference, compare, in_single, outside, same_but_ones
from porting.numeric.tolerance import peak
from porting.parity.allowed import of_value, of_vjp
from porting.parity.asking import NotApplicableError as NotApplicableError
from porting.parity.asking import OracleError as OracleError
from porting.parity.asking import use_of
from porting.parity.codes import USES, identity
from porting.parity.digits import FREE
from porting.parity.explaining import Explaining, free
from porting.parity.explaining import output_name as output_name
from porting.parity.finding import Around, Finding, Worst
from porting.parity.truth import value_tolerance, vjp_tolerance
from porting.runners import Case, Outcome

if TYPE_CHECKING:
    from porting.runners.uses import Use

Array = np.ndarray[Any, Any]
Arrays: TypeAlias = Sequence[Array | None]
Two: TypeAlias = tuple[Arrays, Arrays]

# what an element is called, by the quantity that it is of: dx[3]
_LABELS: Final = {
    "value": "{name}",
    "gradient": "d{name}",
    "second": "d({name})",
    "jvp": "t{name}",
    "variable": "{name}",
}


_FREE: Final = (
    f"{FREE} there: roundings of the inputs change most of its digits, as those of a singular matrix do; "
    "--input says which shapes and numbers are meant"
)
ROOM: Final = 64.0  # below the largest number, an op may overflow
_BESIDE: Final = 12  # elements on either side of the worst one that are kept for a picture


@dataclass
class Probe(Explaining):
    """One op on one runner, device, mode and dtype, while one check looks at it; see `Asking` for the attributes."""

    def expect_use(self, use: "Use", how: str, case: Case | None = None, **fields: Any) -> Outcome | None:
        """Run an ordinary case, or this one, in a certain use, and compare value and gradient; `how` is for findings.

        Raises
        ------
        NotApplicableError
            If the runner does not know the use.
        """
        self.ensure_use(use)
        case = case or self.case()
        outcome = self.run(replace(case, use=use, **fields), how)
        if outcome is not None:
            self.expect_value(case, outcome, how=how)
            self.expect_vjp(case, outcome, how=how)
        return outcome

    def expect_change(self, use: "Use", how: str, case: Case) -> None:
        """Do as `expect_use` does where a use changes something; what is wrong without it, other checks say."""
        self.ensure_use(use)
        plain, used = self.runner.run(case), self.runner.run(replace(case, use=use))
        if used.raised is not None:
            self.expect_use(use, how, case)
            return
        if not self.independent:  # a side alone is held to what it gives otherwise
            self.expect_as_first("differs", case, plain, used, truth="plain", how=how)
            return
        if near(plain.value, used.value, self.value_tolerance(case, (plain.value, used.value))):
            self.fact(True, "differs")
        else:
            self.expect_value(case, used, how=how)
        if near(plain.vjp, used.vjp, self.vjp_tolerance(case, (plain.vjp, used.vjp))):
            self.fact(True, "differs")
        else:
            self.expect_vjp(case, used, how=how)

    def expect_as_first(self, code: str, case: Case, first: Outcome, again: Outcome, **fields: Any) -> None:
        """Compare an answer with one that was given before: what is wrong with both, other checks say."""
        pairs = {"value": (first.value, again.value), "gradient": (first.vjp, again.vjp)}
        for quantity, (these, those) in pairs.items():
            of_value = quantity == "value"
            names = [output_name(k, len(these)) for k in range(len(these))] if of_value else self.op.wrt
            allowed = (self.value_tolerance if of_value else self.vjp_tolerance)(case, (these, those))
            parts = zip(names, these, those, self.between(these, allowed), strict=False)
            for name, want, got, tol in parts:
                there = want if want is not None else got
                if there is None:
                    continue
                a, b = (np.zeros_like(there) if x is None else x for x in (got, want))
                self.expect(code, {"quantity": quantity, "name": name, **fields}, a, wide(b), tol, case)

    def between(self, arrays: Arrays, tolerances: Sequence[Array]) -> list[Array]:
        """Return how far two runs may be apart: each by its tolerance, in its own direction.

        A side that stands in for the truth answers for its own tolerance. If it changes, so does that; then half of
        the digits must be the same, and sums in another order change the last ones only.
        """
        if self.op.truth == "oracle":
            return [2 * tol for tol in tolerances]
        half = np.sqrt(unit_roundoff(self.dtype))
        pairs = zip(arrays, tolerances, strict=False)
        return [tol if a is None else np.minimum(2 * tol, half * peak(wide(a))) for a, tol in pairs]

    def expect_value(
        self,
        case: Case,
        outcome: Outcome,
        *,
        how: str = "",
        excused: Array | None = None,
        beside: Sequence[Case] = (),
        rows: bool = False,
        **of: Any,
    ) -> None:
        """Compare the outputs with the oracle's, by rule R*; `how` and `of` say how the op was used, as for `run`.

        Where a case stands at a kink and no rounding decides on which side, no more is allowed than `beside` it. With
        `rows` each row along the first axis is a case of its own, with a tolerance of its own.
        """
        if not self.independent:
            return
        want = self.truth(case).value
        self.ensure_one_kind(case, outcome, want)
        names = [output_name(k, len(want)) for k in range(len(want))]
        said = [{"quantity": "value", "name": name, "truth": self.who, **use_of(how, of)} for name in names]
        allowed = of_value(case, self.arithmetic, self.seed, outcome, want, self._worst(said), rows=rows)
        allowed = _at_most(allowed, map(self.value_tolerance, beside))
        for those, y, truth, tol in zip(said, outcome.value, want, allowed, strict=False):
            self.expect("differs", those, y, truth, tol, case, excused)

    def expect_vjp(
        self,
        case: Case,
        outcome: Outcome,
        *,
        how: str = "",
        excused: Array | None = None,
        beside: Sequence[Case] = (),
        least: Sequence[Case] = (),
        rows: bool = False,
        **of: Any,
    ) -> None:
        """Compare the gradients, as `expect_value` does the outputs; those of `case.watch` only, if it is given.

        No less is allowed than in the cases of `least`.
        """
        if not self.independent or self.output_differs(case, outcome):  # it was sent a cotangent of another shape
            return
        outcome = self._in_type(case, outcome)
        want, there = self.truth(case).vjp, self.truth(case).value
        said = [{"quantity": "gradient", "name": n, "truth": self.who, **use_of(how, of)} for n in self.op.wrt]
        allowed = of_vjp(case, self.arithmetic, self.seed, outcome, want, self._worst(said), rows=rows)
        allowed = _at_most(allowed, map(self.vjp_tolerance, beside))
        for other in least:
            allowed = tuple(map(np.maximum, allowed, self.vjp_tolerance(other)))
        for those, dx, truth, tol in zip(said, outcome.vjp, want, allowed, strict=True):
            if truth is None or those["name"] not in case.watched:
                continue
            got = np.zeros_like(truth) if dx is None else dx
            self.expect("differs", those, got, truth, tol, case, self._or_undefined(excused, outcome.value, there, got))

    def _in_type(self, case: Case, outcome: Outcome) -> Outcome:
        """Return an outcome with real gradients of real inputs: that one is complex is a finding by itself."""
        gradients = []
        for name, g in zip(self.op.wrt, outcome.vjp, strict=True):
            x = case.inputs[name]
            gradients.append(real_of(g, x))
            told = name in case.watched and name not in self.op.complex_inputs  # it is asked with real numbers too
            if g is not None and np.iscomplexobj(g) and not np.iscomplexobj(x) and told:
                said = {"quantity": "gradient", "name": name, "got_dtype": g.dtype.name, "want_dtype": x.dtype.name}
                self.fact(False, "dtype_differs", **said)
        return replace(outcome, vjp=tuple(gradients))

    def _or_undefined(
        self, excused: Array | None, value: Sequence[Array], there: Sequence[Array], dx: Array
    ) -> Array | None:
        """Add where no output is a number, on neither side: there the function is not defined, nor its gradient."""
        if self.op.truth == "oracle" or not value or len(value) != len(there):
            return excused
        nan = [np.isnan(wide(y)) & np.isnan(wide(t)) for y, t in zip(value, there, strict=True) if y.shape == t.shape]
        if len(nan) != len(value) or not all(n.any() for n in nan):
            return excused
        already: Any = False if excused is None else excused if excused.shape == dx.shape else excused.any()
        return np.asarray(outside(nan, dx.shape) | already)

    def _worst(self, said: Sequence[Mapping[str, Any]]) -> list[float]:
        """Return how far off at most each array was in the cases before, in units of its tolerance."""
        found = [f for f in self.findings.values() if f.code == "differs" and f.worst and "signs" not in f.fields]
        return [
            max((f.worst.ratio for f in found if f.worst and those.items() <= f.fields.items()), default=0.0)
            for those in said
        ]

    def value_tolerance(self, case: Case, between: Two | None = None) -> tuple[Array, ...]:
        """Return the tolerance of each output of a case; zeros between two answers that are the same."""
        return self._none_between(between) or value_tolerance(case, self.arithmetic, self.seed)

    def vjp_tolerance(self, case: Case, between: Two | None = None, *, rows: bool = False) -> tuple[Array, ...]:
        """Return the tolerance of each gradient, as `value_tolerance` does; see `expect_value` for `rows`."""
        return self._none_between(between) or vjp_tolerance(case, self.arithmetic, self.seed, rows=rows)

    def _none_between(self, two: Two | None) -> tuple[Array, ...]:
        if two is None or self.op.memory is not None or not same(*two):  # what is recorded must hold for others too
            return ()
        return tuple(np.zeros(() if a is None else a.shape) for a in two[0])

    def expect(
        self,
        code: str,
        fields: Mapping[str, Any],
        got: Array,
        want: Array,
        tol: Array,
        case: Case,
        excused: Array | None = None,
    ) -> None:
        """Compare one array element by element and note a finding with its worst element."""
        if got.shape != want.shape:
            use = ("how", *USES[fields.get("how", "")].split())
            said = {name: fields[name] for name in ("quantity", "name", *use) if name in fields}
            shapes = {"got_shape": got.shape, "want_shape": want.shape}
            self.fact(False, "shape_differs", **{"quantity": "gradient", **said, **shapes})
            if fields.get("quantity") != "gradient" or not same_but_ones(got.shape, want.shape):
                return
            got = got.reshape(want.shape)  # its numbers may be wrong as well
        if tol.shape != want.shape:  # two runs of a gradient of the wrong shape, which other checks name
            return
        if np.iscomplexobj(want) or np.iscomplexobj(got):
            for part, of in (("real", np.real), ("imaginary", np.imag)):
                self.expect(code, {**fields, "part": part}, of(got), of(want), tol, case, excused)
            return
        tol = tol * self._roundings(code, fields)
        if excused is not None and excused.shape != want.shape:
            excused = np.full(want.shape, excused.any())
        d = compare(got, want, tol, self.arithmetic, self._excused(code, got, want, excused))
        self.compared += d.total
        self.excused += d.excused
        if d.bad and (unknown := self._without_digits(code, fields, case, got, want, tol, d)):
            self.compared -= unknown
            self.excused += unknown
            self.note = _FREE
            return
        if d.bad and self._is_explained(fields, case, got, want, tol):
            self.excused += d.bad
            return
        self.largest = max(self.largest, d.ratio)
        if d.bad:
            self._note_worst(code, fields, got, want, tol, case, d)

    def _without_digits(
        self, code: str, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array, d: Difference
    ) -> int:
        """Return how many elements neither side has a digit of: all, those that are off, or none."""
        if self._is_free(code, fields, case):
            return d.total
        return d.bad if code == "differs" and self._have_no_digits(fields, case, got, want, tol) else 0

    def _note_worst(
        self, code: str, fields: Mapping[str, Any], got: Array, want: Array, tol: Array, case: Case, d: Difference
    ) -> None:
        """Note a finding with its worst element."""
        fields = self._without_use(fields, case, got, tol) if code == "differs" else fields
        known = self.findings.get(identity(code, fields))
        if known and known.worst and known.worst.ratio >= d.ratio:  # whose element and fields are told
            self.find(Finding(code, fields, bad=d.bad, total=d.total))
            return
        at = _values_at(case, d.place, want.shape)
        name = _LABELS[fields.get("quantity", "gradient")].format(**fields)
        if code == "differs" and self.is_shared(fields, case, got, want):
            fields = {**fields, "shared": True}
        if code == "differs" and self._is_no_worse(fields, case, got, want, tol):
            fields = {**fields, "no_worse": True}
        if code == "differs" and self._is_normwise(fields, case, got, want, tol):
            fields = {**fields, "normwise": True}
        elif code == "differs" and self._is_scattered(fields, case, got, want, tol):
            fields = {**fields, "scattered": True}
        elif code == "differs" and self._is_lost_here(fields, case, got, want, tol):
            fields = {**fields, "noisy": "got"}
        worst = Worst(name, d.place, d.got, d.want, at, d.ulp, d.allowed, d.ratio, _around(d.place, got, want, tol))
        if fields.get("quantity") == "value" and self.op.truth != "oracle" and (turned := free(got, want, tol, case)):
            fields = {**fields, "signs": turned}
        elif code == "differs" and self.op.truth != "oracle" and self.dtype == "float64":
            single = in_single(got, want)
            fields = {
                **fields,
                "single": single,
                "noisy": "" if single else self._noisy(fields, case, got, want, tol),
            }
            if self._rounded(fields, case, got, want, tol):
                fields = {**fields, "rounded": True}
        self.find(Finding(code, fields, worst=worst, bad=d.bad, total=d.total))

    def _excused(self, code: str, got: Array, want: Array, excused: Array | None) -> Array | None:
        """Add where an op overflows and the true number is only just finite: `whole_range` asks the catalogue's.

        Where a plain version overflows and what replaces it does not, nothing is known.
        """
        if self.op.truth == "like":
            lost = np.isfinite(got) & ~np.isfinite(want)
            excused = lost if excused is None else excused | lost
        if (self.op.in_catalogue and code == "not_finite") or not np.isinf(got).any():
            return excused
        with np.errstate(all="ignore"):
            near = np.isinf(got) & np.isfinite(want) & (np.abs(want) > largest(self.arithmetic) / ROOM)
        return near if excused is None else near | excused


def same(these: Sequence[Array | None], those: Sequence[Array | None]) -> bool:
    """Whether two answers are the same to the last bit."""
    pairs = zip(these, those, strict=False)
    same = all(x is y or (x is not None and y is not None and np.array_equal(x, y, equal_nan=True)) for x, y in pairs)
    return same and len(these) == len(those)


def near(these: Arrays, those: Arrays, allowed: Sequence[Array]) -> bool:
    """Whether two answers are the same up to what is allowed: another order of terms changes the last digits."""
    if same(these, those):
        return True
    if len(these) != len(those):
        return False
    with np.errstate(all="ignore"):
        return all(
            (a is None and b is None)
            or (a is not None and b is not None and a.shape == b.shape == tol.shape and _within(a, b, tol))
            for a, b, tol in zip(these, those, allowed, strict=False)
        )


def _within(a: Array, b: Array, tol: Array) -> bool:
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return bool((same | (np.abs(wide(a) - wide(b)) <= tol)).all())


def _at_most(allowed: tuple[Array, ...], beside: Iterable[Sequence[Array]]) -> tuple[Array, ...]:
    """Return tolerances that are not above the largest of those `beside`, if there are such."""
    larger = [np.fmax.reduce(others) for others in zip(*beside, strict=True)]
    return tuple(map(np.minimum, allowed, larger)) if larger else allowed


def _values_at(case: Case, place: tuple[int, ...], shape: tuple[int, ...]) -> dict[str, float]:
    """Return the inputs and cotangents at one element: those that have an element there, and single numbers."""
    dy = case.dy or ()
    named = {**case.inputs, **{("dy" if len(dy) == 1 else f"dy{k}"): v for k, v in enumerate(dy)}}
    there = {name: x[place] if x.shape == shape else x for name, x in named.items()}
    return {name: float(x.item()) for name, x in there.items() if x.size == 1 and not np.iscomplexobj(x)}


def _around(place: tuple[int, ...], got: Array, want: Array, tol: Array) -> Around:
    """Return the elements beside one, on both sides as many, or as many as there are."""
    at = int(np.ravel_multi_index(place, want.shape)) if place else 0
    some = slice(max(0, at - _BESIDE), at + _BESIDE + 1)
    with np.errstate(all="ignore"):  # a signalling NaN
        parts = (tuple(a.reshape(-1)[some].astype(np.float64).tolist()) for a in (got, want, tol))
        return Around(some.start, want.shape, *parts)
