"""PyTorch."""

from pathlib import Path
from typing import Final

from porting.backends.backend import Backend

BACKEND: Final = Backend("torch", "PyTorch", "porting.runners.torch:TorchRunner", Path(__file__).parent)
