"""Finds names that a translation reads and does not define: it would raise where it gets there, so it is refused."""

import ast
import builtins
import symtable
from typing import Final

from porting.translate.scopes import scopes

_OF_MODULES: Final = {"__name__", "__file__", "__doc__"}


def undefined(text: str) -> list[str]:
    """Return the names that a module reads and that nothing defines; also attributes that its functions do not have.

    Parameters
    ----------
    text : str
        The module.

    Returns
    -------
    list of str
        As they stand there: ``y``, ``swish.helper``.
    """
    whole = symtable.symtable(text, "translation", "exec")
    top = {s.get_name() for s in whole.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    known = top | {*dir(builtins)} | _OF_MODULES
    every = list(scopes(whole))
    read = {s.get_name() for scope in every for s in scope.get_symbols() if s.is_referenced() and s.is_global()}
    local = {s.get_name() for scope in every[1:] for s in scope.get_symbols() if s.is_local() or s.is_parameter()}
    tree = ast.parse(text)
    plain = (node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.decorator_list)
    functions = {node.name for node in plain} - local
    return [*sorted(read - known), *sorted(_attributes(tree, functions))]


def _attributes(tree: ast.Module, functions: set[str]) -> set[str]:
    """Return what is asked of functions and is not there: a class of the source has become one."""
    asked = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))
    of_functions = ((node.value.id, node.attr) for node in asked if isinstance(node.value, ast.Name))
    return {f"{name}.{attr}" for name, attr in of_functions if name in functions and attr[:2] != "__"}
