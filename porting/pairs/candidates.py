"""What the arguments of a function or of a constructor may be, by their names and places; the likeliest first."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, product
from typing import Any, Final

from porting.pairs.array import BOOL, Array, array

_MOST: Final = 80  # descriptions that are tried; each is two calls of each side
_FEW: Final = 6  # where no name says what is a number
_NUMBER: Final = 0.5
# What an argument without a default is set to, by its name, where an array is refused.
_SETTINGS: Final[tuple[tuple[re.Pattern[str], Any], ...]] = (
    (re.compile(r"(?i)(axis|dim)"), -1),
    (re.compile(r"(?i)(size_average|reduce|keep_?dims?|training|inplace|signed|is_\w+|use_\w+|per_\w+)"), False),
    (re.compile(r"(?i)(attn|attention|key_padding)_?mask"), None),
    (re.compile(r"(?i)\w*offset"), 0),
    (
        re.compile(
            r"(?i)(k|num_\w+|n_\w+|\w*steps?|\w*iter\w*|\w*bits?|\w*bins|bit_?width|nb|\w*levels|groups|heads|order"
            r"|(block|tile|chunk|group|patch)?_?size|\w*sz)"
        ),
        2,
    ),
    (re.compile(r"(?i)(num|n)_?(class(es)?|labels)"), 5),  # as many as `_with_whole` has, or more
    (re.compile(r"(?i)(num|n)_?(nodes|vertices|segments|tokens|rows|points)|dim_size"), 6),
    (re.compile(r"(?i)(qn|q_?min|quant_min)"), -8),
    (re.compile(r"(?i)(qp|q_?max|quant_max)"), 7),
    (re.compile(r"(?i)(v|x)?_?(min|low|lower)(_\w+)?"), -1),
    (re.compile(r"(?i)(v|x)?_?(max|high|upper)(_\w+)?"), 1),
    (re.compile(r"(?i)(eps\w*|\w*margin|temp\w*|tau|lamb\w*|lds|momentum|rate|reg|t[12]|\w*smoothing)"), _NUMBER),
)
# Those that are tried before arrays: a count, which nobody learns, and one number for all.
_COUNT: Final = re.compile(r"(?i)(num_\w+|n_\w+|\w*steps|\w*iter\w*|\w*bits?|bit_?width|levels|groups|heads)")
_SCALAR: Final = re.compile(r"(?i)(eps|epsilon|tol|tau|temperature|lamb(da?)?_?|momentum|\w*smoothing)")
_LETTER: Final = re.compile("[ast]")
_GIVEN: Final = re.compile(r"(?i)[ast]|sigma|std|thr|\w*threshold|damp\w*")  # where no side has a gradient for it
# What a constructor is given: lengths that are not the same, unless that is wanted.
_LENGTHS: Final[tuple[tuple[re.Pattern[str], Any], ...]] = (
    (re.compile(r"(?i)kernel\w*|window\w*"), 3),
    (re.compile(r"(?i)stride\w*|dilation\w*"), 1),
    (re.compile(r"(?i)pad\w*"), 0),
    (re.compile(r"(?i)\w*(groups|heads|layers|bits?|steps?|iter\w*)"), 2),
    (re.compile(r"(?i)\w*shape"), (2, 2)),
    (re.compile(r"(?i)out\w*|\w*units|\w*hidden\w*|filters|\w*_out"), 3),
    (re.compile(r"(?i)\w*(size|features|channels|dims?|width|neurons|model)|n_\w+|num_\w+|inputs"), 4),
)
_SAME: Final = 4  # where all have to be
_LONGEST: Final = 64
_PERHAPS: Final = re.compile(
    r"(?i)(alpha|beta|gamma|delta|sigma|std|p|thr|leak\w*|\w*(threshold|factor|scale))"
)  # or they are learned
_WHOLE: Final = re.compile(
    r"(?i)label|target|y_?true|class|ind(ex|ices)|idx|\bids?\b|_ids?$|segment|length|mask|token|gold"
)

_ENDS: Final = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("low", "high"),
    ("lower", "upper"),
    ("lo", "hi"),
    ("bottom", "top"),
)
_BOUND: Final = re.compile(r"bounds?|clip_?val(ue)?")
_BELOW: Final = (-2.0, -0.5)
_ABOVE: Final = (0.5, 2.0)
_MASK: Final = re.compile(r"(?i)(\w*_)?mask|valid\w*|keep|is_\w+|observed")
_POSITIVE: Final = (0.1, 10.0)

Description = dict[str, Array]


def positive(described: Description) -> Description:
    """Return a description whose real numbers are positive, where nothing is said of them."""
    free = {n for n, a in described.items() if a.domain is None and a.kind is None and a.dtype == "float64"}
    return {n: replace(a, domain=_POSITIVE) if n in free else a for n, a in described.items()}


def short(described: Description) -> Description:
    """Return a description whose whole numbers are int32, as the shapes of TensorFlow are."""
    return {n: replace(a, dtype="int32") if a.dtype == "int64" else a for n, a in described.items()}


def constructions(wanted: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield what constructors may be given, by the names of their arguments."""
    seen: list[dict[str, Any]] = []
    for value in (False, 2, _NUMBER) if wanted else (False,):
        for same in (False, True):
            made = {n: _length(n, value, same=same) for n in wanted}
            if made not in seen:
                seen.append(made)
                yield made


def number_for(name: str) -> Any:
    """Return what an argument of a constructor may be, by its name: a small number where that says nothing."""
    return _length(name, 2, same=False)


def _length(name: str, otherwise: Any, *, same: bool) -> Any:
    for pattern, value in (*_LENGTHS, *_SETTINGS, (_PERHAPS, _NUMBER)):
        if pattern.fullmatch(name):
            return _SAME if same and value in {3, (2, 2)} else value
    return otherwise


def by_name(names: Sequence[str], constant: Collection[str] = ()) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield arguments that are numbers by their names, although arrays in their places are taken.

    What is `constant` has no gradient on any side. Then it may be a width or a threshold that nobody learns.
    """
    fixed = {n: [v for pattern, v in _SETTINGS if pattern.fullmatch(n)] for n in constant if n in names[1:]}
    counts: dict[str, Any] = {n: 2 for n in names[1:] if _COUNT.fullmatch(n)}
    counts |= {n: found[-1] for n, found in fixed.items() if found and type(found[-1]) is int and found[-1] > 1}
    given = {n for n in fixed if n not in counts and (_NUMBER in fixed[n] or _GIVEN.fullmatch(n))}
    scalars = {n for n in names[1:] if n not in {*counts, *given} and _SCALAR.fullmatch(n)}
    if counts or given or scalars:
        one = {n: array((), kind="0.3,0.7,1.5") if n in given else array(()) for n in (*given, *scalars)}
        yield counts, {n: one.get(n, array()) for n in names if n not in counts}
    if given:  # one side may ask what the number is
        counts |= dict.fromkeys(given, _NUMBER)
        yield counts, {n: one.get(n, array()) for n in names if n not in counts}


def bounds(names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return where inputs lie that are bounds by their names: lower ones below upper ones, one alone above 0."""
    by_lower = {n.lower(): n for n in names}
    found = {by_lower[n]: _ABOVE for n in by_lower if _BOUND.fullmatch(n)}
    for name, (low, high) in product(by_lower, _ENDS):
        match = re.fullmatch(rf"(\w*_|[a-z]?){low}(_\w+|)", name)
        other = match and by_lower.get(f"{match[1]}{high}{match[2]}")
        if other:
            found |= {by_lower[name]: _BELOW, other: _ABOVE}
    return {n: found[n] for n in names if n in found}


def numbered(settings: Mapping[str, Any], described: Description) -> str:
    """Return which arguments are numbers by their names, for people."""
    numbers = [*settings, *(n for n, a in described.items() if a.shape == ())]
    return f"{', '.join(numbers)} {'is a number by its name' if len(numbers) == 1 else 'are numbers by their names'}"


def options_for(names: Sequence[str]) -> str:
    """Return what could be typed for the arguments of a function, of which nothing is known but the names."""
    said, last = [], names[-1]
    for k, name in enumerate(names):
        number = _length(name, 2 if _LETTER.fullmatch(name) else None, same=False) if k else None
        whole = "int64[n]{0..4}" if _is_whole(name) else "float64[n,k]"
        array_ = f'--input "{name}={"bool[n,k]" if _MASK.fullmatch(name) else whole}"'
        said.append(array_ if number is None else f"--static {name}={number}")
    other = f' (a number is --static {last}=2, an array of whole numbers --input "{last}=int64[n]{{0..4}}")'
    return f"say what the arguments are, such as {' '.join(said)}{other if len(names) > 1 else ''}"


def _is_whole(name: str) -> bool:
    """Whether an argument is called as what holds classes or places; not ``label_smoothing``."""
    return _WHOLE.search(name) is not None and "smooth" not in name.lower()


def of_complex(names: Sequence[str]) -> Iterator[Description]:
    """Yield inputs of complex numbers: all of them, else one of them."""
    for turned in (names, *([n] for n in names if len(names) > 1)):
        yield {n: array(dtype="complex128" if n in turned else "float64") for n in names}


def tries(names: Sequence[str], lengths: Collection[int]) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield arguments that are no arrays, and what the others may be; at most `_MOST` of each kind."""
    keys = {"k"} if {"q", "v"} <= {*names} else set()  # of queries and values
    sure = {n: value for n in names for pattern, value in _SETTINGS if pattern.fullmatch(n) and n not in keys}
    likely = {**{n: _NUMBER for n in names[1:] if _PERHAPS.fullmatch(n)}, **sure}
    stages = [sure, {}, likely]
    for settings in (stage for k, stage in enumerate(stages) if stage not in stages[:k]):
        rest = [n for n in names if n not in settings]
        if rest and settings:
            yield settings, {n: array() for n in rest}
        if rest:
            yield from ((settings, described) for described in islice(_descriptions(rest, lengths), _MOST))
        if len(rest) > 1:  # a factor that must be positive
            one = ({n: array(shape) for n in rest[1:]} for shape in ((), (1,)))
            yield from ((settings, {rest[0]: array(("n", "k")), **positive(described)}) for described in one)
    for numbers in _numbers(names):
        for value in (2, _NUMBER):
            settings = {n: likely.get(n, value) for n in numbers}
            rest = [n for n in names if n not in settings]
            yield settings, {n: array() for n in rest}
            few = [islice(_descriptions(rest, ()), _FEW), islice(_positive_definite(*rest), 1), _blocks(rest)]
            if len(rest) > 1:
                few.append(islice(_with_whole(rest, rest[:-1]), 2))
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
    for length in sorted({k for k in lengths if k <= _LONGEST}, reverse=True)[:_FEW]:
        fronts = (("n", length), ("n", 5, length), ("n", length, 5), ("n", length, 5, 5), ("n", 5, 5, length))
        yield from ({n: array(shape) for n in names} for shape in fronts)
        if len(names) == 2:  # nodes and which of them are neighbours
            for nodes, pairs in ((("n", length), ("n", "n")), (("b", "n", length), ("b", "n", "n"))):
                yield {names[0]: array(nodes), names[1]: array(pairs)}
                yield {names[0]: array(pairs), names[1]: array(nodes)}
    masks = [name for name in names if _MASK.fullmatch(name)]
    if len(masks) < len(names):
        yield from _with_masks(names, masks)
    whole = [name for name in names if _is_whole(name)]
    real = [name for name in names if name not in whole]
    if whole and real:
        yield from _with_whole(names, real)
    yield from ({n: array(shape) for n, shape in zip(names, shapes, strict=True)} for shapes in _shapes(len(names)))
    if not whole and len(names) > 1:
        yield from _with_whole(names, names[:-1])
    yield from _positive_definite(*names)
    if not masks and len(names) > 1 and all("." in name for name in names):  # parts of a list, whose names say nothing
        yield from _with_masks(names, names[-1:])


def _positive_definite(first: str, *rest: str) -> Iterator[Description]:
    """Yield a matrix that has a Cholesky factor and a root, and what is solved with it."""
    for shape in (("n",), ("n", "k"), ("n", 1)) if rest else ((),):
        yield {first: array(("n", "n"), kind="spd"), **{n: array(shape) for n in rest}}


def _with_masks(names: Sequence[str], masks: Sequence[str]) -> Iterator[Description]:
    """Yield descriptions with booleans."""
    alike: list[tuple[Any, ...]] = [(...,), ("n", "k"), ("b", "n", "k")]
    rows = [(("n", "k"), ("n",)), (("b", "n", "k"), ("b", "n"))]
    for shape, of_mask in [*zip(alike, alike, strict=True), *rows] if masks else []:
        yield {n: array(of_mask, dtype=BOOL) if n in masks else array(shape) for n in names}


def _with_whole(names: Sequence[str], real: Sequence[str]) -> Iterator[Description]:
    """Yield descriptions with labels of classes, places in the first axis, or masks."""
    classes = ((("n", 5), ("n",)), (("n", 5), ("n", 1)), (("n", 5, "k"), ("n", "k")), (("b", "n", 5), ("b", "n")))
    places = (((6, "k"), ("n",)), ((6,), ("n",)))
    forms = [*((*shapes, range(5)) for shapes in classes), *((*shapes, range(6)) for shapes in places)]
    forms.insert(3, (("n", "k"), ("n", "k"), range(2)))
    if len(real) > 1:  # a classifier
        yield from _with_weights(names, real)
    for shape, of_whole, numbers in forms:
        yield {n: array(shape) if n in real else array(of_whole, dtype="int64", domain=numbers) for n in names}


def _with_weights(names: Sequence[str], real: Sequence[str]) -> Iterator[Description]:
    """Yield labels of what a layer makes, whose weights and bias are there too."""
    for weight in ((5, "k"), ("k", 5)):
        shapes = dict(zip(real, (("n", "k"), weight, *[(5,)] * (len(real) - 2)), strict=True))
        yield {n: array(shapes[n]) if n in shapes else array(("n",), dtype="int64", domain=range(5)) for n in names}


def _shapes(count: int) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield shapes of so many real inputs: one for all, matrices that go together, weights, images."""
    if count > 1:
        yield from _together(count)
    same: list[tuple[Any, ...]] = [("n", "n"), ("n",), ("n", "k"), ("b", "n", "n"), ("b", "n", "k")]
    same += [(*front, k) for front in (("n",), ()) for k in (3, 2, 4)]
    same += [("b", 3, 8, 8), ("b", 8, 8, 3), ("b", 3, 16), (), ("n", 1)]
    same += [("b", 8, 8, 1), ("b", 1, 8, 8), *(("n", k) for k in (6, 8, 12, 16))]
    yield from ((shape,) * count for shape in same)


def _together(count: int) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield shapes that differ: layers with weights, queries and keys, equations, images."""
    rest = count - 1
    if rest > 1:  # vectors before matrices
        yield (("n",), *[("k",)] * rest)
        yield (("n", "k"), *[("k",)] * rest)
    for weight in (("k", "m"), ("m", "k")):
        yield from ((front, weight, *[("m",)] * (rest - 1)) for front in (("n", "k"), ("b", "n", "k")))
    yield from ((("n", "k"), *[shape] * rest) for shape in (("k",), (), ("n",), (1,), (1, "k"), ("n", 1)))
    yield (("k",), *[("n", "k")] * rest)  # a factor for each column, first
    for batch in ((), ("b",)):
        yield (*[(*batch, "n", "n")] * rest, (*batch, "n", "k"))
        yield (*[(*batch, "n", "n")] * rest, (*batch, "n"))
    yield from _several(count)
    yield (("b", "k", "n"), *[("k",)] * rest)  # of each channel
    yield from ((image, *[(3,)] * rest) for image in (("b", 3, 8, 8), ("b", 8, 8, 3)))
    yield (("b", 3, 8, 8), (4, 3, 3, 3), *[(4,)] * (rest - 1))
    yield (("b", 8, 8, 3), (3, 3, 3, 4), *[(4,)] * (rest - 1))
    yield (("b", 3, 16), (4, 3, 3), *[(4,)] * (rest - 1))
    yield (("b", 3, "n"), *[(2, 4)] * rest)  # a bank of filters


def _several(count: int) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield shapes of queries, keys and values, of a matrix with what belongs to its rows and columns."""
    if count == 3:
        yield from (((*b, "n", "m"), (*b, "n"), (*b, "m")) for b in ((), ("b",)))  # and its margins
        yield (("n", "d"), ("m", "d"), ("m", "k"))
        yield (("b", "n", "d"), ("b", "m", "d"), ("b", "m", "k"))
    if count == 2:
        yield (("n", "d"), ("m", "d"))
        yield (("b", "n", "d"), ("b", "m", "d"))
