"""The PyTorch twins: one op per file, at the path that its oracle has under ``porting.oracle``.

>>> from torch_impl import legendre_polynomial3
>>> from torch_impl.published import legendre_polynomial3
"""

import inspect
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    import torch
except ModuleNotFoundError as error:
    raise ImportError('torch_impl needs PyTorch: pip install "gradport[torch]"') from error


def keep_signatures(package: str) -> None:
    """Note the signature of each ``forward`` of a family, which ``Function.apply`` else works out in every call.

    That is two fifths of what a call costs beyond its kernels. A twin that is copied out of the tree works without.
    """
    modules = [module for name, module in sys.modules.items() if name.startswith(f"{package}.")]
    for thing in [thing for module in modules for thing in vars(module).values()]:
        if isinstance(thing, type) and issubclass(thing, torch.autograd.Function):
            thing.forward.__signature__ = inspect.signature(thing.forward)


from torch_impl.exportable import exportable as exportable  # noqa: E402 - torch is there
from torch_impl.forward_mode import forward_mode as forward_mode  # noqa: E402 - likewise
from torch_impl.ranks import on_ranks as on_ranks  # noqa: E402 - likewise

if TYPE_CHECKING:
    from torch_impl.activation import *
    from torch_impl.bound import *
    from torch_impl.distributed import *
    from torch_impl.gradient import *
    from torch_impl.implicit import *
    from torch_impl.index import *
    from torch_impl.linalg import *
    from torch_impl.loss import *
    from torch_impl.normalize import *
    from torch_impl.published import *
    from torch_impl.sparse import *
    from torch_impl.special import *
    from torch_impl.spiking import *
    from torch_impl.stable import *
    from torch_impl.straight_through import *
    from torch_impl.structure import *


def __getattr__(name: str) -> Any:
    """Return an op of any family: its file says which one. The family is imported when it is first asked for."""
    found = [] if name.startswith("_") else [f for f in Path(__file__).parent.glob("*/*.py") if f.stem == name]
    family = next((file.parent.name for file in found if file.parent.name != "nn"), None)
    if family is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{family}"), name)
