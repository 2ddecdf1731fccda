"""The oracle as functions of its inputs, and its natural scales: what rule R* computes tolerances from."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import numpy as np

from porting.dtypes import is_inexact, unit_roundoff, wide
from porting.errors import NoTruthError
from porting.numeric import samples, tolerance
from porting.numeric.batched import Batched, many
from porting.numeric.compare import where_defined
from porting.numeric.differences import as_tuple
from porting.parity.cases import LENGTHS, Cases
from porting.parity.ends import ends_of
from porting.parity.kept import digest, kept
from porting.recordings.memory import statics_text
from porting.runners import Case

Array = np.ndarray[Any, Any]
Arrays = tuple[Array, ...]
Vjp = Callable[[Sequence[Array], Sequence[Array]], Arrays]
T = TypeVar("T")

_SHAPE: Final = (4, 12)  # with eight draws, enough elements to meet the narrow part of a steep function
_FACTORS: Final = 2  # of a term, beside the cotangent
_UNKNOWN: Final = 1000.0  # roundings
_NOTHING: Final = 1e-12  # of the outputs: rounding
_SCALES: dict[tuple[Any, ...], float] = {}
_STACKS: dict[tuple[Any, ...], dict[Any, bool]] = {}


def value_of(case: Case) -> Batched:
    """Return the oracle's value as a function of the inputs, with the case's statics."""

    def value(inputs: Sequence[Array]) -> Arrays:
        with np.errstate(all="ignore"):
            return tuple(_numbers(y) for y in as_tuple(case.op(*inputs, **case.statics)))

    return batched("value", value, case)


def vjp_of(case: Case) -> Batched:
    """Return the oracle's gradient as a function of inputs and cotangents, with the case's statics."""
    both = value_and_vjp_of(case)

    def vjp(inputs: Sequence[Array], v: Sequence[Array]) -> Arrays:
        return both(inputs, v)[len(v) :]

    return batched("gradient", vjp, case)


def value_and_vjp_of(case: Case) -> Batched:
    """Return the oracle's value and gradient, outputs first, as a function of inputs and cotangents."""
    latest: list[Any] = [None, None]  # inputs and value: one place is asked about with several cotangents in a row
    op = case.op

    def both(inputs: Sequence[Array], v: Sequence[Array]) -> Arrays:
        dy = v[0] if len(v) == 1 else tuple(v)
        with np.errstate(all="ignore"):
            if op.truth != "oracle":  # who stands in for one is asked once
                y, dx = op.value_and_vjp(dy, *inputs, **case.statics)
                dx = tuple(where_defined(as_tuple(y), as_tuple(dx)))
            else:
                if latest[0] is not inputs:
                    latest[:] = inputs, op(*inputs, **case.statics)
                y = _copied(latest[1])
                dx = op.vjp_at(dy, y, *inputs, **case.statics)
        return tuple(_numbers(a) for a in (*as_tuple(y), *as_tuple(dx)))

    return batched("value and gradient", both, case)


def _numbers(y: Any) -> Array:
    """Return an array of numbers: a mask as 0 and 1."""
    array = np.asarray(y)
    return array.astype(np.float64) if array.dtype == bool else array


def _copied(y: Any) -> Any:
    """Copy one output or several: a rule may overwrite them."""
    return tuple(map(np.array, y)) if isinstance(y, tuple | list) else np.array(y)


def batched(what: str, f: Callable[..., Arrays], case: Case) -> Batched:
    """Return a function of a case's op and statics that is asked at many points together, where that gives the same."""
    return Batched(f, _STACKS.setdefault(_key(what, case), {}))


def beside(what: str, f: Batched, case: Case) -> Batched:
    """Return a function of a side that is asked beside a case, for a tolerance: no exception there hides a difference.

    What leaves the declared domain is put on its end. What raises in float32 is asked in float64, and a thousand
    roundings of float32 are allowed for what its formula may lose there.
    """
    if case.op.truth == "oracle":
        return f
    ends = ends_of(case)

    def held(inputs: Sequence[Array], *v: Sequence[Array]) -> Arrays:
        moved = zip(case.inputs, inputs, strict=True)
        at = [np.clip(x, *ends[name]) if name in ends else x for name, x in moved]
        try:
            return f(at, *v)
        except NoTruthError:
            if all(x.dtype != np.float32 for x in at):
                raise
        exact = f(list(map(wide, at)), *(list(map(wide, part)) for part in v))
        return tuple(y * (1 + _UNKNOWN * unit_roundoff("float32")) for y in exact)

    return batched(what, held, case)


def once(what: str, case: Case, dtype: str, seed: int, compute: Callable[[Case], T]) -> T:
    """Return what follows from a case's numbers and its op; computed once for all that ask about one op in a row."""
    key = what, dtype, digest(case)
    if case.op.memory is not None:
        remembered: T = case.op.memory.once(repr((*key, seed)), case, compute)
        return remembered
    return kept(case.op, seed, key, lambda: compute(case))


def rows_apart(case: Case, seed: int) -> bool:
    """Whether the truth takes a further axis in front, and treats each row along it for itself."""
    ranks_given = any(shape[:1] != (...,) for shape in case.op.contract.shapes.values())
    if ranks_given and case.op.truth != "oracle":
        return False  # what one side takes, the other one may refuse

    def compute(case: Case) -> bool:
        point = [wide(x) for x in case.inputs.values()], [wide(v) for v in case.dy or ()]
        return value_and_vjp_of(case).stacks([point])

    return once("rows", case, case.dtype, seed, compute)


def value_tolerance(case: Case, dtype: str, seed: int, *, rows: bool = False) -> Arrays:
    """Return the tolerance of each output of a case that is computed in a type; see `tolerance.of_value`."""
    if case.dy is not None:
        return _tolerances(case, dtype, seed, rows=rows)[: len(case.dy)]

    def compute(case: Case) -> Arrays:
        rng = samples.generator(seed, case.op.name, "tolerance of the value")
        inputs = [wide(x) for x in case.inputs.values()]
        value = beside("value", value_of(case), case)
        return tolerance.of_value(value, inputs, dtype, rng, ordinary_size(case), rows=rows)

    return once("value by rows" if rows else "value", case, dtype, seed, compute)


def vjp_tolerance(case: Case, dtype: str, seed: int, *, rows: bool = False) -> Arrays:
    """Return the tolerance of each gradient of a case that is computed in a type; see `tolerance.of_gradient`."""
    return _tolerances(case, dtype, seed, rows=rows)[len(case.dy or ()) :]


def few_tolerances(case: Case, dtype: str, seed: int, *, rows: bool) -> Arrays:
    """Return a part of what `_tolerances` are, from few points; nothing where all of them cost no more."""
    if value_and_vjp_of(case).is_cheap(([wide(x) for x in case.inputs.values()], [wide(v) for v in case.dy or ()])):
        return ()
    return _tolerances(case, dtype, seed, rows=rows, few=True)


def _tolerances(case: Case, dtype: str, seed: int, *, rows: bool, few: bool = False) -> Arrays:
    """Return the tolerance of each output, then of each gradient: both come from the same points."""
    points = tolerance.few_of_gradient if few else tolerance.of_gradient

    def compute(case: Case) -> Arrays:
        rng = samples.generator(seed, case.op.name, "tolerance")
        inputs, v = [wide(x) for x in case.inputs.values()], [wide(v) for v in case.dy or ()]
        scale = natural_scale("gradient", vjp_of(case), case) * growth(case, rows=rows)
        both, size = beside("value and gradient", value_and_vjp_of(case), case), ordinary_size(case)
        if case.op.truth != "oracle" and not few:
            scale = np.maximum(scale, _cancelled(both(inputs, v), len(v), rows=rows))
        return points(both, inputs, v, dtype, rng, scale, value_scale=size, rows=rows)

    return once(f"{'few ' * few}gradient{' by rows' * rows}", case, dtype, seed, compute)


def _cancelled(found: Arrays, outputs: int, *, rows: bool) -> Array:
    """Return the outputs' size, by row or for the case, where the whole gradient is exactly 0; 0 elsewhere.

    It is 0 for a share of one element: ``dy y - (dy y) y`` with y = 1. How large the terms are that take each other
    away there, ordinary shapes do not say.
    """
    y, dx = ([tolerance.flat_peak(a, rows) for a in part] for part in (found[:outputs], found[outputs:]))
    if not y or not dx:
        return np.zeros(1)
    return np.where(np.maximum.reduce(dx) == 0, np.maximum.reduce(y), 0.0)


def natural_scale(what: str, vjp: Vjp, case: Case, *, lengths: tuple[int, ...] = LENGTHS, order: int = 1) -> float:
    """Return J1 of the oracle's gradient or second order, with the case's statics; computed once per process.

    Where another side has the truth and J1 is 0 (a share of one element, say), its terms are what J1 would be of: the
    outputs by the inputs' size, which is 1.
    """
    key = _key(what, case)
    if key not in _SCALES:
        op, rng = case.op, _generator(what, case)
        shapes: list[tuple[int, ...]] = []
        kinds: list[Any] = []
        chosen = len(op.wrt) < len(op.inputs) or op.contract.prepare  # numbers that may say how many outputs there are

        def ordinary() -> tuple[list[Array], list[Array]]:
            inputs = _ordinary_inputs(case, rng, lengths)
            if not shapes or chosen:  # else all draws have the same
                outputs = value_of(case)(inputs)
                shapes[:] = [y.shape for y in outputs]
                kinds[:] = [y.dtype if np.iscomplexobj(y) else np.float64 for y in outputs]
            if order == 1:
                signs = (rng.choice([-1.0, 1.0], shape) for shape in shapes)
                return inputs, [v.astype(kind) for v, kind in zip(signs, kinds, strict=True)]
            dy = [samples.cotangent(rng, shape, "float64") for shape in shapes]
            differentiated = [x for x, name in zip(inputs, op.inputs, strict=True) if name in op.wrt]
            return [*dy, *inputs], [rng.choice([-1.0, 1.0], x.shape) for x in differentiated]

        _SCALES[key] = tolerance.natural_scale(vjp, ordinary)
        if op.truth != "oracle" and _SCALES[key] < _NOTHING * ordinary_size(case):
            _SCALES[key] = ordinary_size(case)
    return _SCALES[key]


def growth(case: Case, *, rows: bool) -> Array:
    """Return how many times larger than at ordinary inputs the terms of a gradient may be: by row, or for the case.

    Another side, or somebody's oracle, says nothing of the terms of a formula. Where elements are mixed, a gradient by
    one input has others as factors, two of them mostly, as attention has keys and values; and a sum of such terms may
    be 0. ``exp(x - logsumexp(x))`` is right, and loses as many digits as x has in front of the point.
    """
    if case.op.in_catalogue or not case.op.contract.shapes:
        return np.ones(1)
    peaks = [tolerance.flat_peak(wide(x), rows) for x in case.inputs.values() if is_inexact(x)]
    same = [np.maximum(1.0, p) for p in peaks if p.shape == peaks[0].shape]
    return np.asarray(np.prod(np.sort(same, axis=0)[-_FACTORS:], axis=0))


def ordinary_size(case: Case) -> float:
    """Return the largest output at ordinary inputs, with the case's statics; computed once per process."""
    key = _key("value", case)
    if key not in _SCALES:
        rng = _generator("value", case)
        drawn = [(_ordinary_inputs(case, rng),) for _ in range(tolerance.DRAWS)]
        _SCALES[key] = tolerance.typical([max(map(tolerance.peak, found)) for found in many(value_of(case), drawn)])
    return _SCALES[key]


def _ordinary_inputs(case: Case, rng: np.random.Generator, lengths: tuple[int, ...] = LENGTHS) -> list[Array]:
    front = _SHAPE if lengths == LENGTHS or not case.op.contract.shapes else (2, *_SHAPE[1:])  # few where each is dear
    found = Cases(case.op, "float64").draw(rng, front, lengths)
    if _in_complex(case):  # a side may take no real numbers
        found = case.op.in_complex(found, lambda x: x * np.exp(1j * rng.uniform(0, 2 * np.pi, x.shape)))
    return list(found.values())


def _in_complex(case: Case) -> bool:
    return case.op.truth != "oracle" and any(map(np.iscomplexobj, case.inputs.values()))


def _key(what: str, case: Case) -> tuple[Any, ...]:
    return (case.op.value, case.op.rule, _in_complex(case), *_labels(what, case))


def _generator(what: str, case: Case) -> np.random.Generator:
    return samples.generator(0, *_labels(what, case))


def _labels(what: str, case: Case) -> tuple[str, ...]:
    return case.op.module, case.op.name, what, statics_text(case.statics)
