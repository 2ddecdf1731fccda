"""What inputs a pair takes, found by trying, where nothing is said of them and a side refuses arrays of any shape."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from time import monotonic
from typing import Any, Final

import numpy as np

from porting.errors import PortingError
from porting.pairs.array import Array, array
from porting.pairs.examples import Call
from porting.runners import Case, Raised, Runner
from porting.spec import Op

_MOST: Final = 60  # descriptions that are tried; each is two calls of each side
_FEW: Final = 6  # where no name says what is a number
_PATIENCE: Final = 10.0  # seconds
_SLOW: Final = 1.0  # second for the first of two lengths: it has to do for such a function
_NUMBER: Final = 0.5
# What an argument without a default is set to, by its name, where an array is refused.
_SETTINGS: Final[tuple[tuple[re.Pattern[str], Any], ...]] = (
    (re.compile(r"(?i)(axis|dim)"), -1),
    (re.compile(r"(?i)(size_average|reduce|keep_?dims?|training|inplace|signed|is_\w+|use_\w+|per_\w+)"), False),
    (re.compile(r"(?i)\w*offset"), 0),
    (re.compile(r"(?i)(k|num_\w+|n_\w+|\w*steps?|\w*iter\w*|\w*bits?|nb|levels|groups|heads|order)"), 2),
    (re.compile(r"(?i)(eps\w*|\w*margin|temp\w*|tau|lamb\w*|momentum|rate)"), _NUMBER),
)
_PERHAPS: Final = re.compile(
    r"(?i)(alpha|beta|gamma|delta|sigma|p|leak\w*|\w*(threshold|factor|scale))"
)  # or they are learned
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
    who, refused : str
        Which side refused arrays of any shape, and what it said.
    others : tuple of str
        The sides that take them.
    settings : mapping
        The arguments that are numbers of Python.
    """

    pair: Any
    who: str
    refused: str
    others: tuple[str, ...]
    settings: Mapping[str, Any]

    def __str__(self) -> str:
        """Return why it was looked for, and the options that say the same."""
        said = [f'--input "{name}={described}"' for name, described in self.pair.inputs.items()]
        flags = " ".join([*said, *(f"--static {name}={value}" for name, value in self.settings.items())])
        others = f", which {' and '.join(self.others)} takes" if self.others else ""
        return f"   (guessed, {self.who} raised {self.refused} for arrays of any shape{others}; the same is {flags})"


def guess(pair: Any, names: Sequence[str], ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]]) -> Guess | None:
    """Return a description of the inputs that all sides take, if one of them refuses arrays of any shape.

    A side that takes them may be no measure: it may broadcast, or slice, what is not meant for it.

    Parameters
    ----------
    pair : porting.Pair
        Of whose inputs nothing is said.
    names : sequence of str
        The inputs, in order.
    ops : callable
        Given such a pair, returns the op of each side and who answers for it.
    """
    until = monotonic() + _PATIENCE
    said = {runner.title: _refusal(pair, op, runner) for op, runner in ops(pair).values()}
    refused = {who: raised for who, raised in said.items() if raised is not None}
    for settings, described in _tries(names) if refused else ():
        if monotonic() > until:
            return None
        with suppress(PortingError):
            tried = replace(pair, inputs=described, statics={**pair.statics, **settings})
            if not any(_refusal(tried, op, runner) for op, runner in ops(tried).values()):
                who, raised = next(iter(refused.items()))
                return Guess(tried, who, str(raised), tuple(one for one in said if one not in refused), settings)
    return None


def _tries(names: Sequence[str]) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield arguments that are no arrays, and what the others may be; at most `_MOST` of each kind."""
    sure = {n: value for n in names for pattern, value in _SETTINGS if pattern.fullmatch(n)}
    likely = {**{n: _NUMBER for n in names[1:] if _PERHAPS.fullmatch(n)}, **sure}
    stages = [sure, {}, likely]
    for settings in (stage for k, stage in enumerate(stages) if stage not in stages[:k]):
        rest = [n for n in names if n not in settings]
        if rest and settings:
            yield settings, {n: array() for n in rest}
        if rest:
            yield from ((settings, described) for described in islice(_descriptions(rest), _MOST))
    for numbers in _numbers(names):
        for value in (2, _NUMBER):
            settings = {n: likely.get(n, value) for n in numbers}
            rest = [n for n in names if n not in settings]
            yield settings, {n: array() for n in rest}
            yield from ((settings, described) for described in islice(_descriptions(rest), _FEW))


def _numbers(names: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield which arguments may be numbers whatever they are called: one, from the last on, or several at the end."""
    if len(names) > 1:
        yield from ([name] for name in reversed(names))
        yield from (names[-count:] for count in range(2, len(names)))


def _refusal(pair: Any, op: Op, runner: Runner) -> Raised | None:
    """Return what a side raises in both types, forward or backward, for lengths of two kinds."""
    call, until = Call(op.inputs, pair, {}, guessed=True), monotonic() + _SLOW
    for other in (False, True):
        inputs = dict(zip(op.inputs, call.inputs(other=other), strict=True))
        for name, described in pair.inputs.items():
            if isinstance(described.domain, range):  # the largest place must be there
                inputs[name] = np.full_like(inputs[name], described.domain[-1])
        settings = runner.state()
        try:
            raised = _raised(op, runner, inputs, "float64")
            if raised and _raised(op, runner, inputs, "float32"):
                return raised
        finally:
            runner.restore(settings)
        if monotonic() > until:
            break
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
    yield from _positive_definite(*names)


def _positive_definite(first: str, *rest: str) -> Iterator[Description]:
    """Yield a matrix that has a Cholesky factor and a root, and what is solved with it."""
    for shape in (("n",), ("n", "k"), ("n", 1)) if rest else ((),):
        yield {first: array(("n", "n"), kind="spd"), **{n: array(shape) for n in rest}}


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
    same: list[tuple[Any, ...]] = [("n", "n"), ("n",), ("n", "k"), ("b", "n", "n"), ("b", "n", "k")]
    same += [(*front, k) for front in (("n",), ()) for k in (3, 2, 4)]
    same += [("b", 3, 8, 8), ("b", 8, 8, 3), ("b", 3, 16), ()]
    yield from ((shape,) * count for shape in same)


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
    yield (("b", "k", "n"), *[("k",)] * rest)  # of each channel
    yield from ((image, *[(3,)] * rest) for image in (("b", 3, 8, 8), ("b", 8, 8, 3)))
    yield (("b", 3, 8, 8), (4, 3, 3, 3), *[(4,)] * (rest - 1))
    yield (("b", 8, 8, 3), (3, 3, 3, 4), *[(4,)] * (rest - 1))


def _several(count: int) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield shapes of queries, keys and values, of a matrix with what belongs to its rows and columns."""
    if count == 3:
        yield (("n", "m"), ("n",), ("m",))  # and its margins
        yield (("n", "d"), ("m", "d"), ("m", "k"))
        yield (("b", "n", "d"), ("b", "m", "d"), ("b", "m", "k"))
    if count == 2:
        yield (("n", "d"), ("m", "d"))
        yield (("b", "n", "d"), ("b", "m", "d"))
