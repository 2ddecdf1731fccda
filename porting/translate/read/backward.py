"""Reads a ``backward``: attributes of ctx are replaced by their values, and names become those of the forward."""

from collections.abc import Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, literal, names_in, renamed, same
from porting.translate.ir import returned
from porting.translate.read.context import Context
from porting.translate.read.outputs import assigned
from porting.translate.read.unpacking import flat, paired
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement


class _Replace(cst.CSTTransformer):
    """Puts what ctx carries in its place."""

    def __init__(self, context: Context, ctx: str) -> None:
        self._ctx = ctx
        self._attributes = context.attributes
        self._counts = context.counts
        self._saved = cst.Tuple([cst.Element(item) for item in context.saved])

    def leave_Attribute(self, original_node: Any, updated_node: cst.Attribute) -> Expression:
        if not m.matches(updated_node.value, m.Name(self._ctx)):
            return updated_node
        attribute = updated_node.attr.value
        if attribute in {"saved_tensors", "saved_variables"}:
            if len(self._counts) > 1:
                several = " or ".join(map(str, sorted(self._counts)))
                raise Refusal(f"ctx.save_for_backward: saves {several} tensors; let it save as many always")
            return self._saved.deep_clone()
        if attribute in self._attributes:
            return self._attributes[attribute].deep_clone()
        if attribute == "needs_input_grad":
            return cst.Name("__needed__")
        raise Refusal(f"ctx.{attribute}: is not set in the forward", original_node)

    def leave_Subscript(self, original_node: Any, updated_node: cst.Subscript) -> Expression:  # noqa: ARG002 - libcst's name
        if m.matches(updated_node.value, m.Name("__needed__")):
            return cst.Name("True")
        return _picked(updated_node)

    def leave_Call(self, original_node: Any, updated_node: cst.Call) -> Expression:  # noqa: ARG002 - libcst's name
        if m.matches(updated_node, m.Call(m.Name("any") | m.Name("all"), [m.Arg(m.Name("__needed__"))])):
            return cst.Name("True")
        arguments: list[cst.Arg] = []
        for argument in updated_node.args:
            if argument.star == "*" and isinstance(argument.value, cst.Tuple):
                arguments += [cst.Arg(e.value) for e in argument.value.elements]
            else:
                arguments.append(argument)
        return updated_node.with_changes(args=arguments)


class _AsMany(cst.CSTTransformer):
    """Gives an unpacking in a branch as many of the saved tensors as it has names: branches save other numbers."""

    def __init__(self, context: Context, ctx: str) -> None:
        self._counts = context.counts
        self._saved = context.saved
        self._ctx = ctx
        self._branches = 0  # around what is read

    def visit_If(self, node: cst.If) -> None:  # noqa: ARG002 - libcst's name
        self._branches += 1

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.If:  # noqa: ARG002
        self._branches -= 1
        return updated_node

    def leave_Assign(self, original_node: Any, updated_node: cst.Assign) -> cst.Assign:  # noqa: ARG002 - libcst's name
        match updated_node:
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Tuple(elements=slots))],
                value=cst.Attribute(value=cst.Name(value=self._ctx), attr=cst.Name(value="saved_tensors")),
            ) if self._branches and len(slots) in self._counts and not m.findall(cst.Tuple(slots), m.StarredElement()):
                elements = [cst.Element(item.deep_clone()) for item in self._saved[: len(slots)]]
                return updated_node.with_changes(value=cst.Tuple(elements))
        return updated_node


def _picked(node: cst.Subscript) -> Expression:
    """Return the item that is taken of a tuple which is written out; else the same."""
    if isinstance(node.value, cst.Tuple) and isinstance(node.slice[0].slice, cst.Index):
        place, elements = literal(node.slice[0].slice.value), node.value.elements
        if isinstance(place, int) and -len(elements) <= place < len(elements):
            return elements[place].value
    return node


def replaced(context: Context, statement: Statement, ctx: str) -> Statement:
    """Replace attributes of ctx by their values.

    Raises
    ------
    Refusal
        If it carries nothing of that name.
    """
    found: Any = statement
    for change in [_AsMany(context, ctx)] * (len(context.counts) > 1) + [_Replace(context, ctx)]:
        found = found.visit(change)
    if "__needed__" in names_in(found):
        raise Refusal("ctx.needs_input_grad is used as a whole", statement)
    return found  # type: ignore[no-any-return]  # a statement stays one


def with_own_variables(context: Context, body: list[Statement], ctx: str) -> list[Statement]:
    """Rename variables of a backward that are called as what ctx carries, and are something else: ``dx = None``."""
    carried = {item.value for item in (*context.saved, *context.attributes.values()) if isinstance(item, cst.Name)}
    kept = m.Attribute(value=m.Name(ctx))
    reads = m.Assign(value=kept | m.Subscript(value=kept))
    unpacked = {n for statement in body for found in m.findall(statement, reads) for n in _targets(found)}
    used = set().union(*map(names_in, body)) if body else set()
    mine = {n: cst.Name(_free(n, used | carried)) for n in carried & {*assigned(body)} - unpacked}
    return [renamed(statement, mine) for statement in body] if mine else body


def _targets(assign: Any) -> set[str]:
    return set().union(*(names_in(target.target) for target in assign.targets))


def _free(name: str, used: set[str]) -> str:
    while name in used:
        name = f"{name}_"
    return name


def without_unpacking(context: Context, body: list[Statement]) -> list[Statement]:
    """Remove ``x, y = ctx.saved_tensors``, and use the names of the forward for the variables."""
    made: list[Statement] = []
    names: dict[str, Expression] = {}
    counts = assigned(body)
    lines: list[Any] = [*_without_tuple_of_one(body, counts)]
    body = [line.visit(_Unsaid()) if m.matches(line, m.If()) else line for line in lines]
    counts = assigned(body)
    for statement in body:
        if (
            isinstance(statement, cst.SimpleStatementLine)
            and len(statement.body) == 1
            and isinstance(statement.body[0], cst.Assign)
        ):
            left = _aliases(context, statement.body[0], names, counts)
            if left is not None:
                comments = statement.leading_lines
                for n, small in enumerate(left):
                    made.append(cst.SimpleStatementLine([small], leading_lines=comments if not n else []))
                continue
        made.append(statement)
    return [renamed(statement, names) for statement in made] if names else made


class _Unsaid(cst.CSTTransformer):
    """Takes ``x = x`` out of ``x, w = (x, kept1)``, which an unpacking in a branch has become."""

    def leave_SimpleStatementLine(self, original_node: Any, updated_node: cst.SimpleStatementLine) -> Any:  # noqa: ARG002 - libcst's name
        match updated_node.body:
            case [
                cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=slots))], value=cst.Tuple() as value)
            ] if len(slots) == len(value.elements):
                left = [(a, b) for a, b in zip(slots, value.elements, strict=True) if not same(a.value, b.value)]
            case _:
                return updated_node
        if not left:
            return cst.RemoveFromParent()
        target, value = (cst.Tuple(part) if len(left) > 1 else part[0].value for part in zip(*left, strict=True))
        return updated_node.with_changes(body=[cst.Assign([cst.AssignTarget(target)], value)])


class _Item(cst.CSTTransformer):
    """Puts the item in the place of ``(item,)[0]``."""

    def leave_Subscript(self, original_node: Any, updated_node: cst.Subscript) -> Expression:  # noqa: ARG002 - libcst's name
        return _picked(updated_node)


def _without_tuple_of_one(body: list[Statement], counts: dict[str, int]) -> list[Statement]:
    """Remove ``saved = ctx.saved_tensors`` of one tensor: without a comma it is the tuple."""
    tuples: dict[str, Expression] = {}
    left: list[Statement] = []
    for n, statement in enumerate(body):
        match statement:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=title))], value=cst.Tuple() as value)]
            ) if len(value.elements) == 1 and counts.get(title, 0) == 1 + _bound_again(title, body[n + 1 :]):
                tuples[title] = value
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=title))])]
            ) if title in tuples:  # saved = saved[0]
                small: Any = statement.body[0]
                item = renamed(small.value, tuples).visit(_Item())
                left.append(statement.with_changes(body=[small.with_changes(value=item)]))
                del tuples[title]
            case _:
                left.append(renamed(statement, tuples).visit(_Item()) if tuples else statement)
    return left


def _bound_again(title: str, rest: Sequence[Statement]) -> bool:
    """Whether one of the statements that follow is ``saved = ...`` for such a name."""
    again = m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Name(title))])])
    return any(m.matches(statement, again) for statement in rest)


def _aliases(
    context: Context, small: cst.Assign, names: dict[str, Expression], counts: dict[str, int]
) -> list[cst.BaseSmallStatement] | None:
    """Return what is left of an unpacking, or nothing if it is none."""
    if len(small.targets) != 1:
        return None
    target, value = small.targets[0].target, small.value
    try:
        pairs = paired(target, returned(value)) if isinstance(value, cst.Tuple) else [(target, value)]
    except Refusal:
        return None
    if _one_after_another(flat(pairs)):
        return None
    kept: list[cst.BaseSmallStatement] = []
    found = False
    for slot, item in flat(pairs):
        carried = any(
            same(item, known)
            for known in (*context.saved, *context.attributes.values())
            if not isinstance(known, cst.Integer | cst.Float)
        )
        if not isinstance(slot, cst.Name) or not carried:
            place: Any = slot
            kept.append(cst.Assign([cst.AssignTarget(place)], item))
            continue
        found = True
        if isinstance(item, cst.Name) and counts.get(slot.value, 0) == 1 and counts.get(item.value, 0) <= 1:
            if slot.value != item.value:
                names[slot.value] = item
        elif not same(slot, item):
            kept.append(cst.Assign([cst.AssignTarget(slot)], item))
    return kept if found else None


def _one_after_another(pairs: Sequence[tuple[Expression, Expression]]) -> bool:
    """Whether assignments one after another would read what an earlier one has changed, as of ``a, b = b, a``."""
    changed: set[str] = set()
    for slot, item in pairs:
        if names_in(item) & changed:
            return True
        if not same(slot, item):
            changed |= names_in(slot)
    return False
