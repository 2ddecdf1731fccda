"""An op of TensorFlow as a text by which another process finds it, and as the function that it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porting.backends.tf.call import called
from porting.runners.by_name import found_by, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from porting.backends.tf.in_mode import Answer, Asked


def by_name(asked: Asked) -> str:
    """Return the text, see `porting.runners.by_name.text_of`."""

    def same(text: str) -> bool:
        function = named(text)
        return _bits(asked.taped(lambda *x: function(*asked.all(x)))) == _bits(asked.taped(asked))

    stage = asked.stage
    try:
        return text_of(asked.twin, asked.case, same)
    finally:
        asked.stage = stage


def named(text: str) -> Callable[..., tuple[Any, ...]]:
    """Return the op as a function of its inputs."""
    twin, statics = found_by("tf", text)
    return lambda *xs: called(twin, xs, statics)


def _bits(answer: Answer) -> list[bytes | None]:
    return [None if t is None else t.numpy().tobytes() for part in answer for t in part]
