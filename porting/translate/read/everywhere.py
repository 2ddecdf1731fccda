"""Finds whatever makes a custom gradient in a module, in every scope, so that nothing stays unsaid.

What stands at the top of a module, or in a function there, is translated by `porting.translate.file`. What stands in a
class or deeper is taken out of there first, by `porting.translate.read.taken_out`. The rest is refused, with its line
and the reason: a gradient that is not seen would be taken for one that does not exist.
"""

from copy import copy
from dataclasses import dataclass
from typing import Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import source
from porting.translate.ir import returned
from porting.translate.names import Names, dotted, targets
from porting.translate.read import tf as read_tf
from porting.translate.read import torch as read_torch
from porting.translate.read.inherited import inherits
from porting.translate.read.registered import operation
from porting.translate.read.signatures import body_of
from porting.translate.read.tf_gradient import values

_REGISTERED: Final = {
    "RegisterGradient": "a gradient that is registered for an operation, by its name in a graph",
    "register_autograd": "a gradient that is registered for an operation of torch.library",
}
_OF_DEFUN: Final = {"grad_func", "python_grad_func"}
_DEFUN: Final = "a gradient of Defun, which TensorFlow 2 runs in its graphs of version 1 alone"
_STATIC: Final = m.Decorator(m.Name("staticmethod"))
_METHODS: Final = {"forward", "backward"}
_BLOCKS: Final = {cst.With: "with", cst.If: "if", cst.Try: "try", cst.For: "for", cst.While: "while"}
_PAIR: Final = 2  # a value and its gradient
_ENTERED: Final = {cst.FunctionDef, cst.ClassDef, *_BLOCKS}


@dataclass(frozen=True)
class Seen:
    """A custom gradient.

    Attributes
    ----------
    name : str
        What it is called, with the classes and functions around it: ``Layer.call.inner``.
    node : libcst.CSTNode
        The class, the function or the call that makes it.
    why : str
        Why it is not translated; nothing if it may be taken out of what stands around it.
    scopes : tuple of libcst.FunctionDef or libcst.ClassDef
        What stands around it, the outermost first.
    operation : str
        The operation of TensorFlow that it is registered for, if it is.
    """

    name: str
    node: cst.CSTNode
    why: str
    scopes: tuple[cst.FunctionDef | cst.ClassDef, ...] = ()
    operation: str = ""


def everywhere(module: cst.Module, names: Names, *, by_class: bool) -> list[Seen]:
    """Return every custom gradient of a module, in order.

    Parameters
    ----------
    module : libcst.Module
        The module.
    names : Names
        Its names.
    by_class : bool
        Whether a custom gradient is a class (PyTorch), and not a decorated function (TensorFlow).
    """
    looking = _Classes(names) if by_class else _Functions(names, module)
    module.visit(looking)
    return looking.found


class _Looking(cst.CSTVisitor):
    """Knows where it is: in which classes, functions and blocks."""

    def __init__(self, names: Names) -> None:
        self.names = copy(names)  # what a function imports for itself is known here only
        self.names.imported = dict(names.imported)
        self.found: list[Seen] = []
        self._around: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Go in."""
        down = super().on_visit(node)
        if type(node) in _ENTERED:
            self._around.append(node)
        return down

    def on_leave(self, original_node: cst.CSTNode) -> None:
        """Go out."""
        if self._around and self._around[-1] is original_node:
            self._around.pop()
        super().on_leave(original_node)

    def visit_Import(self, node: cst.Import) -> None:
        """Know what a function imports for itself."""
        self.names.add(node)

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        """Know what a function imports for itself."""
        self.names.add(node)

    def add(self, name: str, node: cst.CSTNode, why: str = "", key: str = "") -> None:
        """Take one in, with its place; without a reason of its own, its place may be one: not of an operation's."""
        scopes = [s for s in self._around if isinstance(s, cst.FunctionDef | cst.ClassDef)]
        path = ".".join([*(s.name.value for s in scopes), name])
        why = why or ("" if key else self._place(scopes))
        self.found.append(Seen(path, node, f"{path}: {why}" if why else "", tuple(scopes), key))

    def is_one(self, scope: cst.FunctionDef | cst.ClassDef) -> bool:
        """Whether what stands around something is a custom gradient itself."""
        raise NotImplementedError

    def _place(self, scopes: list[cst.FunctionDef | cst.ClassDef]) -> str:
        """Say where something stands that is not translated there; nothing if it may be taken out."""
        other = next((s.name.value for s in scopes if self.is_one(s)), "")
        if other:
            return f"stands in another custom gradient, {other}"
        blocks = [_BLOCKS[type(b)] for b in self._around if type(b) in _BLOCKS]
        if scopes:
            return ""
        if blocks:
            return f"stands under `{blocks[-1]}`"
        return "is made in a way that is not read"  # by another name of what makes it


class _Functions(_Looking):
    """TensorFlow's: functions with a decorator, and calls of it."""

    _target = ""  # of the assignment around a call

    def __init__(self, names: Names, module: cst.Module) -> None:
        super().__init__(names)
        self._module = module

    def visit_Assign(self, node: cst.Assign) -> None:
        """Know what a call is assigned to."""
        self._target = next(iter(targets(node)), "")

    def leave_Assign(self, original_node: cst.Assign) -> None:  # noqa: ARG002 - libcst's name
        """Forget it."""
        self._target = ""

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        for decorator in node.decorators:
            call = decorator.decorator
            made = self._maker(call.func if isinstance(call, cst.Call) else call)
            if self._is_defun(call):
                made = _DEFUN
            if made is None:
                continue
            if self._is_read_with_its_own(node):
                return
            around = next((s for s in reversed(self._around) if isinstance(s, cst.FunctionDef)), self._module)
            if key := operation(node, around, self._module):
                self.add(node.name.value, node, key=key)
                return
            self.add(node.name.value, node, made or self._own(call))
            return

    def _is_read_with_its_own(self, node: cst.FunctionDef) -> bool:
        """Whether this is the gradient of the custom gradient that it stands in."""
        scope = self._around[-1] if self._around else None
        if not isinstance(scope, cst.FunctionDef) or not self.is_one(scope):
            return False
        pairs = [items for value in values(body_of(scope)) if len(items := returned(value)) == _PAIR]
        return any(isinstance(grad, cst.Name) and grad.value == node.name.value for _, grad in pairs)

    def visit_Decorator(self, node: cst.Decorator) -> bool:  # noqa: ARG002 - libcst's name
        return False

    def visit_Call(self, node: cst.Call) -> None:
        made = self._maker(node.func)
        if made is None or not node.args or self._in_maker():
            return
        given, maker = node.args[0].value, source(node.func)
        name = source(given) if isinstance(given, cst.Name | cst.Attribute) else maker.rpartition(".")[2]
        inside = any(isinstance(s, cst.FunctionDef | cst.ClassDef) for s in self._around)
        why = made or ("" if inside else f"is made by a call of {maker}; as a decorator it is read")
        self.add(self._target or name, node, why)

    def is_one(self, scope: cst.FunctionDef | cst.ClassDef) -> bool:
        return read_tf.is_gradient(scope, self.names)

    @staticmethod
    def _own(call: cst.BaseExpression) -> str:
        """Return why a decorated function is not translated wherever it stands, or nothing."""
        words = {a.keyword.value for a in call.args if a.keyword} if isinstance(call, cst.Call) else set()
        if words & {"vjp_fwd", "vjp_bwd"}:
            return "its gradient is given as vjp_fwd and vjp_bwd, not returned"
        return ""

    def _maker(self, node: cst.BaseExpression) -> str | None:
        """Return why what this makes is no gradient that is read; nothing said if it is, None if it makes none."""
        if (maker := self.names.makers.get(dotted(node))) is not None:
            return maker if isinstance(maker, str) else ""
        path = self.names.path(node) or dotted(node)
        first, last = path.partition(".")[0], path.rpartition(".")[2]
        if last == "custom_gradient" and first not in {"jax", "self"} and path not in self.names.defined:
            return ""
        return _REGISTERED[last] if last == "RegisterGradient" else None

    def _in_maker(self) -> bool:
        """Whether this stands in a function that is read as the decorator that it hands its argument to."""
        return any(isinstance(s, cst.FunctionDef) and s.name.value in self.names.makers for s in self._around[:1])

    @staticmethod
    def _is_defun(call: cst.BaseExpression) -> bool:
        """Whether a decorator is TensorFlow 1's ``Defun``, with a gradient."""
        if not isinstance(call, cst.Call) or dotted(call.func).rpartition(".")[2] != "Defun":
            return False
        return bool({a.keyword.value for a in call.args if a.keyword} & _OF_DEFUN)


class _Classes(_Looking):
    """PyTorch's: classes of autograd.Function, and of others that are."""

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self._known: set[str] = set()

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        bases = [source(base.value) for base in node.bases]
        heir = next((base for base in bases if base.rpartition(".")[2] in self._known), "")
        own = read_torch.is_function(node, self.names)
        inherited = inherits(node, self.names)  # from one of the module, that may stand below
        heir = heir or (bases[0] if inherited else "")
        if not own and not heir and bases and self._looks_like_one(node):
            heir = bases[0]
        if own or heir:
            self._known.add(node.name.value)
            read = own or (bool(self._around) and inherited)
            self.add(node.name.value, node, "" if read else f"takes methods from {heir}; a class that has all is read")

    def is_one(self, scope: cst.FunctionDef | cst.ClassDef) -> bool:
        return read_torch.is_function(scope, self.names)

    def visit_Call(self, node: cst.Call) -> None:
        last = (self.names.path(node.func) or dotted(node.func)).rpartition(".")[2]
        if last == "register_autograd":
            self.add(last, node, _REGISTERED[last])

    @staticmethod
    def _looks_like_one(node: cst.ClassDef) -> bool:
        """Whether a class has a forward and a backward without an object."""
        methods = [s for s in node.body.body if isinstance(s, cst.FunctionDef)]
        return {s.name.value for s in methods if _is_static(s)} >= _METHODS


def _is_static(node: cst.FunctionDef) -> bool:
    return any(m.matches(d, _STATIC) for d in node.decorators)


def within(title: str, unit: cst.CSTNode, names: Names, *, by_class: bool) -> list[str]:
    """Return the names of the gradients that are translated with a class or function of a module."""
    if not isinstance(unit, cst.FunctionDef) or read_tf.is_gradient(unit, names):
        return [title]
    if by_class:
        return [f"{title}.{s.name.value}" for s in body_of(unit) if isinstance(s, cst.ClassDef)]
    return [f"{title}.{inner.name.value}" for inner in read_tf.gradients_within(unit, names)]
