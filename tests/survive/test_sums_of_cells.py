"""The last line of ``porting survive``."""

import pytest

from porting.report.survival import summary
from porting.survive.cell import Cell
from porting.survive.matrix import Matrix


@pytest.mark.parametrize(("count", "said"), [(0, "0 cells: none"), (1, "1 cell: 1 kept"), (2, "2 cells: 2 kept")])
def test_one_cell_is_no_cells(count, said):
    cells = (Cell("op", "torch", "compile", "kept", "float64", 0),) * count
    assert summary(Matrix(cells)) == said
