"""Finds what code reads of an argument that is an object of one's own: a configuration, limits with names."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import literal
from porting.translate.data import is_data
from porting.translate.dialects import IMPORTED
from porting.translate.names import Names, dotted
from porting.translate.read.signatures import parameters_of

_OF_TENSORS: Final = {
    "shape", "dtype", "device", "ndim", "data", "T", "mT", "H", "mH", "real", "imag", "grad", "grad_fn", "is_leaf",
    "requires_grad", "layout", "names", "name", "itemsize", "nbytes", "retains_grad", "is_cuda", "is_cpu", "is_mps",
    "is_meta", "is_sparse", "is_quantized", "values", "indices", "dense_shape", "graph", "op", "is_xla", "is_nested",
}  # fmt: skip


def is_object(title: str, code: Iterable[cst.CSTNode], names: Names) -> bool:
    """Whether code reads attributes of an argument that no tensor has, and does no more with it but call its methods.

    Parameters
    ----------
    title : str
        What the argument is called.
    code : iterable of libcst.CSTNode
        The code. A function of the module that is given the argument is searched too.
    names : Names
        Of the module.
    """
    return bool(_fields(_uses(title, code, names)))


def fields_of(title: str, code: Iterable[cst.CSTNode], names: Names) -> dict[str, list[Any]]:
    """Return the attributes that code reads of an object, in order; nothing if it calls its methods.

    Of each they are what it is compared with: numbers, texts, and members of an ``Enum`` of the module as their text.
    The arguments are those of `is_object`.
    """
    uses = _uses(title, code, names)
    return {} if any(one.methods for one in uses) else _fields(uses)


def _uses(title: str, code: Iterable[cst.CSTNode], names: Names) -> list["_Uses"]:
    """Return how pieces of code use an object, and functions that are given it."""
    found: list[_Uses] = []
    for node in code:
        found.append(_Uses(title, names))
        node.visit(found[-1])
        for helper, called in found[-1].handed:
            inner = _Uses(called, names)
            helper.body.visit(inner)
            inner.bare |= bool(inner.handed)
            found.append(inner)
    return found


def _fields(uses: Sequence["_Uses"]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for field, values in (item for one in uses for item in one.fields.items()):
        mine = found.setdefault(field, [])
        mine += [value for value in values if value not in mine]
    return {} if any(one.bare for one in uses) or {*found} & _OF_TENSORS else found


class _Uses(cst.CSTVisitor):
    """How code uses a variable."""

    def __init__(self, title: str, names: Names) -> None:
        self.fields: dict[str, list[Any]] = {}
        self.handed: list[tuple[cst.FunctionDef, str]] = []  # functions that are given it, and what they call it
        self.methods: list[str] = []
        self.bare = False  # whether it is used otherwise
        self._name = m.Name(title)
        self._names = names

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        if not m.matches(node.value, self._name):
            return True
        self.fields.setdefault(node.attr.value, [])
        return False

    def visit_Call(self, node: cst.Call) -> bool:
        if m.matches(node.func, m.Attribute(self._name)):
            self.methods.append(cst.ensure_type(node.func, cst.Attribute).attr.value)
            for argument in node.args:
                argument.visit(self)
            return False
        title = node.func.value if isinstance(node.func, cst.Name) else self._names.member(node.func)
        helper = self._names.defined.get(title)
        given = [k for k, a in enumerate(node.args) if m.matches(a.value, self._name)]
        if not given:
            return True
        path = self._names.path(node.func)
        if isinstance(helper, cst.FunctionDef):
            places = [p.name.value for p in parameters_of(helper)]
            for k in given:
                keyword: Any = node.args[k].keyword
                called = keyword.value if keyword is not None else places[k] if k < len(places) else ""
                self.handed.append((helper, called))
        elif not path or path.startswith(IMPORTED):  # what a function of another file reads is not seen here
            self.bare = True
            return False
        for argument in node.args:
            if not m.matches(argument.value, self._name):
                argument.visit(self)
        return False

    def visit_Comparison(self, node: cst.Comparison) -> bool:
        if m.matches(node.left, m.Attribute(self._name)):
            field = cst.ensure_type(node.left, cst.Attribute).attr.value
            self.fields.setdefault(field, []).extend(
                value for target in node.comparisons for value in self._values(target.comparator)
            )
        return not m.matches(node, m.Comparison(self._name, [m.ComparisonTarget(m.Is() | m.IsNot(), m.Name("None"))]))

    def _values(self, node: cst.BaseExpression) -> list[Any]:
        """Return what a field is compared with: a number or a text, several of them, or a member of a class of data."""
        value = literal(node)
        if isinstance(value, tuple | list):
            return [one for one in value if isinstance(one, int | float | str)]
        if isinstance(value, int | float | str):
            return [value]
        owner = self._names.defined.get(dotted(node).partition(".")[0])
        is_member = isinstance(node, cst.Attribute) and owner is not None and is_data(owner)
        return [dotted(node)] if is_member else []

    def visit_Name(self, node: cst.Name) -> None:
        if m.matches(node, self._name):
            self.bare = True
