"""Has every place of a forward that keeps something for the gradient keep it in the same variables."""

from collections.abc import Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, same, source
from porting.translate.names import targets_of
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement


def in_variables(body: Sequence[Statement], ctx: str, taken: set[str]) -> tuple[list[Statement], set[str], set[int]]:
    """Return a forward that keeps a variable where it keeps this in one branch and that in another.

    Parameters
    ----------
    body : sequence of statements
        Of a forward.
    ctx : str
        What it calls the context.
    taken : set of str
        Names that no new variable may have.

    Returns
    -------
    tuple of list of statements, set of str and set of int
        The same, with ``kept0 = x`` and ``ctx.save_for_backward(kept0)`` for ``ctx.save_for_backward(x)`` where other
        tensors are saved elsewhere, or where x is another one afterwards; the new variables; and how many tensors the
        places save: where one saves fewer than another, it saves None in their place.

    Raises
    ------
    Refusal
        If one place saves a sequence, and another one something else.
    """
    places = _Places(ctx)
    for statement in body:
        statement.visit(places)
    if any(a.star for call in places.saves for a in call.args) and len(places.saves) > 1:
        raise Refusal(f"{ctx}.save_for_backward: saves a sequence in one place and something else in another")
    counts = {len(call.args) for call in places.saves}
    slots = [[_saved(call, k) for call in places.saves] for k in range(max(counts, default=0))]
    if any(a.star for call in places.saves for a in call.args):
        slots = []
    fresh: dict[str, str] = {}
    for key, values in [*((f"{k}", found) for k, found in enumerate(slots)), *places.attributes.items()]:
        differ = any(not same(values[0], other) for other in values[1:])
        if differ or any(isinstance(v, cst.Name) and v.value in places.changed for v in values):
            wished = f"kept{key}" if key.isdigit() else key
            while wished in taken:
                wished += "_"
            taken.add(wished)
            fresh[key] = wished
    if not fresh:
        return list(body), set(), counts
    made = cst.Module(list(body)).visit(_InVariables(ctx, fresh, max(counts, default=0)))  # type: ignore[arg-type]  # statements of a function are some
    return list(made.body), set(fresh.values()), counts


def _saved(call: cst.Call, place: int) -> Expression:
    """Return what a call saves at a place."""
    return call.args[place].value if place < len(call.args) else cst.Name("None")


class _Places(cst.CSTVisitor):
    """Collects what is kept, and the variables that something else is assigned to in the branch that keeps them."""

    def __init__(self, ctx: str) -> None:
        self._ctx = ctx
        self.saves: list[cst.Call] = []
        self.attributes: dict[str, list[Expression]] = {}
        self.changed: set[str] = set()
        self._open: list[set[str]] = []  # kept in the compound statement that is read

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002 - libcst's name
        return False

    def visit_If(self, node: cst.If) -> None:  # noqa: ARG002
        self._open.append(set())

    def leave_If(self, original_node: cst.If) -> None:  # noqa: ARG002
        self._open.pop()

    def visit_With(self, node: cst.With) -> None:  # noqa: ARG002
        self._open.append(set())

    def leave_With(self, original_node: cst.With) -> None:  # noqa: ARG002
        self._open.pop()

    def visit_For(self, node: cst.For) -> None:
        self._loop(node)

    def visit_While(self, node: cst.While) -> None:
        self._loop(node)

    def _loop(self, node: cst.For | cst.While) -> None:
        """Read a loop: it comes back, so what it assigns anywhere is assigned after what it keeps."""
        inner = _Places(self._ctx)
        inner._open.append(set())
        for statement in node.body.body:
            statement.visit(inner)
        kept = inner._open[0]
        assigned: Any = m.findall(node.body, m.AssignTarget() | m.AugAssign())
        self.changed |= kept & {name for one in assigned for name in targets_of(one.target)}

    def visit_Expr(self, node: cst.Expr) -> None:
        if m.matches(node.value, m.Call(m.Attribute(m.Name(self._ctx), m.Name("save_for_backward")))):
            call = cst.ensure_type(node.value, cst.Call)
            self.saves.append(call)
            self._keep(*(a.value for a in call.args))

    def visit_Assign(self, node: cst.Assign) -> None:
        for target in node.targets:
            match target.target:
                case cst.Attribute(value=cst.Name(value=self._ctx), attr=attr):
                    self.attributes.setdefault(attr.value, []).append(node.value)
                    self._keep(node.value)
                case other:
                    self._assigned(*targets_of(other))

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        self._assigned(*targets_of(node.target))

    def _keep(self, *values: Expression) -> None:
        for kept in self._open:
            kept |= {v.value for v in values if isinstance(v, cst.Name)}

    def _assigned(self, *names: str) -> None:
        self.changed |= {n for n in names for kept in self._open if n in kept}


class _InVariables(cst.CSTTransformer):
    """Writes the new variables."""

    def __init__(self, ctx: str, fresh: dict[str, str], count: int) -> None:
        self._ctx = ctx
        self._fresh = fresh
        self._count = count

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002 - libcst's name
        return False

    def leave_SimpleStatementLine(self, original_node: Any, updated_node: cst.SimpleStatementLine) -> Any:  # noqa: ARG002
        made = [part for small in updated_node.body for part in self._parts(small)]
        if len(made) == len(updated_node.body):
            return updated_node
        lines = [cst.SimpleStatementLine([part]) for part in made]
        lines[0] = lines[0].with_changes(leading_lines=updated_node.leading_lines)
        return cst.FlattenSentinel(lines)

    def _parts(self, small: Any) -> list[Any]:
        match small:
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Name(value=self._ctx))) as call) if (
                source(call.func) == f"{self._ctx}.save_for_backward"
            ):
                names = {k: cst.Name(self._fresh[f"{k}"]) for k in range(self._count) if f"{k}" in self._fresh}
                lines = [_line(slot, _saved(call, k)) for k, slot in names.items()]
                given = [a.with_changes(value=names[k]) if k in names else a for k, a in enumerate(call.args)]
                given += [cst.Arg(slot) for k, slot in names.items() if k >= len(call.args)]
                return [*lines, small.with_changes(value=call.with_changes(args=given))]
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(value=self._ctx), attr=attr))]
            ):
                if attr.value not in self._fresh:
                    return [small]
                slot = cst.Name(self._fresh[attr.value])
                return [_line(slot, small.value), small.with_changes(value=slot)]
            case _:
                return [small]


def _line(slot: cst.Name, value: Expression) -> cst.Assign:
    return cst.Assign([cst.AssignTarget(slot)], value)
