"""The oracle as functions of its inputs, and its natural scales: what rule R* computes tolerances from."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, Final, TypeVar

import numpy as np

from porting.dtypes import wide
from porting.numeric import samples, tolerance
from porting.numeric.differences import as_tuple
from porting.parity.cases import LENGTHS, Cases
from porting.recordings.memory import statics_text
from porting.runners import Case

Array = np.ndarray[Any, Any]
Arrays = tuple[Array, ...]
Vjp = Callable[[Sequence[Array], Sequence[Array]], Arrays]
T = TypeVar("T")

_SHAPE: Final = (4, 12)  # with eight draws, enough elements to meet the narrow part of a steep function
_SCALES: dict[tuple[Any, ...], float] = {}
_KEPT: dict[tuple[Any, ...], Any] = {}  # of one op and seed at a time: large cases are large
_KEPT_OF: list[Any] = []


def value_of(case: Case) -> Callable[[Sequence[Array]], Arrays]:
    """Return the oracle's value as a function of the inputs, with the case's statics."""

    def value(inputs: Sequence[Array]) -> Arrays:
        with np.errstate(all="ignore"):
            return tuple(np.asarray(y) for y in as_tuple(case.op(*inputs, **case.statics)))

    return value


def vjp_of(case: Case) -> Vjp:
    """Return the oracle's gradient as a function of inputs and cotangents, with the case's statics."""

    def vjp(inputs: Sequence[Array], v: Sequence[Array]) -> Arrays:
        with np.errstate(all="ignore"):
            gradients = case.op.vjp(v[0] if len(v) == 1 else tuple(v), *inputs, **case.statics)
        return tuple(np.asarray(g) for g in as_tuple(gradients))

    return vjp


def once(what: str, case: Case, dtype: str, seed: int, compute: Callable[[Case], T]) -> T:
    """Return what follows from a case's numbers and its op; computed once for all that ask about one op in a row.

    Both frameworks are asked for the same cases, and most checks of one framework for the same few.
    """
    op = case.op
    digest = blake2b()
    for x in (*case.inputs.values(), *(case.dy or ()), *(case.ddx or ())):
        digest.update(f"{x.dtype}{x.shape}".encode() + np.ascontiguousarray(x).tobytes())
    key = what, statics_text(case.statics), dtype, digest.hexdigest()
    if op.memory is not None:
        remembered: T = op.memory.once(repr((*key, seed)), case, compute)
        return remembered
    told = [op.value, op.rule, op.contract, op.truth, seed]
    if told != _KEPT_OF:
        _KEPT.clear()
        _KEPT_OF[:] = told
    if key not in _KEPT:
        _KEPT[key] = compute(case)
    kept: T = _KEPT[key]
    return kept


def value_tolerance(case: Case, dtype: str, seed: int) -> Arrays:
    """Return the tolerance of each output of a case that is computed in a type."""

    def compute(case: Case) -> Arrays:
        rng = samples.generator(seed, case.op.name, "tolerance of the value")
        inputs = [wide(x) for x in case.inputs.values()]
        return tolerance.of_value(value_of(case), inputs, dtype, rng, _ordinary_size(case))

    return once("value", case, dtype, seed, compute)


def vjp_tolerance(case: Case, dtype: str, seed: int) -> Arrays:
    """Return the tolerance of each gradient of a case that is computed in a type."""

    def compute(case: Case) -> Arrays:
        rng = samples.generator(seed, case.op.name, "tolerance of the gradient")
        inputs, v = [wide(x) for x in case.inputs.values()], [wide(v) for v in case.dy or ()]
        vjp = vjp_of(case)
        return tolerance.of_gradient(vjp, inputs, v, dtype, rng, natural_scale("gradient", vjp, case))

    return once("gradient", case, dtype, seed, compute)


def natural_scale(what: str, vjp: Vjp, case: Case, *, lengths: tuple[int, ...] = LENGTHS, order: int = 1) -> float:
    """Return J1 of the oracle's gradient or second order, with the case's statics; computed once per process."""
    key, rng = _key(what, case)
    if key not in _SCALES:
        op = case.op

        def ordinary() -> tuple[list[Array], list[Array]]:
            inputs = _ordinary_inputs(case, rng, lengths)
            outputs = value_of(case)(inputs)
            if order == 1:
                return inputs, [rng.choice([-1.0, 1.0], y.shape) for y in outputs]
            dy = [samples.cotangent(rng, y.shape, "float64") for y in outputs]
            differentiated = [x for x, name in zip(inputs, op.inputs, strict=True) if name in op.wrt]
            return [*dy, *inputs], [rng.choice([-1.0, 1.0], x.shape) for x in differentiated]

        _SCALES[key] = tolerance.natural_scale(vjp, ordinary)
    return _SCALES[key]


def _ordinary_size(case: Case) -> float:
    key, rng = _key("value", case)
    if key not in _SCALES:

        def size() -> float:
            return max(tolerance.peak(y) for y in value_of(case)(_ordinary_inputs(case, rng)))

        _SCALES[key] = tolerance.typical(size)
    return _SCALES[key]


def _ordinary_inputs(case: Case, rng: np.random.Generator, lengths: tuple[int, ...] = LENGTHS) -> list[Array]:
    front = _SHAPE if lengths == LENGTHS or not case.op.contract.shapes else (2, *_SHAPE[1:])  # few where each is dear
    return list(Cases(case.op, "float64").draw(rng, front, lengths).values())


def _key(what: str, case: Case) -> tuple[tuple[Any, ...], np.random.Generator]:
    labels = (case.op.module, case.op.name, what, statics_text(case.statics))
    return (case.op.value, case.op.rule, *labels), samples.generator(0, *labels)
