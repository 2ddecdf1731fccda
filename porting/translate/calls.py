"""Calls and literals, as rules read and write them: keyword arguments, whole numbers, options, sequences."""

import re
from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

from porting.translate.abstract_value import Sort
from porting.translate.code import Expression, Given
from porting.translate.dialects import DIALECTS
from porting.translate.rule import Writer

MODULES: Final = {key: dialect.alias for key, dialect in DIALECTS.items()}


def call(w: Writer, function: str, *places: Any, **options: Any) -> Expression:
    """Return a call of a function; arguments that are `None` are left out."""
    template, parts = _arguments(places, options)
    return w.build(f"{function}({template})", **parts)


def method(w: Writer, x: Expression, name: str, *places: Any, **options: Any) -> Expression:
    """Return a call of a method; arguments that are `None` are left out."""
    template, parts = _arguments(places, options)
    return w.build(f"{{receiver}}.{name}({template})", receiver=x, **parts)


def _arguments(places: Any, options: Any) -> tuple[str, dict[str, Any]]:
    parts = {f"place{n}": value for n, value in enumerate(places) if value is not None}
    named = {name: value for name, value in options.items() if value is not None}
    return ", ".join([*(f"{{{n}}}" for n in parts), *(f"{n}={{{n}}}" for n in named)]), parts | named


def whole(w: Writer, node: Given) -> int | None:
    """Return the value of a whole number that is written out; nothing for everything else."""
    text = "" if node is None else w.code(node)
    return int(text) if re.fullmatch(r"-?\d+", text) else None


def flag(w: Writer, node: Given, what: str) -> bool:
    """Return an option that is True or False, and not given for False."""
    text = "False" if node is None else w.code(node)
    if text not in {"True", "False"}:
        raise w.refuse(f"{what}: {text} is not known here to be True or False")
    return text == "True"


def one_or_several(w: Writer, parts: Sequence[cst.BaseElement], name: str) -> Expression:
    """Return one sequence of ``f(2, 3)``, ``f((2, 3))`` and ``f(*shape, 1)``."""
    (first, *others) = parts
    if others:
        return w.sequence(parts)
    known = w.starred(first) or w.is_sequence(first.value)
    return first.value if known or w.kinds[name].sort in {Sort.SHAPE, Sort.TUPLE, Sort.UNKNOWN} else w.sequence(parts)


def spread_out(w: Writer, shape: Any) -> str:
    """Return the arguments that a sequence is, as ``x.reshape(4, 3)`` has them: the text between the parentheses."""
    if not w.is_sequence(shape) or not w.parts(shape):
        return w.code(shape)
    return ", ".join(("*" if w.starred(element) else "") + w.code(element.value) for element in shape.elements)
