"""What the arguments of a function or of a constructor may be, by their names and places; the likeliest first."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, product
from typing import Any, Final

from porting.pairs.array import BOOL, array
from porting.pairs.said_by_names import (
    COUNT,
    LEVELS,
    MASK,
    NUMBER,
    OF_GRADIENT,
    PERHAPS,
    SETTINGS,
    Description,
    is_as_wanted,
    is_whole,
    lengths_in,
    wanted_by,
)

_MOST: Final = 90  # descriptions that are tried; each is two calls of each side
_FEW: Final = 6  # where no name says what is a number
_LONGEST: Final = 64  # of a length that a module has
POSITIVE_RANGE: Final = (0.1, 10.0)
_SHARES: Final = (0.1, 0.9)
_POWER: Final = re.compile(r"(?i)exponent|power|pow|exp|[npqt]|alpha|beta")  # of a matrix: one number
_WEIGHT: Final = re.compile(r"(?i)w|weights?|kernel|filters?")
_BIAS: Final = re.compile(r"(?i)b\d*|bias(es)?")
_IMAGES: Final = (("b", 3, 8, 8), ("b", 8, 8, 3))  # channels first, and last
_PLAIN: Final = {(...,), ("n", "k")}


def positive(described: Description) -> Description:
    """Return a description whose real numbers are positive, where nothing is said of them."""
    return _within(described, POSITIVE_RANGE)


def ranges(described: Description) -> Iterator[Description]:
    """Yield a description, one with positive numbers, and, of arrays of one plain shape, one with shares of 1."""
    yield from (described, positive(described))
    if is_plain(described):
        yield _within(described, _SHARES)


def is_plain(described: Description) -> bool:
    """Whether all inputs are real arrays of any shape, or matrices, of which nothing else is said."""
    return all(a.shape in _PLAIN and a.dtype == "float64" and a.domain is None for a in described.values())


def _within(described: Description, domain: tuple[float, float]) -> Description:
    free = {n for n, a in described.items() if a.domain is None and a.kind is None and a.dtype == "float64"}
    return {n: replace(a, domain=domain) if n in free else a for n, a in described.items()}


def short(described: Description) -> Description:
    """Return a description whose whole numbers are int32, as the shapes of TensorFlow are."""
    return {n: replace(a, dtype="int32") if a.dtype == "int64" else a for n, a in described.items()}


def of_complex(names: Sequence[str]) -> Iterator[Description]:
    """Yield inputs of complex numbers: all of them, else one of them."""
    for turned in (names, *([n] for n in names if len(names) > 1)):
        yield {n: array(dtype="complex128" if n in turned else "float64") for n in names}


def settings_of(names: Sequence[str]) -> dict[str, Any]:
    """Return the arguments that are numbers of Python by their names."""
    return {n: value for n in names for pattern, value in SETTINGS if pattern.fullmatch(n)}


def tries(
    names: Sequence[str], lengths: Collection[int], said: str = ""
) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield arguments that are no arrays, and what the others may be; at most `_MOST` of each kind.

    Those come first that have the shape which an error that is `said` asks for.
    """
    wanted = wanted_by(said)
    lengths = {*(k for k in lengths if k <= _LONGEST), *lengths_in(said)}
    keys = {"k"} if {"q", "v"} <= {*names} else set()  # of queries and values
    sure = settings_of([n for n in names if n not in keys])
    if any(value in LEVELS for value in sure.values()):  # the factor of the gradient of a quantiser
        sure |= {n: NUMBER for n in names[1:] if OF_GRADIENT.fullmatch(n)}
    likely = {**{n: NUMBER for n in names[1:] if PERHAPS.fullmatch(n)}, **sure}
    counts = {n: value for n, value in sure.items() if COUNT.fullmatch(n)}  # the others may be learned bounds
    stages = [sure, counts, {}, likely]
    for settings in (stage for k, stage in enumerate(stages) if stage not in stages[:k]):
        rest = [n for n in names if n not in settings]
        if rest and settings:
            yield settings, {n: array() for n in rest}
        if rest:
            several = list(_descriptions(rest, lengths))
            if wanted:
                several.sort(key=lambda d: not any(is_as_wanted(a.shape, wanted) for a in d.values()))
            yield from ((settings, described) for described in several[:_MOST])
        if len(rest) > 1:  # a factor that must be positive
            one = ({n: array(shape) for n in rest[1:]} for shape in ((), (1,)))
            yield from ((settings, {rest[0]: array(("n", "k")), **positive(described)}) for described in one)
    for numbers in _numbers(names):
        for value in (2, NUMBER):
            settings = {n: likely.get(n, value) for n in numbers}
            rest = [n for n in names if n not in settings]
            yield settings, {n: array() for n in rest}
            few = [islice(_descriptions(rest, ()), _FEW), islice(_positive_definite(*rest), 1), _blocks(rest)]
            if len(rest) > 1:
                few.append(islice(with_whole(rest, rest[:-1]), 2))
            yield from ((settings, described) for described in chain(*few))


def _numbers(names: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield which arguments may be numbers whatever they are called: one, from the last on, or several at the end."""
    if len(names) > 1:
        yield from ([name] for name in reversed(names))
        yield from (names[-count:] for count in range(2, len(names)))


def _blocks(names: Sequence[str]) -> Iterator[Description]:
    """Yield matrices that a small whole number divides."""
    yield from ({n: array((*front, 4, 4)) for n in names} for front in (("b",), ()))


def _descriptions(names: Sequence[str], lengths: Collection[int]) -> Iterator[Description]:
    """Yield what may be meant, the likeliest first: whole numbers by the name of an input, then by its place."""
    for length in sorted(lengths, reverse=True)[:_FEW]:
        fronts = (("n", length), ("n", 5, length), ("n", length, 5), ("n", length, 5, 5), ("n", 5, 5, length))
        yield from ({n: array(shape) for n in names} for shape in fronts)
        if len(names) == 2:  # nodes and which of them are neighbours
            for nodes, pairs in ((("n", length), ("n", "n")), (("b", "n", length), ("b", "n", "n"))):
                yield {names[0]: array(nodes), names[1]: array(pairs)}
                yield {names[0]: array(pairs), names[1]: array(nodes)}
    masks = [name for name in names if MASK.fullmatch(name)]
    if len(masks) < len(names):
        yield from _with_masks(names, masks)
    whole = [name for name in names if is_whole(name)]
    real = [name for name in names if name not in whole]
    if whole and real:
        yield from with_whole(names, real)
    inputs_first = _by_role(names)
    yield from (_in_order_of(names, dict(zip(inputs_first, shapes, strict=True))) for shapes in _shapes(len(names)))
    if not whole and len(names) > 1:
        yield from with_whole(names, names[:-1])
    yield from _positive_definite(*names)
    if not masks and len(names) > 1 and all("." in name for name in names):  # parts of a list, whose names say nothing
        yield from _with_masks(names, names[-1:])


def _by_role(names: Sequence[str]) -> list[str]:
    """Return the inputs of a layer before its weights and its bias, as shapes are, where a weight comes first."""
    weights = [n for n in names if _WEIGHT.fullmatch(n)]
    if names[0] not in weights:
        return [*names]
    biases = [n for n in names if _BIAS.fullmatch(n)]
    return [*(n for n in names if n not in {*weights, *biases}), *weights, *biases]


def _in_order_of(names: Sequence[str], shapes: Mapping[str, tuple[Any, ...]]) -> Description:
    return {name: array(shapes[name]) for name in names}


def _positive_definite(first: str, *rest: str) -> Iterator[Description]:
    """Yield a matrix that has a Cholesky factor and a root, and what is solved with it; before it one that has none."""
    if rest:
        yield {first: array(("n", "n")), **{n: array(("n", 1)) for n in rest}}
    power = [()] if all(map(_POWER.fullmatch, rest)) else []
    for shape in [("n",), ("n", "k"), ("n", 1), *power] if rest else [()]:
        yield {first: array(("n", "n"), kind="spd"), **{n: array(shape) for n in rest}}


def _with_masks(names: Sequence[str], masks: Sequence[str]) -> Iterator[Description]:
    """Yield descriptions with booleans."""
    alike: list[tuple[Any, ...]] = [(...,), ("n", "k"), ("b", "n", "k")]
    rows = [(("n", "k"), ("n",)), (("b", "n", "k"), ("b", "n"))]
    for shape, of_mask in [*zip(alike, alike, strict=True), *rows] if masks else []:
        yield {n: array(of_mask, dtype=BOOL) if n in masks else array(shape) for n in names}


def with_whole(names: Sequence[str], real: Sequence[str]) -> Iterator[Description]:
    """Yield descriptions with labels of classes, places in the first axis, or masks."""
    classes = ((("n", 5), ("n",)), (("n", 5), ("n", 1)), (("n", 5, "k"), ("n", "k")), (("b", "n", 5), ("b", "n")))
    places = (((6, "k"), ("n",)), ((6,), ("n",)))
    forms = [*((*shapes, range(5)) for shapes in classes), *((*shapes, range(6)) for shapes in places)]
    forms.insert(3, (("n", "k"), ("n", "k"), range(2)))
    if len(real) > 1:  # a classifier
        yield from _with_weights(names, real)
    for shape, of_whole, numbers in forms:
        yield {n: array(shape) if n in real else array(of_whole, dtype="int64", domain=numbers) for n in names}
    if len(names) == 2:  # places of two coordinates, and of one
        for shape, count in (((4, 4), 2), ((4, 4, "k"), 2), ((4, "k"), 1)):
            rows = array(("n", count), dtype="int64", domain=range(4))
            yield {n: array(shape) if n in real else rows for n in names}


def _with_weights(names: Sequence[str], real: Sequence[str]) -> Iterator[Description]:
    """Yield labels of what a layer makes, whose weights and bias are there too."""
    for weight, rest in product(((5, "k"), ("k", 5)), ((5,), ()) if len(real) > 2 else ((5,),)):
        shapes = dict(zip(real, (("n", "k"), weight, *[rest] * (len(real) - 2)), strict=True))
        yield {n: array(shapes[n]) if n in shapes else array(("n",), dtype="int64", domain=range(5)) for n in names}


def _shapes(count: int) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield shapes of so many real inputs: one for all, matrices that go together, weights, images."""
    if count > 1:
        yield from _together(count)
    same: list[tuple[Any, ...]] = [("n", "n"), ("n",), ("n", "k"), ("b", "n", "n"), ("b", "n", "k")]
    same += [(*front, k) for front in (("n",), ()) for k in (3, 2, 4)]
    same += [("b", 3, 8, 8), ("b", 8, 8, 3), ("b", 3, 16), (), ("n", 1)]
    same += [("b", 8, 8, 1), ("b", 1, 8, 8), ("n", "k", 1), ("n", 3, 3), *(("n", k) for k in (6, 8, 12, 16, 7, 9))]
    same += [("b", "n", k) for k in (6, 8)]
    yield from ((shape,) * count for shape in [*same, *([(1,)] if count == 1 else [])])


def _together(count: int) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield shapes that differ: layers with weights, queries and keys, equations, images."""
    rest = count - 1
    if rest > 1:  # vectors before matrices
        yield (("n",), *[("k",)] * rest)
        yield (("n", "k"), *[("k",)] * rest)
    for weight in (("k", "m"), ("m", "k")):
        yield from ((front, weight, *[("m",)] * (rest - 1)) for front in (("n", "k"), ("b", "n", "k")))
    if rest > 1:  # weights of the forward and of the backward, and a bias
        yield (("n", "k"), *[("m", "k")] * (rest - 1), ("m",))
        for weight in (("m", "k"), ("k", "m")):
            yield from ((front, *[weight] * rest) for front in (("n", "k"), ("b", "n", "k")))
    yield from ((("n", "k"), *[shape] * rest) for shape in (("k",), (), ("n",), (1,), (1, "k"), ("n", 1)))
    yield (("n", 8), *[("n", 1)] * rest)  # halves of a row, each with a factor
    yield (("k",), *[("n", "k")] * rest)  # a factor for each column, first
    for batch in ((), ("b",)):
        yield (*[(*batch, "n", "n")] * rest, (*batch, "n", "k"))
        yield (*[(*batch, "n", "n")] * rest, (*batch, "n"))
    yield from _several(count)
    yield (("b", "k", "n"), *[("k",)] * rest)  # of each channel
    yield from ((image, *[(3,)] * rest) for image in _IMAGES)
    yield from ((image, *[factor] * rest) for image, factor in zip(_IMAGES, ((1, 3, 1, 1), (1, 1, 1, 3)), strict=True))
    yield (_IMAGES[0], *[()] * rest)
    yield (("b", 3, 8, 8), (4, 3, 3, 3), *[(4,)] * (rest - 1))
    yield (("b", 8, 8, 3), (3, 3, 3, 4), *[(4,)] * (rest - 1))
    yield (("b", 3, 8, 8), (3, 4, 3, 3), *[(4,)] * (rest - 1))  # transposed
    yield (("b", 3, 16), (4, 3, 3), *[(4,)] * (rest - 1))
    yield (("b", 3, "n"), *[(2, 4)] * rest)  # a bank of filters
    for arrays in range(rest, 1, -1):  # arrays of one shape, and numbers
        yield from ((*[("n", "k")] * arrays, *[number] * (count - arrays)) for number in ((), (1,)))


def _several(count: int) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield shapes of queries, keys and values, of a matrix with what belongs to its rows and columns."""
    if count == 3:
        yield from (((*b, "n", "m"), (*b, "n"), (*b, "m")) for b in ((), ("b",)))  # and its margins
        yield (("n", "d"), ("m", "d"), ("m", "k"))
        yield (("b", "n", "d"), ("b", "m", "d"), ("b", "m", "k"))
    if count == 5:  # a layer of quaternions, whose weight has four parts
        yield (("n", 8), *[(2, 3)] * 4)
    if count == 2:
        yield (("n", "d"), ("m", "d"))
        yield (("n", "n"), ("m",))  # of each number
        yield (("b", "n", "d"), ("b", "m", "d"))
