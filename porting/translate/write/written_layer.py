"""What a layer and a module are written with."""

from typing import Any, ClassVar, Final

import libcst as cst

from porting.translate.abstract_value import STATIC, UNKNOWN, Abstract, Sort
from porting.translate.code import docstring, name, source
from porting.translate.layer import MODE, OBJECT, Layer, Weight
from porting.translate.lower.expression import Expressions, Typed
from porting.translate.lower.statements import function
from porting.translate.read.own_attributes import AsAttributes
from porting.translate.refusal import Refusal

_NOTE: Final = "how its weights begin is not compared: each check draws them."


class Writer:
    """Writes a class with weights; a subclass knows how its framework makes them.

    Parameters
    ----------
    layer : Layer
        What to write.
    expressions : Expressions
        Translates what is in it.
    """

    base: ClassVar[str]  # the class that it is derived from
    call: ClassVar[str]  # the method that is called
    own: ClassVar[frozenset[str]]  # attributes that the base has, and that nobody may set
    copy: ClassVar[tuple[str, str]]  # the method that takes weights over, and that which lets some be None

    def __init__(self, layer: Layer, expressions: Expressions) -> None:
        self.layer = layer
        self.of = expressions
        expressions.scope[f"{OBJECT}{MODE}"] = Abstract(Sort.STATIC, "bool")
        self.called = {a: f"{a}_" for a in (layer.read & self.own) - {*layer.methods}} | {layer.call: self.call}
        before = expressions.call_of
        expressions.call_of = lambda t, node: self._weight(node) or before(t, node)

    def write(self) -> cst.ClassDef:
        """Return the class.

        Raises
        ------
        Refusal
            If something in it has no rule.
        """
        layer = self.layer
        doc = [statement(docstring(layer.doc))] if layer.doc else []
        body = [*self._init(), *(self._method(title, node) for title, node in layer.methods.items())]
        if taken := [title for title in layer.weights if title in self.called]:
            raise Refusal(f"self.{taken[0]}: {self.base} has a {taken[0]} of its own")
        if layer.weights:
            names = ", ".join(f'"{weight}"' for weight in layer.weights) + "," * (len(layer.weights) == 1)
            body.append(statement(self.copy[bool(layer.optional)].format(names=f"({names})").strip("\n")))
            self.of.note(_NOTE)
        return cst.ClassDef(
            cst.Name(layer.name),
            cst.IndentedBlock([*doc, *(_apart(part) if k or doc else part for k, part in enumerate(body))]),
            [cst.Arg(name(self.base))],
            leading_lines=layer.comments,
        )

    def made(self, weight: Weight) -> cst.BaseExpression:
        """Return the expression that makes a weight."""
        raise NotImplementedError

    def changed(self, weight: Weight) -> cst.BaseExpression:
        """Return the expression that gives a weight other numbers."""
        raise NotImplementedError

    def constructor(self, made: Any, body: list[Any]) -> list[Any]:
        """Return the constructor, of its translation and the statements of that; none if it is not needed."""
        raise NotImplementedError

    def method(self, made: Any) -> Any:
        """Return a method, of its translation with variables for attributes."""
        return self.with_attributes(made, {})

    def with_attributes(self, made: Any, local: dict[str, str]) -> Any:
        """Return a method with attributes of self for variables, but for those that are `local` ones."""
        node = made.visit(AsAttributes(self.called, local))
        given = [p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in node.params.params]
        return node.with_changes(params=node.params.with_changes(params=[cst.Param(cst.Name("self")), *given]))

    def _weight(self, node: cst.Call) -> Typed | None:
        """Return what makes a weight, or changes it."""
        key = node.func.value if isinstance(node.func, cst.Name) else ""
        if weight := self.layer.made.get(key):
            return self.made(weight), Abstract(Sort.TENSOR, "float")
        if weight := self.layer.changed.get(key):
            return self.changed(weight), STATIC
        return None

    def _init(self) -> list[Any]:
        params = self.layer.parameters
        lines: Any = self.layer.body or [cst.SimpleStatementLine([cst.Pass()])]
        node = cst.FunctionDef(cst.Name("__init__"), params, cst.IndentedBlock(lines))
        known: dict[str, Abstract] = {}
        made, _ = function(node, self.of, given=[STATIC] * len(params.params), keep=known)
        self.of.scope.update({n: kind for n, kind in known.items() if n.startswith(OBJECT)})
        made = self.with_attributes(made, {})
        return self.constructor(made, [s for s in made.body.body if source(s) != "pass"])

    def _method(self, title: str, node: cst.FunctionDef) -> Any:
        weights = self.layer.weights
        self.of.scope.update({f"{OBJECT}{w}": Abstract(Sort.TENSOR, "float", f"{OBJECT}{w}") for w in weights})
        tensors = [Abstract(Sort.TENSOR, "float", p.name.value) for p in node.params.params if p.default is None]
        made, kind = function(node, self.of, given=tensors if title == self.layer.call else ())
        self.of.scope[f"{OBJECT}{title}"] = Abstract(Sort.FUNCTION, items=(kind if kind.tensor else UNKNOWN,))
        return self.method(made).with_changes(name=cst.Name(self.called.get(title, title)))


def statement(text: str) -> Any:
    """Return a statement."""
    return cst.parse_statement(text)


def _apart(node: Any) -> Any:
    """Put an empty line above a statement."""
    return node.with_changes(leading_lines=[cst.EmptyLine(indent=False), *node.leading_lines])
