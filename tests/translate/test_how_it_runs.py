"""What says how a gradient runs, or brings TensorFlow under its usual name, changes no number.

Seen in code of public repositories.
"""

import pytest

from porting.port.discover import units_of
from porting.port.one import port

_DECORATED = """\
import tensorflow as tf


@tf.custom_gradient
def soft_max(x, factor=1.0):
    score = tf.nn.softmax(factor * x)
    y = tf.reduce_sum(x * score, axis=-1, keepdims=True)

    @{decorator}
    def grad(dy):
        return (score * dy) * (1.0 + factor * (x - y))

    return y, grad
"""
_COMPAT = """\
from somewhere import compat as tf


@tf.custom_gradient
def double(x):
    return 2 * x, lambda dy: 2 * dy
"""


def made_of(folder, text, **asked):
    path = folder / "source.py"
    path.write_text(text, encoding="utf-8")
    (unit,) = units_of(path, "", "torch")
    return port(unit, **asked)


def test_a_gradient_may_be_a_tf_function(tmp_path):
    made = made_of(tmp_path, _DECORATED.format(decorator="tf.function"), check=False)
    assert not made.refused
    assert "score" in made.text


def test_another_decorator_is_named(tmp_path):
    made = made_of(tmp_path, _DECORATED.format(decorator="cached"), check=False)
    assert "@cached" in made.refused[0][1]


@pytest.mark.slow
def test_tensorflow_may_come_from_a_package_of_ones_own(tmp_path):
    made = made_of(tmp_path, _COMPAT)
    assert made.status == "proven", made
    assert "apart from the rest of its file" in made.notes[0]


_BESIDE = """\
import torch
from . import ext_cuda
from ..ops import other


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        func = ext_cuda.forward_2d if x.dim() == 4 else other.forward
        return func(x)

    @staticmethod
    def backward(ctx, dy):
        return 2 * dy
"""


def test_what_stands_beside_it_in_its_package_is_refused_with_the_reason(tmp_path):
    path = tmp_path / "source.py"
    path.write_text(_BESIDE, encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit, check=False)
    assert made.status == "refused", made
    assert "ext_cuda: is not defined in the translation" in str(made.refused), made
