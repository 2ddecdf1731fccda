"""What shapes a source gives its arguments in words: in docstrings, in comments and in annotations of arrays."""

import inspect
import io
import re
import textwrap
import tokenize
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

from porting.pairs.said_by_source import annotations_of
from porting.runners.kept_sources import kept_source

Shape = tuple[Any, ...]

_AXIS: Final = r"(?:[A-Za-z]\w{0,15}|\d+|\.\.\.|\*)"
_SHAPE: Final = re.compile(rf"[(\[<]\s*({_AXIS}(?:\s*[,x\u00d7]\s*{_AXIS})*)\s*,?\s*[)\]>]")
_TIMES: Final = re.compile(rf"\s*:\s*({_AXIS}(?:\s+[x\u00d7]\s+{_AXIS})+)\b")  # ``name: n x k``, without brackets
_DEFINITE: Final = re.compile(r"(?i)positive[- ]definite|\bspd\b")
_OF_DEFINITE: Final = re.compile(r"(?i:(^|_)spd(_|$)|posdef|positive_?definite)|SPD")
_MATRIX: Final = re.compile(r"(?i)\w*mat(rix)?|cov\w*|kernel|gram|precision|a")
_WORDS: Final = {"optional", "Tensor", "tensor", "Array", "array", "int", "float", "bool", "str", "None", "default"}
_ANNOTATED: Final = re.compile(r"""["']([^"']+)["']""")  # Float[Tensor, "b n d"], TensorType["b", "n"]
_ARGUMENT: Final = r"\s*{}\s*(?::[^#=]+)?(?:=[^#]+)?,?\s*$"  # alone in a line of a signature
_NAMED: Final = r"(?<![\w.]){}(?![\w.(\[])"
_FIRST: Final = "Input"  # what PyTorch's docstrings call the first argument, whatever its name is
_DOCS: Final = ('"""', "'''")
_MOST: Final = 5  # axes


def shapes_of(function: Callable[..., Any], names: Collection[str]) -> dict[str, Shape]:
    """Return the shapes that the source of a function, or of a class, gives its arguments, as far as it does.

    Parameters
    ----------
    function : callable
        A side: a function, an object that is called, or an ``autograd.Function``.
    names : collection of str
        The arguments that are asked about, in order.

    Returns
    -------
    dict of str to tuple
        Names of axes, lengths, and an ellipsis for any axes.
    """
    found: dict[str, Shape] = {}
    for name, annotation in annotations_of(function).items():
        axes = " ".join(_ANNOTATED.findall(annotation)).split()
        if name in names and axes and all(re.fullmatch(_AXIS, axis) for axis in axes):
            found[name] = _shape(axes)
    first = next(iter(names), "")
    for line in _lines(function):
        for name in names:
            called = _FIRST if name == first and re.match(rf"\s*(?:[-*]\s*)?{_FIRST}\s*:", line[1]) else name
            if name not in found and (shape := _said(line, called)):
                found[name] = shape
    if len(names) == 1 and not found and (shape := _only_one(inspect.getdoc(function) or "")):
        found[first] = shape
    return found


def _only_one(words: str) -> Shape:
    """Return the shape that words give, if it is a single one: that of the only argument, though nobody names it."""
    given = {tuple(re.split(r"\s*[,\u00d7]\s*|\s+x\s+", found[1])) for found in _SHAPE.finditer(words)}
    shapes = [_shape(axes) for axes in given if 1 < len(axes) <= _MOST and not _WORDS & {*axes}]
    return shapes[0] if len(shapes) == 1 else ()


def definite_of(function: Callable[..., Any], names: Collection[str]) -> set[str]:
    """Return those arguments that the source calls positive definite; the only one, also where it is not named.

    Where the function's own name says so, ``solve_spd``, it is the first one, or the first that is called a matrix.
    """
    if len(names) == 1 and _DEFINITE.search(inspect.getdoc(function) or ""):
        return {*names}
    if names and _OF_DEFINITE.search(getattr(function, "__name__", "")):
        return {next((n for n in names if _MATRIX.fullmatch(n)), next(iter(names)))}
    found = set[str]()
    for _, words in _lines(function):
        for name in names:
            at = re.search(_NAMED.format(re.escape(name)), words)
            if at is not None and _DEFINITE.search(words, at.end()):
                found.add(name)
    return found


def _said(line: tuple[str, str], name: str) -> Shape:
    """Return the shape that a line of words gives an argument; nothing if it gives none, or an expression."""
    code, words = line
    if re.match(_ARGUMENT.format(re.escape(name)), code):
        start = 0
    else:
        at = re.search(_NAMED.format(re.escape(name)), words)
        if at is None:
            return ()
        start = at.end()
    plain = _TIMES.match(words, start)
    for given in [plain] if plain else _SHAPE.finditer(words, start):
        axes = re.split(r"\s*[,\u00d7]\s*|\s+x\s+", given[1])
        if not _WORDS & {*axes} and (len(axes) > 1 or given[0][0] != "<") and len(axes) <= _MOST:
            return _shape(axes)
    return ()


def _shape(axes: Sequence[str]) -> Shape:
    return tuple(... if axis in {"...", "*"} else int(axis) if axis.isdigit() else axis.lower() for axis in axes)


def _lines(function: Any) -> Iterator[tuple[str, str]]:
    """Yield the lines of docstrings and comments, each with the code that stands before it."""
    source = ""
    for thing in (function, inspect.unwrap(function) if callable(function) else function, type(function)):
        try:
            source = kept_source(thing)
            break
        except (OSError, TypeError):
            continue
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(textwrap.dedent(source)).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    for token in tokens:
        if token.type == tokenize.COMMENT:
            yield token.line[: token.start[1]], token.string
        elif token.type == tokenize.STRING and token.string.endswith(_DOCS):
            yield from (("", line) for line in token.string.splitlines())
