"""A copy of a layer in one type, and what it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from porting.backends.tf.untracked import Place


class Copy(NamedTuple):
    """A layer in one type: the callable, its trained and other variables by name, those that Keras does not track.

    At last the places of its plain tensors.
    """

    layer: Any
    trained: dict[str, Any]
    others: dict[str, Any]
    untracked: tuple[str, ...] = ()
    tensors: tuple[Place, ...] = ()
