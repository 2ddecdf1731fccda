"""What explains a difference without an oracle: both sides lose digits, overflow, or have no unique result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from porting.dtypes import is_inexact, smallest_normal, unit_roundoff, wide
from porting.errors import NotRecordedError
from porting.numeric.compare import nearly, of_float32, signs
from porting.numeric.eigen import are_free
from porting.numeric.tolerance import FACTOR
from porting.parity.asking import Asking
from porting.parity.digits import SHARE, explains, free_places, lost, noise, normwise, scatter, stepped
from porting.parity.kept import digest, kept
from porting.runners import RUNNERS, Case, Outcome, Runner, runner_of

Array = np.ndarray[Any, Any]

# Uses in which an op is asked with the numbers of an everyday case.
_SAME_NUMBERS: Final = frozenset(
    {
        "interleaved",
        "function",
        "function again",
        "function reshaped",
        "function any shape",
        "xla",
        "layout",
        "some inputs",
        "numbers alone",
    }
)
_GRAPHS: Final = frozenset({"function", "function again", "function reshaped", "function any shape", "xla"})
SPECIAL: Final = "special_values"
_LARGE: Final = "large"
_SOLVERS: Final = 4.0  # times what one of them loses
_NEARLY_ALL: Final = 0.8  # some of them overflow in most draws, and tell too few numbers
_LIBRARIES: Final = 4.0  # times what another one's tanh is off by
_OF_TRUTH: Final = "float64"
_FIRST: Final = frozenset({"value", "gradient"})
_PARTS: Final[Mapping[str, Callable[[Array], Array]]] = {"real": np.real, "imaginary": np.imag}
_ROUNDED: Final = FACTOR["float32"] * unit_roundoff("float32")  # of the largest element: sums in another order
_FURTHER: Final = 1.1  # times a number x whose exp(-x) is no normal number: there it is 0


@dataclass
class Explaining(Asking):
    """Looks at what two sides differ by; see `Asking` for the attributes."""

    def is_shared(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array) -> bool:
        """Whether the side that has the truth, in a wider type, has no finite number in this type there either.

        In float64, the type of the truth itself, it has none a little further out.
        """
        lost = ~np.isfinite(got) & np.isfinite(want)
        if not lost.any() or self.op.truth in {"oracle", self.runner.key} or self.op.memory is not None:
            return False
        asked = self._further_out(case) if self.dtype == _OF_TRUTH else case
        if asked is None:
            return False
        theirs = self._array(fields, runner_of(self.op, self.op.truth).run(asked))
        return theirs is not None and theirs.shape == got.shape and not np.isfinite(theirs[lost]).any()

    def _is_no_worse(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> bool:
        """Whether the side that has the truth, in a wider type, is off by as much in this narrow one."""
        if self.dtype == _OF_TRUTH or self.op.truth in {"oracle", self.runner.key} or self.op.memory is not None:
            return False
        theirs = self._array(fields, runner_of(self.op, self.op.truth).run(case))
        if theirs is None or theirs.shape != got.shape:
            return False
        mine, other = (np.nan_to_num(_off(a, want), nan=np.inf, posinf=np.inf) for a in (got, theirs))
        off = mine > tol
        return bool((mine[off] <= other[off] + tol[off]).all())

    def _further_out(self, case: Case) -> Case | None:
        """Return a case with exp(-x) of 0 where it is smaller than any normal number; nothing if it is so nowhere.

        TensorFlow has 0 for such a number and PyTorch has not: log(exp(-x)) is infinite to both, to one a bit sooner.
        """
        far = -np.log(smallest_normal(self.dtype))
        large = {n: is_inexact(x) & (np.abs(x) > far) for n, x in case.inputs.items()}
        moved = {n: np.where(large[n], x * _FURTHER, x).astype(x.dtype) for n, x in case.inputs.items()}
        return replace(case, inputs=moved) if any(where.any() for where in large.values()) else None

    def _place(self, fields: Mapping[str, Any], count: int) -> int:
        """Return of which output, of so many, or by which input a finding is."""
        names = [output_name(k, count) for k in range(count)] if fields["quantity"] == "value" else [*self.op.wrt]
        return names.index(fields["name"])

    def _array(self, fields: Mapping[str, Any], outcome: Outcome) -> Array | None:
        """Return the output or the gradient that a finding is of, or its part; nothing if the outcome has none."""
        of_value = fields.get("quantity") == "value"
        arrays = outcome.value if of_value else outcome.vjp
        names = [output_name(k, len(arrays)) for k in range(len(arrays))] if of_value else [*self.op.wrt]
        found = dict(zip(names, arrays, strict=False)).get(fields.get("name", ""))
        return found if found is None or "part" not in fields else _PARTS[fields["part"]](found)

    def _without_use(self, fields: Mapping[str, Any], case: Case, got: Array, tol: Array) -> Mapping[str, Any]:
        """Return what is said of a use without it, where the same numbers come without it: it is not to blame."""
        how = fields.get("how", "")
        if how not in _GRAPHS or self.op.truth == "oracle":
            return fields
        try:
            y = self._array(fields, self.runner.run(_plain(case)))
        except NotRecordedError:
            return fields
        if y is None or y.shape != got.shape:
            return fields
        with np.errstate(all="ignore"):
            same = (np.abs(wide(y) - wide(got)) <= tol) | (y == got) | (np.isnan(y) & np.isnan(got))
        return {name: value for name, value in fields.items() if name != "how"} if same.all() else fields

    def _is_explained(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> bool:
        """Whether a difference is no matter of this use, or of this side."""
        reasons = (self._is_usual, self._is_conditioned, self._is_lost_by_truth, self._is_at_a_step)
        return any(reason(fields, case, got, want, tol) for reason in reasons)

    def _is_usual(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> bool:
        """Whether digits differ in a use as they do without it: `value` and `vjp` say whose are lost."""
        if fields.get("how") not in _SAME_NUMBERS or not nearly(got, want):
            return False
        if self.op.truth == "oracle" or self.op.memory is not None:
            return False
        plain = _plain(case)
        outcome = self.runner.run(plain)
        y = self._array(fields, outcome)
        if y is None or y.shape != got.shape:
            return False
        if (np.abs(wide(y) - wide(got)) <= tol).all():
            return True
        if self.dtype != "float64" or _are_sums_of_float32(got, want):
            return self.dtype == "float64"
        jumps = noise(plain, self.runner.run, fields["quantity"], self._place(fields, len(outcome.value)))
        return explains(jumps, got, wide(y), tol)  # of float32 inside, another order of terms changes the last digits

    def _is_at_a_step(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> bool:
        """Whether a graph, or what it is compared with, is on the edge of a step in all elements that are off.

        A quotient of 8 is 7.999999999999998 in a graph, and a floor tells them apart: no shape is to blame.
        """
        how = fields.get("how")
        if how not in _GRAPHS or self.op.truth == "oracle" or self.op.memory is not None:
            return False
        place, far_off = self._place(fields, len(self.truth(case).value)), _off(got, want)
        off, plain = ~(far_off <= tol), _plain(case)  # NaN, which no step explains, is off
        for mode in ("eager", "xla" if how == "xla" else "function"):
            far = stepped(replace(plain, mode=mode), self.runner.run, fields["quantity"], place)
            if far is not None and far.shape == got.shape and (far_off[off] <= far[off] + tol[off]).all():
                return True
        return False

    def _is_normwise(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> bool:
        """Whether no more is off than roundings of the largest element of each input explain, in all elements.

        Of an everyday case the tolerance has it all; of one with an element of 720 beside others of 1 it has not.
        """
        moves = self._moves(fields, case, got) if self.label == SPECIAL else None
        return moves is not None and bool((_off(got, want) <= np.fmax(tol, moves)).all())

    def _is_scattered(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> bool:
        """Whether no more is off than the roundings of either side explain, in all elements with a special number.

        If one side alone has them, it loses digits that the other one keeps.
        """
        if self.label != SPECIAL or self.dtype != "float64" or self.op.memory is not None:
            return False
        if self.op.truth in {"oracle", self.runner.key}:
            return False
        place = self._place(fields, len(self.truth(case).value))
        for answer in (self.runner.run, RUNNERS["oracle"].run):
            far = scatter(case, answer, fields["quantity"], place)
            if far is None or far.shape != got.shape:
                return False
            if not (_off(got, want) <= np.fmax(tol, 2 * SHARE * far)).all():
                return False
        return True

    def _is_conditioned(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> bool:
        """Whether two results of a large matrix are as far apart as those of good solvers may be.

        What one element loses, any other one may lose.
        """
        named = [[n for n in given if n is not ...] for given in self.op.contract.shapes.values()]
        if self.label != _LARGE or not any(len({*lengths}) < len(lengths) for lengths in named):
            return False
        moves = self._moves(fields, case, got)
        return moves is not None and bool((_off(got, want) <= np.fmax(tol, _SOLVERS * moves.max(initial=0.0))).all())

    def _roundings(self, code: str, fields: Mapping[str, Any]) -> int:
        """Return how many sides round: one that takes a narrow type only does so as this one does."""
        return 2 if code == "differs" and self._are_both_rounded(fields) else 1

    def _are_both_rounded(self, fields: Mapping[str, Any]) -> bool:
        """Whether the side that has the truth takes a narrow type only, and so rounds as much as this one."""
        own = self.op.truth_in if fields.get("truth") == self.who else ""
        return bool(own) and unit_roundoff(own) >= unit_roundoff(self.arithmetic)

    def _is_lost_by_truth(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> bool:
        """Whether a truth that is rounded as this side moves itself by what is off: then it is no measure there."""
        return self._moves_as_far(RUNNERS["oracle"], fields, case, got, want, tol)

    def _is_lost_here(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> bool:
        """Whether this side alone moves by what is off: it loses digits that a truth which rounds as much keeps."""
        return self._moves_as_far(self.runner, fields, case, got, want, tol)

    def _moves_as_far(
        self, side: Runner, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array
    ) -> bool:
        """Whether most elements that are off move as far on a side where each number does by some roundings."""
        if not (self._are_both_rounded(fields) or self._is_narrow(fields, want)) or self.op.memory is not None:
            return False
        place = self._place(fields, len(self.truth(case).value))
        far = self._scattered(case, side.run, fields["quantity"], place, "got" if side is self.runner else "want")
        return explains(far, got, want, tol)

    def _is_narrow(self, fields: Mapping[str, Any], want: Array) -> bool:
        """Whether the side that has the truth seems to compute in float32 inside, as this one is asked to do."""
        of_truth = fields.get("truth") == self.who and self.op.truth != "oracle"
        return of_truth and fields.get("quantity") in _FIRST and self.arithmetic == "float32" and of_float32(want)

    def _moves(self, fields: Mapping[str, Any], case: Case, got: Array) -> Array | None:
        """Return how far each element moves, see `normwise`; nothing where the other side is no measure of it."""
        if self.op.truth in {"oracle", self.runner.key} or self.op.memory is not None:
            return None
        place = self._place(fields, len(self.truth(case).value))
        moves = normwise(case, RUNNERS["oracle"].run, fields["quantity"], place)
        return moves if moves is not None and moves.shape == got.shape else None

    def _is_free(self, code: str, fields: Mapping[str, Any], case: Case) -> bool:
        """Whether neither side has a unique result there, where no oracle has one.

        What is looked at counts alone, where that is known: a solver's last residual is rounding, its solution is not.
        """
        if code != "differs" or self.op.truth == "oracle" or self.op.memory is not None:
            return False
        sides = {"truth": RUNNERS["oracle"], self.runner.key: self.runner}
        places = [
            kept(self.op, self.seed, ("free", who, digest(case)), partial(free_places, case, side.run))
            for who, side in sides.items()
        ]
        if fields.get("quantity") not in _FIRST:
            return all(places)
        outputs = len(self.truth(case).value)
        place = self._place(fields, outputs) + (0 if fields["quantity"] == "value" else outputs)
        return all(place in found for found in places)

    def _have_no_digits(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> bool:
        """Whether nearly all elements that are off have no digit on either side, and are no further off than they move.

        Where most of an array is so, `_is_free` says it; an iteration has such elements where it does not converge, and
        may overflow there.
        """
        if self.dtype != _OF_TRUTH or fields.get("quantity") not in _FIRST or self.op.memory is not None:
            return False
        if self.op.truth in {"oracle", self.runner.key}:
            return False
        place, plain = self._place(fields, len(self.truth(case).value)), _plain(case)
        sides = (self.runner.run, RUNNERS["oracle"].run)
        far = [lost(plain, run, fields["quantity"], place) for run in sides]
        if any(each is None or each.shape != got.shape for each in far):
            return False
        far_off = _off(got, want)
        off = ~(far_off <= tol)
        moves = np.stack([each[off] for each in far if each is not None])
        explained = (far_off[off] <= SHARE * moves.sum(axis=0)) | ~np.isfinite(far_off[off])
        return bool(((moves > 0).all(axis=0) & explained).mean() >= _NEARLY_ALL)

    def _noisy(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> str:
        """Say whose digits are lost, where two sides differ by little in an everyday use: got, want, both.

        It is float32 where the numbers of both are those of float32.
        """
        if fields.get("how", "scaled") != "scaled" or self.op.truth == self.runner.key or self.op.memory is not None:
            return ""
        narrow, near = of_float32(np.stack([got, want])), nearly(got, want)
        if near and narrow:
            return "float32"
        # float32 inside may keep no digit of what cancels; of a second derivative no steps are looked at
        if not (near or narrow) or fields["quantity"] not in _FIRST:
            return ""
        quantity, place = fields["quantity"], self._place(fields, len(self.truth(case).value))
        sides = {"got": self.runner.run, "want": RUNNERS["oracle"].run}
        lost = [
            who
            for who, answer in sides.items()
            if explains(noise(case, answer, quantity, place), got, want, tol)
            or explains(self._scattered(case, answer, quantity, place, who), got, want, tol)
        ]
        return "both" if len(lost) == len(sides) else "".join(lost)

    @staticmethod
    def _scattered(case: Case, answer: Callable[[Case], Outcome], quantity: str, place: int, who: str) -> Array | None:
        """Return how far roundings on the way take a side; of the truth, as far as those of another library may."""
        far = scatter(case, answer, quantity, place)
        return far if far is None or who == "got" else _LIBRARIES * far

    def _rounded(self, fields: Mapping[str, Any], case: Case, got: Array, want: Array, tol: Array) -> bool:
        """Whether the digits that this side lacks are those of its cotangent alone, which it gets in a narrower type.

        `fields` are those of a gradient with ``noisy``.
        """
        if fields["quantity"] != "gradient" or fields["noisy"] != "got":
            return False
        if all(y.dtype == got.dtype for y in self.runner.run(case).value):
            return False
        jumps = noise(case, self.runner.run, "gradient", self._place(fields, 0), held=True)
        return jumps is not None and not explains(jumps, got, want, tol)


def _off(got: Array, want: Array) -> Array:
    """Return how far two arrays are apart; where both have the same infinity, or NaN, not at all."""
    with np.errstate(all="ignore"):
        return np.where((got == want) | (np.isnan(got) & np.isnan(want)), 0.0, np.abs(wide(got) - wide(want)))


def _are_sums_of_float32(got: Array, want: Array) -> bool:
    """Whether both have the digits of float32, and are as far apart as its sums in another order.

    What is rounded to 16 bits on the way does not move beside a case, so that `noise` sees nothing of it.
    """
    if not (of_float32(got) and of_float32(want)):
        return False
    with np.errstate(all="ignore"):
        return bool((np.abs(got - want) <= _ROUNDED * np.abs(want).max(initial=0.0)).all())


def _plain(case: Case) -> Case:
    """Return a case in everyday use."""
    eager = replace(case, use="plain", other=None, mode="eager", watch=None)
    return replace(eager, layout="contiguous", dy_layout="contiguous")


def free(got: Array, want: Array, tol: Array, case: Case) -> str:
    """Say by what two arrays differ that nobody has to choose: the signs of vectors, the phases of eigenvectors."""
    return signs(got, want, tol) or ("phases" if are_free(got, want, tol, case.inputs.values()) else "")


def output_name(k: int, outputs: int) -> str:
    """Return what an output is called: y, or y0, y1 and so on."""
    return "y" if outputs == 1 else f"y{k}"
