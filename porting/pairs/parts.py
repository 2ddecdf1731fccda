"""Complex outputs of real inputs, as a Fourier transform has them: compared by their real and imaginary parts."""

from collections.abc import Callable
from typing import Any

from porting.backends import BACKENDS
from porting.pairs.wrapped import wrapped


def parted(key: str, twin: Callable[..., Any]) -> Callable[..., Any]:
    """Return a twin whose complex outputs have a further axis of two, last, if all its inputs are real.

    Their cotangents are real then, like those of any other output, and so are gradients and differences.
    """

    def wrap(inner: Callable[..., Any]) -> Callable[..., Any]:
        def real(*xs: Any, **given: Any) -> Any:
            y = inner(*xs, **given)
            several = isinstance(y, tuple | list)
            outputs = list(y) if several else [y]
            if not any(map(_is_complex, outputs)) or any(map(_is_complex, [*xs, *given.values()])):
                return y
            outputs = [BACKENDS[key].tensors.parted(one) if _is_complex(one) else one for one in outputs]
            return tuple(outputs) if several else outputs[0]

        return real

    return wrapped(twin, wrap)


def _is_complex(thing: Any) -> bool:
    dtype = getattr(thing, "dtype", None)
    of_a_tensor = getattr(dtype, "is_complex", False)
    return bool(of_a_tensor) or getattr(dtype, "kind", "") == "c"  # NumPy's, of a framework that has its types
