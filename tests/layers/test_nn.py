"""Modules: value and gradient are the oracle's; they show their statics, and survive copying, saving and compiling."""

import copy
import math
import pickle
import re

import pytest

torch = pytest.importorskip("torch")

from sample import CAMEL, agree, refusals, samples  # noqa: E402

import torch_impl.nn  # noqa: E402
from torch_impl.nn.statics import Statics  # noqa: E402

CLASSES = {name: thing for name, thing in vars(torch_impl.nn).items() if isinstance(thing, type)}
every = pytest.mark.parametrize("name", CLASSES)


def samples_of(name):
    return samples(name, CLASSES[name].__init__, CLASSES[name].forward)


def made(name, sample):
    layer = CLASSES[name](**sample.arguments).double()
    assert set(sample.held) == {n for n, _ in layer.named_parameters()}
    layer.load_state_dict({n: torch.from_numpy(x) for n, x in sample.held.items()})
    return layer


def answer(layer, sample, own=None, dtype=torch.float64):
    """Return the values and the gradients of a layer, or of a function of it, and of its inputs."""
    arrays = {n: torch.from_numpy(x.copy()) for n, x in sample.inputs.items()}
    inputs = {n: x.to(dtype) if x.is_floating_point() else x for n, x in arrays.items()}
    values = layer(*(x.requires_grad_(n in sample.gradients) for n, x in inputs.items()))
    values = values if isinstance(values, tuple) else (values,)
    places = [inputs[n] if n in inputs else getattr(own or layer, n) for n in sample.gradients]
    cotangents = [torch.from_numpy(dy.copy()).to(dtype) for dy in sample.cotangents]
    return [y.detach() for y in values], torch.autograd.grad(values, places, cotangents)


def same(mine, other):
    return all(
        torch.equal(a, b) for given, wanted in zip(mine, other, strict=True) for a, b in zip(given, wanted, strict=True)
    )


@every
def test_is_a_module_of_an_op(name):
    assert issubclass(CLASSES[name], Statics)
    assert name in CAMEL


@every
def test_value_and_gradient_are_the_oracles(name):
    for sample in samples_of(name):
        values, gradients = answer(made(name, sample), sample)
        for mine, wanted in zip(values, sample.values, strict=True):
            agree(mine, wanted)
        for mine, wanted in zip(gradients, sample.gradients.values(), strict=True):
            agree(mine, wanted)


@every
def test_is_shown_as_it_was_made(name):
    for sample in samples_of(name):
        layer = CLASSES[name](**sample.arguments)
        for argument, value in sample.arguments.items():
            assert f"{argument}={value!r}" in layer.extra_repr()
        assert repr(eval(repr(layer), {**CLASSES, "inf": math.inf})) == repr(layer)  # noqa: S307 - our own text


@every
def test_survives_copying_pickling_and_its_state(name):
    for sample in samples_of(name):
        layer = made(name, sample)
        again = CLASSES[name](**sample.arguments).double()
        again.load_state_dict(layer.state_dict())
        for copied in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer)), again):  # noqa: S301 - our own
            assert repr(copied) == repr(layer)
            assert same(answer(copied, sample), answer(layer, sample))


@every
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
def test_keeps_the_type(name, dtype):
    for sample in samples_of(name):
        values, gradients = answer(made(name, sample).to(dtype), sample, dtype=dtype)
        assert {x.dtype for x in (*values, *gradients)} == {dtype}


@every
def test_can_be_made_without_memory(name):
    sample = next(samples_of(name))
    with torch.device("meta"):
        layer = CLASSES[name](**sample.arguments)
    assert all(p.is_meta for p in layer.parameters())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*should not be instantiated:DeprecationWarning")  # the compiler itself does it
@every
def test_compiled_has_the_same_gradient(name):
    sample = next(samples_of(name))
    layer = made(name, sample)
    values, gradients = answer(torch.compile(layer, backend="aot_eager", fullgraph=True), sample, layer)
    for mine, wanted in zip((*values, *gradients), (*sample.values, *sample.gradients.values()), strict=True):
        agree(mine, wanted)


@every
def test_refuses_in_the_words_of_the_op(name):
    for arguments, inputs, error, sentence in refusals(name, CLASSES[name].__init__, CLASSES[name].forward):
        with pytest.raises(error, match=f"^{re.escape(sentence)}$"):
            CLASSES[name](**arguments).double()(*(torch.from_numpy(x.copy()) for x in inputs.values()))


@every
def test_refuses_when_made(name):
    op = CAMEL[name]
    if "axis" in op.statics or "indices" in op.inputs:
        return  # what is refused depends on the shapes, or the op looks at the integers
    for arguments, _, error, sentence in refusals(name, CLASSES[name].__init__, CLASSES[name].forward):
        with pytest.raises(error, match=f"^{re.escape(sentence)}$"):
            CLASSES[name](**arguments)


def test_a_static_that_is_set_later_holds_from_then_on():
    layer = torch_impl.nn.ReverseGradient()
    layer.scale = 0.5
    x = torch.ones(2, requires_grad=True)
    layer(x).sum().backward()
    assert x.grad.tolist() == [-0.5, -0.5]
    assert repr(layer) == "ReverseGradient(scale=0.5)"


def test_a_subclass_with_other_arguments_is_shown():
    class Norm(torch_impl.nn.RmsNorm):
        def __init__(self, like):
            super().__init__(len(like), eps=1e-5)

    assert repr(Norm([1, 2])) == "Norm()"


def test_padding_starts_as_zero():
    table = torch_impl.nn.EmbeddingPadding(4, 3, padding=2).table
    assert table[2].eq(0).all()
    assert table[[0, 1, 3]].ne(0).all()
