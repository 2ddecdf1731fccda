"""The PyTorch twins: one op per file, at the path that its oracle has under ``porting.oracle``.

>>> from torch_impl.published import legendre_polynomial3
"""

try:
    import torch  # noqa: F401 - only to say kindly that it is missing
except ModuleNotFoundError as error:
    raise ImportError('torch_impl needs PyTorch: pip install "gradport[torch]"') from error
