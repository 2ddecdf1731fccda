"""Contexts that change how code runs or what its parts are called, and no number: what stands in them is read without.

``with tf.name_scope("x") as scope`` is one if `scope` is only handed on as a name.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, names_in, source
from porting.translate.names import Names

_NAMES: Final = (
    "tf.name_scope", "tf.compat.v1.name_scope", "tf.keras.backend.name_scope",
    "keras.backend.name_scope", "tf.variable_scope", "tf.compat.v1.variable_scope", "torch.profiler.record_function",
    "torch.autograd.profiler.record_function",
)  # fmt: skip
_PLACES: Final = ("tf.device", "tf.compat.v1.device", "torch.cuda.device", "torch.cuda.device_of")
_TYPES: Final = ("torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast", "torch.cpu.amp.autocast")
_ORDER: Final = ("tf.control_dependencies", "tf.compat.v1.control_dependencies")
_WHY: Final = {
    **dict.fromkeys(_NAMES, "it gives names"),
    **dict.fromkeys(_PLACES, "it says where to compute"),
    **dict.fromkeys(_TYPES, "nothing is cast here on its own"),
    **dict.fromkeys(_ORDER, "what stands there is computed in the order in which it is written"),
}


def without_contexts(node: Any, names: Names, notes: list[str]) -> Any:
    """Return a definition without such contexts; add to `notes` which are left out."""
    return node.visit(_Without(names, notes)) if m.findall(node, m.With()) else node


def inside(
    statement: cst.With,
    path: Callable[[Expression], str],
    notes: list[str],
    items: Sequence[cst.WithItem] | None = None,
) -> list[Any] | None:
    """Return what stands in a ``with`` that has only such contexts, or nothing if it has others.

    Parameters
    ----------
    statement : libcst.With
        The statement.
    path : callable
        Returns the dotted path of what is imported.
    notes : list of str
        Takes what is left out.
    items : sequence of libcst.WithItem, optional
        Those that count, all by default: of none, what stands in the statement is left.
    """
    block: Any = statement.body
    body: list[Any] = (
        list(block.body) if isinstance(block, cst.IndentedBlock) else [cst.SimpleStatementLine(list(block.body))]
    )
    told: list[str] = []
    for item in statement.items if items is None else items:
        call = item.item
        why = _WHY.get(path(call.func)) if isinstance(call, cst.Call) else None
        if why is None or _computes(call, path):
            return None
        told.append(f"`with {source(call)[:60]}` is left out: {why}")
        if item.asname is not None:
            name = source(item.asname.name)
            body = [line.visit(_Unnamed(name)) for line in body]
            if any(name in names_in(line) for line in body):
                return None
    notes += [note for note in told if note not in notes]
    above = list(statement.leading_lines)
    return [body[0].with_changes(leading_lines=[*above, *body[0].leading_lines]), *body[1:]]


def _computes(call: Any, path: Callable[[Expression], str]) -> bool:
    """Whether an operation is called in what has to be done first, an assertion, say: that would be left out too."""
    return path(call.func) in _ORDER and any(m.findall(argument, m.Call()) for argument in call.args)


class _Without(cst.CSTTransformer):
    def __init__(self, names: Names, notes: list[str]) -> None:
        self._names = names
        self._notes = notes

    def leave_With(self, original_node: cst.With, updated_node: cst.With) -> Any:  # noqa: ARG002 - libcst's name
        found = inside(updated_node, self._names.path, self._notes)
        return updated_node if found is None else cst.FlattenSentinel(found)


class _Unnamed(cst.CSTTransformer):
    """Takes ``name=scope`` out of calls."""

    def __init__(self, title: str) -> None:
        self._name = m.Arg(keyword=m.Name("name"), value=m.Name(title))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: ARG002
        kept = [argument for argument in updated_node.args if not m.matches(argument, self._name)]
        return updated_node.with_changes(args=kept) if len(kept) < len(updated_node.args) else updated_node
