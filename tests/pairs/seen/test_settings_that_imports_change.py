"""Settings of a framework that an imported file changes for all that come after it.

Seen in code of public repositories.
"""

import pytest

import porting
from porting import Pair

pytest.importorskip("torch")
pytest.importorskip("tensorflow")

_FILE = """\
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


@tf.custom_gradient
def doubled(x):
    rows = x.shape[0].value  # as TensorFlow 1 has it
    return 2.0 * x, lambda dy: {factor} * dy
"""


@pytest.mark.parametrize(("factor", "differs"), [("2.0", False), ("3.0", True)])
def test_a_file_of_tensorflow_1_is_called_eagerly(factor, differs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "switching.py").write_text(_FILE.format(factor=factor))
    (tmp_path / "plain.py").write_text("import torch\n\n\ndef doubled(x):\n    return 2.0 * x\n")
    pair = Pair(torch="plain.py:doubled", tf="switching.py:doubled", inputs={"x": porting.array(("n", "k"))})
    report = porting.check(pair, only=["value", "vjp", "traced"], dtypes=["float64"])
    assert bool(report.counts["differ"]) == differs, str(report)
    assert all(r.compared for r in report.results if r.runner == "tf"), str(report)
    assert "tf: an imported file switches eager execution off" in str(report.described)
