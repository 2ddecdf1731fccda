"""A gradient that is not its forward's is compared with the known surrogates; the options that are printed end it."""

import itertools
import shlex

import pytest

import porting
from porting import Pair
from porting.pairs.options import pair_from

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

ASKED = {"dtypes": ["float64"], "only": ["value", "vjp", "adjoint", "gradient_of"]}
TORCH = """
import torch

class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 1).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return {gradient}
"""
TF = """
import tensorflow as tf

@tf.custom_gradient
def spike(x):
    return tf.cast(x > 1, x.dtype), lambda dy: {gradient}
"""
GRADIENTS = {
    "triangle": ("dy * torch.relu(1 - (x - 1).abs()) * 0.3", "dy * tf.nn.relu(1 - tf.abs(x - 1)) * 0.3"),
    "fast_sigmoid": ("dy / (1 + 25 * (x - 1).abs()) ** 2", "dy / (1 + 25 * tf.abs(x - 1)) ** 2"),
    "clipped": ("dy * (x.abs() <= 1.5)", "tf.where(tf.abs(x) <= 1.5, dy, tf.zeros_like(dy))"),
    "identity": ("dy", "dy"),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_the_options_that_are_printed_settle_it(name, tmp_path, monkeypatch):
    ours, theirs = (tmp_path / f"{side}_{name}.py" for side in ("torch", "tf"))
    ours.write_text(TORCH.format(gradient=GRADIENTS[name][0]))
    theirs.write_text(TF.format(gradient=GRADIENTS[name][1]))
    monkeypatch.chdir(tmp_path)
    sides = {"torch": f"{ours.name}:Spike", "tf": f"{theirs.name}:spike"}
    report = porting.check(pair_from(sides), isolate=False, **ASKED)
    said = next(r for r in report.results if (r.check, r.runner) == ("adjoint", "torch"))
    assert said.status == "note"
    _, _, flags = said.findings[0].what.partition("if that is meant, ")
    words = shlex.split(flags.removesuffix(" says so"))
    statics = [value for option, value in itertools.pairwise(words) if option == "--static"]
    settled = pair_from({**sides, "surrogate_of": words[1], "static": statics})
    again = porting.check(settled, isolate=False, **ASKED)
    assert again.exit_code == 0, str(again)
    assert {r.status for r in again.results if r.check == "adjoint"} == {"agree"}
    assert name in words[1]


def test_another_parameter_is_found_wrong(tmp_path, monkeypatch):
    (tmp_path / "torch_narrow.py").write_text(TORCH.format(gradient=GRADIENTS["clipped"][0]))
    monkeypatch.chdir(tmp_path)
    options = {"torch": "torch_narrow.py:Spike", "surrogate_of": "porting.surrogates:clipped", "static": ["limit=1.0"]}
    report = porting.check(pair_from(options), isolate=False, **ASKED)
    assert report.exit_code == 1


class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sign(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.cos(x)


def test_what_is_none_of_them_is_drawn():
    report = porting.check(Pair(torch=Own), **ASKED)
    (finding,) = (f for r in report.results if r.check == "adjoint" for f in r.findings)
    assert "surrogate" not in finding.what
    assert "█" in finding.details[0]
    assert "from -4 to 4" in finding.details[0]


class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, b):
        return torch.round(x * b)

    @staticmethod
    def backward(ctx, dy):
        return dy, dy


class Tripled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy


def test_a_factor_that_is_wrong_is_no_surrogate():
    report = porting.check(Pair(torch=Tripled), **ASKED)
    (finding,) = (f for r in report.results if r.check == "adjoint" for f in r.findings)
    assert "surrogate" not in finding.what


def test_nothing_is_said_of_a_function_of_several_inputs():
    report = porting.check(Pair(torch=Two), **ASKED)
    (finding,) = (f for r in report.results if r.check == "adjoint" for f in r.findings)
    assert "surrogate" not in finding.what
    assert "from -4 to 4" not in finding.details[0]
