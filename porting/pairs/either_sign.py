"""Outputs whose vectors may have either sign, as eigenvectors: all sides are given the same signs before the rest."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from porting.backends import BACKENDS
from porting.numeric.compare import signs_along
from porting.pairs.wrapped import wrapped
from porting.runners import Case, Outcome
from porting.runners.base import unnested

Array: TypeAlias = np.ndarray[Any, Any]
_SOLVERS: Final = re.compile(r"(?i)eigh|\beig|svd|\bqr\b")
_AXES: Final = (-2, -1)  # along which a vector of a matrix lies: a column, a row
_ROUNDED: Final = {"float64": 1e-6, "float32": 1e-3}


def solve(functions: Iterable[Any]) -> bool:
    """Whether a file of some functions speaks of a solver whose vectors may have either sign."""
    for function in functions:
        with suppress(OSError, TypeError):
            file = inspect.getsourcefile(inspect.unwrap(function))
            if file and _SOLVERS.search(Path(file).read_text(encoding="utf-8")):
                return True
    return False


def of_either_sign(answers: Iterable[Sequence[tuple[Case, Outcome]]]) -> dict[int, int]:
    """Return the outputs that differ by the signs of some of their vectors alone, with the axis of a vector.

    Parameters
    ----------
    answers : iterable of sequence
        What each side was asked and answers; the first side is compared with the others.
    """
    first, *others = answers
    pairs = [(one.value, got.value) for other in others for (_, one), (_, got) in zip(first, other, strict=False)]
    outputs = [list(zip(*pair, strict=False)) for pair in pairs]
    count = min(map(len, outputs), default=0)
    return {k: axis for k in range(count) for axis in _AXES if _differ_by_signs([each[k] for each in outputs], axis)}


def _differ_by_signs(both: Iterable[tuple[Array, Array]], axis: int) -> bool:
    """Whether some vectors have the same sign, some the other one, and nothing else differs."""
    seen: set[float] = set()
    for want, got in both:
        rounded = max(_ROUNDED.get(y.dtype.name, 0.0) for y in (want, got))
        same_kind = want.shape == got.shape and want.dtype.kind == got.dtype.kind == "f"
        sign = signs_along(got, want, np.full(want.shape, rounded), axis) if same_kind else None
        if sign is None:
            return False
        seen |= {*sign.ravel().tolist()}
    return seen == {1.0, -1.0}


def signed(key: str, twin: Callable[..., Any], axes: Mapping[int, int]) -> Callable[..., Any]:
    """Return a twin with the same signs of vectors as all sides have; `axes` says of which outputs, along which axis.

    The sign is a constant near any input, so no gradient comes through it. Two sides whose vectors differ by signs have
    then the same outputs, and the same gradients for the same cotangent.
    """

    def wrap(inner: Callable[..., Any]) -> Callable[..., Any]:
        def with_signs(*xs: Any, **given: Any) -> Any:
            y = inner(*xs, **given)
            turned = BACKENDS[key].tensors.signed
            if not isinstance(y, tuple | list | dict):
                return turned(y, axes[0])
            return tuple(turned(one, axes[k]) if k in axes else one for k, one in enumerate(unnested(y)))

        return with_signs

    return wrapped(twin, wrap) if axes else twin
