"""Calls an op of TensorFlow: by place or by keyword, eagerly or as code in a ``tf.function``."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from porting.backends.tf.tensors import is_dense
from porting.runners.base import as_outputs
from porting.runners.side import called as _taking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porting.runners.base import Case


def called(op: Any, inputs: Sequence[Any], statics: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the outputs of an op, a variable as the tensor it holds; where a graph is made, AutoGraph converts it."""
    call = _plainly if tf.executing_eagerly() else _converted()
    return tuple(map(_read, as_outputs(call(op, inputs, statics), is_dense, "a tensor")))


def by_keyword(twin: Any, case: Case, inputs: Sequence[Any]) -> dict[str, Any]:
    """Return inputs by the twin's own names, which need not be the oracle's."""
    names = _parameters(twin, case)
    return dict(zip(case.inputs if {*names} == {*case.inputs} else names, inputs))


def has_gradient(output: Any) -> bool:
    """Tell whether an output is of a type that has gradients: a mask, a count of steps has none."""
    return bool(output.dtype.is_floating or output.dtype.is_complex)


def sent_to(y: Any, v: Any) -> Any:
    """Return a cotangent in the type of its output, as what follows the op sends it: PyTorch casts it by itself."""
    return tf.cast(v, y.dtype) if v.dtype != y.dtype and v.dtype.is_floating and y.dtype.is_floating else v


def _read(output: Any) -> Any:
    """Return what a variable holds now; one of Keras has a text as its type, and would not be differentiated."""
    return tf.convert_to_tensor(output) if hasattr(output, "assign") else output


def _plainly(twin: Any, inputs: Sequence[Any], statics: Mapping[str, Any]) -> Any:
    return twin(*inputs, **statics)


@lru_cache(maxsize=1)
def _converted() -> Any:
    """Return a function that calls an op as code in a ``tf.function`` does: converted by AutoGraph."""
    try:
        return tf.autograph.to_graph(_plainly)
    except Exception:  # noqa: BLE001 - where our own source cannot be read, as in another interpreter
        return _plainly


def _parameters(twin: Any, case: Case) -> list[str]:
    try:
        innermost = inspect.unwrap(twin, stop=lambda f: hasattr(f, "__signature__"))  # a wrapper's own, if it says so
        names = list(inspect.signature(_taking(innermost)).parameters)
    except (TypeError, ValueError):
        return list(case.inputs)
    fixed: set[str] = set(case.statics)  # a static may stand between them
    while hasattr(twin, "__wrapped__"):
        fixed.update(getattr(twin, "fixed", ()), getattr(twin, "named", ()))
        twin = twin.__wrapped__
    return [name for name in names if name not in fixed][: len(case.inputs)]
