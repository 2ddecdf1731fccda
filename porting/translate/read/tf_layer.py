"""Reads a layer of Keras, or a ``tf.Module``: its weights with how they begin, its constructor, its call."""

from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, literal, names_in, renamed, source
from porting.translate.layer import MODE, OBJECT, Initial, Layer, Weight
from porting.translate.names import Names
from porting.translate.read import tf as read_tf
from porting.translate.read.any_layer import Reader
from porting.translate.read.docstrings import of_both
from porting.translate.read.initial_tf import of_initializer
from porting.translate.read.objects import path_of
from porting.translate.read.own_attributes import attributes_in, free
from porting.translate.read.signatures import body_of, parameters_of
from porting.translate.refusal import Refusal

_LAYERS: Final = ("tf.keras.layers.Layer", "keras.layers.Layer", "keras.Layer", "tf.keras.Layer")
_PATHS: Final = (*_LAYERS, "tf.Module")
_VARIABLES: Final = ("tf.Variable", "tf.compat.v1.Variable")
_WEIGHTS: Final = (["add_weight"], ["add_variable"])
_WIDTH: Final = "in_features"


def is_layer(node: cst.CSTNode, names: Names) -> bool:
    """Whether a class is a layer or a module."""
    return isinstance(node, cst.ClassDef) and any(names.path(base.value) in _PATHS for base in node.bases)


def read(node: cst.ClassDef, names: Names) -> Layer:
    """Read a class.

    Raises
    ------
    Refusal
        If it does what the intermediate representation has no place for.
    """
    call = "call" if any(names.path(base.value) in _LAYERS for base in node.bases) else "__call__"
    return _Reader(node, names, call).read()


class _Reader(Reader):
    def __init__(self, node: cst.ClassDef, names: Names, call: str) -> None:
        super().__init__(node, names, call)
        self.lifted: dict[str, cst.FunctionDef] = {}

    def read(self) -> Layer:
        title = self.node.name.value
        if self.call not in self.methods:
            raise Refusal(f"{title}: a layer that has no {self.call} of its own", self.node)
        if len(self.node.bases) > 1:
            raise Refusal(f"{title}: a layer with several bases", self.node)
        init, build = self.methods.get("__init__"), self.methods.get("build")
        parameters = _without_stars(self.own(init)) if init else cst.Parameters()
        body = self.block(body_of(init)) if init else []
        if build is not None:
            self.own(build)
            lines = [_with_width(s, build) for s in body_of(build)]
            if any(_WIDTH in names_in(line) for line in lines):
                width = cst.Param(cst.Name(_WIDTH))
                parameters = parameters.with_changes(params=[width, *parameters.params])
            body += self.block(lines)
        methods = self.with_called(self.call)
        used = {n for line in body for n in names_in(line)}
        given = [p for p in parameters.params if p.name.value != "name" or "name" in used]
        return Layer(
            title, of_both(self.node.get_docstring(clean=False) or ""), parameters.with_changes(params=given), body,
            self.made, self.changed, methods, self.call, self.none & {w.name for w in self.made.values()},
            list(self.node.leading_lines), lifted=self.lifted,
        )  # fmt: skip

    def is_context(self, item: cst.WithItem) -> bool:
        path = self.names.path(item.item.func if isinstance(item.item, cst.Call) else item.item)
        return path.rpartition(".")[2] in {"name_scope", "variable_scope", "init_scope", "device"}

    def makes_weight(self, node: cst.Call) -> bool:
        return path_of(node.func, self.title) in _WEIGHTS or self.names.path(node.func) in _VARIABLES

    def attribute(self, attribute: str, value: Expression) -> list[Any] | None:
        if attribute == "built":
            return []
        if not isinstance(value, cst.Call) or not self.makes_weight(value):
            return None
        if "." in attribute:
            raise Refusal(f"self.{attribute}: a weight of another layer", value)
        if self.names.path(value.func) in _VARIABLES:
            return self._variable(attribute, value)
        given = _given(value)
        trainable = literal(given["trainable"]) is not False if "trainable" in given else True
        shape = given.get("shape", cst.Tuple([]))
        initial = of_initializer(given.get("initializer"), self.names)
        return [self.weight(Weight(attribute, shape, initial, trainable))]

    def _variable(self, attribute: str, call: cst.Call) -> list[Any]:
        given = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
        value = given.get("initial_value", call.args[0].value)
        trainable = literal(given["trainable"]) is not False if "trainable" in given else True
        local = cst.Name(free(f"{attribute}_0", {*names_in(self.node), *self.names.defined}))
        before = cst.Assign([cst.AssignTarget(local)], self.as_variables(value))
        return [before, self.weight(Weight(attribute, None, Initial("value", (local,)), trainable))]

    def alone(self, node: cst.Call) -> list[Any] | None:
        path = path_of(node.func, self.title)
        if m.matches(node.func, m.Attribute(m.Call(m.Name("super")), m.Name("__init__") | m.Name("build"))):
            return []
        if m.matches(node.func, m.Attribute(attr=m.Name("__init__"))) and self.names.path(node.func):
            return []
        if len(path) == 1 and path[0] in self.methods:
            return self.block(self.inlined(self.methods[path[0]], node))
        return None

    # --- what is called ---

    def written_as(self, node: cst.FunctionDef) -> cst.FunctionDef:
        called = node.name.value == self.call
        params, body = node.params, node.body
        if called and any(p.name.value == MODE for p in parameters_of(node)):  # PyTorch knows it of the module
            params = params.with_changes(params=[p for p in params.params if p.name.value != MODE])
            body = renamed(body, {MODE: cst.Name(f"{OBJECT}{MODE}")})
        used = names_in(body)
        params = params.with_changes(
            params=[p for p in params.params if p.name.value != "mask" or "mask" in used], star_kwarg=None
        )
        made = node.with_changes(params=params, body=self.as_variables(body))
        return self._apart(made) if read_tf.is_unit(made, self.names) else made

    def _apart(self, node: cst.FunctionDef) -> cst.FunctionDef:
        """Return a method that calls a function of the module with the attributes that it reads: it has a gradient."""
        reads = attributes_in(node.body)
        if methods := [title for title in reads if title in self.methods]:
            raise Refusal(f"self.{methods[0]}: is called within a custom gradient", node)
        own = [p.name.value for p in parameters_of(node)]
        taken = {*names_in(node), *own, *self.names.imported}
        called = {title: title if title not in taken else free(f"{title}_of_self", taken) for title in reads}
        params = [*node.params.params, *(cst.Param(cst.Name(title)) for title in called.values())]
        body = renamed(node.body, {f"{OBJECT}{title}": cst.Name(new) for title, new in called.items()})
        base = node.name.value.strip("_")
        title = self.names.fresh([f"{_in_words(self.node.name.value)}_{base}"])
        bare: Any = {"comma": cst.MaybeSentinel.DEFAULT, "default": None, "equal": cst.MaybeSentinel.DEFAULT}
        plain = [p.with_changes(**bare) for p in params]
        self.lifted[title] = node.with_changes(
            name=cst.Name(title), params=node.params.with_changes(params=plain), body=body
        )
        arguments = [cst.Arg(cst.Name(n)) for n in (*own, *(f"{OBJECT}{attribute}" for attribute in reads))]
        call = cst.SimpleStatementLine([cst.Return(cst.Call(cst.Name(title), arguments))])
        return node.with_changes(decorators=[], body=cst.IndentedBlock([call]))


def _in_words(title: str) -> str:
    """Return ``grad_reverse`` for ``GradReverse``."""
    return "".join(f"_{c.lower()}" if c.isupper() and k else c.lower() for k, c in enumerate(title))


def _given(call: cst.Call) -> dict[str, Expression]:
    """Return what ``add_weight`` is given by name; until Keras 3 a name came first, then a shape came so."""
    order = ("name", "shape", "dtype", "initializer") if _is_named_first(call) else ("shape", "initializer", "dtype")
    by_place = {order[n]: a.value for n, a in enumerate(call.args) if a.keyword is None and n < len(order)}
    return by_place | {a.keyword.value: a.value for a in call.args if a.keyword is not None}


def _is_named_first(call: cst.Call) -> bool:
    first = call.args[0] if call.args else None
    return first is not None and first.keyword is None and isinstance(literal(first.value), str)


def _without_stars(parameters: cst.Parameters) -> cst.Parameters:
    """Return a constructor's signature without ``**kwargs``, which go to Keras."""
    own = [p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in parameters.params]
    return parameters.with_changes(params=own, star_kwarg=None)


def _with_width(statement: Any, build: cst.FunctionDef) -> Any:
    """Return a statement of ``build`` with an argument for the last length of the input's shape."""
    _, given = parameters_of(build)[:2]
    shape = given.name.value
    last = m.Subscript(m.Name(shape), [m.SubscriptElement(m.Index(m.UnaryOperation(m.Minus(), m.Integer("1"))))])
    whole = last | m.Attribute(last, m.Name("value"))
    made: Any = m.replace(statement, m.Call(m.Name("int"), [m.Arg(whole)]), cst.Name(_WIDTH))
    made = m.replace(m.replace(made, whole, cst.Name(_WIDTH)), last, cst.Name(_WIDTH))
    if m.matches(made, m.SimpleStatementLine([m.Expr(m.Call(m.Attribute(attr=m.Name("build"))))])):
        return made  # of its base
    if shape in names_in(made):
        raise Refusal(f"build: uses more of {shape} than its last length: {source(made)[:60]}", statement)
    return made
