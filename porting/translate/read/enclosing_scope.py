"""Reads a custom gradient and its enclosing function as one: which primal is which parameter, and what is added."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, is_none, names_in, renamed, source
from porting.translate.ir import CustomGradient, returned
from porting.translate.names import Names
from porting.translate.read.casts import Peel, always_none, assignments, without_cast
from porting.translate.read.signatures import body_of, parameters_of
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement
VALUE: Final = "__value__"  # stands for what the gradient's function returns


@dataclass
class Whole:
    """A custom gradient with the function around it.

    Attributes
    ----------
    ir : CustomGradient
        The gradient.
    called : str
        The name that callers use.
    parameters : list of libcst.Param
        The parameters that callers pass.
    keyword : set of str
        Keyword-only parameters.
    before : list of statements
        What the function does before it calls the gradient's.
    bound : dict of str to expression
        The arguments of that call, by the names of the ir.
    given : dict of str to str
        For each primal of the ir, the parameter that it is.
    after : list of expression
        What it returns, with `VALUE`, or its elements, for what the gradient's function returns.
    doc : str
        Its docstring, or nothing.
    beside : set of str
        Other functions that the function defines next to the gradient.
    """

    ir: CustomGradient
    called: str
    parameters: list[cst.Param]
    keyword: set[str] = field(default_factory=set)
    before: list[Statement] = field(default_factory=list)
    bound: dict[str, Expression] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)
    after: list[Expression] = field(default_factory=list)
    doc: str = ""
    beside: set[str] = field(default_factory=set)


def alone(ir: CustomGradient) -> Whole:
    """Return a gradient that callers call directly, with no function around it."""
    primals = {p: p for p in with_gradient(ir)}
    return Whole(ir, ir.called, list(ir.parameters), given=primals, doc=ir.doc)


def within(node: cst.FunctionDef, called: Mapping[str, CustomGradient], names: Names, *, own: bool) -> Whole:
    """Return a function with the gradient that it calls.

    Parameters
    ----------
    node : libcst.FunctionDef
        The function, without the gradient.
    called : mapping of str to CustomGradient
        Gradients by what the function calls: ``XFunction.apply`` or ``forward``.
    names : Names
        Of the module.
    own : bool
        Whether the gradients are defined in the function, and read its variables.

    Raises
    ------
    Refusal
        If the function does more to inputs or outputs than to change their type: a derivative would be missing.
    """
    *before, last = body_of(node)
    call, after = _call(last, called, names)
    if call is None and before:
        call, after = _named(before.pop(), last, called, names)
    if call is None:
        raise Refusal(f"{node.name.value}: does more with a custom gradient than to return its value", node)
    if any(_returns(statement) for statement in before):
        raise Refusal(f"{node.name.value}: returns in several places", node)
    ir = called[source(call.func)]
    bound = _bound(ir, call)
    peeled = Peel(names, before)
    parameters = [p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in parameters_of(node)]
    titles = {p.name.value for p in parameters}
    given: dict[str, str] = {}
    for primal in ir.primals:
        if is_none(bound[primal]) or primal not in with_gradient(ir):
            continue
        origin = peeled.origin(bound[primal])
        if origin not in titles or origin in given.values():
            text = source(bound[primal])
            raise Refusal(f"{node.name.value}: computes {text} from its inputs, whose derivative is not written", call)
        given[primal] = origin
    if not own:
        _refuse_shared(ir, {*titles, *peeled.assigned}, node)
    keyword = {p.name.value for p in node.params.kwonly_params}
    return Whole(ir, node.name.value, parameters, keyword, before, bound, given, after, ir.doc)


def _call(last: Statement, called: Mapping[str, Any], names: Names) -> tuple[cst.Call | None, list[Expression]]:
    """Return the call in ``return f(x).to(dtype)``, and the rest of it."""
    if not m.matches(last, m.SimpleStatementLine([m.Return(value=m.DoNotCare())])):
        return None, []
    value = last.body[0].value  # type: ignore[attr-defined]  # as it matches
    inner = value
    while inner is not None and not (isinstance(inner, cst.Call) and source(inner.func) in called):
        inner = without_cast(inner, names)
    if inner is None:
        return None, []
    return inner, [value.deep_replace(inner, cst.Name(VALUE))]


def _named(line: Statement, last: Statement, called: Mapping[str, Any], names: Names) -> tuple[Any, list[Expression]]:
    """Return the call in ``w, v = f(x)``, of which ``return w.to(dtype), v`` follows."""
    single = m.SimpleStatementLine([m.Assign(targets=[m.AssignTarget()], value=m.Call())])
    if not m.matches(line, single) or not m.matches(last, m.SimpleStatementLine([m.Return(value=m.DoNotCare())])):
        return None, []
    assign: Any = line.body[0]  # type: ignore[attr-defined]  # as it matches
    target, items = assign.targets[0].target, returned(last.body[0].value)  # type: ignore[attr-defined]
    slots = [source(e.value) for e in target.elements] if isinstance(target, cst.Tuple) else [source(target)]
    if source(assign.value.func) not in called or len(slots) != len(items):
        return None, []
    after = []
    for n, (slot, item) in enumerate(zip(slots, items, strict=True)):
        inner: Any = item
        while inner is not None and source(inner) != slot:
            inner = without_cast(inner, names)
        if inner is None:
            return None, []
        after.append(item.deep_replace(inner, cst.Name(f"{VALUE}{n}" if len(slots) > 1 else VALUE)))
    return assign.value, after


def _bound(ir: CustomGradient, call: cst.Call) -> dict[str, Expression]:
    """Return what each parameter of a gradient is called with; one that its own function has is that one."""
    titles = [p.name.value for p in ir.parameters]
    bound: dict[str, Expression] = {}
    for n, argument in enumerate(call.args):
        if argument.star or n >= len(titles):
            raise Refusal(f"{source(call)[:60]}: the arguments are not known here", call)
        bound[argument.keyword.value if argument.keyword else titles[n]] = argument.value
    for parameter in ir.parameters[len(bound) :]:
        bound.setdefault(parameter.name.value, parameter.default or cst.Name(parameter.name.value))
    return bound


def _refuse_shared(ir: CustomGradient, around: set[str], node: cst.FunctionDef) -> None:
    """Refuse a global of the gradient that is a variable of the function: the two become one function."""
    own = {p.name.value for p in ir.parameters} | {*ir.cotangents, *ir.outputs}
    assigned = {title for s in (*ir.forward, *ir.vjp) for title, _ in assignments(s)}
    read = set().union(*(names_in(s) for s in (*ir.forward, *ir.vjp)), set())
    shared = sorted((read & around) - own - assigned)
    if shared:
        raise Refusal(f"{node.name.value}: {shared[0]} is its variable and a global of the gradient", node)


def _returns(statement: Statement) -> bool:
    return bool(m.findall(statement, m.Return()))


def wrapped(whole: Whole, value: Expression | None) -> Expression:
    """Return what the whole returns where the gradient's function returns `value`."""
    items = returned(value)
    if not whole.after:
        return value if value is not None else cst.Name("None")
    if len(whole.after) == 1:
        return renamed(whole.after[0], {VALUE: value if value is not None else cst.Name("None")})  # type: ignore[no-any-return]
    made = [renamed(item, {f"{VALUE}{n}": items[n]}) for n, item in enumerate(whole.after)]
    return cst.Tuple([cst.Element(item) for item in made])


def with_gradient(ir: CustomGradient) -> list[str]:
    """Return the primals that get more than a variable which is None."""
    none = always_none(ir.vjp)
    last = ir.vjp[-1]
    items = returned(last.body[-1].value) if m.matches(last, m.SimpleStatementLine([m.Return()])) else []  # type: ignore[attr-defined]
    return [p for n, p in enumerate(ir.primals) if n >= len(items) or source(items[n]) not in none]
