"""NaN is the largest number in PyTorch, and its sign is 0: so it is in a translation, where no check sees it too."""

import numpy as np
import pytest
from words import translated

from porting.runners import RUNNERS
from porting.translate.module import Translator
from porting.translate.read.source import read_source

pytestmark = pytest.mark.skipif(any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks")
_NUMBERS = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 2.0)
RANKED = [
    "torch.sort(x, stable=True)",
    "x.sort(dim=0, descending=True, stable=True)",
    "x.argsort(dim=0, stable=True)",
    "x.topk(3)[0]",
    "x.topk(2, 0, largest=False)[0]",
    "x.kthvalue(3)[0]",
    "x.kthvalue(2, dim=0, keepdim=True)[0]",
    "x.median()",
    "x.median(0)[0]",
    "x.argmax()",
    "x.argmin(0)",
    "x.max(1, keepdim=True)[0]",
    "x.min(0)",
    "torch.sign(x) >= 0",
]


def _value(text, space, helpers=()):
    space = dict(space)
    for helper in helpers:
        exec(helper, space)  # noqa: S102 - what the translator wrote
    made = eval(text, space)  # noqa: S307 - our own
    return [np.asarray(part) for part in (made if isinstance(made, tuple | list) else [made])]


@pytest.mark.parametrize("text", RANKED)
def test_it_is_ranked_as_in_pytorch(text):
    import tensorflow as tf
    import torch

    made, expressions = translated(text, "torch", "tf")
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = rng.choice(_NUMBERS, (4, 5))
        theirs = _value(text, {"torch": torch, "x": torch.tensor(x)})
        ours = _value(made, {"tf": tf, "x": tf.constant(x)}, expressions.helpers.values())
        for a, b in zip(theirs, ours, strict=True):
            np.testing.assert_array_equal(a, b)


def test_whole_numbers_are_sorted_by_tensorflow_itself():
    assert translated("n.argsort(stable=True)", "torch", "tf")[0] == "tf.argsort(n, stable=True)"
    assert translated("n.topk(2)", "torch", "tf")[0] == "tf.math.top_k(n, 2)"


_SOURCE = """import torch


class Quantize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, bits):
        values, _ = x.max(0)
        if bits == 1:
            return torch.sign(x) * (values == values)
        return torch.round(x * bits) / bits

    @staticmethod
    def backward(ctx, dy):
        return dy, None


class Keep(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, share):
        kept = x.clone()
        _, order = x.flatten().sort()
        flat = kept.flatten()
        n = int(share * x.numel())
        flat[order[:n]] = 0
        flat[order[n:]] = 1
        return flat.view(x.shape)

    @staticmethod
    def backward(ctx, dy):
        return dy, None
"""


@pytest.mark.parametrize(("name", "called", "static"), [("Quantize", "quantize", 1), ("Keep", "keep", 0.5)])
def test_it_is_where_no_check_comes(name, called, static, tmp_path):
    """A branch that needs another static; places in an order, of which the output shows no NaN."""
    import tensorflow as tf
    import torch

    path = tmp_path / "source.py"
    path.write_text(_SOURCE)
    text = Translator(read_source(path), "torch", "tf").translate(name).text
    theirs, ours = {}, {}
    exec(_SOURCE, theirs)  # noqa: S102 - our own
    exec(text, ours)  # noqa: S102 - what the translator wrote
    x = [1.0, float("nan"), 2.0, 3.0]
    want = theirs[name].apply(torch.tensor(x), static)
    np.testing.assert_array_equal(want, ours[called](tf.constant(x), static))


def test_a_helper_that_nothing_calls_is_left_out(tmp_path):
    path = tmp_path / "source.py"
    path.write_text(_SOURCE)
    assert "_argmax" not in Translator(read_source(path), "torch", "tf").translate("Quantize").text
