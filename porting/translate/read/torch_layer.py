"""Reads a module of PyTorch: its parameters with how they begin, its constructor, its forward."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import written
from porting.translate.code import TIGHT, Expression, is_none, literal, names_in, source
from porting.translate.layer import MODE, OBJECT, Layer, Statement, Weight
from porting.translate.names import Names
from porting.translate.read.docstrings import of_both
from porting.translate.read.initial_torch import Begins, of_function, of_method, of_tensor
from porting.translate.read.objects import Unchanged, path_of
from porting.translate.read.optional_bias import with_bias_if_given
from porting.translate.read.own_attributes import AsVariables, attributes_in, free
from porting.translate.read.signatures import body_of, parameters_of
from porting.translate.read.torch import is_function
from porting.translate.read.torch_bases import BASES, called, constructed, inlined, method, with_torch, without_stars
from porting.translate.refusal import Refusal

_PATHS: Final = ("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module")
_PARAMETERS: Final = ("torch.nn.Parameter", "torch.nn.parameter.Parameter")
_QUIET: Final = ("torch.no_grad", "torch.autograd.no_grad")
_INIT: Final = "torch.nn.init."
_OF_MODE: Final = "self.training: is read outside of its forward, where a layer of Keras does not know it"
_OF_OBJECT: Final = m.AssignTarget(m.Attribute(m.Name("self")))
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


class _Reader:
    def __init__(self, node: cst.ClassDef, names: Names) -> None:
        self.node = node
        self.names = names
        self.methods = {s.name.value: s for s in node.body.body if isinstance(s, cst.FunctionDef)}
        self.made: dict[str, Weight] = {}
        self.changed: dict[str, Weight] = {}
        self.aliases: dict[str, Expression] = {}
        self.none: set[str] = set()
        self.title = "self"
        self.handed: list[cst.Param] = []  # arguments that go on to the base
        self.base = next((BASES[path] for path in (names.path(b.value) for b in node.bases) if path in BASES), "")
        if self.base:
            with_torch(names)
            self.methods = {"forward": method(self.base, "forward"), **self.methods}
            self.methods.setdefault("__init__", method(self.base, "__init__"))

    def read(self) -> Layer:
        title = self.node.name.value
        if "forward" not in self.methods:
            raise Refusal(f"{title}: a module that has no forward of its own", self.node)
        if len(self.node.bases) > 1:
            raise Refusal(f"{title}: a module with several bases", self.node)
        init = self.methods.get("__init__")
        parameters = self._own(init) if init else cst.Parameters()
        body = self._block(body_of(init)) if init else []
        if self.handed:
            parameters = without_stars(parameters, self.handed)
        methods = self._with_called("forward")
        return Layer(
            title, of_both(self.node.get_docstring(clean=False) or ""), parameters, body, self.made, self.changed,
            methods, "forward", self.none & {w.name for w in self.made.values()}, list(self.node.leading_lines),
        )  # fmt: skip

    def _own(self, method: cst.FunctionDef) -> cst.Parameters:
        """Take a method's own object out of its signature."""
        first, *others = method.params.params
        self.title = first.name.value
        return method.params.with_changes(params=others)

    # --- the constructor ---

    def _block(self, body: Sequence[Any]) -> list[Statement]:
        return [made for statement in body for made in self._statement(statement)]

    def _statement(self, statement: Any) -> list[Statement]:
        if isinstance(statement, cst.If):
            inner = statement.with_changes(body=self._indented(statement.body))
            if isinstance(statement.orelse, cst.If):
                inner = inner.with_changes(orelse=self._statement(statement.orelse)[0])
            elif statement.orelse is not None:
                inner = inner.with_changes(orelse=cst.Else(self._indented(statement.orelse.body)))
            return [inner.with_changes(test=self._as_variables(statement.test))]
        if isinstance(statement, cst.With) and all(self._is_quiet(item) for item in statement.items):
            return self._block(statement.body.body)
        if not isinstance(statement, cst.SimpleStatementLine):
            self._refuse_weights(statement)
            return [self._as_variables(statement)]
        lines = [self._line(small) for small in statement.body]
        every = [part for line in lines for part in line]
        whole = [part if isinstance(part, cst.BaseStatement) else cst.SimpleStatementLine([part]) for part in every]
        if whole:
            whole[0] = whole[0].with_changes(leading_lines=statement.leading_lines)
        return whole

    def _indented(self, block: Any) -> cst.IndentedBlock:
        body = block.body if isinstance(block, cst.IndentedBlock) else [cst.SimpleStatementLine(list(block.body))]
        return cst.IndentedBlock(self._block(body) or [cst.SimpleStatementLine([cst.Pass()])])

    def _is_quiet(self, item: cst.WithItem) -> bool:
        return self.names.path(item.item.func if isinstance(item.item, cst.Call) else item.item) in _QUIET

    def _refuse_weights(self, statement: cst.CSTNode) -> None:
        for call in m.findall(statement, m.Call()):
            if self.names.path(cst.ensure_type(call, cst.Call).func) in _PARAMETERS:
                raise Refusal("a parameter that is made in a loop, or within a function", call)

    def _line(self, small: Any) -> list[Any]:
        """Return what a small statement becomes: small statements, or whole ones."""
        if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
            found = self._call(small.value)
            if found is not None:
                return found
        target, value = _assigned(small)
        attribute = ".".join(path_of(target, self.title)) if target is not None else ""
        if attribute and value is not None:
            found = self._attribute(attribute, value)
            if found is not None:
                return found
        return [self._as_variables(small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT))]

    def _attribute(self, attribute: str, value: Expression) -> list[Any] | None:
        """Return what ``self.k = ...`` becomes, if it is more than a value."""
        if is_none(value):
            self.none.add(attribute)
        if m.matches(value, _ALIAS) and is_function(self._defined(value), self.names):
            self.aliases[attribute] = value
            return []
        if isinstance(value, cst.Call) and self.names.path(value.func) in _PARAMETERS:
            frozen = any(
                a.keyword and a.keyword.value == "requires_grad" and literal(a.value) is False for a in value.args
            )
            return self._weight(attribute, value.args[0].value, trainable=not frozen)
        return None

    def _defined(self, value: Any) -> cst.CSTNode:
        """Return the class of ``Round.apply``, or what was asked for."""
        title = source(value.value)
        found: cst.CSTNode = self.names.defined.get(title, value)
        return found

    def _weight(self, attribute: str, value: Expression, *, trainable: bool) -> list[Any]:
        if "." in attribute:
            raise Refusal(f"self.{attribute}: a parameter of another module", value)
        before: list[Any] = []
        shape, initial = of_tensor(value, self.names)
        if shape is None and not isinstance(value, cst.Name):
            taken = {*names_in(self.node), *self.names.defined}
            local = cst.Name(free(f"{attribute}_0", taken))
            before = [cst.Assign([cst.AssignTarget(local)], self._as_variables(value))]
            initial = type(initial)("value", (local,))
        key = f"_weight_{len(self.made)}"
        self.made[key] = Weight(attribute, *self._begins((shape, initial)), trainable=trainable)
        target = cst.AssignTarget(cst.Name(f"{OBJECT}{attribute}"))
        return [*before, cst.Assign([target], cst.Call(cst.Name(key)))]

    def _begins(self, begins: Begins) -> Begins:
        """Return how a weight begins, with variables for attributes."""
        shape, initial = begins
        given = tuple(self._as_variables(value) for value in initial.given)
        made = type(initial)(initial.kind, given, initial.fan, initial.distribution)
        return (None if shape is None else self._as_variables(shape)), made

    def _call(self, node: cst.Call) -> list[Any] | None:
        """Return what a call becomes that stands alone, if it is one of those that a constructor has."""
        path = path_of(node.func, self.title)
        if _is_of_super(node, self.names):
            return self._of_base(node)
        if path in (["register_buffer"], ["register_parameter"]) and len(node.args) > 1:
            title = literal(node.args[0].value)
            if not isinstance(title, str):
                raise Refusal(f"{source(node)[:60]}: its name is not seen here", node)
            if is_none(node.args[1].value):
                self.none.add(title)
                return [cst.Assign([cst.AssignTarget(cst.Name(f"{OBJECT}{title}"))], cst.Name("None"))]
            value = node.args[1].value
            if path == ["register_parameter"] and isinstance(value, cst.Call):
                return self._weight(title, value.args[0].value, trainable=True)
            return self._weight(title, value, trainable=False)
        if len(path) == 1 and path[0] in self.methods:
            return self._block(self._inlined(self.methods[path[0]], node))
        return self._initialised(node)

    def _inlined(self, node: cst.FunctionDef, call: cst.Call) -> list[Any]:
        """Return the statements of a method that the constructor calls."""
        _, *given = [p.name.value for p in parameters_of(node)]
        results = [cst.ensure_type(r, cst.Return).value for r in m.findall(node, m.Return())]
        plain = len(call.args) == len(given) and not any(a.star or a.keyword for a in call.args)
        if any(value is not None for value in results) or not plain or {*given} & written(node.body):
            raise Refusal(f"{source(call)[:60]}: a method of its constructor that does more", call)
        bound = {title: a.value for title, a in zip(given, call.args, strict=True)}
        block = node.with_changes(body=cst.IndentedBlock(body_of(node)))
        return inlined(block, bound, self.title)

    def _of_base(self, node: cst.Call) -> list[Any]:
        """Return what the constructor of its base does."""
        if not self.base:
            return []
        statements, self.handed = constructed(self.base, node, self.title)
        return self._block(statements)

    def _initialised(self, node: cst.Call) -> list[Any] | None:
        """Return what an initialisation becomes: of the numbers of a new weight, or a change of one."""
        function = self.names.path(node.func)
        if function.startswith(_INIT) and node.args:
            attribute, rest = self._weight_of(node.args[0].value), node.args[1:]
            if attribute is None:
                return None
            return self._changed(attribute, of_function(function.removeprefix(_INIT), rest), node)
        if isinstance(node.func, cst.Attribute) and node.func.attr.value.endswith("_") and not function:
            attribute = self._weight_of(node.func.value)
            initial = of_method(node.func.attr.value, node.args) if attribute else None
            if attribute is not None and initial is None:
                raise Refusal(f"{source(node)[:60]}: an initialisation that has no rule", node)
            return self._changed(attribute, initial, node) if attribute is not None and initial else None
        return None

    def _weight_of(self, node: Expression) -> str | None:
        """Return the weight that ``self.w`` and ``self.w.data`` name."""
        path = path_of(node, self.title)
        path = path[:-1] if path[-1:] == ["data"] else path
        known = {weight.name for weight in self.made.values()}
        return path[0] if len(path) == 1 and path[0] in known else None

    def _changed(self, attribute: str, initial: Any, node: cst.Call) -> list[Any]:
        """Return the change of a weight; where it is made of lengths alone, and once, it begins so."""
        mine = [key for key, weight in self.made.items() if weight.name == attribute]
        _, initial = self._begins((None, initial))
        first = self.made[mine[-1]]
        own = {n for value in initial.given for n in names_in(value)} - {*self.names.imported, *self.names.defined}
        init = self.methods["__init__"]
        plain = own <= {p.name.value for p in parameters_of(init)} - written(init.body)
        earlier = any(weight.name == attribute for weight in self.changed.values())
        if len(mine) == 1 and plain and first.shape is not None and not earlier and self._is_always(node, attribute):
            self.made[mine[0]] = Weight(attribute, first.shape, initial, first.trainable)
            return []
        key = f"_initial_{len(self.changed)}"
        self.changed[key] = Weight(attribute, first.shape, initial, first.trainable)
        return [cst.Expr(cst.Call(cst.Name(key)))]

    def _is_always(self, node: cst.Call, attribute: str) -> bool:
        """Whether an initialisation runs wherever its weight is made: in no case of its own."""
        for one in self.methods.values():
            for found in m.findall(one, m.If() | m.For() | m.While() | m.Try()):
                if any(inner is node for inner in m.findall(found, m.Call())):
                    return _asks_for(found, attribute)
        return True

    # --- what is called ---

    def _with_called(self, title: str) -> dict[str, cst.FunctionDef]:
        """Return a method and those that it calls, each before its callers."""
        found: dict[str, cst.FunctionDef] = {}
        open_: list[str] = []

        def add(name: str) -> None:
            if name in found:
                return
            if name in open_:
                raise Refusal(f"self.{name}: calls itself", self.methods[name])
            open_.append(name)
            made = self._method(self.methods[name])
            for other in attributes_in(made.body):
                if other in self.methods:
                    add(other)
            found[name] = made
            open_.remove(name)

        add(title)
        return found

    def _method(self, node: cst.FunctionDef) -> cst.FunctionDef:
        if any(m.matches(d.decorator, m.Name("property")) for d in node.decorators):
            raise Refusal(f"self.{node.name.value}: a property", node)
        if not node.params.params:
            raise Refusal(f"{node.name.value}: is not called on its object", node)
        params = self._own(node)
        Unchanged(node.body, {self.title})
        if self.base:
            node = node.with_changes(body=node.body.visit(_OfBase(self.base, self.title)))
        for call in m.findall(node, m.Call(func=m.Name("super"))):
            raise Refusal(f"{source(call)}: what its base does is not seen here", call)
        made = self._as_variables(node.body, {MODE: cst.Name(MODE)} if node.name.value == "forward" else {})
        if _asks_for_mode(node, self.title):
            mode = cst.Param(cst.Name(MODE), default=cst.Name("False"), equal=TIGHT)
            params = params.with_changes(params=[*params.params, mode])
        optional = {f"{OBJECT}{title}" for title in self.none}
        return node.with_changes(
            params=params, body=made.with_changes(body=with_bias_if_given(made.body, optional, self.names))
        )

    def _as_variables(self, node: Any, more: Mapping[str, Expression] | None = None) -> Any:
        fixed = {s: cst.Attribute(cst.Name(self.node.name.value), cst.Name(s)) for s in self._constants()}
        instead = {**fixed, **self.aliases, **(more or {})}
        return node.visit(AsVariables(self.title, instead, {} if MODE in instead else {MODE: _OF_MODE}))

    def _constants(self) -> list[str]:
        """Return the attributes of the class, which are not set in its constructor."""
        set_here = {t.target.attr.value for t in m.findall(self.node, _OF_OBJECT)}  # type: ignore[attr-defined]  # an attribute
        lines = [s for s in self.node.body.body if isinstance(s, cst.SimpleStatementLine)]
        listed = [title for line in lines for small in line.body for title in _targets(small)]
        return [title for title in listed if title not in set_here]


def _asks_for_mode(node: cst.FunctionDef, own: str) -> bool:
    """Whether a forward does another thing while its module is trained."""
    return bool(m.findall(node.body, m.Attribute(m.Name(own), m.Name(MODE))))


class _OfBase(cst.CSTTransformer):
    """Puts what a base computes in the place of ``super().forward(x)``."""

    def __init__(self, base: str, title: str) -> None:
        self._base = base
        self._title = title

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> Expression:  # noqa: ARG002 - libcst's name
        if m.matches(updated_node.func, m.Attribute(m.Call(m.Name("super")), m.Name("forward"))):
            return called(self._base, updated_node, self._title)
        return updated_node


def _assigned(small: Any) -> tuple[Any, Expression | None]:
    """Return target and value of an assignment."""
    match small:
        case cst.Assign(targets=[cst.AssignTarget(target=target)]):
            return target, small.value
        case cst.AnnAssign() if small.value is not None:
            return small.target, small.value
    return None, None


def _targets(small: Any) -> list[str]:
    target, _ = _assigned(small)
    return [target.value] if isinstance(target, cst.Name) else []


def _is_of_super(node: cst.Call, names: Names) -> bool:
    """Whether this is ``super().__init__()``, or what it was called before Python 3."""
    if not m.matches(node.func, m.Attribute(attr=m.Name("__init__"))):
        return False
    owner = cst.ensure_type(node.func, cst.Attribute).value
    return m.matches(owner, m.Call(m.Name("super"))) or names.path(owner) in {*_PATHS, *BASES}


def _asks_for(node: Any, attribute: str) -> bool:
    """Whether a case asks for no more than whether there is a weight: ``if self.bias is not None``."""
    test = getattr(node, "test", None)
    if test is None or node.orelse is not None:
        return False
    return source(test).removesuffix(" is not None").rpartition(".")[2] == attribute
