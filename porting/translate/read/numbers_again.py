"""Reads a number where a gradient takes it out of a tensor that was made of it, to be saved."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import written
from porting.translate.code import literal
from porting.translate.names import Names

Statement = cst.BaseStatement
_MAKERS: Final = ("torch.tensor", "torch.as_tensor")
_FIRST: Final = m.Subscript(m.Name(), [m.SubscriptElement(m.Index(m.Integer("0")))])


def with_numbers(
    body: Sequence[Statement], vjp: Sequence[Statement], own: Sequence[str], names: Names
) -> tuple[list[Statement], list[Statement]]:
    """Return a forward and its gradient in which ``kept.item()`` is ``k``, where ``kept = torch.tensor(k)``.

    Parameters
    ----------
    body, vjp : sequence of statements
        The forward and the gradient.
    own : sequence of str
        The parameters. Such a k is a number, or one of these that nothing else is assigned to.
    names : Names
        Of the module.
    """
    of_body, of_vjp = ({t: v for t, v in _tensors(part, names) if _once(t, (*body, *vjp))} for part in (body, vjp))
    found = of_body | of_vjp
    lost = {n for s in vjp for n in written(s) if not _is_copy(_with(s, found, names))}
    before = lost.union(*map(written, body))  # what the gradient makes a tensor of, it has as it is in the end
    known = {t: v for t, v in of_body.items() if _stays(v[0], own, before)}
    known |= {t: v for t, v in of_vjp.items() if _stays(v[0], own, lost)}
    left = [_with(s, known, names) for s in vjp]
    return [_with(s, known, names) for s in body], [s for s in left if not _is_copy(s)]


def _tensors(body: Sequence[Statement], names: Names) -> Iterator[tuple[str, tuple[cst.BaseExpression, bool]]]:
    """Yield the variables that are tensors made of a number."""
    for statement in body:
        if m.matches(statement, m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Name())], m.Call())])):
            small: Any = cst.ensure_type(statement, cst.SimpleStatementLine).body[0]
            made = _made_of(small.value, names)
            if made is not None:
                yield small.targets[0].target.value, made


def _once(title: str, body: Sequence[Statement]) -> bool:
    """Whether one statement alone assigns a variable."""
    return sum(title in written(s) for s in body) == 1


def _with(statement: Any, found: Mapping[str, tuple[cst.BaseExpression, bool]], names: Names) -> Any:
    """Return a statement with numbers in the place of the tensors that are made of them."""
    return statement.visit(_Numbers(found, names))


def _stays(number: cst.BaseExpression, own: Sequence[str], lost: set[str]) -> bool:
    """Whether a number is written out, or is a parameter that nothing else is assigned to."""
    return not isinstance(number, cst.Name) or (number.value in own and number.value not in lost)


def _made_of(call: cst.Call, names: Names) -> tuple[cst.BaseExpression, bool] | None:
    """Return the number that a tensor is made of, and whether it is the only one of a list."""
    types = [a.value for a in call.args[1:] if a.keyword is None or a.keyword.value == "dtype"]
    floats = all(names.path(dtype).startswith("torch.float") for dtype in types)  # another one rounds it
    if names.path(call.func) not in _MAKERS or not call.args or call.args[0].star or not floats:
        return None
    value = call.args[0].value
    listed = isinstance(value, cst.List) and len(value.elements) == 1
    inner = value.elements[0].value if isinstance(value, cst.List) and listed else value
    number = isinstance(literal(inner), int | float)
    return (inner, listed) if number or isinstance(inner, cst.Name) else None


def _is_copy(statement: cst.CSTNode) -> bool:
    """Whether a line is ``k = k``."""
    if not m.matches(statement, m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Name())], m.Name())])):
        return False
    small: Any = cst.ensure_type(statement, cst.SimpleStatementLine).body[0]
    return bool(small.targets[0].target.value == small.value.value)


class _Numbers(cst.CSTTransformer):
    def __init__(self, made: Mapping[str, tuple[cst.BaseExpression, bool]], names: Names) -> None:
        super().__init__()
        self._made = made
        self._names = names

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: ARG002
        """Replace ``kept.item()``, ``kept[0].item()`` and ``torch.tensor(k).item()``."""
        if not m.matches(updated_node, m.Call(m.Attribute(attr=m.Name("item")), [])):
            return updated_node
        tensor = cst.ensure_type(updated_node.func, cst.Attribute).value
        if isinstance(tensor, cst.Call):
            inner = _made_of(tensor, self._names)
            return inner[0] if inner is not None else updated_node
        first = m.matches(tensor, _FIRST)
        base = cst.ensure_type(tensor, cst.Subscript).value if first else tensor
        found = self._made.get(base.value) if isinstance(base, cst.Name) else None
        return found[0] if found is not None and (found[1] or not first) else updated_node
