"""The PyTorch twins: one op per file, at the path that its oracle has under ``porting.oracle``.

>>> from torch_impl.published import legendre_polynomial3
"""

import inspect
import sys

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
