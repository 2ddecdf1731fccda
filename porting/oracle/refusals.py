"""What several ops refuse, and in which words."""

from typing import Any


def refuse_axis(x: Any, axis: int) -> None:
    """Refuse an axis that x does not have, or along which it has nothing."""
    if not -x.ndim <= axis < x.ndim or x.shape[axis] == 0:
        raise ValueError(f"axis={axis}: wanted an axis of x {list(x.shape)} that is not empty")


def refuse_labels(x: Any, labels: Any) -> None:
    """Refuse labels that are no integers, not one per row of x, or beyond its last axis."""
    if labels.dtype.kind not in "iu":
        raise TypeError(f"labels: integers are wanted, got {labels.dtype.name}")
    if x.ndim == 0 or labels.shape != x.shape[:-1]:
        raise ValueError(f"labels {list(labels.shape)}: wanted one for each row of x {list(x.shape)}")
    bad = labels[(labels < 0) | (labels >= x.shape[-1])]
    if bad.size:
        raise ValueError(f"labels={bad.flat[0]}: wanted 0 <= labels < {x.shape[-1]}, the length of the last axis of x")


def refuse_integers(name: str, x: Any) -> None:
    """Refuse integers where the result would be rounded to integers: they have no gradient either."""
    if x.dtype.kind in "iub":
        raise TypeError(f"{name}: floating numbers are wanted, got {x.dtype.name}")
