"""Drafts of oracles: what is written for a few ops, and that all of the catalogue that is written is right."""

from pathlib import Path

import numpy as np
import pytest

from porting.parity.cases import Cases
from porting.registry import ops
from porting.translate.module import Translator
from porting.translate.read.source import parse_source, read_source

_ROOT = Path(__file__).parents[2]
_FAST = ("fast_sigmoid_spike", "lif_step", "matrix_sqrt", "logsumexp", "embedding_padding", "safe_eigh")
_CATALOGUE = [op for op in ops().values() if op.module.startswith("porting.oracle.")]
_LEAST = {"torch": 69, "tf": 67}
_SIGMOID_SPIKE = '''"""A spike whose gradient is that of the fast sigmoid."""

import numpy as np

from porting import op, unstated


@op(gradient_of=unstated("draft of porting translate: say what this is the derivative of"))
def fast_sigmoid_spike(x, *, slope=25.0):
    """1 above 0, else 0, of any shape; the gradient is dy / (1 + slope |x|)^2."""
    if not slope > 0:
        raise ValueError(f"slope={slope}: wanted slope > 0")
    return (x > 0).astype(x.dtype)


@fast_sigmoid_spike.defvjp
def fast_sigmoid_spike_vjp(dy, y, x, *, slope=25.0):
    r = 1 / (1 + slope * np.abs(x))
    return dy * r * r
'''
_PRODUCT = """
import torch

class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, power=2):
        inner = x.exp()
        ctx.save_for_backward(inner, y)
        ctx.power = power
        return inner * y ** power

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad_output):
        inner, y = ctx.saved_tensors
        dx = grad_output * inner * y ** ctx.power
        return dx, grad_output * inner * ctx.power * y ** (ctx.power - 1), None
"""
_PRODUCT_DRAFT = """import numpy as np

from porting import op, unstated


@op(gradient_of=unstated("draft of porting translate: say what this is the derivative of"), order=1)
def product(x, y_in, *, power=2):
    inner = np.exp(x)
    return inner * y_in ** power


@product.defvjp
def product_vjp(dy, y, x, y_in, *, power=2):
    inner = np.exp(x)
    dx = dy * inner * y_in ** power
    return dx, dy * inner * power * y_in ** (power - 1)
"""
_TWO = """
import tensorflow as tf

@tf.custom_gradient
def halves(x, w):
    a, b = x * w, x + w

    def grad(da, db):
        x_ = x
        x_ += 1
        return da * w + db, None

    return (a, b), grad
"""
_TWO_DRAFT = """from porting import op, unstated


@op(
    gradient_of=unstated("draft of porting translate: say what this is the derivative of"),
    wrt=("x",),
)
def halves(x, w):
    a, b = x * w, x + w
    return a, b


@halves.defvjp
def halves_vjp(dy, y, x, w):
    da, db = dy
    return da * w + db
"""


def draft(op, backend):
    module, _, title = op.twin_path(backend).partition(":")
    if not module.endswith(f".{op.name}"):  # what it is checked through is not its twin
        module, title = f"{module}.{op.name}", op.name
    path = _ROOT / (module.replace(".", "/") + ".py")
    return Translator(read_source(path), backend, "numpy").translate(title)


def written(text, of, title):
    return Translator(parse_source(text, Path("source.py")), of, "numpy").translate(title)


def lines(text):
    return [line for line in text.splitlines() if line.strip()]


def as_tuple(value):
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def compare(op, text):
    """Compare value and gradient with the oracle's, and see that the draft changes nothing it is given."""
    space = {"__name__": "draft"}
    exec(compile(text, op.name, "exec"), space)  # noqa: S102 - what the translator wrote
    made = space[op.name]
    assert made.wrt == op.wrt
    for case in Cases(op, "float64").ordinary():
        given = [case.inputs[name] for name in op.inputs]
        ours = [x.copy() for x in given]
        dy = case.dy[0] if len(case.dy) == 1 else case.dy
        with np.errstate(all="ignore"):
            wanted = (*as_tuple(op(*given, **case.statics)), *as_tuple(op.vjp(dy, *given, **case.statics)))
            got = (*as_tuple(made(*ours, **case.statics)), *as_tuple(made.vjp(dy, *ours, **case.statics)))
        for a, b in zip(wanted, got, strict=True):
            assert np.shape(a) == np.shape(b)
            np.testing.assert_allclose(b, a, rtol=1e-7, atol=1e-9)
        for a, b in zip(given, ours, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("text", "of", "title", "wanted"),
    [(_PRODUCT, "torch", "Product", _PRODUCT_DRAFT), (_TWO, "tf", "halves", _TWO_DRAFT)],
    ids=["saved intermediate, an input called y", "two outputs, one primal"],
)
def test_golden(text, of, title, wanted):
    assert lines(written(text, of, title).text) == lines(wanted)


def test_golden_of_a_twin():
    assert lines(draft(ops()["fast_sigmoid_spike"], "tf").text) == lines(_SIGMOID_SPIKE)


@pytest.mark.parametrize("backend", ["torch", "tf"])
@pytest.mark.parametrize("name", _FAST)
def test_a_draft_is_right(name, backend):
    found = draft(ops()[name], backend)
    if found.refused and (name, backend) == ("logsumexp", "tf"):  # it asks for bfloat16
        return
    assert not found.refused
    compare(ops()[name], found.text)


def test_what_the_function_around_computes_is_refused():
    text = _PRODUCT + "\ndef twice(x, y):\n    return Product.apply(x * 2, y, 3)\n"
    ((_, why),) = written(text, "torch", "twice").refused
    assert "computes x * 2 from its inputs, whose derivative is not written" in why


def test_an_input_that_the_forward_changes_is_refused():
    text = _PRODUCT.replace("inner = x.exp()", "y = y * 2; inner = x.exp()")
    ((_, why),) = written(text, "torch", "Product").refused
    assert "y_in: is an input that the forward changes" in why


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["torch", "tf"])
def test_the_whole_catalogue_is_right_or_refused(backend):
    drafts = [(op, draft(op, backend)) for op in _CATALOGUE]
    assert all(bool(found.text) != bool(found.refused) for _, found in drafts)
    right = [(op, found.text) for op, found in drafts if found.text]
    assert len(right) >= _LEAST[backend]
    for op, text in right:
        compare(op, text)
