"""Says which variables a definition reads from around it, and what a function binds, as Python's compiler sees it."""

import re
import symtable
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import libcst as cst

from porting.translate.refusal import Refusal


@dataclass(frozen=True)
class Variables:
    """The variables of a definition.

    Attributes
    ----------
    outside : list of str
        What it reads and does not bind, in the order of the source.
    every : set of str
        All names in it.
    twice : set of str
        Names that are of outside in one of its functions, and bound in another.
    """

    outside: list[str]
    every: set[str]
    twice: set[str]


def variables_of(node: Any) -> Variables:
    """Return the variables of a function or a class, without those of its decorators.

    Raises
    ------
    Refusal
        If it writes to a variable of what stands around it.
    """
    text, top = _table(node)
    symbols = [s for scope in scopes(top) for s in scope.get_symbols()]
    changed = sorted(s.get_name() for s in symbols if s.is_declared_global())
    if changed:
        raise Refusal(f"writes to {changed[0]}, which is a variable of the module", node)
    read = {s.get_name() for s in symbols if s.is_referenced() and s.is_global()} - {node.name.value}
    bound = {s.get_name() for s in symbols if s.is_local() or s.is_parameter()}
    order = sorted(read, key=lambda name: [found.start() for found in re.finditer(rf"\b{name}\b", text)][:1])
    return Variables(order, {s.get_name() for s in symbols}, read & bound)


def bound_in(node: cst.FunctionDef) -> set[str]:
    """Return the parameters and variables of a function."""
    _, top = _table(node)
    own = next(t for t in top.get_children() if t.get_name() == node.name.value and t.get_type() == "function")
    return {s.get_name() for s in own.get_symbols() if s.is_local() or s.is_parameter()}


def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """Yield a scope and all that are within it."""
    yield table
    for child in table.get_children():
        yield from scopes(child)


class Block(cst.CSTVisitor):
    """The functions, classes and imports of the block of a definition; not those within them.

    Attributes
    ----------
    defined : dict of str to list of libcst.CSTNode
        By name.
    imports : list of libcst.Import or libcst.ImportFrom
        In order.
    """

    def __init__(self, node: cst.FunctionDef | cst.ClassDef) -> None:
        super().__init__()
        self.defined: dict[str, list[Any]] = {}
        self.imports: list[Any] = []
        node.body.visit(self)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        self.defined.setdefault(node.name.value, []).append(node)
        return False

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:
        self.defined.setdefault(node.name.value, []).append(node)
        return False

    def visit_Lambda(self, node: cst.Lambda) -> bool:  # noqa: ARG002 - libcst's name
        return False

    def visit_Import(self, node: cst.Import) -> None:
        self.imports.append(node)

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        self.imports.append(node)


def _table(node: Any) -> tuple[str, symtable.SymbolTable]:
    text = cst.Module([node.with_changes(decorators=[])]).code
    try:
        return text, symtable.symtable(text, "definition", "exec")
    except SyntaxError:
        raise Refusal("writes to a variable of a function around it", node) from None
