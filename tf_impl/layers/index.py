"""Rows picked and summed by integer indices, as layers."""

from typing import Any

import keras
import tensorflow as tf
from tensorflow import Tensor

from tf_impl.index.embedding_padding import embedding_padding
from tf_impl.index.gather_rows import gather_rows
from tf_impl.index.scatter_mean import scatter_mean
from tf_impl.layers.statics import Statics, Unmasked, registered


@registered
class EmbeddingPadding(Statics):
    """Rows of a table of normal numbers, where one row, the padding, is 0 and is never trained."""

    def __init__(self, rows: int, size: int, *, padding: int, **options: Any) -> None:
        super().__init__(**options)
        self.rows, self.size, self.padding = rows, size, padding

    def build(self, indices_shape: tuple[int | None, ...]) -> None:
        self.table = self.add_weight(shape=(self.rows, self.size), initializer=self._initial, name="table")

    def _initial(self, shape: tuple[int, int], dtype: str) -> Tensor:
        trained = tf.range(self.rows)[:, None] != self.padding
        return tf.where(trained, keras.random.normal(shape, dtype=dtype), 0)

    def call(self, indices: Tensor) -> Tensor:
        return embedding_padding(self.table, indices, padding=self.padding)


@registered
class GatherRows(Unmasked):
    """x[indices]; a row that is taken twice gets both gradients."""

    def call(self, x: Tensor, indices: Tensor) -> Tensor:
        return gather_rows(x, indices)


@registered
class ScatterMean(Unmasked):
    """Mean of the rows that share an index from 0 to size - 1; 0 for an index that no row has."""

    def __init__(self, *, size: int, **options: Any) -> None:
        super().__init__(**options)
        self.size = size

    def call(self, x: Tensor, indices: Tensor) -> Tensor:
        return scatter_mean(x, indices, size=self.size)
