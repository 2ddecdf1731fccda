"""Divides a snippet that shows PyTorch and TensorFlow into the part of each."""

import ast
import symtable
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

_MODULES: Final = {"torch": frozenset({"torch"}), "tensorflow": frozenset({"tf"})}
_KEYS: Final = ("torch", "tf")
_NONE: Final[frozenset[str]] = frozenset()


class Statement:
    """A statement of a snippet: its lines, the names that it takes from the module and those that it binds there."""

    def __init__(self, text: str, node: ast.stmt) -> None:
        self.text = text.strip("\n")
        self.defines = isinstance(node, ast.ClassDef | ast.FunctionDef)
        self.imported = node.names[0].name if isinstance(node, ast.Import) else getattr(node, "module", None) or ""
        self.made_with = _NONE
        self.used, self.bound = _names(text)
        for target in node.targets if isinstance(node, ast.Assign) else ():
            self.bound |= {_changed(target)} - {""}


def _changed(target: ast.expr) -> str:
    """Return the name whose value ``a[0] = …`` or ``a.b = …`` changes."""
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def halves(code: str) -> dict[str, str]:
    """Return what of a snippet uses PyTorch only, and what uses TensorFlow only, each with what it needs besides.

    A statement belongs to the framework that it names, or that something it uses was made with. One of both belongs to
    neither half.
    """
    statements = list(_statements(code))
    sides: dict[str, frozenset[str]] = {}
    for each in statements:
        each.made_with = _MODULES.get(each.imported) or _NONE.union(*(sides.get(name, _NONE) for name in each.used))
        sides.update(dict.fromkeys(each.bound, each.made_with))
    return {key: _half(statements, key) for key in _KEYS}


def _half(statements: list[Statement], key: str) -> str:
    """Join the statements of a side, and those of none of which a later one has need."""
    chosen: list[Statement] = []
    needed: set[str] = set()
    for each in reversed(statements):
        if each.made_with == {key} or (not each.made_with and needed & each.bound):
            chosen.insert(0, each)
            needed |= each.used
    if all(each.imported for each in chosen):
        return ""
    return chosen[0].text + "".join(_gap(a, b) + b.text for a, b in pairwise(chosen))


def _gap(a: Statement, b: Statement) -> str:
    """Return the lines between two statements, which may not have stood next to each other."""
    if a.defines or b.defines:
        return "\n\n\n"
    return "\n\n" if (a.imported in _MODULES, bool(a.imported)) != (b.imported in _MODULES, bool(b.imported)) else "\n"


def _statements(code: str) -> Iterator[Statement]:
    """Yield each statement; ``a, b = c, d`` as the two that it is."""
    lines, end = code.splitlines(keepends=True), 0
    for node in ast.parse(code).body:
        text, end = "".join(lines[end : node.end_lineno]), node.end_lineno or 0
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
                for name, value in zip(names, values, strict=True):
                    part = ast.Assign([name], value, lineno=0)
                    yield Statement(f"{ast.unparse(name)} = {ast.get_source_segment(code, value)}", part)
            case _:
                yield Statement(text, node)


def _names(text: str) -> tuple[set[str], set[str]]:
    """Return the names that a statement takes from the module, and those that it binds there."""
    module = symtable.symtable(text, "snippet", "exec")
    used = {symbol.get_name() for symbol in module.get_symbols() if symbol.is_referenced()}
    bound = {symbol.get_name() for symbol in module.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    inner = list(module.get_children())
    while inner:
        scope = inner.pop()
        used |= {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_global()}
        inner += scope.get_children()
    return used, bound
