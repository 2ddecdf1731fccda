"""Finds what code reads of an object, as ``self.k`` and ``self.cfg.low``, and whether it does more than to read it."""

from typing import Any, Final

import libcst as cst

from porting.translate.code import source
from porting.translate.refusal import Refusal

_OF_TENSORS: Final = {"shape", "dtype", "device", "ndim", "data", "T", "mT", "real", "imag", "is_cuda", "requires_grad"}
_CHANGING: Final = {  # methods of lists, dicts and variables
    "append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault",
    "assign", "assign_add", "assign_sub",
}  # fmt: skip
_MODULES: Final = ("torch.", "F.")  # whose functions that end in an underscore change their first argument
_COPYING: Final = {"clone", "copy", "numpy", "item"}


def path_of(node: cst.CSTNode, title: str) -> list[str]:
    """Return ``["cfg", "low"]`` for ``self.cfg.low`` if the object is called self; nothing for something else."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.insert(0, node.attr.value)
        node = node.value
    return parts if isinstance(node, cst.Name) and node.value == title else []


class Uses(cst.CSTVisitor):
    """How a definition uses an object.

    Parameters
    ----------
    node : libcst.CSTNode
        The definition.
    title : str
        What the object is called in it.

    Attributes
    ----------
    read : list of str
        The attributes that are read, in order: ``k``, ``cfg.low``. Of ``self.k.shape`` it is ``k``.
    called : list of str
        Its methods that are called.

    Raises
    ------
    Refusal
        If the object itself is handed on.
    """

    def __init__(self, node: cst.CSTNode, title: str) -> None:
        super().__init__()
        self.read: list[str] = []
        self.called: list[str] = []
        self._title = title
        self._functions: list[cst.CSTNode] = []
        node.visit(self)

    def visit_Call(self, node: cst.Call) -> None:
        path = path_of(node.func, self._title)
        if not path:
            return
        self._functions.append(node.func)
        if len(path) == 1:
            self.called.append(path[0])
        else:
            self._reads(path[:-1])

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        path = path_of(node, self._title)
        if path and not any(node is function for function in self._functions):
            self._reads(path)
        return not path

    def visit_Name(self, node: cst.Name) -> None:
        if node.value == self._title:
            raise Refusal(f"does more with {self._title} than to read its attributes", node)

    def _reads(self, path: list[str]) -> None:
        end = next((n for n, part in enumerate(path) if n and part in _OF_TENSORS), len(path))
        self.read.append(".".join(path[:end]))


class Unchanged(cst.CSTVisitor):
    """Refuses code that changes what it has from around it.

    Parameters
    ----------
    node : libcst.CSTNode
        The code.
    roots : set of str
        Names of what it has from there.

    Raises
    ------
    Refusal
        If it writes to one of them or to a part of it, also under another name.
    """

    def __init__(self, node: cst.CSTNode, roots: set[str]) -> None:
        super().__init__()
        self._roots = roots
        self._aliases: set[str] = set()
        node.visit(self)

    def leave_Assign(self, original_node: cst.Assign) -> None:
        names = {t.target.value for t in original_node.targets if isinstance(t.target, cst.Name)}
        self._aliases |= names if self._is_of(original_node.value) else set()

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        self._target(node.target)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        self._target(node.target)

    def visit_For(self, node: cst.For) -> None:
        self._target(node.target)

    def visit_Del(self, node: cst.Del) -> None:
        self._target(node.target)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        if self._is_of(node.target):
            self._refuse(node.target)

    def visit_Call(self, node: cst.Call) -> None:
        function = node.func
        last = function.attr.value if isinstance(function, cst.Attribute) else source(function)
        in_place = last.endswith("_") and not last.endswith("__")
        if isinstance(function, cst.Attribute) and (in_place or last in _CHANGING) and self._is_of(function.value):
            self._refuse(function.value)
        first = in_place and source(function).startswith(_MODULES)
        for n, argument in enumerate(node.args):
            if ((first and n == 0) or _is_out(argument)) and self._is_of(argument.value):
                self._refuse(argument.value)

    def _target(self, target: Any) -> None:
        if isinstance(target, cst.Tuple | cst.List):
            for element in target.elements:
                self._target(element.value)
        elif isinstance(target, cst.Attribute | cst.Subscript) and self._is_of(target):
            self._refuse(target)

    def _is_of(self, node: Any) -> bool:
        """Whether an expression is something from around, a part of it, or a view."""
        while not isinstance(node, cst.Name):
            if isinstance(node, cst.Attribute | cst.Subscript):
                node = node.value
            elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
                if node.func.attr.value in _COPYING:
                    return False
                node = node.func.value
            else:
                return False
        return node.value in self._roots | self._aliases

    def _refuse(self, node: cst.CSTNode) -> None:
        raise Refusal(f"changes {source(node)[:60]}, which it has from around it", node)


def _is_out(argument: cst.Arg) -> bool:
    return argument.keyword is not None and argument.keyword.value == "out"
