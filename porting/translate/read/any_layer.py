"""Reads what modules of PyTorch and layers of Keras have in common: a constructor, and methods that call each other."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import written
from porting.translate.code import Expression, is_none, literal, renamed, source
from porting.translate.layer import MODE, OBJECT, Initial, Statement, Weight
from porting.translate.names import Names
from porting.translate.read.objects import Unchanged, path_of
from porting.translate.read.own_attributes import AsVariables, attributes_in
from porting.translate.read.signatures import body_of, parameters_of
from porting.translate.refusal import Refusal

_DRAWN: Final = {"normal", "uniform", "truncated", "fans", "orthogonal"}
_OF_OBJECT: Final = m.AssignTarget(m.Attribute(m.Name("self")))
_WHOLE: Final = re.compile(r"dtype=['\"]?[\w.]*(int|long|bool)|\.(int|long|bool)\(\)|\.arange\(|\.(Long|Int)Tensor\(")
_OF_MODE: Final = "self.training: is read outside of its forward, where a layer of Keras does not know it"


class Reader:
    """Reads a class; a subclass knows what a framework makes weights with.

    Parameters
    ----------
    node : libcst.ClassDef
        The class.
    names : Names
        Of the module.
    call : str
        The method that is called.
    """

    def __init__(self, node: cst.ClassDef, names: Names, call: str) -> None:
        self.node = node
        self.names = names
        self.call = call
        self.methods = {s.name.value: s for s in node.body.body if isinstance(s, cst.FunctionDef)}
        self.made: dict[str, Weight] = {}
        self.changed: dict[str, Weight] = {}
        self.aliases: dict[str, Expression] = {}
        self.none: set[str] = set()
        self.title = "self"
        self.cases: list[str] = []  # the questions around a statement of the constructor
        self.where: dict[str, list[str]] = {}  # those around each weight that is made

    def own(self, method: cst.FunctionDef) -> cst.Parameters:
        """Take a method's own object out of its signature."""
        first, *others = method.params.params
        self.title = first.name.value
        return method.params.with_changes(params=others)

    # --- the constructor ---

    def block(self, body: Sequence[Any]) -> list[Statement]:
        """Read statements of a constructor."""
        return [made for statement in body for made in self._statement(statement)]

    def _statement(self, statement: Any) -> list[Statement]:
        if isinstance(statement, cst.If):
            return [self._if(statement)]
        if isinstance(statement, cst.With) and all(map(self.is_context, statement.items)):
            return self.block(statement.body.body)
        if not isinstance(statement, cst.SimpleStatementLine):
            if found := self._weights_in(statement):
                raise Refusal("a weight that is made in a loop, or within a function", found[0])
            return [self.as_variables(statement)]
        every = [part for small in statement.body for part in self._line(small)]
        whole = [part if isinstance(part, cst.BaseStatement) else cst.SimpleStatementLine([part]) for part in every]
        if whole:
            whole[0] = whole[0].with_changes(leading_lines=statement.leading_lines)
        return whole

    def _if(self, statement: cst.If) -> cst.If:
        self.cases.append(source(statement.test))
        inner = statement.with_changes(body=self._indented(statement.body))
        self.cases[-1] = f"not ({self.cases[-1]})"
        if isinstance(statement.orelse, cst.If):
            inner = inner.with_changes(orelse=self._if(statement.orelse))
        elif statement.orelse is not None:
            inner = inner.with_changes(orelse=cst.Else(self._indented(statement.orelse.body)))
        self.cases.pop()
        return inner.with_changes(test=self.as_variables(statement.test))

    def _indented(self, block: Any) -> cst.IndentedBlock:
        body = block.body if isinstance(block, cst.IndentedBlock) else [cst.SimpleStatementLine(list(block.body))]
        return cst.IndentedBlock(self.block(body) or [cst.SimpleStatementLine([cst.Pass()])])

    def _line(self, small: Any) -> list[Any]:
        """Return what a small statement becomes: small statements, or whole ones."""
        if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
            found = self.alone(small.value)
            if found is not None:
                return found
        target, value = assigned(small)
        attribute = ".".join(path_of(target, self.title)) if target is not None else ""
        if isinstance(value, cst.IfExp) and self._weights_in(value):
            return self._statement(_in_cases(small, value))
        if attribute and value is not None:
            self.none |= {attribute} if is_none(value) else set()
            found = self.attribute(attribute, value)
            if found is not None:
                return found
        if found := self._weights_in(small):
            raise Refusal("a weight that is made within an expression", found[0])
        return [self.as_variables(small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT))]

    def _weights_in(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """Return the calls in code that make weights."""
        return [call for call in m.findall(node, m.Call()) if self.makes_weight(cst.ensure_type(call, cst.Call))]

    def attribute(self, attribute: str, value: Expression) -> list[Any] | None:
        """Return what ``self.k = ...`` becomes, if it is more than a value."""
        raise NotImplementedError

    def alone(self, node: cst.Call) -> list[Any] | None:
        """Return what a call becomes that stands alone, if it is one of those that a constructor has."""
        raise NotImplementedError

    def makes_weight(self, node: cst.Call) -> bool:
        """Whether a call makes a weight."""
        raise NotImplementedError

    def is_context(self, item: cst.WithItem) -> bool:
        """Whether a context changes nothing of a constructor."""
        raise NotImplementedError

    def weight(self, weight: Weight) -> cst.Assign:
        """Enter a weight, and return the statement that makes it."""
        key = f"_weight_{len(self.made)}"
        shape, initial = self.begins(weight.shape, weight.initial)
        trainable = None if weight.trainable is None else self.as_variables(weight.trainable)
        self.made[key] = Weight(weight.name, shape, initial, trainable)
        self.where[key] = list(self.cases)
        return cst.Assign([cst.AssignTarget(cst.Name(f"{OBJECT}{weight.name}"))], cst.Call(cst.Name(key)))

    def begins(self, shape: Expression | None, initial: Initial) -> tuple[Expression | None, Initial]:
        """Return how a weight begins, with variables for attributes."""
        given = tuple(self.as_variables(value) for value in initial.given)
        made = Initial(initial.kind, given, initial.fan, initial.distribution)
        return (None if shape is None else self.as_variables(shape)), made

    def inlined(self, node: cst.FunctionDef, call: cst.Call) -> list[Any]:
        """Return the statements of a method that the constructor calls."""
        _, *given = [p.name.value for p in parameters_of(node)]
        around = self.methods["__init__"]
        taken = written(around.body) | {p.name.value for p in parameters_of(around)}
        plain = len(call.args) == len(given) and not any(a.star or a.keyword for a in call.args)
        if m.findall(node, m.Return()) or not plain or written(node.body) & {*given, *taken}:
            raise Refusal(f"{source(call)[:60]}: a method of its constructor that does more", call)
        bound = {title: a.value for title, a in zip(given, call.args, strict=True)}
        block = node.with_changes(body=cst.IndentedBlock(body_of(node)))
        return with_arguments(block, bound, self.title)

    # --- what is called ---

    def with_called(self, title: str) -> dict[str, cst.FunctionDef]:
        """Return a method and those that it calls, each before its callers."""
        found: dict[str, cst.FunctionDef] = {}
        open_: list[str] = []

        def add(name: str) -> None:
            if name in found:
                return
            if name in open_:
                raise Refusal(f"self.{name}: calls itself", self.methods[name])
            open_.append(name)
            made = self.method(self.methods[name])
            for other in attributes_in(made.body):
                if other in self.methods:
                    add(other)
            found[name] = made
            open_.remove(name)

        add(title)
        return found

    def method(self, node: cst.FunctionDef) -> cst.FunctionDef:
        """Read a method."""
        if any(m.matches(d.decorator, m.Name("property")) for d in node.decorators):
            raise Refusal(f"self.{node.name.value}: a property", node)
        if not node.params.params:
            raise Refusal(f"{node.name.value}: is not called on its object", node)
        params = self.own(node)
        Unchanged(node.body, {self.title})
        node = self.with_base(node)
        for call in m.findall(node, m.Call(func=m.Name("super"))):
            raise Refusal(f"{source(call)}: what its base does is not seen here", call)
        return self.written_as(node.with_changes(params=params))

    def with_base(self, node: cst.FunctionDef) -> cst.FunctionDef:
        """Return a method with what it calls of its base put in, if that is known."""
        return node

    def written_as(self, node: cst.FunctionDef) -> cst.FunctionDef:
        """Return a method, whose object is no parameter any more, with variables for attributes."""
        return node.with_changes(body=self.as_variables(node.body))

    def as_variables(self, node: Any, more: Mapping[str, Expression] | None = None) -> Any:
        """Return code with variables for attributes; those of the class are names of the module."""
        fixed = {s: cst.Attribute(cst.Name(self.node.name.value), cst.Name(s)) for s in self._constants}
        instead = {**fixed, **self.aliases, **(more or {})}
        return node.visit(AsVariables(self.title, instead, {} if MODE in instead else {MODE: _OF_MODE}))

    @cached_property
    def _constants(self) -> list[str]:
        """Return the attributes of the class, which are not set on the object."""
        set_here = {t.target.attr.value for t in m.findall(self.node, _OF_OBJECT)}  # type: ignore[attr-defined]  # an attribute
        lines = [s for s in self.node.body.body if isinstance(s, cst.SimpleStatementLine)]
        listed = [t.value for line in lines for t, _ in map(assigned, line.body) if isinstance(t, cst.Name)]
        return [title for title in listed if title not in set_here]


def _in_cases(small: Any, value: cst.IfExp) -> cst.If:
    """Return ``w = a if test else b`` as two cases."""
    first, other = (
        cst.IndentedBlock([cst.SimpleStatementLine([small.with_changes(value=part.with_changes(lpar=[], rpar=[]))])])
        for part in (value.body, value.orelse)
    )
    return cst.If(value.test, first, cst.Else(other))


def in_any_case(trainable: Expression | None) -> Expression | None:
    """Return nothing for what is said to be True."""
    return None if literal(trainable) is True else trainable


def ensure_no_integers(value: cst.CSTNode) -> None:
    """Refuse a weight of whole numbers: in a translation each weight is a float.

    Raises
    ------
    Refusal
        If it is one, as far as its code says.
    """
    if _WHOLE.search(source(value)):
        raise Refusal("a weight of whole numbers or truth values", value)


def ensure_drawn_are_trained(weights: Iterable[Weight]) -> None:
    """Refuse a weight that is drawn and has no gradient: it is no input of a proof, and each side would draw its own.

    Raises
    ------
    Refusal
        If there is one.
    """
    for weight in weights:
        if weight.trainable is not None and literal(weight.trainable) is False and weight.initial.kind in _DRAWN:
            raise Refusal(f"self.{weight.name}: is drawn and has no gradient, so that nothing can compare it")


def assigned(small: Any) -> tuple[Any, Expression | None]:
    """Return target and value of an assignment."""
    match small:
        case cst.Assign(targets=[cst.AssignTarget(target=target)]):
            return target, small.value
        case cst.AnnAssign() if small.value is not None:
            return small.target, small.value
    return None, None


def with_arguments(function: cst.FunctionDef, bound: Mapping[str, Any], own: str) -> list[Any]:
    """Return the statements of a method with its arguments put in; its object is called `own`."""
    first = function.params.params[0].name.value
    made = renamed(function.body, {**bound, first: cst.Name(own)})
    return list(made.body)
