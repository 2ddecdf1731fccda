"""A proof holds for every way that a signature allows: defaults left out, and statics besides their default."""

import libcst as cst
import pytest

from porting.port.candidate_inputs import attempts, variants
from porting.port.options import Checking
from porting.port.verify import verify
from porting.runners import RUNNERS
from porting.translate.argument import compared_with
from porting.translate.module import Translator
from porting.translate.read.source import read_source

BOTH = pytest.mark.skipif(
    any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks to prove anything"
)
SOURCE = """import torch


class LeakFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, b, slope, mode):
        ctx.save_for_backward(x)
        ctx.slope, ctx.mode, ctx.shifted = slope, mode, b is not None
        y = torch.where(x > 0, x, slope * x) if mode == "leaky" else x.clamp(min=0)
        return y + b if b is not None else y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        low = ctx.slope if ctx.mode == "leaky" else 0.0
        return torch.where(x > 0, dy, low * dy), dy.clone() if ctx.shifted else None, None, None


def leak(x, b=None, slope=0.1, mode="leaky"):
    return LeakFunction.apply(x, b, slope, mode)
"""
RIGHT = """import tensorflow as tf


def leak(x, b=None, slope=0.1, mode="leaky"):
    low = slope if mode == "leaky" else 0.0

    @tf.custom_gradient
    def forward(x, *shift):
        def grad(dy):
            return (tf.where(x > 0, dy, low * dy), *(tf.identity(dy) for _ in shift))

        y = tf.where(x > 0, x, low * x)
        return y + shift[0] if shift else y, grad

    return forward(x) if b is None else forward(x, b)
"""
WRONG = {
    "without b": (" if b is None else forward(x, b)", " if b is False else forward(x, b)"),
    "with slope=": ("low = slope if", "low = 0.1 if"),
    "with mode='another'": (' if mode == "leaky" else 0.0', ""),
}


def proof(translation, tmp_path, **how):
    source, other = tmp_path / "source.py", tmp_path / "translation.py"
    source.write_text(SOURCE)
    other.write_text(translation)
    made = Translator(read_source(source), "torch", "tf").translate("leak")
    assert [a.otherwise for a in made.arguments] == [(), (), (0.05, 0.4), ("another",)]
    return verify(f"{source}:leak", f"{other}:leak", "tf", made, Checking(dtypes=["float64"], **how).begun())


@BOTH
@pytest.mark.slow
def test_a_right_translation_is_proven_in_each_way(tmp_path):
    found = proof(RIGHT, tmp_path)
    assert found.status == "proven", found
    for way in ("without b", "with slope=0.05", "with slope=0.4", "with mode='another'"):
        assert way in found.said


@BOTH
@pytest.mark.slow
@pytest.mark.parametrize("way", WRONG)
def test_what_is_wrong_in_one_way_is_not_handed_over(way, tmp_path):
    right, wrong = WRONG[way]
    assert RIGHT.count(right) == 1
    found = proof(RIGHT.replace(right, wrong), tmp_path)
    assert found.status == "different", found
    assert found.said.startswith(way)


def test_numbers_of_one_function_are_not_the_same(tmp_path):
    path = tmp_path / "source.py"
    path.write_text(
        "import torch\n\n\nclass Mine(torch.autograd.Function):\n    @staticmethod\n"
        "    def forward(ctx, x, low: float, high: float, n: int, k: int):\n"
        "        return x.clamp(low, high) * n + k\n\n"
        "    @staticmethod\n    def backward(ctx, dy):\n        return dy, None, None, None, None\n"
    )
    made = Translator(read_source(path), "torch", "tf").translate("Mine")
    statics = attempts(made.arguments, {}, {})[0].statics
    assert list(statics) == ["low", "high", "n", "k"]
    assert statics["low"] < statics["high"]
    assert len(set(statics.values())) == len(statics)


def test_what_the_user_gives_stays(tmp_path):
    path = tmp_path / "source.py"
    path.write_text(SOURCE)
    made = Translator(read_source(path), "torch", "tf").translate("leak")
    attempt = attempts(made.arguments, {}, {"slope": 0.3})[0]
    names = [name for name, _ in variants(attempt, made.arguments, {"slope", "b"})]
    assert names == ["with mode='another'"]


def test_what_code_compares_with():
    tests = ("p == 1", "p in (2, 3)", "q > 0.5", 'mode != "sum"', "x is None", "p == 1", "a.b == 4")
    code = cst.parse_module("\n".join(tests))
    assert compared_with([code]) == {"p": [1, 2, 3], "q": [0.5], "mode": ["sum"], "x": []}


REDUCED = """import torch


class ReducedFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, reduction, delta=None):
        ctx.save_for_backward(x)
        ctx.reduction = reduction
        ctx.delta = delta * 2
        y = x * ctx.delta
        return y.mean() if reduction == "mean" else y.sum()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx = dy * ctx.delta * torch.ones_like(x)
        return dx / x.numel() if ctx.reduction == "mean" else dx, None, None
"""


def test_texts_and_numbers_are_tried_where_nobody_says_them(tmp_path):
    path = tmp_path / "source.py"
    path.write_text(REDUCED)
    made = Translator(read_source(path), "torch", "tf").translate("ReducedFunction")
    tried = attempts(made.arguments, {}, {})
    assert tried[0].statics == {"reduction": "mean"}
    assert {"reduction": "mean", "delta": 0.5} in [one.statics for one in tried]


REDUCED_IN_TF = """import tensorflow as tf


@tf.custom_gradient
def reduced(x, reduction, delta=None):
    delta = delta * 2

    def grad(dy):
        dx = dy * delta * tf.ones_like(x)
        return dx / tf.size(x, out_type=x.dtype) if reduction == "mean" else dx, None, None

    y = x * delta
    return tf.reduce_mean(y) if reduction == "mean" else tf.reduce_sum(y), grad
"""


@BOTH
@pytest.mark.slow
def test_they_are_proven_so(tmp_path):
    source, other = tmp_path / "source.py", tmp_path / "other.py"
    source.write_text(REDUCED)
    other.write_text(REDUCED_IN_TF)
    made = Translator(read_source(source), "torch", "tf").translate("ReducedFunction")
    checking = Checking(dtypes=["float64"]).begun()
    found = verify(f"{source}:ReducedFunction", f"{other}:reduced", "tf", made, checking)
    assert found.status == "proven", found
