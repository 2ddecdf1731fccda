"""A proof finds out what a source takes, as a check does: shapes that it reads, places that it looks up."""

import pytest

from porting.port.options import Checking
from porting.port.verify import verify
from porting.runners import RUNNERS
from porting.translate.module import Translator
from porting.translate.read.source import read_source

pytestmark = [
    pytest.mark.skipif(
        any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks to prove anything"
    ),
    pytest.mark.slow,
]
SOURCE = """import torch


class PickFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, index):
        b, n, d = x.shape
        ctx.save_for_backward(index)
        ctx.b = b
        return x.index_select(0, index) * d

    @staticmethod
    def backward(ctx, dy):
        (index,) = ctx.saved_tensors
        dx = dy.new_zeros(ctx.b, dy.shape[1], dy.shape[2])
        return dx.index_add(0, index, dy * dy.shape[2]), None


def pick(x, index):
    return PickFunction.apply(x, index)
"""


def proof(text, tmp_path):
    """Return what is proven of a translation, and the translator's own with it."""
    source, other = tmp_path / "source.py", tmp_path / "translation.py"
    source.write_text(SOURCE)
    made = Translator(read_source(source), "torch", "tf").translate("pick")
    other.write_text(text or made.text)
    return verify(f"{source}:pick", f"{other}:pick", "tf", made, Checking(dtypes=["float64"]).begun()), made.text


def test_inputs_are_guessed_where_none_that_names_tell_are_taken(tmp_path):
    found, text = proof("", tmp_path)
    assert found.status == "proven", found
    assert "index[" in found.report.described[0]
    (tmp_path / "wrong").mkdir()
    wrong, _ = proof(text.replace("dy * dy.shape[2]", "dy"), tmp_path / "wrong")
    assert wrong.status == "different", wrong
    assert any((r.check, r.runner, r.status) == ("vjp", "tf", "differ") for r in wrong.report.results), wrong


def test_what_nothing_is_taken_by_is_not_proven(tmp_path):
    found, _ = proof("def pick(x, index):\n    raise ValueError('not today')\n", tmp_path)
    assert found.status != "proven"
