"""Maps onto the probability simplex that can give exact zeros."""

from torch import Tensor

from torch_impl.nn.statics import Statics
from torch_impl.sparse.entmax15 import entmax15
from torch_impl.sparse.masked_softmax import masked_softmax
from torch_impl.sparse.sparsemax import sparsemax


class Entmax15(Statics):
    """Probabilities along an axis, between softmax and sparsemax."""

    def __init__(self, *, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def forward(self, x: Tensor) -> Tensor:
        return entmax15(x, axis=self.axis)


class MaskedSoftmax(Statics):
    """Softmax along an axis where the mask is not 0; elsewhere 0."""

    def __init__(self, *, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return masked_softmax(x, mask, axis=self.axis)


class Sparsemax(Statics):
    """The nearest point of the probability simplex, along an axis."""

    def __init__(self, *, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def forward(self, x: Tensor) -> Tensor:
        return sparsemax(x, axis=self.axis)
