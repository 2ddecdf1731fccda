"""What names of arguments say, which are numbers, bounds, masks, or whole; and what an error says of their shape."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from math import copysign
from typing import Any, Final

from porting.pairs.array import UNSAID, Array, array

NUMBER: Final = 0.5
_LARGEST: Final = 0.9  # of several such numbers
POSITIVE: Final = "0.3,0.7,1.5"  # the same, as data
TINY: Final = "0.001,0.01,0.1"  # where a name says that it is little
LITTLE: Final = re.compile(r"(?i)eps(ilon)?\w*|\w*tol(erance)?")
ITERATIONS: Final = 12  # a solver that stops earlier has no result yet, and its gradient is another one's
LEVELS: Final = (-8, 7)  # the least and the most that a quantiser gives
# What an argument without a default is set to, by its name, where an array is refused.
SETTINGS: Final[tuple[tuple[re.Pattern[str], Any], ...]] = (
    (re.compile(r"(?i)(axis|dim)"), -1),
    (re.compile(r"(?i)(size_average|reduce|keep_?dims?|training|inplace|signed|is_\w+|use_\w+|per_\w+)"), False),
    (re.compile(r"(?i)(attn|attention|key_padding)_?mask"), None),
    (re.compile(r"(?i)\w*offset"), 0),
    (re.compile(r"(?i)\w*iter\w*"), ITERATIONS),
    (
        re.compile(
            r"(?i)(k|num_\w+|n_\w+|\w*steps?|\w*bits?|\w*bins|bit_?(width|depth)|nb|\w*levels|groups|heads|order"
            r"|(block|tile|chunk|group|patch)?_?size|\w*sz)"
        ),
        2,
    ),
    (re.compile(r"(?i)(num|n)_?(class(es)?|labels)"), 5),  # as many as `_with_whole` has, or more
    (re.compile(r"(?i)(num|n)_?(nodes|vertices|segments|tokens|rows|points)|dim_size"), 6),
    (re.compile(r"(?i)(qn|q_?min|quant_min)"), LEVELS[0]),
    (re.compile(r"(?i)(qp|q_?max|quant_max)"), LEVELS[1]),
    (re.compile(r"(?i)(v|x)?_?(min|low|lower)(_\w+)?"), -1),
    (re.compile(r"(?i)(v|x)?_?(max|high|upper)(_\w+)?"), 1),
    (re.compile(r"(?i)(eps\w*|\w*margin|temp\w*|tau|\w*lamb\w*|lds|momentum|rate|reg|t[12]|\w*smoothing)"), NUMBER),
)
OF_GRADIENT: Final = re.compile(r"(?i)g|grad_?(scale|factor)|(scale|factor)_grad")
# Those that are tried before arrays: a count, which nobody learns, and one number for all.
COUNT: Final = re.compile(r"(?i)(num_\w+|n_\w+|\w*steps|\w*iter\w*|\w*bits?|bit_?(width|depth)|levels|groups|heads)")
_SCALAR: Final = re.compile(r"(?i)(eps|epsilon|tol|tau|temperature|lamb(da?)?_?|momentum|\w*smoothing)")
_LETTER: Final = re.compile("[ast]")
_GIVEN: Final = re.compile(
    r"(?i)[ast]|sigma|std|thr|\w*threshold|damp\w*|(max|clip)_?(norm|value)|clip|norm|radius"
)  # where no side has a gradient for it
# The same, where both sides of a pair say so: one alone may have forgotten the gradient of what is learned.
_AGREED: Final = re.compile(
    r"(?i)alpha|beta|gamma|delta|eta|kappa|rho|mu|p|leak\w*|\w*slope|coef\w*|strength|width|\w*(factor|scale)"
)
# What a constructor is given: lengths that are not the same, unless that is wanted.
_LENGTHS: Final[tuple[tuple[re.Pattern[str], Any], ...]] = (
    (re.compile(r"(?i)(?!use_|is_|no_)\w*(prob(ability)?|drop(out)?(_?rate)?|sparsity)"), NUMBER),  # 0 drops nothing
    (re.compile(r"(?i)kernel\w*|window\w*"), 3),
    (re.compile(r"(?i)stride\w*|dilation\w*"), 1),
    (re.compile(r"(?i)pad\w*"), 0),
    (re.compile(r"(?i)\w*iter\w*"), ITERATIONS),
    (re.compile(r"(?i)\w*(groups|heads|layers|bits?|steps?)"), 2),
    (re.compile(r"(?i)\w*shape"), (2, 2)),
    (re.compile(r"(?i)out\w*|\w*units|\w*hidden\w*|filters|\w*_out"), 3),
    (re.compile(r"(?i)\w*(size|features|channels|dims?|width|neurons|model)|n_\w+|num_\w+|inputs"), 4),
)
_SAME: Final = 4  # where all have to be
PERHAPS: Final = re.compile(
    r"(?i)(alpha|beta|gamma|delta|sigma|std|p|thr|leak\w*|\w*(threshold|factor|scale|strength|ratio|coef\w*))"
)  # or they are learned
_WHOLE: Final = re.compile(
    r"(?i)label|target|y_?true|class|ind(ex|ices)|idx|\bids?\b|_ids?$|segment|length|mask|token|gold"
)
# What holds whole numbers even where real ones are taken: a side may ask whether it is 1.
_LABELS: Final = re.compile(
    r"(?i)(\w*_)?(labels?|targets?|y_?true|class(es)?|ind(ex|ices)|idx|ids?|ranks|segments?|zero_?points?)"
)

_ENDS: Final = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("low", "high"),
    ("lower", "upper"),
    ("lo", "hi"),
    ("bottom", "top"),
)
_BOUND: Final = re.compile(r"(upper_?)?bounds?|limit|(clip|clamp)_?val(ue)?")
_BELOW: Final = (-2.0, -0.5)
LIMIT: Final = (0.5, 2.0)  # where a bound lies that is alone, or the upper one of two
MASK: Final = re.compile(r"(?i)(\w*_)?mask|valid\w*|keep|is_\w+|observed")

_SQUARE: Final = re.compile(r"(?i)\bsquare\b")
_AXES: Final = re.compile(  # how many are wanted, in what a framework says of an array that has others
    r"(?i)\b(?:expected|requires?|must be|be|or) (\d)-?d\b|unpack \(expected (\d), got|must have rank >= (\d)"
    r"|at least (\d)[- ]dim|is a vector of size (\d)|to have rank (\d)"
)
_EXAMPLES: Final[tuple[tuple[Any, ...], ...]] = (("n",), ("n", "k"), ("b", "n", "k"), ("b", 3, 8, 8), ("b", 3, 4, 8, 8))
_TOLERANCE: Final = re.compile(r"(?i)\w*tol(erance)?")  # exact, where it is 0
_BIAS: Final = re.compile(r"(?i)\w*bias\w*|b\d*")

# No number: another layer, or a function.
OBJECT: Final = re.compile(
    r"(?i)(\w*_)?(layer|model|module|net|network|cell|func|function|fn|activation|optimi[sz]er|solver|criterion)"
)

Description = dict[str, Array]


_LENGTHS_SAID: Final = re.compile(
    r"a multiple of (\d+)|shape '\[-1, (\d+)\]' is invalid|must have length (\d+)|(\d+)-element"
)
_LONGEST_SAID: Final = 1024


def wanted_by(said: str) -> tuple[Any, ...]:
    """Return a shape that an error asks for: of a square matrix, or with so many axes; empty if it asks for none."""
    if _SQUARE.search(said):
        return ("n", "n")
    axes = max((int(k) for found in _AXES.findall(said) for k in found if k), default=0)
    return _EXAMPLES[axes - 1] if 0 < axes <= len(_EXAMPLES) else ()


def lengths_in(said: str) -> set[int]:
    """Return the lengths that an error asks for: ``requires a multiple of 144``, ``shape '[-1, 144]' is invalid``."""
    return {int(k) for found in _LENGTHS_SAID.findall(said) for k in found if k and 1 < int(k) <= _LONGEST_SAID}


def is_as_wanted(shape: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Whether a shape is what an error asks for: square, or with as many axes."""
    return shape[-2:] == wanted if wanted == ("n", "n") else len(shape) == len(wanted)


def constructions(wanted: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield what constructors may be given, by the names of their arguments."""
    seen: list[dict[str, Any]] = []
    for value in (False, 2, NUMBER) if wanted else (False,):
        for same in (False, True):
            made = {n: _length(n, value, same=same) for n in wanted}
            if made not in seen:
                seen.append(made)
                yield made


def number_for(name: str) -> Any:
    """Return what an argument of a constructor may be, by its name: a small number where that says nothing."""
    return _length(name, 2, same=False)


def known_number(name: str) -> bool:
    """Tell whether the name of an argument says that it is a number."""
    return _length(name, None, same=False) is not None


def whole_or_not(name: str, kind: type) -> Any:
    """Return what an argument of a function may be that says itself to be an ``int`` or a ``float``."""
    found = next(
        (value for pattern, value in SETTINGS if pattern.fullmatch(name) and type(value) in {int, float}), None
    )
    return kind(found) if found is not None else 2 if kind is int else NUMBER


def _length(name: str, otherwise: Any, *, same: bool) -> Any:
    for pattern, value in (*_LENGTHS, *SETTINGS, (PERHAPS, NUMBER)):
        if pattern.fullmatch(name):
            return _SAME if same and value in {3, (2, 2)} else value
    return otherwise


def by_name(
    names: Sequence[str], constant: Collection[str] = (), *, several: bool = False
) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield arguments that are numbers by their names, although arrays in their places are taken.

    What is `constant` has no gradient on any side, of which there may be `several`. Then it may be a width or a
    threshold that nobody learns.
    """
    given_by = [_GIVEN, _AGREED] if several else [_GIVEN]
    fixed = {n: [v for pattern, v in SETTINGS if pattern.fullmatch(n)] for n in constant if n in names[1:]}
    counts: dict[str, Any] = {n: number_for(n) for n in names[1:] if COUNT.fullmatch(n)}
    counts |= {n: found[-1] for n, found in fixed.items() if found and type(found[-1]) is int and found[-1] > 1}
    held = bounds([n for n in names[1:] if n in constant])
    counts |= {n: copysign(1.0, low) for n, (low, _) in held.items()} if len({*held.values()}) > 1 else {}
    given = {n for n in fixed if n not in counts and (NUMBER in fixed[n] or any(p.fullmatch(n) for p in given_by))}
    scalars = {n for n in names[1:] if n not in {*counts, *given} and _SCALAR.fullmatch(n)}
    if counts or given or scalars:
        kinds = {n: TINY if LITTLE.fullmatch(n) else POSITIVE for n in given}
        one = {n: array((), kind=kinds[n]) if n in given else array(()) for n in (*given, *scalars)}
        yield counts, {n: one.get(n, array()) for n in names if n not in counts}
    if given:  # one side may ask what the number is
        counts |= dict.fromkeys(given, NUMBER)
        yield counts, {n: one.get(n, array()) for n in names if n not in counts}


def bounds(names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return where inputs lie that are bounds by their names: lower ones below upper ones, one alone above 0."""
    by_lower = {n.lower(): n for n in names}
    found = {by_lower[n]: LIMIT for n in by_lower if _BOUND.fullmatch(n)}
    for name, (low, high) in product(by_lower, _ENDS):
        match = re.fullmatch(rf"(\w*_|[a-z]?){low}(_\w+|)", name)
        other = match and by_lower.get(f"{match[1]}{high}{match[2]}")
        if other:
            found |= {by_lower[name]: _BELOW, other: LIMIT}
    return {n: found[n] for n in names if n in found}


def numbered(settings: Mapping[str, Any], described: Description) -> str:
    """Return which arguments are numbers by their names, for people."""
    numbers = [*settings, *(n for n, a in described.items() if a.shape == ())]
    return f"{', '.join(numbers)} {'is a number by its name' if len(numbers) == 1 else 'are numbers by their names'}"


def told_apart(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return numbers of which no two that nobody knows are the same: one in the place of another one would hide."""
    unknown = [n for n, value in settings.items() if type(value) is float and value == NUMBER]
    return {**settings, **{n: min(NUMBER + k / 10, _LARGEST) for k, n in enumerate(unknown)}}


def example_for(names: Sequence[str], said: str = "", known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return what the arguments of a function may be: an array, or a number of Python.

    Parameters
    ----------
    names : sequence of str
        The arguments.
    said : str
        What a side says of arrays of any shape.
    known : mapping, optional
        What some of them are by the source, or by what a side says.
    """
    found: dict[str, Any] = {}
    wanted = wanted_by(said)
    square, letters = wanted == ("n", "n"), PERHAPS.fullmatch(names[0])  # which say nothing where the data is one
    for k, name in enumerate(names):
        number = _length(name, 2 if _LETTER.fullmatch(name) else None, same=False) if k else None
        number = None if letters and number == NUMBER else number
        number = 0.0 if k and _TOLERANCE.fullmatch(name) else number
        real = array(("n", "k") if square and k else wanted or ("n", "k"), kind="" if k or not square else "spd")
        real = array(("k",)) if wanted and k and _BIAS.fullmatch(name) else real
        whole = array(("n",), dtype="int64", domain=range(5)) if is_whole(name) else real
        given = array(("n", "k"), dtype="bool") if MASK.fullmatch(name) else whole
        found[name] = given if number is None else number
    return {**found, **(known or {})}


def options_for(names: Sequence[str], said: str = "", known: Mapping[str, Any] | None = None) -> str:
    """Return the form of what could be typed for the arguments of a function, see `example_for`.

    No numbers are known to fit, so that none is printed: who types it would be told what the sides make of a guess.
    """
    options, last = [], next((n for n in reversed(names) if n not in (known or {})), names[-1])
    for name, given in example_for(names, said, known).items():
        if isinstance(given, Array):
            options.append(f'--input "{name}={_form(given)}"')
        else:
            options.append(f"--static {name}={given}" if name in (known or {}) else f'--static "{name}={UNSAID}"')
    other = f'; a number is --static "{last}=?", an array of whole numbers --input "{last}=int64[?]{{0..?}}"'
    yours = f"say your shapes and numbers in the place of ?{other if len(names) > 1 else ''}"
    return f"say what the arguments are, as {' '.join(options)} ({yours})"


def _form(given: Array) -> str:
    """Return how an array is described, without its lengths and ends."""
    lengths = ",".join(UNSAID for _ in given.shape)
    numbers = f"{{{given.domain[0]}..{UNSAID}}}" if given.domain is not None else ""
    return f"{given.dtype}[{lengths}]{f'{{{given.kind.text}}}' if given.kind is not None else numbers}"


def is_label(name: str) -> bool:
    """Whether an argument is called as labels or places are, and no more."""
    return _LABELS.fullmatch(name) is not None


def is_whole(name: str) -> bool:
    """Whether an argument is called as what holds classes or places; not ``label_smoothing``."""
    return _WHOLE.search(name) is not None and "smooth" not in name.lower()
