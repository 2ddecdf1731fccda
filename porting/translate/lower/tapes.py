"""Derivatives that code asks its framework for: of what PyTorch records in a block, and of what a tape records."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.analyse.slices import written
from porting.translate.code import Expression, build, source
from porting.translate.dialects import DIALECTS
from porting.translate.lower.translating import Translating, Typed
from porting.translate.refusal import Refusal

RECORDING: Final = {"torch.enable_grad", "torch.autograd.enable_grad"}
TAPES: Final = {"tf.GradientTape", "tf.autodiff.GradientTape"}
_ASKED: Final = "torch.autograd.grad"
_LEAF: Final = m.Attribute(attr=m.Name("requires_grad") | m.Name("requires_grad_"))
_WATCHED: Final = '''
def _watched(x):
    """Return a tensor whose derivatives are recorded from here on."""
    return x if x.requires_grad else x.detach().requires_grad_()
'''


def taped(of: Translating, statement: cst.With, rest: Sequence[Any]) -> tuple[cst.WithItem, list[Any]]:
    """Return the tape for ``with torch.enable_grad():``, and the block with what is watched on it, in PyTorch's words.

    Parameters
    ----------
    of : Translating
        Its `tape` is set: what `torch.autograd.grad` becomes asks it.
    statement : libcst.With
        The block.
    rest : sequence of statements
        What follows it.

    Raises
    ------
    Refusal
        If it is not seen what a derivative is asked by.
    """
    asked = [call for part in (statement, *rest) for call in _asking(of, part)]
    if not asked:
        raise Refusal(f"with torch.enable_grad(): no {_ASKED} asks for what is recorded", statement)
    wanted = list(dict.fromkeys(name for call in asked for name in _inputs(call)))
    of.tape = next(name for name in ("tape", "tape_", "tape__") if name not in of.scope)
    of.scope[of.tape] = Abstract(Sort.TAPE)
    block: Any = statement.body
    watch = _Watch(of.tape, wanted)
    body = [line for s in block.body for line in _some(s.visit(watch))]
    inside = written(cst.Module(block.body))
    if lost := [name for name in wanted if name in inside and name not in watch.watched]:
        raise Refusal(f"{_ASKED}: {lost[0]} is computed in the block, and is no leaf of it", statement)
    before = [watch.line(name) for name in wanted if name not in watch.watched]
    persistent = "persistent=True" * (len(asked) > 1)
    item = cst.WithItem(build(f"tf.GradientTape({persistent})"), cst.AsName(cst.Name(of.tape)))
    return item, [*before, *body]


def _asking(of: Translating, part: cst.CSTNode) -> list[cst.Call]:
    calls: Any = m.findall(part, m.Call())
    return [call for call in calls if of.path(call.func) == _ASKED]


def _inputs(call: cst.Call) -> Iterator[str]:
    """Yield the variables that a derivative is asked by."""
    given = [a.value for a in call.args if a.keyword is None] + [None, None]
    by_name = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
    value = by_name.get("inputs", given[1])
    for item in [e.value for e in value.elements] if isinstance(value, cst.Tuple | cst.List) else [value]:
        if not isinstance(item, cst.Name):
            raise Refusal(f"{source(call)[:60]}: by which variables is not seen here", call)
        yield item.value


def _some(made: Any) -> list[Any]:
    return list(made) if isinstance(made, cst.FlattenSentinel) else [made] if isinstance(made, cst.CSTNode) else []


class _Watch(cst.CSTTransformer):
    """Watches a variable behind the line that makes it a leaf: ``x = x.detach().requires_grad_()``."""

    def __init__(self, tape: str, wanted: Sequence[str]) -> None:
        self._tape = tape
        self._wanted = wanted
        self.watched: set[str] = set()

    def line(self, name: str) -> cst.SimpleStatementLine:
        """Return the line that watches a variable."""
        return cst.SimpleStatementLine([cst.Expr(build(f"{self._tape}.watch({name})"))])

    def leave_SimpleStatementLine(self, original_node: Any, updated_node: cst.SimpleStatementLine) -> Any:  # noqa: ARG002 - libcst's name
        if not m.findall(updated_node, _LEAF):
            return updated_node
        lines: list[Any] = []
        match updated_node.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(value=title)))])]:
                pass  # x.requires_grad = True
            case [cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Name(value=title))))]:
                pass  # x.requires_grad_()
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=title))])]:
                lines = [updated_node]
            case _:
                return updated_node
        if title not in self._wanted:
            return updated_node
        self.watched.add(title)
        return cst.FlattenSentinel([*lines, self.line(title)])


def asked(of: Translating, tape: str, method: str, node: cst.Call) -> Typed:
    """Translate ``tape.gradient(y, x, dy)`` to PyTorch.

    Raises
    ------
    Refusal
        If something else is asked, or within the tape's block, where PyTorch would record what it asks.
    """
    if method != "gradient":
        raise Refusal(f"{tape}.{method}: no rule", node)
    if of.tape == tape:
        raise Refusal(f"{tape}.gradient: is asked while the tape records", node)
    places = [a.value for a in node.args if a.keyword is None]
    given = dict(zip(("target", "sources", "output_gradients"), places, strict=False))
    given |= {a.keyword.value: a.value for a in node.args if a.keyword is not None}
    if {*given} - {"target", "sources", "output_gradients"} or not {"target", "sources"} <= {*given}:
        raise Refusal(f"{source(node)[:60]}: no rule", node)
    y, x = given["target"], given["sources"]
    several = isinstance(x, cst.Tuple | cst.List)
    names = [e.value for e in x.elements] if isinstance(x, cst.Tuple | cst.List) else [x]
    if unwatched := [source(n) for n in names if source(n) not in of.watched]:
        raise Refusal(f"{tape}.gradient: {unwatched[0]} is not watched", node)
    made, kind = of.typed(y)
    if not kind.tensor and not isinstance(y, cst.Tuple | cst.List):
        raise Refusal(f"{tape}.gradient: is {source(y)[:40]} a tensor? Not known here", node)
    dy = of(given["output_gradients"]) if "output_gradients" in given else None
    if dy is None and not kind.tensor:
        raise Refusal(f"{tape}.gradient: of several outputs, without their cotangents", node)
    sources = cst.List([cst.Element(of(n)) for n in names])
    kept = "retain_graph=True, " * (of.scope[tape].number == "persistent")
    call = build(
        f"torch.autograd.grad({{y}}, {{x}}, {{dy}}, {kept}create_graph=torch.is_grad_enabled(), allow_unused=True)",
        y=made,
        x=sources,
        dy=dy or build("torch.ones_like({y})", y=made),  # what is done with y out here is not recorded
    )
    return (call, Abstract(Sort.TUPLE)) if several else (build("{call}[0]", call=call), Abstract(Sort.TENSOR, "float"))


def watched(of: Translating, node: Expression) -> list[cst.BaseSmallStatement] | None:
    """Translate ``tape.watch(x)`` to PyTorch: from here on x is a leaf, or has derivatives already; nothing else."""
    match node:
        case cst.Call(
            func=cst.Attribute(value=cst.Name(value=tape), attr=cst.Name(value="watch")), args=[cst.Arg(value=value)]
        ) if DIALECTS[of.to].by_class and tape in of.scope and of.scope[tape].sort is Sort.TAPE:
            pass
        case _:
            return None
    names = [e.value for e in value.elements] if isinstance(value, cst.Tuple | cst.List) else [value]
    for item in names:
        if not isinstance(item, cst.Name) or not of.typed(item)[1].tensor:
            raise Refusal(f"{source(node)[:60]}: is that a tensor? Not known here", node)
        of.watched.add(item.value)
    if of.quiet:
        return []
    of.helper("_watched", _WATCHED)
    return [cst.Assign([cst.AssignTarget(cst.Name(source(n)))], build("_watched({x})", x=n)) for n in names]
