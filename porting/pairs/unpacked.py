"""Which arguments are lists of arrays, as the source of what takes them says."""

import ast
import textwrap
from collections.abc import Callable, Collection
from typing import Any

from porting.runners.kept_sources import kept_source
from porting.runners.side import called


def parts_of(function: Callable[..., Any], names: Collection[str]) -> dict[str, int]:
    """Return how many parts each of some arguments is taken apart into: ``x, a = inputs``, or ``inputs[0], inputs[1]``.

    A tensor can be taken apart in the same way, along its first axis: this is a guess.
    """
    try:
        tree = ast.parse(textwrap.dedent(kept_source(called(function))))
    except (OSError, TypeError, SyntaxError):
        return {}
    found: dict[str, set[int]] = {name: set() for name in names}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Name(id=name)) if name in found:
                found[name].update(() if any(isinstance(p, ast.Starred) for p in parts) else range(len(parts)))
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(place))) if name in found:
                found[name].add(place)
    return {n: len(places) for n, places in found.items() if len(places) > 1 and places == {*range(len(places))}}
