"""A case that differs is shrunk: what is printed is smaller, and shows the same."""

import shlex

import pytest

from porting import check
from porting.cli import own
from porting.cli.main import parser
from porting.cli.smallest import smallest

pytest.importorskip("torch")

SIDE = """
import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return (x * w).sum(-1)

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        dx, dw = dy[..., None] * w, dy[..., None] * x
        {fault}
        return dx, dw


def product(x, w):
    return Product.apply(x, w)


def plain(x, w):
    return (x * w).sum(-1)
"""
EACH = """
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * x


def product(x):
    return Square.apply(x)


def plain(x):
    return x * x
"""
MATRIX = ["--input", "x=float64[n,k]", "--input", "w=float64[n,k]"]


def shrunk(folder, text, *words):
    """Check a side against its plain version with many seeds' first one; return the inputs of the smaller command."""
    (folder / "side.py").write_text(text)
    options = ["--torch", f"{folder}/side.py:product", "--like", f"{folder}/side.py:plain", *words]
    pair = own.pair_of(parser().parse_args(["check", *options]))
    report = check(pair, dtypes=["float64"], only=["vjp"])
    found = smallest(report, timeout=60.0, strict=False)
    if not found:
        return report.exit_code, {}
    (command,) = found
    args = parser().parse_args(shlex.split(command)[1:])
    smaller = own.pair_of(args)
    again = check(smaller, runners=args.runner, dtypes=args.dtype, keyword=args.keyword, seed=args.seed)
    assert again.exit_code == report.exit_code == 1, str(again)
    return 1, {name: str(array) for name, array in smaller.inputs.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words", "inputs"),
    [
        (EACH, [], {"x": "float64[]{0.0..1.0}"}),
        (EACH, ["--input", "x=float64[...]{2..5}"], {"x": "float64[]{2.0..5.0}"}),
        (SIDE.format(fault="dx = dx * 2"), MATRIX, dict.fromkeys("xw", "float64[1,1]{0.0..1.0}")),
        (SIDE.format(fault="dx[..., 1:] = 0"), MATRIX, dict.fromkeys("xw", "float64[2,2]{0.0..1.0}")),
        (
            SIDE.format(fault="dw = torch.where(x < -1, 0, dw)"),
            MATRIX,
            {"x": "float64[1,1]{-2.0..-1.0}", "w": "float64[1,1]{0.0..1.0}"},
        ),
        (
            SIDE.format(fault="dx = dx * 2"),
            ["--input", "x=float64[3,k]", "--input", "w=float64[3,k]"],
            dict.fromkeys("xw", "float64[3,1]{0.0..1.0}"),
        ),
    ],
    ids=["any shape", "a range stays", "everywhere", "not in the first column", "a region", "a length stays"],
)
def test_the_smallest_inputs_that_differ(tmp_path, text, words, inputs):
    assert shrunk(tmp_path, text, *words) == (1, inputs)


def test_what_agrees_has_none(tmp_path):
    assert shrunk(tmp_path, SIDE.format(fault="pass"), *MATRIX) == (0, {})


def test_what_nothing_smaller_shows_stays_as_it_is(tmp_path):
    fault = "dx = dx * (2 if x.shape == (5, 7) else 1)"
    words = ["--input", "x=float64[5,7]{-1..1}", "--input", "w=float64[5,7]{-1..1}"]
    assert shrunk(tmp_path, SIDE.format(fault=fault), *words) == (1, {})
