"""Traced computations that are kept: a call with a signature that was seen is neither traced nor compiled again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable

    from porting.runners.base import Case
    from porting.runners.tf_run import TensorFlowRun


class Programs:
    """The traced functions of one twin, with the runs that they belong to; those of another twin take their place."""

    def __init__(self) -> None:
        self._twin: Any = None
        self._kept: dict[Hashable, tuple[Any, TensorFlowRun]] = {}

    def find(self, run: TensorFlowRun) -> tuple[Any, TensorFlowRun] | None:
        """Return the traced function for such a run, and the run that traced it."""
        key = _key(run.case)
        return self._kept.get(key) if key is not None and self._twin is run.twin else None

    def keep(self, run: TensorFlowRun, call: Any, arguments: tuple[Any, ...]) -> None:
        """Keep a traced function, unless it has a state: random numbers would go on where they should begin."""
        key = _key(run.case)
        if key is None or run.held is not None:
            return
        graph = call.get_concrete_function(*arguments).graph
        if any(operation.op_def.is_stateful for operation in graph.get_operations()):
            return
        if self._twin is not run.twin:
            self._twin, self._kept = run.twin, {}
        self._kept[key] = call, run


def _key(case: Case) -> Hashable | None:
    """Return what a trace depends on, beside the signature; nothing of statics that have no hash."""
    statics = tuple((name, type(value), value) for name, value in sorted(case.statics.items()))
    key = case.mode, case.device, case.use, case.watched, case.used, statics
    try:
        hash(key)
    except TypeError:
        return None
    return key if case.use == "plain" else None
