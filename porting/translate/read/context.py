"""Reads what a ``torch.autograd.Function`` does with its ``ctx``: saved tensors, attributes, marks."""

from collections.abc import Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.renaming import local
from porting.translate.code import Expression, literal, names_in, same, source
from porting.translate.ir import returned
from porting.translate.read.kept import in_variables
from porting.translate.read.signatures import parameters_of
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement


class Context:
    """The values that ctx carries from the forward to the gradient.

    Parameters
    ----------
    node : libcst.ClassDef
        The class.

    Attributes
    ----------
    attributes : dict of str to expression
        What was assigned to its attributes.
    saved : list of expression
        What was saved for the gradient.
    constant : list of str
        Outputs that are marked non-differentiable.
    counts : set of int
        How many tensors are saved: in one branch more than in another, perhaps.
    notes : list of str
        What a reader of the translation should know.
    """

    def __init__(self, node: cst.ClassDef) -> None:
        self.node = node
        self.attributes: dict[str, Expression] = {}
        self.saved: list[Expression] = []
        self.constant: list[str] = []
        self.counts: set[int] = set()
        self.notes: list[str] = []
        self._variables: dict[str, str] = {}  # what an attribute is called in the forward, where it is computed
        self._taken: set[str] = set()

    def taken_out(self, forward: cst.FunctionDef, body: Sequence[Statement], ctx: str) -> list[Statement]:
        """Remove the statements about ctx from the forward, and record them."""
        context = self
        self._taken = {p.name.value for p in parameters_of(forward)}.union(*map(names_in, body))
        body = without_prints(body, ctx)
        body, shared, self.counts = in_variables(body, ctx, self._taken)

        class Take(cst.CSTTransformer):
            def leave_SimpleStatementLine(self, original_node: Any, updated_node: cst.SimpleStatementLine) -> Any:
                context.refuse_again(original_node, ctx)
                kept: list[cst.BaseSmallStatement] = []
                for small in updated_node.body:
                    kept += context.said(small, ctx)
                if not kept:
                    return cst.RemoveFromParent()
                return updated_node.with_changes(body=kept)

            def leave_Attribute(self, original_node: Any, updated_node: cst.Attribute) -> Expression:  # noqa: ARG002
                if m.matches(updated_node.value, m.Name(ctx)) and updated_node.attr.value in context.attributes:
                    return context.attributes[updated_node.attr.value].deep_clone()
                return updated_node

        made: list[Statement] = []
        rest = list(body)
        while rest:
            before = {n for item in (*self.saved, *self.attributes.values()) for n in names_in(item)}
            found = rest.pop(0).visit(Take())
            if isinstance(found, cst.BaseStatement):
                made.append(found)
            kept = {n for item in (*self.saved, *self.attributes.values()) for n in names_in(item)} - before - shared
            rest = local(rest, kept, every=True)  # it is kept as it is now, whatever is assigned to it later
        refuse_use(made, ctx, forward)
        return made

    def refuse_again(self, line: cst.SimpleStatementLine, ctx: str) -> None:
        """Refuse a line that unpacks something into an attribute that is known already."""
        unpacked = m.Assign(targets=[m.ZeroOrMore(), m.AssignTarget(m.Tuple() | m.List()), m.ZeroOrMore()])
        for small in line.body:
            targets: Any = small.targets if m.matches(small, unpacked) else []  # type: ignore[attr-defined]  # an assignment
            slots: list[Any] = [slot for target in targets for slot in m.findall(target, m.Attribute(m.Name(ctx)))]
            for slot in slots:
                if slot.attr.value in self.attributes:
                    raise Refusal(f"{ctx}.{slot.attr.value} is assigned twice", line)

    def said(self, small: cst.BaseSmallStatement, ctx: str) -> list[cst.BaseSmallStatement]:
        """Record one statement about ctx; return what is left of it."""
        if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
            call = small.value
            if m.matches(call.func, m.Attribute(m.Name(ctx))):
                return self.told(cst.ensure_type(call.func, cst.Attribute).attr.value, call)
        if isinstance(small, cst.Assign) and any(of_ctx(t.target, ctx) for t in small.targets):
            plain = [t for t in small.targets if not of_ctx(t.target, ctx)]
            value = small.value
            if plain:  # y = ctx.y = ...
                value = plain[0].target
            left: list[cst.BaseSmallStatement] = [small.with_changes(targets=plain)] if plain else []
            for target in small.targets:
                if of_ctx(target.target, ctx):
                    left += self.keep(cst.ensure_type(target.target, cst.Attribute).attr.value, value)
            return left
        if isinstance(small, cst.Assign) and len(small.targets) == 1 and isinstance(small.targets[0].target, cst.Tuple):
            return self._unpacked(small, ctx)
        return [small]

    def _unpacked(self, small: cst.Assign, ctx: str) -> list[cst.BaseSmallStatement]:
        target = cst.ensure_type(small.targets[0].target, cst.Tuple)
        if not any(of_ctx(e.value, ctx) for e in target.elements):
            return [small]
        if not isinstance(small.value, cst.Tuple):  # of a call, say: each attribute is a variable of its own
            slots = [self._slot(e) if of_ctx(e.value, ctx) else e for e in target.elements]
            return [small.with_changes(targets=[cst.AssignTarget(target.with_changes(elements=slots))])]
        if len(small.value.elements) != len(target.elements):
            raise Refusal(f"{source(small)[:60]}: not translated", small)
        left: list[cst.BaseSmallStatement] = []
        for element, value in zip(target.elements, small.value.elements, strict=True):
            if of_ctx(element.value, ctx):
                left += self.keep(cst.ensure_type(element.value, cst.Attribute).attr.value, value.value)
            else:
                slot: Any = element.value
                left.append(cst.Assign([cst.AssignTarget(slot)], value.value))
        return left

    def keep(self, attribute: str, value: Expression) -> list[cst.BaseSmallStatement]:
        """Record ``ctx.attribute = value``; a computed value becomes a variable."""
        known = self.attributes.get(attribute)
        if known is not None and not same(known, value):
            if attribute in self._variables:
                return [cst.Assign([cst.AssignTarget(cst.Name(self._variables[attribute]))], value)]
            raise Refusal(f"ctx.{attribute} is assigned twice", self.node)
        if (
            isinstance(value, cst.Name)
            or literal(value) is not ...
            or m.matches(value, m.Attribute(m.Name(), m.Name("shape") | m.Name("dtype") | m.Name("device")))
        ):
            self.attributes[attribute] = value
            return []
        return [cst.Assign([cst.AssignTarget(self._variable(attribute))], value)]

    def _slot(self, element: Any) -> Any:
        """Return a variable in the place of ``ctx.attribute`` in an unpacking."""
        return element.with_changes(value=self._variable(element.value.attr.value))

    def _variable(self, attribute: str) -> cst.Name:
        """Return a new variable of the forward, which an attribute stands for from now on."""
        variable = attribute
        while variable in self._taken:  # another value, of an argument or of a variable
            variable += "_"
        self._variables[attribute] = variable
        self.attributes[attribute] = cst.Name(variable)
        return cst.Name(variable)

    def told(self, method: str, call: cst.Call) -> list[cst.BaseSmallStatement]:
        """Record a call of a method of ctx; return what is left of it."""
        if method in {"save_for_backward", "save_for_forward"}:
            if method == "save_for_backward":
                saved = [element for argument in call.args for element in _saved(argument)]
                if self.saved and list(map(source, saved)) != list(map(source, self.saved)):
                    one, other = (", ".join(map(source, items)) for items in (self.saved, saved))
                    raise Refusal(f"save_for_backward: ({one}) in one place and ({other}) in another", call)
                self.saved = saved
            return []
        if method == "mark_non_differentiable":
            self.constant += [source(argument.value) for argument in call.args]
            return []
        if method == "set_materialize_grads":
            return []
        if method == "mark_dirty":
            self.notes.append("its input is changed in place in the source; here the result is a new tensor")
            return []
        raise Refusal(f"ctx.{method}: no rule", call)


def without_prints(body: Sequence[Statement], ctx: str) -> list[Statement]:
    """Leave out lines that print something of the context: they are for whoever looks for a mistake."""

    class Silent(cst.CSTTransformer):
        def leave_SimpleStatementLine(self, original_node: Any, updated_node: cst.SimpleStatementLine) -> Any:  # noqa: ARG002 - libcst's name
            told = m.SimpleStatementLine([m.Expr(m.Call(m.Name("print")))])
            if not m.matches(updated_node, told) or ctx not in names_in(updated_node):
                return updated_node
            return updated_node.with_changes(body=[cst.Pass()])

    made: Any = cst.Module(list(body)).visit(Silent())  # type: ignore[arg-type]  # statements of a function are some
    return [s for s in made.body if not m.matches(s, m.SimpleStatementLine([m.Pass()]))]


def refuse_use(body: Sequence[Statement], ctx: str, node: cst.FunctionDef) -> None:
    """Refuse statements that still name the context.

    Raises
    ------
    Refusal
        If there are some: whoever else gets it may keep anything on it.
    """
    for statement in body:
        if ctx not in names_in(statement):
            continue
        calls: Any = m.findall(statement, m.Call(args=[m.ZeroOrMore(), m.Arg(m.Name(ctx)), m.ZeroOrMore()]))
        if calls:
            raise Refusal(f"{ctx} is handed to {source(calls[0].func)}: what that keeps is not seen here", statement)
        raise Refusal(f"{ctx} is used in a way that is not known here", node)


def _saved(argument: cst.Arg) -> list[Expression]:
    if argument.star == "*":
        if isinstance(argument.value, cst.Tuple | cst.List):
            return returned(
                argument.value if isinstance(argument.value, cst.Tuple) else cst.Tuple(argument.value.elements)
            )
        return [cst.Call(cst.Name("__all__"), [cst.Arg(argument.value)])]  # all of it; see _set_up
    return [argument.value]


def of_ctx(node: cst.CSTNode, ctx: str) -> bool:
    """Whether an expression is an attribute of ctx."""
    return m.matches(node, m.Attribute(m.Name(ctx)))
