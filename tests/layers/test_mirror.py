"""The two packages mirror each other, and the ops: same names, same arguments in the same order, same defaults."""

import inspect
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorflow")

from sample import CAMEL, signature

import tf_impl.layers
import torch_impl.nn

ROOT = Path(__file__).parents[2]
NO_LAYERS = {  # ops of one input, and families, that stay functions
    "loss": "the caller reduces a loss, and chooses when it is computed",
    "linalg": "of matrices: used inside other computations",
    "implicit": "solved for in the middle of a computation",
    "special": "of parameters of distributions",
    "distributed": "called where ranks meet, and a layer cannot say where",
    "recompute": "it takes a function",
    "conditional_op": "an example that is no activation",
    "custom_exp": "trunc_exp is what a network wants",
    "my_complex_op": "complex numbers are not cast by Keras",
}


def names(package):
    return [name for name, thing in vars(package).items() if isinstance(thing, type)]


BOTH = pytest.mark.parametrize("name", names(torch_impl.nn))


def test_same_names_in_the_same_order():
    assert names(torch_impl.nn) == names(tf_impl.layers)


def test_same_files():
    files = [sorted(p.name for p in (ROOT / folder).glob("*.py")) for folder in ("torch_impl/nn", "tf_impl/layers")]
    assert files[0] == files[1]


@BOTH
def test_same_arguments(name):
    torch_class, tf_class = getattr(torch_impl.nn, name), getattr(tf_impl.layers, name)
    assert signature(torch_class.__init__) == signature(tf_class.__init__)
    assert signature(torch_class.forward) == signature(tf_class.call)
    assert torch_class.__doc__ == tf_class.__doc__
    assert torch_class.__module__.rpartition(".")[2] == tf_class.__module__.rpartition(".")[2] == CAMEL[name].family


@BOTH
def test_statics_are_those_of_the_op(name):
    op = CAMEL[name]
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    statics = [
        (n, default) for n, kind, default in signature(getattr(torch_impl.nn, name).__init__) if kind is keyword_only
    ]
    assert statics == list(op.statics.items())
    called = [n for n, *_ in signature(getattr(torch_impl.nn, name).forward)]
    assert called == [n for n in op.inputs if n in called], "the inputs of the op, in its order"


@pytest.mark.parametrize("name", CAMEL)
def test_every_op_of_one_input_has_a_layer(name):
    op = CAMEL[name]
    if len(op.inputs) == 1 and not {op.name, op.family} & set(NO_LAYERS):
        assert hasattr(torch_impl.nn, name), f"write {name} in torch_impl/nn/{op.family}.py, or say why not above"


@pytest.mark.parametrize("name", NO_LAYERS)
def test_what_is_no_layer_has_none(name):
    without = [camel for camel, op in CAMEL.items() if name in {op.name, op.family}]
    assert without, f"no op or family is called {name}"
    assert not any(hasattr(torch_impl.nn, camel) for camel in without)
