"""PyTorch."""

from pathlib import Path
from typing import Final

from porting.backends.backend import Backend

BACKEND: Final = Backend(
    key="torch",
    title="PyTorch",
    runner="porting.backends.torch.runner:TorchRunner",
    place="porting.backends.torch.tensors",
    folder=Path(__file__).parent,
    types_apart=(("same dtype",), ("expected scalar type",), ("dtypes match",), ("Found dtype", "but expected")),
    no_graph="does not require grad",
    no_phase="specified up to multiplication by e^{i phi}",
    packages=("torch",),
    # PyTorch imports its symbolic shapes, and sympy with them, when a gradient is first asked for.
    preloaded=("torch.fx.experimental.symbolic_shapes", "porting.backends.torch.run"),
    has=("forward mode", "repaired gradients", "saved tensors", "vmap", "writable tensors"),
    catalogued=True,
    draws="porting.backends.torch.draws:drawing",
)
