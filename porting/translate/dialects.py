"""The dialects that a translation reads and writes: the frameworks and NumPy, and how their programs differ."""

import sys
from dataclasses import dataclass
from typing import Final

from porting.backends import BACKENDS, PACKAGES


@dataclass(frozen=True)
class Dialect:
    """How programs of one library are written.

    Attributes
    ----------
    title : str
        The library, in sentences.
    alias : str
        The name that its programs use for it, ``np``.
    imported : str
        The line that imports it under this name.
    tensor, is_tensor : str
        The type of its arrays; the test whether ``{x}`` is one.
    gradient : str
        What makes a custom gradient in it; nothing if it has no custom gradients.
    traced : bool
        Whether a program may run in a graph. Such a graph does not know every length and every number, does not accept
        operands of two types, and has tensors that cannot be written to.
    underscored : bool
        Whether a function with an underscore at the end of its name writes to its argument.
    by_class : bool
        Whether a custom gradient is a class, and not a decorated function.
    placed : bool
        Whether a program says on which device it makes a new tensor.
    """

    title: str
    alias: str
    imported: str
    tensor: str
    is_tensor: str
    gradient: str = ""
    traced: bool = False
    underscored: bool = False
    by_class: bool = False
    placed: bool = False


DIALECTS: Final = {
    "torch": Dialect(
        BACKENDS["torch"].title, "torch", "import torch", "torch.Tensor", "torch.is_tensor({x})",
        gradient="torch.autograd.Function", underscored=True, by_class=True, placed=True,
    ),
    "tf": Dialect(
        BACKENDS["tf"].title, "tf", "import tensorflow as tf", "tf.Tensor", "tf.is_tensor({x})",
        gradient="tf.custom_gradient", traced=True,
    ),
    "numpy": Dialect("NumPy", "np", "import numpy as np", "np.ndarray", "isinstance({x}, np.ndarray)"),
}  # fmt: skip
# What nearly everybody calls them: what a star import brings, or another module hands on.
USUAL: Final = {"torch": "torch", "tf": "tensorflow", "np": "numpy", "nn": "torch.nn", "F": "torch.nn.functional"}
TITLES: Final = {key: dialect.title for key, dialect in DIALECTS.items()}
FRAMEWORKS: Final = {key: dialect for key, dialect in DIALECTS.items() if dialect.gradient}
# What their programs import, under each name that stands in a path.
IMPORTED: Final = tuple({**PACKAGES, **{dialect.alias: key for key, dialect in FRAMEWORKS.items()}})
AT_HAND: Final = {*sys.stdlib_module_names, "numpy", *IMPORTED}  # what a translation may import


def other_than(key: str) -> str:
    """Return the framework that is not this one."""
    return next(other for other in FRAMEWORKS if other != key)
