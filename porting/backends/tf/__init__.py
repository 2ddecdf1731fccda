"""TensorFlow."""

from pathlib import Path
from typing import Final

from porting.backends.backend import Backend

BACKEND: Final = Backend("tf", "TensorFlow", "porting.runners.tf:TensorFlowRunner", Path(__file__).parent)
