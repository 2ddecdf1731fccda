"""Rows picked and summed by integer indices, as layers."""

import torch
from torch import Tensor
from torch.nn import Parameter

from torch_impl.index.embedding_padding import embedding_padding
from torch_impl.index.gather_rows import gather_rows
from torch_impl.index.scatter_mean import scatter_mean
from torch_impl.nn.statics import Statics


class EmbeddingPadding(Statics):
    """Rows of a table of normal numbers, where one row, the padding, is 0 and is never trained."""

    def __init__(self, rows: int, size: int, *, padding: int) -> None:
        super().__init__()
        self.rows, self.size, self.padding = rows, size, padding
        trained = torch.arange(rows)[:, None] != padding
        self.table = Parameter(torch.where(trained, torch.randn(rows, size), 0))

    def forward(self, indices: Tensor) -> Tensor:
        return embedding_padding(self.table, indices, padding=self.padding)


class GatherRows(Statics):
    """x[indices]; a row that is taken twice gets both gradients."""

    def forward(self, x: Tensor, indices: Tensor) -> Tensor:
        return gather_rows(x, indices)


class ScatterMean(Statics):
    """Mean of the rows that share an index from 0 to size - 1; 0 for an index that no row has."""

    def __init__(self, *, size: int) -> None:
        super().__init__()
        self.size = size

    def forward(self, x: Tensor, indices: Tensor) -> Tensor:
        return scatter_mean(x, indices, size=self.size)
