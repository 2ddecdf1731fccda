"""Blocks that keep less, as layers with their weights."""

from typing import Any

from tensorflow import Tensor

from tf_impl.layers.statics import Statics, registered
from tf_impl.structure.reversible_block import reversible_block


@registered
class ReversibleBlock(Statics):
    """A residual block of two streams that keeps its outputs and not its inputs; the weights are Glorot's at first."""

    def __init__(self, size1: int, size2: int, **options: Any) -> None:
        super().__init__(**options)
        self.size1, self.size2 = size1, size2

    def build(self, x1_shape: tuple[int | None, ...], x2_shape: tuple[int | None, ...]) -> None:
        self.w1 = self.add_weight(shape=(self.size2, self.size1), initializer="glorot_uniform", name="w1")
        self.w2 = self.add_weight(shape=(self.size1, self.size2), initializer="glorot_uniform", name="w2")

    def call(self, x1: Tensor, x2: Tensor) -> tuple[Tensor, Tensor]:
        return reversible_block(x1, x2, self.w1, self.w2)
