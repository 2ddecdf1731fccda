"""A translation reads as if somebody had written it: no detours of the source's framework, nothing that is not read."""

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf
import torch
from against_source import same_numbers, text_of

from porting.port.discover import units_of
from porting.port.one import port
from porting.translate.module import Translator
from porting.translate.read.source import parse_source

X = np.linspace(-1.7, 2.1, 12).reshape(3, 4)
HEAD = """import math

import numpy as np
import scipy.special
import torch


class Mine(torch.autograd.Function):
    @staticmethod
"""
POOLED = """    def forward(ctx, input):
        x = input
        b, c, h, w = x.data.shape[0], x.data.shape[1], x.data.shape[2], x.data.shape[3]
        M = h * w
        x = x.reshape(b, c, M)
        mean = (1. / M) * torch.ones(M, M)
        mean = mean.view(1, M, M).repeat(b, 1, 1).type(x.dtype)
        ctx.save_for_backward(input, mean)
        return x.bmm(mean).bmm(x.transpose(1, 2))

    @staticmethod
    def backward(ctx, dy):
        input, mean = ctx.saved_tensors
        x = input
        b = x.data.shape[0]
        c = x.data.shape[1]
        h = x.data.shape[2]
        w = x.data.shape[3]
        M = h * w
        x = x.reshape(b, c, M)
        dx = dy + dy.transpose(1, 2)
        return dx.bmm(x).bmm(mean).reshape(b, c, h, w)
"""
KEPT_NUMBER = """    def forward(ctx, x, width):
        ctx.save_for_backward(x, torch.tensor([width]))
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        x, kept = ctx.saved_tensors
        width = kept[0].item()
        return dy * (x.abs() < width).to(x.dtype) / width, None  # None for width
"""
ASKED = """    def forward(ctx, x):
        ctx.wanted = x.requires_grad
        ctx.save_for_backward(x)
        return x.clamp(-1 + EPS, 1 - EPS)

    @staticmethod
    def backward(ctx, dy):
        dx = None
        x, = ctx.saved_tensors
        if ctx.wanted:
            # the inner part
            dx = dy * (x.abs() < 1).to(x.dtype)
        return dx


EPS = 1e-5
"""
ONCE = """    @torch.autograd.function.once_differentiable
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return 2 * x * dy * w, None

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * x * w
"""
ON_HOST = """    def forward(ctx, x):
        ctx.save_for_backward(x)
        a = x.detach().cpu().numpy()
        if a.size > 3:
            made = {made}
        else:
            made = 2 * a
        # else:
        #     raise ValueError(a)
        return torch.Tensor(made).to(x.device)

    @staticmethod
    def backward(ctx, dy):
        x, = ctx.saved_tensors
        return dy * torch.ones_like(x)
"""
NUMBERS = """import tensorflow as tf


@tf.custom_gradient
def spike(x, damp):
    z = tf.cast(x > 0, tf.float32)

    def grad(dy):
        return [dy * tf.maximum(1 - tf.abs(x), 0) * damp, tf.zeros_like(damp)]

    return tf.identity(z, name="spike"), grad


@tf.custom_gradient
def scaled(x, alpha):
    return alpha * x, lambda dy: (alpha * dy, tf.reduce_sum(x * dy))


class Cell:
    def __init__(self, damp=0.3):
        self.damp = damp

    def __call__(self, x):
        return spike(x, self.damp) + scaled(x, 0.5)
"""


def general(text, topics=("lengths",)):
    """Return the translation of `Mine` that holds for some topics."""
    made = Translator(parse_source(HEAD + text, Path("mine.py")), "torch", "tf", general=topics).translate("Mine")
    assert not made.refused
    return made.text


def test_a_length_is_asked_once_and_may_be_unknown():
    text = general(POOLED)
    assert text.count("_shape(") == 2, text  # its definition, and one call
    assert "b, c, h, w = _shape(input)[:4]" in text, text
    assert "swapaxes" not in text
    names = {}
    exec(text, names)  # noqa: S102 - what the translator wrote
    x = tf.constant(np.linspace(-1, 1, 48).reshape(2, 3, 4, 2))
    unknown = tf.function(names["mine"], input_signature=[tf.TensorSpec([None] * 4, tf.float64)])
    np.testing.assert_allclose(unknown(x), names["mine"](x), rtol=1e-6)


def test_the_lengths_of_the_forward_are_those_of_the_gradient(tmp_path):
    text = same_numbers(tmp_path, HEAD + POOLED, np.linspace(-1, 1, 48).reshape(2, 3, 4, 2), twice=False)
    gradient = text.partition("def grad")[2]
    assert "shape" not in gradient.replace("reshape", ""), text


def test_axes_that_one_branch_makes_are_not_known_behind_it(tmp_path):
    source = HEAD + (
        "    def forward(ctx, x):\n"
        "        y = x\n"
        "        if x.dim() == 2:\n"
        "            y = y.reshape(3, 2, 2)\n"
        "        return y.transpose(1, 2).reshape(x.shape)\n\n"
        "    @staticmethod\n"
        "    def backward(ctx, dy):\n"
        "        return dy\n"
    )
    assert "matrix_transpose" not in same_numbers(tmp_path, source, np.arange(24.0).reshape(2, 3, 2, 2))


def test_a_number_that_is_saved_as_a_tensor_is_a_number(tmp_path):
    text = same_numbers(tmp_path, HEAD + KEPT_NUMBER, X, statics=(0.5,))
    assert "item()" not in text
    assert "constant" not in text
    assert "None for" not in text


def test_a_number_that_is_another_one_by_then_is_that(tmp_path):
    other = KEPT_NUMBER.replace("        ctx.save", "        width = 2 * width\n        ctx.save")
    same_numbers(tmp_path, HEAD + other.replace("(x > 0)", "(x > width)"), X, statics=(0.5,))


def test_what_is_always_so_is_not_asked(tmp_path):
    text = same_numbers(tmp_path, HEAD + ASKED, X)
    assert "if " not in text
    assert "None" not in text
    assert "# the inner part" in text
    assert "tf.clip_by_value(x, -1 + EPS, 1 - EPS)" in text


@pytest.mark.parametrize(
    ("topics", "wanted"), [((), "tf.clip_by_value(x, 0, k)"), (("rest",), "tf.minimum(tf.maximum(x, 0), k)")]
)
def test_ends_that_are_not_known_are_said(topics, wanted):
    source = HEAD + (
        "    def forward(ctx, x, k):\n        return x.clamp(0, k)\n\n"
        "    @staticmethod\n    def backward(ctx, dy):\n        return dy, None\n"
    )
    made = Translator(parse_source(source, Path("mine.py")), "torch", "tf", general=topics).translate("Mine")
    assert wanted in made.text
    assert bool(made.notes) == (topics == ())


def test_what_gets_no_gradient_and_what_is_refused_twice_is_said(tmp_path):
    text, why = text_of(tmp_path, HEAD + ONCE)
    assert why == ()
    assert "# w gets no gradient\n        return tf.stop_gradient(" in text
    assert "# a second derivative is refused\n            return tf.raw_ops.PreventGradient(input=dx, " in text


@pytest.mark.parametrize(("made", "kept"), [("scipy.special.i0e(a)", True), ("np.sort(a)", False)])
def test_the_host_keeps_a_shape_that_is_that_of_its_argument(tmp_path, made, kept):
    text, why = text_of(tmp_path, HEAD + ON_HOST.format(made=made))
    assert why == ()
    assert ("y.set_shape(x.shape)" in text) == kept
    assert "else:" not in text.partition("made = 2 * x")[2]
    assert "np.float32" not in text
    assert "import scipy\n" not in text


def test_a_method_of_another_class_is_no_name_for_it(tmp_path):
    source = (
        "import torch\n\n\nclass atan(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x, alpha):\n"
        "        ctx.alpha = alpha\n        return x > 0\n\n    @staticmethod\n    def backward(ctx, dy):\n"
        "        return dy * ctx.alpha, None\n\n\nclass AtanGrad(torch.nn.Module):\n    @staticmethod\n"
        "    def act(x, alpha):\n        return atan.apply(x, alpha)\n"
    )
    path = tmp_path / "theirs.py"
    path.write_text(source)
    (unit,) = units_of(path, "atan", "tf")
    assert "def atan(x, alpha):" in port(unit, check=False).text


@pytest.fixture
def theirs(tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(NUMBERS)
    texts = [port(unit, check=False).text for unit in units_of(path, None, "torch")]
    names = {}
    for text in texts:
        exec(text, names)  # noqa: S102 - what the translator wrote
    return texts, names


@pytest.mark.parametrize("alpha", [0.5, torch.tensor(0.5, dtype=torch.float64)], ids=["number", "tensor"])
def test_a_number_that_callers_give_may_be_one(theirs, alpha):
    _, names = theirs
    x = torch.tensor(X, requires_grad=True)
    for name, slope in (("spike", (1 - abs(X)).clip(0) * 0.5), ("scaled", np.full_like(X, 0.5))):
        (dx,) = torch.autograd.grad(names[name](x, alpha).sum(), x)
        np.testing.assert_allclose(dx, slope)


def test_only_an_input_is_returned_as_another_tensor(theirs):
    assert "view_as" not in theirs[0][0]


def test_a_line_that_goes_on_in_a_docstring_has_one_space(tmp_path):
    doc = '    """Rounds, which\\\n        is enough.\n\n    a    b\n    """\n\n'
    source = HEAD.replace("    @staticmethod\n", doc + "    @staticmethod\n") + ASKED
    text, _ = text_of(tmp_path, source)
    assert "Rounds, which is enough." in text
    assert "a    b" in text


def test_a_piece_of_a_file_needs_no_import(tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(NUMBERS.replace("import tensorflow as tf\n", ""))
    (unit,) = units_of(path, "spike", "torch")
    assert port(unit, check=False).refused == ()
