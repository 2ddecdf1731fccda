"""Reads a layer of Keras, or a ``tf.Module``: its weights with how they begin, its constructor, its call."""

from dataclasses import replace
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate import naming
from porting.translate.code import Expression, is_none, literal, names_in, renamed, same, source
from porting.translate.layer import MODE, OBJECT, Initial, Layer, Weight
from porting.translate.names import Names
from porting.translate.read import tf as read_tf
from porting.translate.read.any_layer import Reader, assigned, ensure_drawn_are_trained, ensure_no_integers, in_any_case
from porting.translate.read.docstrings import docstring_of, of_both
from porting.translate.read.initial_tf import of_initializer
from porting.translate.read.objects import path_of
from porting.translate.read.own_attributes import attributes_in, free
from porting.translate.read.signatures import body_of, parameters_of
from porting.translate.refusal import Refusal

_LAYERS: Final = ("tf.keras.layers.Layer", "keras.layers.Layer", "keras.Layer", "tf.keras.Layer")
_PATHS: Final = (*_LAYERS, "tf.Module")
_VARIABLES: Final = ("tf.Variable", "tf.compat.v1.Variable")
_WEIGHTS: Final = (["add_weight"], ["add_variable"])
_OF_KERAS: Final = ("initializers.get", "regularizers.get", "constraints.get")  # what only Keras asks of a layer
_WIDTH, _LENGTH, _AXES = "in_features", "length_", 8  # arguments for lengths of the input


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
        self.notes: list[str] = []
        self.dropped = {"name"}  # arguments that only Keras asks for

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
            lines = [_with_lengths(s, build) for s in body_of(build)]
            used = {n for line in lines for n in names_in(line)}
            lengths = [n for n in (_WIDTH, *(f"{_LENGTH}{k}" for k in range(_AXES))) if n in used]
            new = [cst.Param(cst.Name(title)) for title in lengths]
            parameters = parameters.with_changes(params=[*new, *parameters.params])
            body += self.block(lines)
        methods = self.with_called(self.call)
        used = {n for line in body for n in names_in(line)}
        given = [p for p in parameters.params if p.name.value not in self.dropped - used]
        ensure_drawn_are_trained([*self.made.values(), *self.changed.values()])
        return Layer(
            title, of_both(docstring_of(self.node)), parameters.with_changes(params=given), body,
            self.made, self.changed, methods, self.call, self.none & {w.name for w in self.made.values()},
            list(self.node.leading_lines), notes=self.notes, lifted=self.lifted,
        )  # fmt: skip

    def is_context(self, item: cst.WithItem) -> bool:
        path = self.names.path(item.item.func if isinstance(item.item, cst.Call) else item.item)
        return path.rpartition(".")[2] in {"name_scope", "variable_scope", "init_scope", "device"}

    def makes_weight(self, node: cst.Call) -> bool:
        return path_of(node.func, self.title) in _WEIGHTS or self.names.path(node.func) in _VARIABLES

    def attribute(self, attribute: str, value: Expression) -> list[Any] | None:
        if attribute == "built":
            return []
        if isinstance(value, cst.Call) and self.names.path(value.func).endswith(_OF_KERAS):
            self.dropped |= names_in(value)
            return []
        if not isinstance(value, cst.Call) or not self.makes_weight(value):
            return None
        if "." in attribute:
            raise Refusal(f"self.{attribute}: a weight of another layer", value)
        if self.names.path(value.func) in _VARIABLES:
            return self._variable(attribute, value)
        given = _given(value)
        ensure_no_integers(value)
        trainable = in_any_case(given.get("trainable"))
        shape = given.get("shape", cst.Tuple([]))
        initial = of_initializer(self._chosen(attribute, given.get("initializer")), self.names)
        return [self.weight(Weight(attribute, shape, initial, trainable))]

    def _chosen(self, attribute: str, initializer: Expression | None) -> Expression | None:
        """Return an initializer, of one that an argument of the constructor chooses its default."""
        init = self.methods.get("__init__")
        if initializer is None or init is None:
            return initializer
        found: Any = initializer
        if len(path := path_of(found, self.title)) == 1:
            every = [assigned(cst.ensure_type(a, cst.Assign)) for a in m.findall(init, m.Assign())]
            found = next((value for target, value in every if path_of(target, self.title) == path), found)
        if isinstance(found, cst.Call) and self.names.path(found.func).endswith("initializers.get") and found.args:
            found = found.args[0].value
        chosen = {p.name.value: p.default for p in parameters_of(init)}.get(source(found))
        if chosen is None:
            return initializer
        self.notes.append(f"{attribute} begins as {source(chosen)} says: the source lets its caller choose.")
        return None if is_none(chosen) else chosen

    def _variable(self, attribute: str, call: cst.Call) -> list[Any]:
        given = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
        value = given.get("initial_value", call.args[0].value)
        ensure_no_integers(call)
        trainable = in_any_case(given.get("trainable"))
        if literal(value) is not None or isinstance(value, cst.Name):
            return [self.weight(Weight(attribute, None, Initial("value", (value,)), trainable))]
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
        if path[1:] == ["assign"] and node.args and isinstance(node.args[0].value, cst.Call):
            return self._changed(path[0], node.args[0].value)
        return None

    def _changed(self, attribute: str, drawn: cst.Call) -> list[Any]:
        """Return the change of a weight to what an initializer draws, ``self.w.assign(Constant(1)(shape, dtype))``."""
        mine = [weight for weight in self.made.values() if weight.name == attribute]
        if not mine:
            raise Refusal(f"self.{attribute}.assign: no weight of this layer", drawn)
        _, initial = self.begins(None, of_initializer(drawn.func, self.names))
        key = f"_initial_{len(self.changed)}"
        self.changed[key] = replace(mine[-1], initial=initial)
        return [cst.Expr(cst.Call(cst.Name(key)))]

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
        title = self.names.fresh([f"{naming.called(self.node.name.value)}_{base}"])
        bare: Any = {"comma": cst.MaybeSentinel.DEFAULT, "default": None, "equal": cst.MaybeSentinel.DEFAULT}
        plain = [p.with_changes(**bare) for p in params]
        self.lifted[title] = node.with_changes(
            name=cst.Name(title), params=node.params.with_changes(params=plain), body=body
        )
        arguments = [cst.Arg(cst.Name(n)) for n in (*own, *(f"{OBJECT}{attribute}" for attribute in reads))]
        call = cst.SimpleStatementLine([cst.Return(cst.Call(cst.Name(title), arguments))])
        return node.with_changes(decorators=[], body=cst.IndentedBlock([call]))


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


def _replaced(node: Any, length: Expression, new: cst.Name) -> Any:
    """Return code with a name for ``input_shape[1]``, for its ``.value``, and for ``int`` of either."""
    made = m.Name(new.value)

    class Visitor(cst.CSTTransformer):
        def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> Expression:  # noqa: ARG002 - libcst's name
            return new if same(updated_node, length) else updated_node

        def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> Expression:  # noqa: ARG002
            return new if m.matches(updated_node, m.Attribute(made, m.Name("value"))) else updated_node

        def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> Expression:  # noqa: ARG002
            return new if m.matches(updated_node, m.Call(m.Name("int"), [m.Arg(made)])) else updated_node

    return node.visit(Visitor())


def _with_lengths(statement: Any, build: cst.FunctionDef) -> Any:
    """Return a statement of ``build`` with arguments for the lengths of the input's shape."""
    _, given = parameters_of(build)[:2]
    shape = given.name.value
    if m.matches(statement, m.SimpleStatementLine([m.Expr(m.Call(m.Attribute(attr=m.Name("build"))))])):
        return statement  # of its base
    made: Any = statement
    for index, title in (("-1", _WIDTH), *((str(k), f"{_LENGTH}{k}") for k in range(_AXES))):
        length = cst.parse_expression(f"{shape}[{index}]")
        made = _replaced(made, length, cst.Name(title))
    if shape in names_in(made):
        raise Refusal(f"build: uses more of {shape} than its lengths: {source(made)[:60]}", statement)
    return made
