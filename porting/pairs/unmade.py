"""What is said where that which makes a side wants arguments that nobody gave."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from shlex import quote
from typing import Any, Final

from porting.errors import UnsaidError
from porting.pairs.array import UNSAID
from porting.pairs.choices import choices_of
from porting.pairs.constructor import arguments_of, inherited, initialiser
from porting.pairs.parse import written_static
from porting.pairs.said_by_calls import called_in
from porting.pairs.said_by_names import OBJECT, known_number, number_for
from porting.pairs.said_by_source import tensors_of

_NAMED: Final = re.compile(r"<(?:function|class) '?([\w.]+)'?(?: at 0x[0-9a-f]+)?>")  # in a signature
_NUMBER: Final = re.compile(r"\b(int|float)\b")  # in an annotation


def unmade(key: str, thing: Callable[..., Any], absent: Sequence[str], method: str = "") -> UnsaidError:
    """Return what to raise: what is wanted, and what to type; a form to be filled in where a name tells no number.

    Parameters
    ----------
    key : str
        The side.
    thing : callable
        A class, or a function, that makes it.
    absent : sequence of str
        The arguments that nobody gave.
    method : str
        The method of its object that was asked for, if one was.
    """
    name, makes = thing.__name__, {**arguments_of(thing), **inherited(thing)}
    said = _NAMED.sub(r"\1", ", ".join(map(str, makes.values())))
    texts = choices_of(initialiser(thing), absent)
    functions = set() if inspect.isclass(thing) else called_in(thing, absent)
    tensors = tensors_of(initialiser(thing), absent)
    objects = [n for n in absent if n in {*functions, *tensors} or (OBJECT.fullmatch(n) and n not in texts)]
    called = f"{name}({', '.join(absent)})"
    made = f"name FILE.py:make, a function without arguments that returns {called}"
    if method:
        made = f"name FILE.py:made.{method}, of a file that says made = {called}"
    if objects:  # which no static can be
        kinds = {"a function": functions, "a tensor": tensors}
        what = next((kind for kind, those in kinds.items() if those >= {*objects}), "an object")
        are = f"are {what.partition(' ')[2]}s" if len(objects) > 1 else f"is {what}"
        example = f": {', '.join(objects)} {are}; {made}"
    else:
        values = {n: _example(n, makes, texts) for n in absent}
        options = " ".join(f"--static {quote(f'{n}={value}')}" for n, value in values.items())
        forms = [n for n, value in values.items() if value == UNSAID]
        example = f": for example {options}"
        example += f", or, if {' or '.join(forms)} is no number, {made}" if forms else ""
    return UnsaidError(f"{key}: {name}({said}) wants {', '.join(absent)}, and nobody gave it", example)


def _example(name: str, makes: Mapping[str, Any], texts: Mapping[str, Sequence[Any]]) -> Any:
    """Return what an argument may be as it is typed: a text, a function of one's own, a number, or nobody knows."""
    said = str(makes.get(name))
    if "Callable" in said:
        return "@FILE.py:f"
    if name in texts:
        return written_static(texts[name][0])
    return number_for(name) if known_number(name) or _NUMBER.search(said) else UNSAID
