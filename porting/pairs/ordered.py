"""Inputs that have an order: two sides that differ only where one is above the other are given them in that order."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import numpy as np

from porting.dtypes import numbers
from porting.numeric import samples
from porting.pairs.array import Array as Described
from porting.pairs.array import array
from porting.pairs.candidates import POSITIVE_RANGE
from porting.pairs.examples import Call
from porting.pairs.guess import Guess, Names
from porting.pairs.patience import Patience
from porting.pairs.suitable import BENT, TAKEN, Ops, answer_to, is_finite, works

Array: TypeAlias = np.ndarray[Any, Any]
Inputs: TypeAlias = dict[str, Array]
_DRAWS: Final = 3  # a single number is above another one in half of them
_MOST: Final = 5  # inputs that may have an order: two of five are twenty pairs
_APART: Final = 0.25
_ENDS: Final = (-2.0, -0.5, 0.5, 2.0)  # of two; of more, evenly between the first and the last
_NEAR, _FAR = 0.25, 1.0  # outside
_SPREAD: Final = 0.2
_MOVED: Final = 0.05  # a bound, to see what hangs on it
_NEARLY: Final = 0.01  # of how far the ends are apart
_MOSTLY: Final = 0.5
_PATIENCE: Final = 10.0  # seconds
_THRESHOLD: Final = re.compile(r"(?i)\w*(thresh(old)?s?|thr|width|radius|margin)")


@dataclass(frozen=True)
class _Sides:
    """The sides of a pair, as they are asked here."""

    asked: Mapping[str, Any]

    def answers(self, inputs: Inputs) -> list[tuple[Sequence[Array], Sequence[Array | None]]] | None:
        """Return value and gradient of each side; nothing if one raises."""
        found = [answer_to(op, runner, inputs)[1] for op, runner in self.asked.values()]
        return None if any(one.raised for one in found) else [(one.value, one.vjp) for one in found]

    def agree(self, inputs: Inputs, *, value: bool = False) -> bool:
        """Whether all sides have the same numbers, to the digits of float32; of their values alone, if that is said."""
        answers = self.answers(inputs)
        if answers is None:
            return False
        first, *others = ([*y, *([] if value else dx)] for y, dx in answers)
        return all(_same(one, first) for one in others)

    def is_defined(self, inputs: Inputs) -> bool:
        """Whether all values are numbers, and every side has a gradient that is not 0 by some input."""
        answers = self.answers(inputs) or []
        return bool(answers) and all(
            all(map(is_finite, y)) and any(g is not None and np.any(g) for g in dx) for y, dx in answers
        )


def in_the_order_that_agrees(found: Guess, names_of: Names, ops: Ops) -> Guess | None:
    """Return the same with inputs in order, if the sides differ where these are in another one.

    Which of two bounds wins where they are crossed nobody means. What is held between them, as ``x`` is in
    ``clip(x, a, b)``, shows that they are bounds. Where nothing shows it, the values of the sides must differ in the
    other order only; nobody knows then whether that is meant, too. Gradients alone that differ on one side of a
    threshold are left as they are found.
    """
    pair, forward = found.pair, names_of(found.settings)[0]
    asked, patience = ops(pair), Patience(_PATIENCE)
    if len(asked) < 2:
        return None
    every = next(iter(asked.values()))[0].inputs
    at = {n: pair.inputs.get(n, array()) for n in every if n in forward or n in pair.inputs}
    free = [n for n in every if n in at and _is_free(at[n])]
    sides, drawn = _Sides(asked), list(_drawn(pair, asked))
    if not 1 < len(free) <= _MOST or all(sides.agree(inputs) for inputs in drawn):
        return None
    perhaps, bounds = None, None
    for chain in _chains(free):
        if patience.over:
            break
        crossed = [inputs for inputs in (_in_order(one, chain[::-1]) for one in drawn) if not sides.agree(inputs)]
        tried = replace(pair, inputs={**at, **_bands(chain, at)})
        if not crossed or not all(sides.is_defined(inputs) for inputs in _drawn(tried, asked)):
            continue
        agree = all(sides.agree(_in_order(inputs, chain)) for inputs in drawn)
        held = next((n for n in free if n not in chain and _is_held(n, chain, tried, sides)), "")
        if held and (agree or bounds is None) and works(tried, ops)[0] >= TAKEN * BENT:
            order = " < ".join(chain)
            bounds = found.with_(tried, f"{order}: {held} is held between them, and the sides differ where they cross")
            if agree:
                return bounds
        only_two = len(chain) == 2 and (len(free) == 2 or free[0] not in chain)
        if only_two and agree and perhaps is None and any(not sides.agree(one, value=True) for one in crossed):
            perhaps = _perhaps(found, tried, chain, at) if works(tried, ops)[0] >= TAKEN else None
    return bounds or (perhaps and _above_zero(found, free, at, drawn, sides, ops)) or perhaps


def _above_zero(
    found: Guess, free: Sequence[str], at: Mapping[str, Described], drawn: Sequence[Inputs], sides: _Sides, ops: Ops
) -> Guess | None:
    """Return the same with a threshold above 0, if the sides agree wherever it is: less is said than by an order."""
    for name in filter(_THRESHOLD.fullmatch, free):
        signed = [[{**one, name: sign * (np.abs(one[name]) + _APART)} for one in drawn] for sign in (1, -1)]
        above, below = ([{**one, name: one[name].astype(drawn[0][name].dtype)} for one in these] for these in signed)
        if not all(map(sides.agree, above)) or all(sides.agree(one, value=True) for one in below):
            continue
        tried = replace(found.pair, inputs={**at, name: replace(at[name], domain=POSITIVE_RANGE)})
        if works(tried, ops)[0] >= TAKEN:
            return _limited(found, tried, at, f"{name} above 0", "below 0 not always")
    return None


def _is_free(described: Described) -> bool:
    return described.differentiated and described.kind is None and described.domain in {None, POSITIVE_RANGE}


def _drawn(pair: Any, asked: Mapping[str, Any]) -> Iterator[Inputs]:
    """Yield inputs of a pair, with other numbers each time."""
    op = next(iter(asked.values()))[0]
    call = Call(op.inputs, SimpleNamespace(inputs=pair.inputs, contract=op.contract), {}, guessed=True)
    for k in range(_DRAWS):
        rng = samples.generator(k, "order")
        inputs = dict(zip(op.inputs, call.inputs(other=bool(k % 2)), strict=True))
        free = {n: a for n in inputs if (a := pair.inputs.get(n, array())).differentiated and a.kind is None}
        yield {**inputs, **{n: samples.draw(rng, inputs[n].shape, "float32", a.domain) for n, a in free.items()}}


def _chains(free: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield what may be in order: two inputs, the later one above first; then more, as they are called."""
    for lower, upper in combinations(free, 2):
        yield lower, upper
    for lower, upper in combinations(free, 2):
        yield upper, lower
    for count in range(3, len(free) + 1):
        yield from (tuple(free[k : k + count]) for k in range(len(free) - count + 1))


def _in_order(inputs: Inputs, chain: Sequence[str]) -> Inputs:
    """Return inputs, of which each of a chain is nowhere above the next one."""
    these = [inputs[n] for n in chain]
    if len({x.shape for x in these}) == 1:
        gaps = np.arange(len(these), dtype="float32").reshape(-1, *[1] * these[0].ndim) * np.float32(_APART)
        return {**inputs, **dict(zip(chain, np.sort(np.stack(these), axis=0) + gaps, strict=True))}
    moved, most = [], -np.inf
    for x in these:
        up = max(0.0, float(most - x.min()) + _APART) if x.size and np.isfinite(most) else 0.0
        moved.append((x + up).astype(x.dtype))
        most = max(most, float(moved[-1].max())) if x.size else most
    return {**inputs, **dict(zip(chain, moved, strict=True))}


def _bands(chain: Sequence[str], at: Mapping[str, Described]) -> dict[str, Described]:
    """Return where each input of a chain lies, so that all numbers of one are below those of the next."""
    count = 2 * len(chain)
    if any(at[n].domain is not None for n in chain):
        ends = np.geomspace(*POSITIVE_RANGE, count)
    else:
        ends = np.array(_ENDS) if count == len(_ENDS) else np.linspace(_ENDS[0], _ENDS[-1], count)
    low_high = [(round(float(ends[2 * k]), 2), round(float(ends[2 * k + 1]), 2)) for k in range(len(chain))]
    return {n: replace(at[n], domain=band) for n, band in zip(chain, low_high, strict=True)}


def _is_held(name: str, chain: Sequence[str], ordered: Any, sides: _Sides) -> bool:
    """Whether the values of all sides stay as they are below what is in order, and above, and are others within.

    The other ones are neither those below nor those above, element by element: a step has none but these. Those below
    hang on the lowest of the chain, if on any of it, and those above on the highest: an attention that far from
    everything picks one row hangs on what it picks.
    """
    if ordered.inputs[name].domain is not None:
        return False
    inputs = next(_drawn(ordered, sides.asked))
    ends = [a.domain for a in ordered.inputs.values() if isinstance(a.domain, tuple)]
    least, most = min(low for low, _ in ends), max(high for _, high in ends)
    within = (min(high for _, high in ends) + max(low for low, _ in ends)) / 2
    places = (least - _NEAR, least - _FAR, most + _NEAR, most + _FAR, within)
    around = (_SPREAD * np.tanh(inputs[name])).astype(inputs[name].dtype)  # what is scaled away shows if it varies

    def values_at(x: float, **others: Array) -> list[Sequence[Array]] | None:
        answers = sides.answers({**inputs, **others, name: around + inputs[name].dtype.type(x)})
        return None if answers is None else [y for y, _ in answers]

    values = [found for x in places if (found := values_at(x)) is not None]
    if len(values) < len(places):
        return False
    if not all(_same(a, b) and _same(c, d) and _are_others(a, c, e) for a, b, c, d, e in zip(*values, strict=True)):
        return False

    def hangs_on(n: str, x: float, before: Sequence[Sequence[Array]]) -> bool:
        after = values_at(x, **{n: (inputs[n] + _MOVED).astype(inputs[n].dtype)})
        return after is None or not all(map(_same, before, after))

    ends_of = ((chain[0], places[1], values[1]), (chain[-1], places[3], values[3]))
    return all(hangs_on(end, x, y) or not any(hangs_on(n, x, y) for n in chain) for end, x, y in ends_of)


def _are_others(below: Sequence[Array], above: Sequence[Array], within: Sequence[Array]) -> bool:
    """Whether most numbers are neither of two others, nor near one: what saturates is."""
    every = zip(map(numbers, below), map(numbers, above), map(numbers, within), strict=True)
    parts = [(x, y, z) for x, y, z in every if x.shape == y.shape == z.shape]
    near = [_NEARLY * np.abs(y - x) + 1e-4 * np.abs(z) + 1e-6 for x, y, z in parts]
    other = [(np.abs(z - x) > tol) & (np.abs(z - y) > tol) for (x, y, z), tol in zip(parts, near, strict=True)]
    return bool(other) and float(np.mean(np.concatenate([mask.ravel() for mask in other]))) > _MOSTLY


def _same(these: Sequence[Array | None], those: Sequence[Array | None]) -> bool:
    if len(these) != len(those):
        return False
    pairs = [(x, y) for x, y in zip(these, those, strict=True) if x is not None or y is not None]
    filled = [(np.zeros_like(y) if x is None else x, np.zeros_like(x) if y is None else y) for x, y in pairs]
    return all(x.shape == y.shape and np.allclose(x, y, 1e-4, 1e-6, equal_nan=True) for x, y in filled)


def _perhaps(found: Guess, tried: Any, chain: Sequence[str], at: Mapping[str, Described]) -> Guess:
    """Return the same with inputs in order, and what to type where nobody knows which orders are meant."""
    return _limited(found, tried, at, " < ".join(chain), "in the other order not always")


def _limited(found: Guess, tried: Any, at: Mapping[str, Described], where: str, otherwise: str) -> Guess:
    """Return the same where the sides agree, and what to type where nobody knows whether more is meant."""
    every = replace(found, pair=replace(found.pair, inputs=dict(at)))
    better = found.with_(tried, f"{where}: the sides agree so")
    limit = f"for {where} the sides agree, {otherwise}; if only the first is meant, say so"
    return replace(better, limit=f"{limit}: {better.flags}; if both are: {every.flags}")
