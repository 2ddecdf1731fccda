"""Keeps traced computations: a call with a known signature is neither traced nor compiled again."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from porting.backends.tf.arrays import specs

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from porting.runners.base import Case

_USES = ("plain", "traced before", "any shape")  # the others put the numbers of a second case into the graph
_OF_VARIABLES = ("ReadVariableOp", "AssignVariableOp")
_TWINS = 32  # whoever checks one twin with several seeds, among as many others, finds its programs again


class Programs:
    """The traced functions of the twins that were run last, with the runs that they belong to."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Any, dict[Hashable, tuple[Any, Any]]]] = {}

    def find(self, case: Case, twin: Any) -> tuple[Any, Any] | None:
        """Return the traced function for such a case, and the run that traced it."""
        key = _key(case)
        if key is None or id(twin) not in self._kept:
            return None
        self._kept[id(twin)] = found = self._kept.pop(id(twin))  # the latest stands last
        return found[1].get(key)

    def keep(self, case: Case, twin: Any, call: Any, run: Any) -> None:
        """Keep a traced function, and the run that traced it."""
        key = _key(case)
        if key is None:
            return
        self._kept.setdefault(id(twin), (twin, {}))[1][key] = call, run  # a twin that is held keeps its id
        if len(self._kept) > _TWINS:
            del self._kept[next(iter(self._kept))]


def has_state(call: Any, arguments: Any, filled: Sequence[Any] = ()) -> bool:
    """Whether a traced function has a state: its random numbers would continue, and not start again from the seed.

    Variables that each call fills before it reads them are none.
    """
    graph = call.get_concrete_function(*arguments).graph
    known = {id(variable) for variable in filled}
    of_them = _OF_VARIABLES if all(id(variable) in known for variable in graph.variables) else ()
    return any(one.op_def.is_stateful and one.type not in of_them for one in graph.get_operations())


def _key(case: Case) -> Hashable | None:
    """Return what a trace depends on, beside types and shapes; nothing if it depends on more, or has no hash."""
    if case.use not in _USES:
        return None
    statics = tuple((name, type(value), value) for name, value in sorted(case.statics.items()))
    signature = tuple(chain.from_iterable(specs(case))) if case.use == "any shape" else ()
    dtypes = tuple(x.dtype for x in case.inputs.values())  # a layer has other variables in each
    key = case.mode, case.device, case.use, case.watched, case.used, statics, signature, dtypes
    try:
        hash(key)
    except TypeError:
        return None
    return key
