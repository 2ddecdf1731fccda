"""The TensorFlow twins: one op per file, at the path that its oracle has under ``porting.oracle``.

>>> from tf_impl import legendre_polynomial3
>>> from tf_impl.published import legendre_polynomial3
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    import tensorflow as tf  # noqa: F401 - only to say kindly that it is missing
except ModuleNotFoundError as error:
    raise ImportError('tf_impl needs TensorFlow: pip install "gradport[tensorflow]"') from error


from tf_impl.replicas import on_replicas as on_replicas

if TYPE_CHECKING:
    from tf_impl.activation import *
    from tf_impl.bound import *
    from tf_impl.distributed import *
    from tf_impl.gradient import *
    from tf_impl.implicit import *
    from tf_impl.index import *
    from tf_impl.linalg import *
    from tf_impl.loss import *
    from tf_impl.normalize import *
    from tf_impl.published import *
    from tf_impl.sparse import *
    from tf_impl.special import *
    from tf_impl.spiking import *
    from tf_impl.stable import *
    from tf_impl.straight_through import *
    from tf_impl.structure import *


def __getattr__(name: str) -> Any:
    """Return an op of any family: its file says which one. The family is imported when it is first asked for."""
    found = [] if name.startswith("_") else [f for f in Path(__file__).parent.glob("*/*.py") if f.stem == name]
    family = next((file.parent.name for file in found if file.parent.name != "layers"), None)
    if family is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{family}"), name)
