"""Whatever makes a custom gradient is listed with its line: translated, or refused with the reason."""

import pytest

from porting.port.batch import port_all
from porting.port.discover import NothingError, units_of
from porting.port.one import port
from porting.report.ports import lines
from porting.runners import RUNNERS
from porting.translate.read.source import SourceError

# In each file "# it" marks the line of a gradient, with its name where another line has it too; "# not" those refused.
TF = """import tensorflow as tf
import keras
from keras.src import ops as ops_of_keras
from tensorflow import custom_gradient
from tensorflow.python.ops.custom_gradient import custom_gradient as cg
from tensorflow_probability.python.internal import custom_gradient as tfp_custom_gradient


@tf.custom_gradient
def plain(x):  # it
    return tf.sin(x), lambda dy: 2.0 * dy


@custom_gradient
def bare(x):  # it
    return tf.sin(x), lambda dy: 2.0 * dy


@cg
def renamed(x):  # it
    return tf.sin(x), lambda dy: 3.0 * dy


@keras.ops.custom_gradient
def by_keras(x):  # it
    def grad(*args, upstream=None):
        if upstream is None:
            (upstream,) = args
        return 2.0 * upstream

    return tf.sin(x), grad


@ops_of_keras.custom_gradient
def as_keras_does(x):  # it
    return ops_of_keras.sin(x), lambda dy: 5.0 * dy


class Layer(tf.keras.layers.Layer):
    @tf.custom_gradient
    def method(self, x):  # it
        return tf.sin(x), lambda dy: self.k * dy

    @staticmethod
    @tf.custom_gradient
    def static(x):  # it
        return tf.sin(x), lambda dy: 4.0 * dy

    def call(self, x):
        @tf.custom_gradient
        def inner(x):  # it
            return tf.sin(x), lambda dy: self.k * dy

        return inner(x)


def calls_static(x):
    return Layer.static(x)


def deeper(k):
    def middle(x):
        @tf.custom_gradient
        def inner(x):  # it
            return tf.sin(x), lambda dy: k * dy

        return inner(x)

    return middle


def in_with(x):  # it
    with tf.name_scope("here"):

        @tf.custom_gradient
        def inner(x):
            return tf.sin(x), lambda dy: 5.0 * dy

        return inner(x)


def in_if(x, flag=True):
    if flag:

        @tf.custom_gradient
        def inner(x):  # it
            return tf.sin(x), lambda dy: 5.0 * dy

        return inner(x)
    return x


def called(x):  # it
    def f(x):
        return tf.sin(x), lambda dy: 6.0 * dy

    return tf.custom_gradient(f)(x)


def _g(x):
    return tf.sin(x), lambda dy: 7.0 * dy


assigned = tf.custom_gradient(_g)  # it
by_lambda = tf.custom_gradient(lambda x: (tf.sin(x), lambda dy: 8.0 * dy))  # it
several = [tf.custom_gradient(_g)]  # not


def _fwd(x):
    return tf.exp(x), (x,)


def _bwd(aux, dy):
    (x,) = aux
    return 9.0 * dy * x


@tfp_custom_gradient.custom_gradient(vjp_fwd=_fwd, vjp_bwd=_bwd)
def of_tfp(x):  # it
    return tf.exp(x)


@tf.RegisterGradient("Mine")
def registered(op, dy):  # not
    return dy


def imports_it(x):
    from tensorflow import custom_gradient as local

    @local
    def inner(x):  # it
        return x, lambda dy: dy

    return inner(x)


if keras.__version__ > "3":

    @tf.custom_gradient
    def twice(x):  # not
        return tf.sin(x), lambda dy: 10.0 * dy

else:

    @tf.custom_gradient
    def twice(x):  # it
        return tf.sin(x), lambda dy: 11.0 * dy
"""
TORCH = '''import torch
from torch import autograd
from torch.autograd import Function


class Base(Function):  # it
    @staticmethod
    def forward(ctx, x):
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        return 2 * dy


class Child(Base):  # it
    """Its own backward."""

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy


class Grandchild(Child):  # it
    pass


class Asks(Base):  # not
    @staticmethod
    def backward(ctx, dy):
        return 3 * Base.backward(ctx, dy)


class Holder(torch.nn.Module):
    class Inner(autograd.Function):  # it
        @staticmethod
        def forward(ctx, x):
            return torch.sin(x)

        @staticmethod
        def backward(ctx, dy):
            return 4 * dy

    def forward(self, x):
        class Deep(Function):  # it
            @staticmethod
            def forward(ctx, x):
                return torch.sin(x)

            @staticmethod
            def backward(ctx, dy):
                return 5 * dy

        return Deep.apply(self.Inner.apply(x))


class Elsewhere(missing.Base):  # not
    @staticmethod
    def forward(ctx, x):
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        return 6 * dy


@torch.library.custom_op("mine::sin", mutates_args=())
def sin(x: torch.Tensor) -> torch.Tensor:
    return torch.sin(x)


torch.library.register_autograd("mine::sin", lambda ctx, dy: 7 * dy)  # not
'''
# What TensorFlow Probability does with the two, see tensorflow_probability/python/internal/custom_gradient.py.
PROBABILITY = """import tensorflow as tf


class custom_gradient:
    @staticmethod
    def custom_gradient(vjp_fwd, vjp_bwd):
        def decorated(_):
            @tf.custom_gradient
            def f(x):
                y, aux = vjp_fwd(x)
                return y, lambda dy: vjp_bwd(aux, dy)

            return f

        return decorated
"""
NONE = """import jax
import tensorflow as tf
import torch


@jax.custom_gradient
def of_jax(x):
    return x, lambda dy: dy


class Holder:
    def __init__(self, custom_gradient):
        self.made = self.custom_gradient(1.0)


def custom_gradient(f):
    return f


@custom_gradient
def of_its_own(x):
    return x


class Model(torch.nn.Module):
    def forward(self, x):
        return x

    def backward(self, dy):
        return dy
"""


def marked(text, *marks):
    return [n for n, line in enumerate(text.splitlines(), 1) if line.partition("  # ")[2] in marks]


@pytest.mark.parametrize(("text", "to"), [(TF, "torch"), (TORCH, "tf")], ids=["tf", "torch"])
def test_each_is_listed_where_it_stands(text, to, tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(text)
    done = [port(unit, check=False) for unit in units_of(path, "", to)]
    assert [one.line for one in done] == marked(text, "it", "not")
    assert len({one.name for one in done}) == len(done)
    refused = [one for one in done if not one.text]
    assert [one.line for one in refused] == marked(text, "not")
    assert all(one.name.partition("@")[0] in one.refused[0][1] for one in refused)
    assert [one.refused[0][0] for one in refused] == marked(text, "not")


@pytest.mark.parametrize(("text", "to"), [(TF, "torch"), (TORCH, "tf")], ids=["tf", "torch"])
def test_each_can_be_asked_for_by_its_name(text, to, tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(text)
    for unit in units_of(path, "", to):
        (again,) = units_of(path, unit.name, to)
        assert again == unit


@pytest.mark.parametrize("to", ["torch", "tf"])
def test_what_makes_none_is_not_listed(to, tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(NONE)
    with pytest.raises(NothingError):
        units_of(path, "", to)


def test_a_helper_that_is_a_static_method_keeps_its_gradient(tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(TF)
    (unit,) = units_of(path, "calls_static", "torch")
    done = port(unit, check=False)
    assert "4.0 * dy" in done.text or done.refused, done.text


@pytest.mark.slow
@pytest.mark.skipif(
    any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks to prove anything"
)
@pytest.mark.parametrize(("text", "to"), [(TF, "torch"), (TORCH, "tf")], ids=["tf", "torch"])
def test_what_is_brought_into_another_form_is_proven(text, to, tmp_path):
    path = tmp_path / "theirs.py"
    text = text.partition("\nif keras")[0].replace("missing.Base", "Base")  # which of two counts, only a run can tell
    text = text.replace("tensorflow_probability.python.internal", "beside")
    path.write_text(text)
    (tmp_path / "beside.py").write_text(PROBABILITY)
    ports = port_all(units_of(path, "", to))
    assert not [one for one in ports.ports if one.status == "different"], ports.summary
    assert all(one.status == "proven" for one in ports.ports if one.text), [
        (one.name, one.said) for one in ports.ports if one.text and one.status != "proven"
    ]


TWO = """import tensorflow as tf


def outer(x, k):
    @tf.custom_gradient
    def first(x):
        return x * k, lambda dy: dy * k

    @tf.custom_gradient
    def second(x):
        return x + k, lambda dy: 2.0 * dy

    return first(x) + second(x)
"""


def test_a_function_says_which_gradients_it_holds(tmp_path):
    """They are translated with it; each may be named, and is told."""
    path = tmp_path / "theirs.py"
    path.write_text(TWO, encoding="utf-8")
    (unit,) = units_of(path, "", "torch")
    done = port(unit, check=False)
    assert done.holds == ("first", "second")
    assert "outer (with first and second) is NOT PROVEN" in "".join(lines(done))
    assert units_of(path, "outer.second", "torch") == [unit]
    with pytest.raises(SourceError, match=r"nothing in it is called outer\.third"):
        units_of(path, "outer.third", "torch")
