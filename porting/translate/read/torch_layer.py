"""Reads a module of PyTorch: its parameters with how they begin, its constructor, its forward."""

from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import written
from porting.translate.code import TIGHT, Expression, is_none, literal, names_in, source
from porting.translate.layer import MODE, OBJECT, Initial, Layer, Weight
from porting.translate.names import Names
from porting.translate.read.any_layer import Reader, ensure_drawn_are_trained, ensure_no_integers, in_any_case
from porting.translate.read.docstrings import docstring_of, of_both
from porting.translate.read.initial_torch import INIT, of_function, of_method, of_tensor
from porting.translate.read.objects import path_of
from porting.translate.read.optional_bias import with_bias_if_given
from porting.translate.read.own_attributes import free
from porting.translate.read.signatures import body_of, parameters_of
from porting.translate.read.torch import is_function
from porting.translate.read.torch_bases import BASES, called, constructed, method, with_torch, without_stars
from porting.translate.refusal import Refusal

_PATHS: Final = ("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module")
_PARAMETERS: Final = ("torch.nn.Parameter", "torch.nn.parameter.Parameter")
_QUIET: Final = ("torch.no_grad", "torch.autograd.no_grad")
_ALIAS: Final = m.Attribute(m.Name() | m.Attribute(), m.Name("apply"))


def is_layer(node: cst.CSTNode, names: Names) -> bool:
    """Whether a class is a module."""
    return isinstance(node, cst.ClassDef) and any(names.path(base.value) in {*_PATHS, *BASES} for base in node.bases)


def read(node: cst.ClassDef, names: Names) -> Layer:
    """Read a class.

    Raises
    ------
    Refusal
        If it does what the intermediate representation has no place for.
    """
    return _Reader(node, names).read()


class _Reader(Reader):
    def __init__(self, node: cst.ClassDef, names: Names) -> None:
        super().__init__(node, names, "forward")
        self.handed: list[cst.Param] = []  # arguments that go on to the base
        self.base = next((BASES[path] for path in (names.path(b.value) for b in node.bases) if path in BASES), "")
        if self.base:
            with_torch(names)
            self.methods = {title: method(self.base, title) for title in ("forward", "__init__")} | self.methods

    def read(self) -> Layer:
        title = self.node.name.value
        if "forward" not in self.methods:
            raise Refusal(f"{title}: a module that has no forward of its own", self.node)
        if len(self.node.bases) > 1:
            raise Refusal(f"{title}: a module with several bases", self.node)
        init = self.methods.get("__init__")
        parameters = self.own(init) if init else cst.Parameters()
        body = self.block(body_of(init)) if init else []
        if self.handed:
            parameters = without_stars(parameters, self.handed)
        methods = self.with_called("forward")
        ensure_drawn_are_trained([*self.made.values(), *self.changed.values()])
        return Layer(
            title, of_both(docstring_of(self.node)), parameters, body, self.made, self.changed,
            methods, "forward", self.none & {w.name for w in self.made.values()}, list(self.node.leading_lines),
        )  # fmt: skip

    def is_context(self, item: cst.WithItem) -> bool:
        return self.names.path(item.item.func if isinstance(item.item, cst.Call) else item.item) in _QUIET

    def makes_weight(self, node: cst.Call) -> bool:
        return self.names.path(node.func) in _PARAMETERS

    def attribute(self, attribute: str, value: Expression) -> list[Any] | None:
        if m.matches(value, _ALIAS) and is_function(self._defined(value), self.names):
            if len(m.findall(self.node, m.AssignTarget(m.Attribute(m.Name(self.title), m.Name(attribute))))) > 1:
                raise Refusal(f"self.{attribute}: one function here and another one there", value)
            self.aliases[attribute] = value
            return []
        if isinstance(value, cst.Call) and self.makes_weight(value):
            said = [a.value for a in value.args if a.keyword is not None and a.keyword.value == "requires_grad"]
            return self._weight(attribute, value.args[0].value, trainable=in_any_case(said[0] if said else None))
        return None

    def _defined(self, value: Any) -> cst.CSTNode:
        """Return the class of ``Round.apply``, or what was asked for."""
        found: cst.CSTNode = self.names.defined.get(source(value.value), value)
        return found

    def _weight(self, attribute: str, value: Expression, *, trainable: Expression | None) -> list[Any]:
        if "." in attribute:
            raise Refusal(f"self.{attribute}: a parameter of another module", value)
        ensure_no_integers(value)
        before: list[Any] = []
        shape, initial = of_tensor(value, self.names)
        if shape is None and not isinstance(value, cst.Name):
            local = cst.Name(free(f"{attribute}_0", {*names_in(self.node), *self.names.defined}))
            before = [cst.Assign([cst.AssignTarget(local)], self.as_variables(value))]
            initial = Initial("value", (local,))
        return [*before, self.weight(Weight(attribute, shape, initial, trainable))]

    def alone(self, node: cst.Call) -> list[Any] | None:
        path = path_of(node.func, self.title)
        if _is_of_super(node, self.names):
            return self._of_base(node)
        if path in (["register_buffer"], ["register_parameter"]) and len(node.args) > 1:
            return self._registered(node, trainable=path == ["register_parameter"])
        if len(path) == 1 and path[0] in self.methods:
            return self.block(self.inlined(self.methods[path[0]], node))
        return self._initialised(node)

    def _registered(self, node: cst.Call, *, trainable: bool) -> list[Any]:
        title, value = literal(node.args[0].value), node.args[1].value
        if not isinstance(title, str):
            raise Refusal(f"{source(node)[:60]}: its name is not seen here", node)
        if is_none(value):
            self.none.add(title)
            return [cst.Assign([cst.AssignTarget(cst.Name(f"{OBJECT}{title}"))], cst.Name("None"))]
        if trainable and isinstance(value, cst.Call) and self.makes_weight(value):
            value = value.args[0].value
        return self._weight(title, value, trainable=None if trainable else cst.Name("False"))

    def _of_base(self, node: cst.Call) -> list[Any]:
        """Return what the constructor of its base does."""
        if not self.base:
            return []
        statements, self.handed = constructed(self.base, node, self.title)
        return self.block(statements)

    def _initialised(self, node: cst.Call) -> list[Any] | None:
        """Return what an initialisation becomes: of the numbers of a new weight, or a change of one."""
        function = self.names.path(node.func)
        if function.startswith(INIT) and node.args:
            attribute, rest = self._weight_of(node.args[0].value), node.args[1:]
            if attribute is None:
                return None
            return self._changed(attribute, of_function(function.removeprefix(INIT), rest))
        if isinstance(node.func, cst.Attribute) and node.func.attr.value.endswith("_") and not function:
            attribute = self._weight_of(node.func.value)
            initial = of_method(node.func.attr.value, node.args) if attribute else None
            if attribute is not None and initial is None:
                raise Refusal(f"{source(node)[:60]}: an initialisation that has no rule", node)
            return self._changed(attribute, initial) if attribute is not None and initial else None
        return None

    def _weight_of(self, node: Expression) -> str | None:
        """Return the weight that ``self.w`` and ``self.w.data`` name."""
        path = path_of(node, self.title)
        path = path[:-1] if path[-1:] == ["data"] else path
        known = {weight.name for weight in self.made.values()}
        return path[0] if len(path) == 1 and path[0] in known else None

    def _changed(self, attribute: str, initial: Initial) -> list[Any]:
        """Return the change of a weight; where it is made of what is given alone, and once, it begins so."""
        mine = [key for key, weight in self.made.items() if weight.name == attribute]
        _, initial = self.begins(None, initial)
        first = self.made[mine[-1]]
        own = {n for value in initial.given for n in names_in(value)} - {*self.names.imported, *self.names.defined}
        init = self.methods["__init__"]
        plain = own <= {p.name.value for p in parameters_of(init)} - written(init.body)
        earlier = any(weight.name == attribute for weight in self.changed.values())
        begun = Weight(attribute, first.shape, initial, first.trainable)
        if len(mine) == 1 and plain and first.shape is not None and not earlier and self._is_always(mine[0]):
            self.made[mine[0]] = begun
            return []
        key = f"_initial_{len(self.changed)}"
        self.changed[key] = begun
        return [cst.Expr(cst.Call(cst.Name(key)))]

    def _is_always(self, key: str) -> bool:
        """Whether an initialisation runs wherever its weight is made: in no case of its own."""
        where, name = self.where[key], self.made[key].name
        asked = [case.removesuffix(" is not None").rpartition(".")[2] for case in self.cases[len(where) :]]
        return self.cases[: len(where)] == where and all(one == name for one in asked)

    # --- what is called ---

    def with_base(self, node: cst.FunctionDef) -> cst.FunctionDef:
        made: Any = node.body.visit(_OfBase(self.base, self.title)) if self.base else node.body
        return node.with_changes(body=made)

    def written_as(self, node: cst.FunctionDef) -> cst.FunctionDef:
        forward, params = node.name.value == "forward", node.params
        body = self.as_variables(node.body, {MODE: cst.Name(MODE)} if forward else {})
        if forward and m.findall(node.body, m.Attribute(m.Name(self.title), m.Name(MODE))):
            mode = cst.Param(cst.Name(MODE), default=cst.Name("False"), equal=TIGHT)
            params = params.with_changes(params=[*params.params, mode])
        optional = {f"{OBJECT}{title}" for title in self.none}
        block = body.with_changes(body=with_bias_if_given(body.body, optional, self.names))
        return node.with_changes(params=params, body=block)


class _OfBase(cst.CSTTransformer):
    """Puts what a base computes in the place of ``super().forward(x)``."""

    def __init__(self, base: str, title: str) -> None:
        self._base = base
        self._title = title

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> Expression:  # noqa: ARG002 - libcst's name
        if m.matches(updated_node.func, m.Attribute(m.Call(m.Name("super")), m.Name("forward"))):
            return called(self._base, updated_node, self._title)
        return updated_node


def _is_of_super(node: cst.Call, names: Names) -> bool:
    """Whether this is ``super().__init__()``, or what it was called before Python 3."""
    if not m.matches(node.func, m.Attribute(attr=m.Name("__init__"))):
        return False
    owner = cst.ensure_type(node.func, cst.Attribute).value
    return m.matches(owner, m.Call(m.Name("super"))) or names.path(owner) in {*_PATHS, *BASES}
