"""Class methods, methods of a class above, names of another file, and results that a forward keeps at once.

Seen in libraries of sparse attention, of optimization layers and of control.
"""

import pytest

from porting.port.discover import units_of
from porting.port.one import port

_ABOVE = """\
import torch


class Root(torch.autograd.Function):
    @classmethod
    def power(cls, x, k):
        return x**k

    @classmethod
    def raised(cls, x, k):
        return cls.power(x.abs() + 1, k)

    @classmethod
    def forward(cls, ctx, x, k=1.5):
        ctx.save_for_backward(x)
        ctx.k = k
        return cls.raised(x, k)

    @classmethod
    def backward(cls, ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * ctx.k * cls.raised(x, ctx.k - 1) * torch.sign(x), None
"""
_BELOW = (
    _ABOVE
    + """

class Mine(Root):
    @classmethod
    def power(cls, x, k):
        return 3 * x**k

    @classmethod
    def forward(cls, ctx, x):
        return super().forward(ctx, x, k=2)

    @classmethod
    def backward(cls, ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * ctx.k * cls.raised(x, ctx.k - 1) * torch.sign(x)
"""
)
_AT_ONCE = """\
import torch


def parts(x, w):
    return x * w, torch.exp(x), 2.0


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        y, ctx.e, ctx.k = parts(x, w)
        ctx.save_for_backward(x, w)
        return y * ctx.k + ctx.e

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy * (w * ctx.k + ctx.e), dy * x * ctx.k
"""
_STAR = """\
from beside import *


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return halved(x) * K

    @staticmethod
    def backward(ctx, dy):
        return dy * K / 2
"""
_BESIDE = "import torch\n\nK = 2.5\n\n\ndef halved(x):\n    return x / 2\n"


def made_of(tmp_path, text, **asked):
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    return port(units_of(path, "", "tf")[-1], **asked)


@pytest.mark.slow
@pytest.mark.parametrize("text", [_ABOVE, _BELOW, _AT_ONCE], ids=["class methods", "a class above", "at once"])
def test_it_is_proven(tmp_path, text):
    made = made_of(tmp_path, text)
    assert made.status == "proven", made


def test_each_class_has_its_own_methods(tmp_path):
    made = made_of(tmp_path, _BELOW, check=False)
    assert not made.refused, made
    assert "3 * x ** k" in made.text


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("super().forward(", "Root.forward("),
        ("super().forward(", "super(Mine, cls).forward("),
        (
            "    @classmethod\n    def forward(cls, ctx, x, k",
            "    @classmethod\n    @kept\n    def forward(cls, ctx, x, k",
        ),
    ],
    ids=["by its name", "by two names", "decorated"],
)
def test_what_a_class_above_is_asked_for_otherwise_is_refused(tmp_path, text, other):
    made = made_of(tmp_path, _BELOW.replace(text, other), check=False)
    assert made.refused, made


def test_a_star_imports_what_a_file_beside_it_defines(tmp_path):
    (tmp_path / "beside.py").write_text(_BESIDE, encoding="utf-8")
    made = made_of(tmp_path, _STAR, check=False)
    assert not made.refused, made
    assert "return halved(x) * K" in made.text


def test_an_attribute_that_is_kept_twice_is_refused(tmp_path):
    made = made_of(tmp_path, _AT_ONCE.replace("        y, ctx.e", "        ctx.e = x\n        y, ctx.e"), check=False)
    assert "assigned twice" in made.refused[0][1]
