"""What inputs a pair takes, found by trying, where nothing is said of them and all sides refuse arrays of any shape."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import numpy as np

from porting.errors import PortingError
from porting.pairs.array import Array, array
from porting.pairs.examples import Call
from porting.runners import Case, Raised, Runner
from porting.spec import Op

_MOST: Final = 60  # descriptions that are tried; each is two calls of each side
_WHOLE: Final = re.compile(
    r"(?i)label|target|y_?true|class|ind(ex|ices)|idx|\bids?\b|_ids?$|segment|length|mask|token|gold"
)

Description = dict[str, Array]


@dataclass(frozen=True)
class Guess:
    """What was found.

    Attributes
    ----------
    pair : porting.Pair
        The pair, with inputs that are described.
    refused : str
        What the first side said to arrays of any shape.
    """

    pair: Any
    refused: str

    def __str__(self) -> str:
        """Return why it was looked for, and the options that say the same."""
        flags = " ".join(f'--input "{name}={described}"' for name, described in self.pair.inputs.items())
        return f"   (guessed, for arrays of any shape raised {self.refused}; the same is {flags})"


def guess(pair: Any, names: Sequence[str], ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]]) -> Guess | None:
    """Return a description of the inputs that all sides take, if none of them takes arrays of any shape.

    Parameters
    ----------
    pair : porting.Pair
        Of whose inputs nothing is said.
    names : sequence of str
        The inputs, in order.
    ops : callable
        Given such a pair, returns the op of each side and who answers for it.
    """
    refused = []
    for op, runner in ops(pair).values():
        raised = _refusal(pair, op, runner)
        if raised is None:
            return None  # a side that takes them says what the other one should
        refused.append(raised)
    for described in islice(_descriptions(names), _MOST):
        tried = replace(pair, inputs=described)
        with suppress(PortingError):
            if not any(_refusal(tried, op, runner) for op, runner in ops(tried).values()):
                return Guess(tried, str(refused[0]))
    return None


def _refusal(pair: Any, op: Op, runner: Runner) -> Raised | None:
    """Return what a side raises in both types, forward or backward, for lengths of two kinds."""
    call = Call(op.inputs, pair, {}, guessed=True)
    for other in (False, True):
        inputs = dict(zip(op.inputs, call.inputs(other=other), strict=True))
        for name, described in pair.inputs.items():
            if isinstance(described.domain, range):  # the largest place must be there
                inputs[name] = np.full_like(inputs[name], described.domain[-1])
        settings = runner.state()
        try:
            raised = [_raised(op, runner, inputs, dtype) for dtype in ("float64", "float32")]
        finally:
            runner.restore(settings)
        if all(raised):
            return raised[0]
    return None


def _raised(op: Op, runner: Runner, inputs: Mapping[str, Any], dtype: str) -> Raised | None:
    at = {n: x.astype(dtype) if x.dtype.kind == "f" else x for n, x in inputs.items()}
    outcome = runner.run(Case(op, dtype, at))
    if outcome.raised is None:
        outcome = runner.run(Case(op, dtype, at, tuple(np.ones(y.shape, dtype) for y in outcome.value)))
    return outcome.raised


def _descriptions(names: Sequence[str]) -> Iterator[Description]:
    """Yield what may be meant, the likeliest first: whole numbers by the name of an input, then by its place."""
    whole = [name for name in names if _WHOLE.search(name)]
    real = [name for name in names if name not in whole]
    if whole and real:
        yield from _with_whole(names, real)
    yield from ({n: array(shape) for n, shape in zip(names, shapes, strict=True)} for shapes in _shapes(len(names)))
    if not whole and len(names) > 1:
        yield from _with_whole(names, names[:-1])


def _with_whole(names: Sequence[str], real: Sequence[str]) -> Iterator[Description]:
    """Yield descriptions with labels of classes, places in the first axis, or masks."""
    classes = ((("n", 5), ("n",)), (("n", 5), ("n", 1)), (("n", 5, "k"), ("n", "k")), (("b", "n", 5), ("b", "n")))
    places = (((6, "k"), ("n",)), ((6,), ("n",)))
    forms = [*((*shapes, range(5)) for shapes in classes), *((*shapes, range(6)) for shapes in places)]
    forms.insert(3, (("n", "k"), ("n", "k"), range(2)))
    for shape, of_whole, numbers in forms:
        yield {n: array(shape) if n in real else array(of_whole, dtype="int64", domain=numbers) for n in names}


def _shapes(count: int) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield shapes of so many real inputs: one for all, matrices that go together, weights, images."""
    if count > 1:
        yield from _together(count)
    same: list[tuple[Any, ...]] = [("n", "n"), ("n",), ("n", "k"), ("b", "n", "n"), ("b", "n", "k"), ("b", 3, 8, 8)]
    yield from ((shape,) * count for shape in (*same, ("b", 8, 8, 3), ("b", 3, 16), ()))


def _together(count: int) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield shapes that differ: layers with weights, queries and keys, equations, images."""
    rest = count - 1
    for weight in (("k", "m"), ("m", "k")):
        yield from ((front, weight, *[("m",)] * (rest - 1)) for front in (("n", "k"), ("b", "n", "k")))
    yield from ((("n", "k"), *[shape] * rest) for shape in (("k",), (), ("n",), (1,)))
    for batch in ((), ("b",)):
        yield (*[(*batch, "n", "n")] * rest, (*batch, "n", "k"))
        yield (*[(*batch, "n", "n")] * rest, (*batch, "n"))
    yield from _several(count)
    yield from ((image, *[(3,)] * rest) for image in (("b", 3, 8, 8), ("b", 8, 8, 3)))
    yield (("b", 3, 8, 8), (4, 3, 3, 3), *[(4,)] * (rest - 1))
    yield (("b", 8, 8, 3), (3, 3, 3, 4), *[(4,)] * (rest - 1))


def _several(count: int) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield shapes of queries, keys and values."""
    if count == 3:
        yield (("n", "d"), ("m", "d"), ("m", "k"))
        yield (("b", "n", "d"), ("b", "m", "d"), ("b", "m", "k"))
    if count == 2:
        yield (("n", "d"), ("m", "d"))
        yield (("b", "n", "d"), ("b", "m", "d"))
