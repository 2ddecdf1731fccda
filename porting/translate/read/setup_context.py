"""Reads ``setup_context(ctx, inputs, output)`` as if it stood at the end of the forward."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, literal, renamed, same, source
from porting.translate.read.context import Context, of_ctx
from porting.translate.read.outputs import count_of_outputs
from porting.translate.read.signatures import body_of, parameters_of
from porting.translate.read.unpacking import paired
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement
_NOTHING: Final = m.SimpleStatementLine([m.Return(value=None) | m.Return(value=m.Name("None"))])


def set_up(context: Context, node: cst.FunctionDef, own: list[str], body: list[Statement]) -> list[Statement]:
    """Read ``setup_context(ctx, inputs, output)`` as if it stood at the end of the forward."""
    if len(parameters_of(node)) != 3:
        raise Refusal("setup_context: takes ctx, inputs and output", node)
    ctx, inputs, output = (p.name.value for p in parameters_of(node))
    known: dict[str, Expression] = {}
    count = count_of_outputs(body)
    results = [f"__output{k}__" for k in range(count)]
    lines = body_of(node)
    if lines and m.matches(lines[-1], _NOTHING):
        lines = lines[:-1]
    for statement in _lines_of(lines):
        for small in statement.body:
            _line(context, small, ctx, inputs, output, own, results, known)
    context.saved = [_meant(item, known, output, results) for item in context.saved]
    flat: list[Expression] = []
    for item in context.saved:
        if isinstance(item, cst.Call) and m.matches(item.func, m.Name("__all__")):
            flat += _taken(item.args[0].value, {output: results, inputs: own})
        else:
            flat.append(_with_inputs(item, inputs, own))
    context.saved = flat
    context.attributes = {k: _meant(v, known, output, results) for k, v in context.attributes.items()}
    return body


def _line(
    context: Context,
    small: Any,
    ctx: str,
    inputs: str,
    output: str,
    own: list[str],
    results: list[str],
    known: dict[str, Expression],
) -> None:
    if isinstance(small, cst.Assign) and len(small.targets) == 1:
        target, value = small.targets[0].target, small.value
        if m.matches(value, m.Name(inputs) | m.Name(output)):
            what: list[Expression] = [
                cst.Name(n) for n in (own if cst.ensure_type(value, cst.Name).value == inputs else results)
            ]
            for slot, item in paired(target, what):
                _known(context, known, slot, item, ctx)
            return
        _known(context, known, target, _with_inputs(value, inputs, own), ctx)
    elif isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
        context.told(cst.ensure_type(small.value.func, cst.Attribute).attr.value, small.value)
    elif not isinstance(small, cst.Pass | cst.Del) and not (
        isinstance(small, cst.Expr) and isinstance(small.value, cst.SimpleString)
    ):
        raise Refusal(f"setup_context: {source(small)[:40]}: not translated", small)


def _known(context: Context, known: dict[str, Expression], slot: Expression, item: Expression, ctx: str) -> None:
    """Record what a variable or an attribute is: one thing, as it is not seen here when it is which."""
    attribute = slot.attr.value if isinstance(slot, cst.Attribute) and of_ctx(slot, ctx) else ""
    before = context.attributes.get(attribute) if attribute else known.get(source(slot))
    if before is not None and not same(before, item) and source(slot) != "_":
        raise Refusal(f"setup_context: {source(slot)} is {source(before)} in one place and {source(item)} in another")
    if attribute:
        context.attributes[attribute] = item
    else:
        known[source(slot)] = item


def _meant(item: Expression, known: dict[str, Expression], output: str, results: list[str]) -> Expression:
    found: Expression = renamed(item, {**known, **({output: cst.Name(results[0])} if len(results) == 1 else {})})
    return found


def _lines_of(body: Sequence[Statement]) -> Iterator[cst.SimpleStatementLine]:
    """Yield the lines of a ``setup_context``; what it keeps under a condition is kept."""
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            yield statement
        elif (
            isinstance(statement, cst.If) and isinstance(statement.body, cst.IndentedBlock) and statement.orelse is None
        ):
            yield from _lines_of(statement.body.body)
        else:
            raise Refusal("setup_context: more than assignments", statement)


def _with_inputs(value: Expression, inputs: str, own: list[str]) -> Expression:
    """Put the names of the inputs in the place of ``inputs[0]``."""

    class Put(cst.CSTTransformer):
        def leave_Subscript(self, original_node: Any, updated_node: cst.Subscript) -> Expression:  # noqa: ARG002
            part = updated_node.slice[0].slice
            place = literal(part.value) if isinstance(part, cst.Index) else None
            if not m.matches(updated_node.value, m.Name(inputs)) or not isinstance(place, int):
                return updated_node
            return cst.Name(own[place]) if -len(own) <= place < len(own) else updated_node

    made: Any = value.visit(Put())
    return made  # type: ignore[no-any-return]  # an expression stays one


def _taken(value: Expression, known: dict[str, list[str]]) -> list[Expression]:
    """Return the variables of ``inputs``, or of a part of it such as ``inputs[:3]``."""
    head = value.value if isinstance(value, cst.Subscript) else value
    names = known.get(source(head))
    if names is None:
        return [value]
    if isinstance(value, cst.Subscript):
        part = value.slice[0].slice
        if not isinstance(part, cst.Slice):
            raise Refusal(f"*{source(value)}: not translated", value)
        ends = [literal(end) if end is not None else None for end in (part.lower, part.upper, part.step)]
        names = names[slice(*ends)]
    return [cst.Name(n) for n in names]
