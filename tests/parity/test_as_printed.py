"""The published family is what the texts print: the same bits for value and gradient, on every dtype."""

import importlib.util
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from porting.registry import families  # noqa: E402 - needs no framework, but this file does

TEXTS = Path(__file__).parents[1] / "data" / "published_texts.py"
PRINTED = {
    "custom_exp": "CustomExp",
    "conditional_op": "ConditionalOp",
    "smooth_round": "SmoothRound",
    "my_activation": "MyActivation",
    "my_elementwise": "MyElementWise",
    "my_complex_op": "MyComplexOp",
    "custom_relu": "CustomReLU",
    "custom_squared_loss": "CustomSquaredLoss",
    "memory_efficient_sigmoid": "MemoryEfficientSigmoid",
    "legendre_polynomial3": "LegendrePolynomial3",
}


@pytest.fixture(scope="module")
def texts():
    spec = importlib.util.spec_from_file_location("published_texts", TEXTS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def gradients(function, inputs, dy):
    leaves = [x.clone().requires_grad_() for x in inputs]
    y = function(*leaves)
    return [y.detach(), *torch.autograd.grad(y, leaves, dy)]


def test_the_family_is_the_ten_examples():
    assert {op.name for op in families()["published"]} == set(PRINTED)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("op", families()["published"], ids=lambda op: op.name)
def test_twin_is_the_printed_code(op, dtype, texts):
    generator = torch.Generator().manual_seed(7)
    shape = (50,)
    inputs = [torch.randn(shape, generator=generator, dtype=torch.float64).to(getattr(torch, dtype)) for _ in op.inputs]
    dy = (3 * torch.randn(shape, generator=generator, dtype=torch.float64)).to(getattr(torch, dtype))
    inputs[0][:3] = torch.tensor([0.0, -0.0, float("nan")])
    ours = gradients(op.twin("torch"), inputs, dy)
    theirs = gradients(getattr(texts, PRINTED[op.name]).apply, inputs, dy)
    for mine, printed in zip(ours, theirs, strict=True):
        assert mine.dtype == printed.dtype
        assert torch.equal(mine.nan_to_num(nan=-1e4), printed.nan_to_num(nan=-1e4))
