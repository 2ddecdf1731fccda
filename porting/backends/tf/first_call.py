"""Layers whose first call sets parameters from its data, as quantisers do with their step: taken as they are then."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from porting.runners.attributes import Attributes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porting.backends.tf.copied import Copy
    from porting.runners.base import Array


class FirstCall:
    """Calls a layer as it is called later on.

    Parameters
    ----------
    examples : sequence of sequence of numpy.ndarray
        The inputs of a first call and of a second one.
    statics : mapping
        The other arguments of these calls.
    """

    def __init__(self, examples: Sequence[Sequence[Any]], statics: Mapping[str, Any]) -> None:
        self._examples, self._statics = examples, statics

    def __call__(self, copy: Copy, parts: Sequence[Any], dtype: str) -> tuple[str, ...]:
        """Leave a layer as its first call does, if that sets parameters that a second one leaves; return these.

        Otherwise it is left as it was.
        """
        from porting.runners import RUNNERS

        if not copy.trained:
            return ()
        runner = RUNNERS["tf"]
        settings, before = runner.state(), _State(copy, parts)
        try:
            with suppress(Exception):  # what it raises is told elsewhere
                self._call(copy, 0, dtype)
                after = _State(copy, parts)
                if found := after.others_than(before):
                    self._call(copy, 1, dtype)
                    if not _State(copy, parts).others_than(after):
                        before = after
                        return found
            return ()
        finally:
            before.put_back()
            runner.restore(settings)

    def _call(self, copy: Copy, which: int, dtype: str) -> None:
        import tensorflow as tf

        def tensor(x: Array) -> Any:
            return tf.cast(x, dtype) if x.dtype.kind == "f" else tf.constant(x)

        with tf.init_scope(), tf.device("/CPU:0"):
            copy.layer(*tf.nest.map_structure(tensor, list(self._examples[which])), **self._statics)


class _State:
    """What a layer holds now: its variables, and plain attributes."""

    def __init__(self, copy: Copy, parts: Sequence[Any]) -> None:
        self._variables = {**copy.trained, **copy.others}
        self._trained = [*copy.trained]
        self._numbers: dict[str, Array] = {name: v.numpy() for name, v in self._variables.items()}
        self._attributes = Attributes(parts)

    def others_than(self, before: _State) -> tuple[str, ...]:
        """Return the parameters that had other numbers before."""
        pairs = ((n, self._numbers[n], before._numbers[n]) for n in self._trained)
        return tuple(n for n, now, then in pairs if not np.array_equal(now, then, equal_nan=True))

    def put_back(self) -> None:
        for name, variable in self._variables.items():
            variable.assign(self._numbers[name])
        self._attributes.put_back()
