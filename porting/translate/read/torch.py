"""Reads a ``torch.autograd.Function``: removes ``ctx``; the values that it carries become variables of the forward."""

from collections.abc import Sequence
from typing import Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import STATIC, TENSOR, UNKNOWN, Abstract, Sort
from porting.translate.analyse.renaming import local
from porting.translate.analyse.slices import read_first
from porting.translate.code import Expression, build, is_none, names_in, source
from porting.translate.ir import CustomGradient
from porting.translate.names import Names, static
from porting.translate.naming import called, free
from porting.translate.read.backward import replaced, with_own_variables, without_unpacking
from porting.translate.read.casts import always_none
from porting.translate.read.context import Context, refuse_use, without_prints
from porting.translate.read.decorators import is_transparent, unknown
from porting.translate.read.docstrings import docstring_of, of_both
from porting.translate.read.fields import is_object
from porting.translate.read.given_cotangent import with_cotangents_given
from porting.translate.read.known_tuples import with_known_tuples
from porting.translate.read.listed_tensors import with_listed
from porting.translate.read.numbers_again import with_numbers
from porting.translate.read.optional_bias import with_bias_if_given
from porting.translate.read.outputs import assigned, count_of_outputs, in_order, named_outputs, returns, with_returns
from porting.translate.read.setup_context import set_up
from porting.translate.read.signatures import body_of, kind_of_annotation, parameters_of, required_first
from porting.translate.read.tail_call import without_handing, without_tail_calls
from porting.translate.read.taken_apart import is_used_as_tensor, taken_apart
from porting.translate.read.unpacking import told_apart
from porting.translate.refusal import HOW_MANY, Refusal

Statement = cst.BaseStatement
FUNCTION: Final = "torch.autograd.Function"
_PATHS: Final = (FUNCTION, "torch.autograd.function.Function", "torch.autograd.function.InplaceFunction")
_RAISES: Final = m.SimpleStatementLine([m.Raise()])
_ONCE: Final = ("torch.autograd.function.once_differentiable",)
_QUIET: Final = ("torch.no_grad", "torch.autograd.no_grad")
_IGNORED: Final = {"jvp", "vmap", "symbolic", "__repr__", "__str__"}


def is_function(node: cst.CSTNode, names: Names) -> bool:
    """Whether a class is a custom gradient."""
    return isinstance(node, cst.ClassDef) and any(names.path(base.value) in _PATHS for base in node.bases)


def read(node: cst.ClassDef, names: Names) -> CustomGradient:
    """Read a class.

    Raises
    ------
    Refusal
        If the class does something that the ir cannot represent.
    """
    ir = _Reader(node, names).read()
    around = names.around.get(node.name.value, [])
    ir.parameters = required_first([*ir.parameters, *around])
    ir.kinds |= {p.name.value: kind_of_annotation(p) for p in around}
    return ir


class _Reader:
    def __init__(self, node: cst.ClassDef, names: Names) -> None:
        self.node = node
        self.names = names
        self.once = False
        self.methods: dict[str, cst.FunctionDef] = {}
        self.context = Context(node)
        for statement in node.body.body:
            if isinstance(statement, cst.FunctionDef):
                self._method(statement)

    def _method(self, node: cst.FunctionDef) -> None:
        title = node.name.value
        if title in _IGNORED:
            return
        quiet, node = False, static(node, self.node.name.value)
        for decorator in node.decorators:
            inner = decorator.decorator.func if isinstance(decorator.decorator, cst.Call) else decorator.decorator
            path = self.names.path(inner) or source(inner)
            self.once |= path in _ONCE
            if path in _QUIET:
                quiet = title != "forward"  # in which PyTorch records nothing in any case
            elif path not in _ONCE and not is_transparent(decorator, self.names):
                raise Refusal(f"{title}: {unknown(decorator)}", decorator)
        node = self._with_what_has_ctx(node)
        if quiet:
            node = _detached(node)
        self.methods["backward" if title == "vjp" else title] = node

    def _with_what_has_ctx(self, node: cst.FunctionDef) -> cst.FunctionDef:
        """Return a method with the statements of helpers in it that it hands its ctx to."""
        given = [p.name.value for p in parameters_of(node)]
        if not given or not isinstance(node.body, cst.IndentedBlock):
            return node
        around = {*given, *self.names.defined, *self.names.imported}
        body = without_handing(list(node.body.body), self.names, around, given[0])
        return node.with_changes(body=node.body.with_changes(body=body))

    def read(self) -> CustomGradient:
        for wanted in ("forward", "backward"):
            if wanted not in self.methods:
                raise Refusal(f"{self.node.name.value}: has no {wanted} of its own", self.node)
        forward, backward = self.methods["forward"], self.methods["backward"]
        if any(method.asynchronous for method in self.methods.values()):
            raise Refusal("async: a gradient is no coroutine", forward)
        given = parameters_of(forward)
        if len(given) < (1 if "setup_context" in self.methods else 2):
            raise Refusal("forward: has no input", forward)
        static = {source(d.decorator) for d in forward.decorators} & {"staticmethod", "classmethod"}
        if given and given[0].name.value == "self" and not static and "__init__" in self.methods:
            raise Refusal("forward(self, ...): the style of PyTorch before 0.4, which no longer runs", forward)
        if "setup_context" not in self.methods:
            given = given[1:]
        if any(p.star in {"*", "**"} for p in given):
            raise Refusal(HOW_MANY, forward)
        parameters = [p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in given]
        own = [p.name.value for p in parameters]
        body = body_of(forward)
        if "setup_context" in self.methods:  # it has the inputs as they came
            body = set_up(self.context, self.methods["setup_context"], own, local(body, set(own), every=True))
        else:
            ctx = parameters_of(forward)[0].name.value
            body = self.context.taken_out(forward, with_listed(body, ctx), ctx)
            _refuse_a_list(self.context.saved, forward)
        optional = {p.name.value for p in parameters if is_none(p.default)}
        body = with_bias_if_given(body, optional, self.names)
        vjp, cotangents = self._backward(backward, count_of_outputs(body), own)
        body, vjp = with_numbers(body, vjp, own, self.names)
        return self._made(parameters, own, body, vjp, cotangents)

    def _backward(self, node: cst.FunctionDef, count: int, own: list[str]) -> tuple[list[Statement], list[str]]:
        if len(parameters_of(node)) < 2:
            raise Refusal("backward: has no gradient of an output", node)
        ctx, *given = parameters_of(node)
        if any(p.star == "**" for p in given) or (any(p.star for p in given) and len(given) > 1):
            raise Refusal("backward(dy, *grads): how many outputs? Not known here", node)
        lines = without_prints(body_of(node), ctx.name.value)
        lines = with_own_variables(self.context, lines, ctx.name.value)
        body = [replaced(self.context, statement, ctx.name.value) for statement in lines]
        body = without_unpacking(self.context, body)
        refuse_use(body, ctx.name.value, node)
        if len(own) > 1:
            around = {*own, *self.names.defined, *self.names.imported, *(p.name.value for p in given)}
            body = with_known_tuples(without_tail_calls(body, self.names, around))
        if given[0].star:
            cotangents = ["dy"] if count == 1 else [f"dy{k}" for k in range(count)]
            return [told_apart(statement, given[0].name.value, cotangents) for statement in body], cotangents
        return body, [p.name.value for p in given]

    def _made(
        self,
        parameters: list[cst.Param],
        own: list[str],
        body: list[Statement],
        vjp: list[Statement],
        cotangents: list[str],
    ) -> CustomGradient:
        vjp = [
            with_returns(statement, lambda found: self._with_defaults(found, parameters, cotangents))
            for statement in with_cotangents_given(vjp, cotangents)
        ]
        none = always_none(vjp)
        vjp = [with_returns(statement, lambda found: [_or_none(g, none) for g in found]) for statement in vjp]
        gradients = returns(vjp)
        refuses = bool(vjp) and m.matches(vjp[-1], _RAISES)
        if not gradients and not refuses:
            raise Refusal("backward returns nothing", self.methods["backward"])
        for found in gradients:
            if len(found) == 1 < len(own) and isinstance(found[0], cst.Call | cst.Name | cst.ListComp):
                shown = ", ".join(map(source, found))[:60]
                why = f"backward returns {shown} for {len(own)} inputs: which gradients that are is not seen here"
                raise Refusal(why, self.methods["backward"])
            if len(found) < len(own):
                raise Refusal(
                    f"backward returns {len(found)} gradients for {len(own)} inputs", self.methods["backward"]
                )
        primals = [p for k, p in enumerate(own) if any(not m.matches(found[k], m.Name("None")) for found in gradients)]
        if refuses and not gradients:  # whoever asks for a gradient is refused
            primals = [p.name.value for p in parameters if self._kind(p, (), body).sort is not Sort.STATIC] or own[:1]
            if others := [name for name in own if name not in primals]:
                self.context.notes.append(
                    f"the gradient raises for {', '.join(primals)}, and not for {', '.join(others)}."
                )
        if not primals:
            raise Refusal("backward gives no gradient at all", self.methods["backward"])
        places = [own.index(p) for p in primals]
        vjp = [with_returns(statement, lambda found: [found[k] for k in places]) for statement in vjp]
        count = count_of_outputs(body)
        body, outputs, vjp = named_outputs(body, vjp, count, set(own))
        used = set().union(*(names_in(statement) for statement in vjp)) if vjp else set()
        inside = set(assigned(body))
        read = read_first(vjp)
        captured = [n for n in in_order(body) if n in read and n in inside and n not in (*own, *outputs, *cotangents)]
        kinds = {p.name.value: self._kind(p, primals, [*body, *vjp]) for p in parameters}
        doc = docstring_of(self.node) or docstring_of(self.methods["forward"])
        title = self.node.name.value
        return CustomGradient(
            title, free(called(title)), "torch", parameters, primals, body, [*outputs] if used & {*outputs} else [],
            cotangents, vjp, captured, self.once, doc=of_both(doc), comments=self.node.leading_lines, kinds=kinds,
            non_differentiable=self.context.constant, notes=self.context.notes,
        )  # fmt: skip

    def _with_defaults(
        self, found: list[Expression], parameters: Sequence[cst.Param], cotangents: Sequence[str]
    ) -> list[Expression]:
        """Return the gradients with None for the last arguments, which PyTorch takes where their defaults are left."""
        left = parameters[len(found) :]
        whole = len(found) == 1 and isinstance(found[0], cst.Call | cst.Name | cst.ListComp)  # it may be all of them
        if (whole and not _is_of(found[0], cotangents)) or not left or any(p.default is None for p in left):
            return found
        names = ", ".join(p.name.value for p in left)
        note = f"the source has no gradient for {names}, and raises if that is given; here it is a constant."
        self.context.notes += [note] if note not in self.context.notes else []
        return [*found, *(cst.Name("None") for _ in left)]

    def _kind(self, parameter: cst.Param, primals: Sequence[str], code: Sequence[Statement]) -> Abstract:
        title = parameter.name.value
        if title in primals:
            return Abstract(Sort.TENSOR, "float", title)
        known = kind_of_annotation(parameter)
        if known.sort is not Sort.UNKNOWN:
            return Abstract(Sort.TENSOR, "", "") if known == Abstract(Sort.TENSOR, "float", title) else known
        handed = [*self.context.saved, *(item for found in returns(code) for item in found)]  # these are tensors
        if any(m.matches(item, m.Name(title)) for item in handed) or is_used_as_tensor(title, code):
            return TENSOR
        if is_object(title, code, self.names):
            return Abstract(Sort.OBJECT)
        return UNKNOWN if taken_apart(title, self.methods.values(), self.names) else STATIC


def _is_of(made: Expression, cotangents: Sequence[str]) -> bool:
    """Whether this is a cotangent, or a tensor that its methods make of one: ``dy.clamp(-1, 1)``."""
    while isinstance(made, cst.Call) and isinstance(made.func, cst.Attribute):
        made = made.func.value
    return isinstance(made, cst.Name) and made.value in cotangents


def _or_none(gradient: Expression, none: set[str]) -> Expression:
    return cst.Name("None") if isinstance(gradient, cst.Name) and gradient.value in none else gradient


def _detached(node: cst.FunctionDef) -> cst.FunctionDef:
    """Detach what a gradient returns under ``@torch.no_grad()``: to a second derivative it is a constant."""

    def detached(items: Sequence[Expression]) -> list[Expression]:
        if any(isinstance(item, cst.StarredElement) for item in items) or (
            len(items) == 1 and isinstance(items[0], cst.Call)
        ):
            raise Refusal("@torch.no_grad: which gradients are returned is not seen here", node)
        return [i if m.matches(i, m.Name("None")) else build("{x}.detach()", x=i) for i in items]

    block = cst.ensure_type(node.body, cst.IndentedBlock)
    return node.with_changes(body=block.with_changes(body=[with_returns(s, detached) for s in block.body]))


def _refuse_a_list(saved: Sequence[Expression], forward: cst.FunctionDef) -> None:
    for item in saved:
        if isinstance(item, cst.Call) and m.matches(item.func, m.Name("__all__")):
            what = f"save_for_backward(*{source(item.args[0].value)})"
            raise Refusal(f"{what}: which tensors that are is not seen here", forward)


def inputs_of(node: cst.ClassDef) -> list[cst.Param]:
    """Return the inputs of a class's forward."""
    methods = {s.name.value: s for s in node.body.body if isinstance(s, cst.FunctionDef)}
    if "forward" not in methods:
        return []
    given = parameters_of(methods["forward"])
    own = any(m.matches(d.decorator, m.Name("classmethod")) for d in methods["forward"].decorators)
    return given[own + ("setup_context" not in methods) :]
