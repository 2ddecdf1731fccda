"""Leaves out helper functions that nothing calls: of a pair of results one may not be wanted."""

from collections.abc import Iterable, Mapping
from typing import Any

import libcst as cst

from porting.translate.code import names_in


def used(helpers: Mapping[str, str], body: Iterable[cst.CSTNode]) -> list[Any]:
    """Return the statements of those helpers that a body calls, or another helper that it calls.

    Parameters
    ----------
    helpers : mapping of str to str
        By name, the text of each.
    body : iterable of statements
        What may call them.
    """
    parsed = {title: cst.parse_module(text) for title, text in helpers.items()}
    asked = set().union(*map(names_in, body), set())
    left = set(parsed)
    while found := {title for title in left if asked & _defined(parsed[title])}:
        left -= found
        asked |= set().union(*(names_in(parsed[title]) for title in found))
    return [part for title, module in parsed.items() if title not in left for part in module.body]


def _defined(module: cst.Module) -> set[str]:
    return {part.name.value for part in module.body if isinstance(part, cst.FunctionDef | cst.ClassDef)}
