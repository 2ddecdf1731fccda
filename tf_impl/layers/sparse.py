"""Maps onto the probability simplex that can give exact zeros."""

from typing import Any

from tensorflow import Tensor

from tf_impl.layers.statics import Statics, Unmasked, registered
from tf_impl.sparse.entmax15 import entmax15
from tf_impl.sparse.masked_softmax import masked_softmax
from tf_impl.sparse.sparsemax import sparsemax


@registered
class Entmax15(Statics):
    """Probabilities along an axis, between softmax and sparsemax."""

    def __init__(self, *, axis: int = -1, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def call(self, x: Tensor) -> Tensor:
        return entmax15(x, axis=self.axis)


@registered
class MaskedSoftmax(Unmasked):
    """Softmax along an axis where the mask is not 0; elsewhere 0."""

    def __init__(self, *, axis: int = -1, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def call(self, x: Tensor, mask: Tensor) -> Tensor:
        return masked_softmax(x, mask, axis=self.axis)


@registered
class Sparsemax(Statics):
    """The nearest point of the probability simplex, along an axis."""

    def __init__(self, *, axis: int = -1, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def call(self, x: Tensor) -> Tensor:
        return sparsemax(x, axis=self.axis)
