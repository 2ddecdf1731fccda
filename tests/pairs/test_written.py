"""A pair as the options of a command line: what they say is read again as it was."""

import shlex

import pytest

from porting.pairs.pair import Pair
from porting.pairs.parse import parse_static
from porting.pairs.written import written_pair

torch = pytest.importorskip("torch")
SOURCE = "import torch\n\n\ndef reduced(x, how, k):\n    return x.mean() if how == 'mean' else x.sum()\n"


@pytest.mark.parametrize(
    "value", ["mean", "2", "None", "true", " wide", "a b", "it's", "-1", 2, -0.5, None, (1, 2), "(1"]
)
def test_a_static_is_read_as_it_was_written(value, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    said = shlex.split(written_pair(Pair(torch=f"{path}:reduced", statics={"how": value, "k": 1})))
    assert parse_static(said[said.index("--static") + 1]) == ("how", value)


def test_a_text_is_written_without_quotes(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    assert "--static how=mean " in written_pair(Pair(torch=f"{path}:reduced", statics={"how": "mean", "k": 1}))
