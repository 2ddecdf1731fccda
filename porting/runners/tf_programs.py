"""Traced computations that are kept: a call with a signature that was seen is neither traced nor compiled again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable

    from porting.runners.base import Case


class Programs:
    """The traced functions of one twin, with the runs that they belong to; those of another twin take their place."""

    def __init__(self) -> None:
        self._twin: Any = None
        self._kept: dict[Hashable, tuple[Any, Any]] = {}

    def find(self, case: Case, twin: Any) -> tuple[Any, Any] | None:
        """Return the traced function for such a case, and the run that traced it."""
        key = _key(case)
        return self._kept.get(key) if key is not None and self._twin is twin else None

    def keep(self, case: Case, twin: Any, call: Any, run: Any) -> None:
        """Keep a traced function, and the run that traced it."""
        key = _key(case)
        if key is None:
            return
        if self._twin is not twin:
            self._twin, self._kept = twin, {}
        self._kept[key] = call, run


def has_state(call: Any, arguments: Any) -> bool:
    """Whether a traced function has a state: random numbers would go on where they should begin."""
    graph = call.get_concrete_function(*arguments).graph
    return any(operation.op_def.is_stateful for operation in graph.get_operations())


def _key(case: Case) -> Hashable | None:
    """Return what a trace depends on, beside the signature; nothing of statics that have no hash."""
    statics = tuple((name, type(value), value) for name, value in sorted(case.statics.items()))
    key = case.mode, case.device, case.use, case.watched, case.used, statics
    try:
        hash(key)
    except TypeError:
        return None
    return key
