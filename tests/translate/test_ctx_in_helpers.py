"""Helpers that a Function hands its ctx to stand in its place; so does a style without ``@staticmethod``.

Seen in libraries of relevance propagation and of binary networks.
"""

import numpy as np
import pytest
from against_source import same_numbers

from porting.port.discover import units_of
from porting.port.one import port

_RETURNED = """\
import torch


def _forward(scale, ctx, x, w):
    ctx.save_for_backward(x, w)
    ctx.scale = scale
    return scale * x * w


def _backward(ctx, dy):
    x, w = ctx.saved_tensors
    return ctx.scale * dy * w, 0.5 * ctx.scale * dy * x


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        return _forward(3.0, ctx, x, w)

    @staticmethod
    def backward(ctx, dy):
        return _backward(ctx, dy)
"""
_BOUND = """\
import torch


class Keeps:
    @staticmethod
    def keep(c, *, of, by):
        c.by = by
        c.save_for_backward(of)

    @staticmethod
    def kept(ctx):
        (of,) = ctx.saved_tensors
        return of


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        y = x * w
        Keeps.keep(ctx, of=w, by=2.0)
        return y

    @staticmethod
    def backward(ctx, dy):
        w = Keeps.kept(ctx)
        return ctx.by * dy * w, None
"""
_OLD = """\
import torch


class Mine(torch.autograd.Function):
    def forward(self, x):
        self.save_for_backward(x)
        return x.sign()

    def backward(self, dy):
        (x,) = self.saved_tensors
        dx = dy.clone()
        dx[x.le(-1)] = 0
        dx[x.ge(1)] = 0
        return dx
"""
_OWN_DECORATOR = """\
import torch

import roma


class Mine(torch.autograd.Function):
    @staticmethod
    @roma.internal.custom_fwd
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @roma.internal.custom_bwd
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x * dy
"""


_SAVED_BY_A_RETURN = """\
import torch


def keep(ctx, x):
    return ctx.save_for_backward(x)


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        keep(ctx, x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x * dy
"""


def made_of(tmp_path, text, **asked):
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    return port(unit, **asked)


@pytest.mark.parametrize(
    "text", [_RETURNED, _BOUND, _OLD, _SAVED_BY_A_RETURN], ids=["returned", "bound", "old", "saved"]
)
@pytest.mark.slow
def test_it_is_proven(tmp_path, text):
    made = made_of(tmp_path, text)
    assert made.status == "proven", made
    assert "ctx" not in made.text


@pytest.mark.parametrize("known", ["internal.custom_fwd", "jit.script"])
def test_a_librarys_own_custom_fwd_and_jit_change_no_number(tmp_path, known):
    made = made_of(tmp_path, _OWN_DECORATOR.replace("internal.custom_fwd", known), check=False)
    assert not made.refused
    assert "3 * x * dy" in made.text


def test_a_helper_with_returns_in_the_middle_is_not_put_where_its_value_is_bound(tmp_path):
    text = _BOUND.replace("        return of\n", "        if of.ndim:\n            return of\n        return 2 * of\n")
    made = made_of(tmp_path, text, check=False)
    assert made.refused


def test_an_object_that_keeps_numbers_of_its_own_is_refused(tmp_path):
    text = _OLD.replace("    def forward", "    def __init__(self, k):\n        self.k = k\n\n    def forward")
    made = made_of(tmp_path, text, check=False)
    assert "before 0.4" in made.refused[0][1]


HANDED_BACK = """import torch


def keep(ctx, x):
    ctx.save_for_backward(x)
    return ctx, 2 * x


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx, y = keep(ctx, x)
        return y * x

    @staticmethod
    def backward(ctx, dy):
        x, = ctx.saved_tensors
        return 4 * x * dy
"""


def test_a_helper_may_hand_it_back(tmp_path):
    assert "ctx" not in same_numbers(tmp_path, HANDED_BACK, np.linspace(-1.0, 2.0, 6))
