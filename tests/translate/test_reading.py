"""Ways to write a class in PyTorch: each is read, and its translation has the same value and gradient."""

import numpy as np
import pytest
import tensorflow as tf
import torch

from porting.port.discover import units_of
from porting.port.extract import extract
from porting.port.one import port
from porting.translate.module import Translator
from porting.translate.read.source import read_source
from porting.translate.write.undefined import undefined

_HEAD = "import numpy as np\nimport torch\n\n\nclass Mine(torch.autograd.Function):\n"
_CONSTANT = """\
    scale = 3.0
    shift: float = 0.5

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x + Mine.shift

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * Mine.scale * x
"""
_HELPER = """\
    @staticmethod
    def _slope(x, k):
        return k * torch.tanh(x)

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * Mine._slope(x, 2.0)
"""
_ROUNDS = """\
    @staticmethod
    def forward(ctx, x):
        for k in range(3):
            if k == 0:
                y = 2 * x
            else:
                y = y * x.cos()
        return y

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy
"""
_PAIR = """\
    @staticmethod
    def slope(x):
        return torch.tanh(x)

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return Pair.forward(x, torch.exp)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return Pair.backward(dy, x, Mine.slope)


class Pair:
    @staticmethod
    def forward(x, value):
        return value(x)

    @staticmethod
    def backward(dy, x, slope):
        return dy * slope(x)
"""
_CLASSMETHOD = """\
    scale = 3.0

    @staticmethod
    def slope(x):
        return torch.cos(x)

    @classmethod
    def forward(cls, ctx, x):
        ctx.save_for_backward(x)
        return x * cls.scale

    @classmethod
    def backward(cls, ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * cls.slope(x)
"""
_STARRED = """\
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.round()

    @staticmethod
    def backward(ctx, *grads):
        (x,) = ctx.saved_tensors
        return grads[0] * x
"""
_SET_UP = """\
    @staticmethod
    @torch.jit.ignore
    def forward(x):
        return x.floor()

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        del output
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, *grads):
        return grads
"""
_TRIED = """\
    @staticmethod
    def forward(ctx, x):
        return x.ceil()

    @staticmethod
    def backward(ctx, dy):
        return 2 * dy


def mine(x):
    try:
        return Mine.apply(x)
    except TypeError:
        return x
"""
_PARTS = """\
    @staticmethod
    def forward(ctx, x):
        out = x.clone()
        out.narrow(0, 1, 2).copy_(3 * x.narrow(0, 0, 2))
        out.select(0, 1).fill_(7.0)
        out[0].mul_(2.0)
        out.mul_(2.0).add_(1.0)
        return out

    @staticmethod
    def backward(ctx, dy):
        dx = dy.clone()
        dx[0:1].add_(dy[0:1])
        dx[2:].zero_()
        dx.narrow(0, 0, 1).sub_(0.5)
        return dx
"""
_KEPT = """\
    @staticmethod
    def forward(ctx, x):
        ctx.y = x.detach()
        return torch.exp(x)

    @staticmethod
    def backward(ctx, dy):
        return dy * torch.sin(ctx.y)
"""
_QUIET = """\
    @staticmethod
    @torch.no_grad()
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x)

    @staticmethod
    @torch.no_grad()
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.cos(x)
"""
_OTHER_OF_ONE_NAME = """\
    @staticmethod
    def forward(ctx, x, scale=1.5):
        mask = x > 0
        ctx.mask = mask * 2
        ctx.scale = scale + 1
        ctx.scale = ctx.scale * 2
        return x * mask * scale * ctx.scale

    @staticmethod
    def backward(ctx, dy):
        mask, scale = ctx.mask, ctx.scale
        return dy * mask * scale, None
"""
_ELEMENTS = """\
    @staticmethod
    def forward(ctx, x):
        rows = torch.tensor([0, 2, 1])
        cols = torch.tensor([1, 0, 1])
        grid = torch.stack([x, 2 * x], 1)
        grid[rows, cols] -= 3.0
        ctx.save_for_backward(x, grid)
        return grid.sum(1)

    @staticmethod
    def backward(ctx, dy):
        x, grid = ctx.saved_tensors
        grid = grid.clone()
        grid[torch.arange(3), torch.tensor([1, 1, 0])] = x
        return dy * grid.sum(1)
"""
_AXES = """\
    @staticmethod
    def forward(ctx, x):
        grid = torch.stack([x, 2 * x], 1)
        grid.narrow(-1, 0, 1).mul_(-1)
        grid.narrow(1, 1, 1).add_(x[:, None])
        grid.select(1, 0).fill_(7.0)
        grid.select(-1, 1).mul_(3.0)
        cube = torch.zeros(3, 4, 2, dtype=x.dtype)
        cube[:, 1, :] = grid
        cube[:, 2:, :] = 2.0
        cube[..., 1] *= 0.5
        single = torch.zeros(3, 2)
        single[:, 0] = x
        return cube.sum(-1).sum(-1) + single.sum(1).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        dx = torch.stack([dy, dy], 1)
        dx.narrow(-1, 1, 1).zero_()
        return dx.sum(1)
"""
_NEVER = """\
    @staticmethod
    def forward(ctx, x, slope=2.0):
        ctx.slope = np.float64(slope)
        y = torch.exp(x)
        y[x > 1] = np.float64(1.0)
        return y * np.float64(3)

    @staticmethod
    def backward(ctx, dy):
        dx = dslope = None
        if ctx.needs_input_grad[0]:
            dx = ctx.slope * dy
        if ctx.needs_input_grad[1]:
            dslope = None
        return dx, dslope
"""
_BIAS = """\
    @staticmethod
    def forward(ctx, x, bias=None):
        ctx.biased = bias is not None
        return torch.nn.functional.linear(x[None], 2 * torch.eye(3, dtype=x.dtype), bias)[0]

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy, dy.clone() if ctx.biased else None
"""
BODIES = {
    "parts of later axes": _AXES,
    "a gradient that is None in every branch": _NEVER,
    "a layer without its bias": _BIAS,
    "elements that are written by their numbers": _ELEMENTS,
    "constants of the class": _CONSTANT,
    "without gradients of its own": _QUIET,
    "a static method": _HELPER,
    "a class of static methods that is no gradient": _PAIR,
    "a branch that reads what another one made the round before": _ROUNDS,
    "class methods": _CLASSMETHOD,
    "any number of cotangents": _STARRED,
    "setup_context": _SET_UP,
    "a function around it that is not translated": _TRIED,
    "parts that are changed in place": _PARTS,
    "a copy that ctx has": _KEPT,
    "ctx has another value of the name of an argument and of a variable": _OTHER_OF_ONE_NAME,
}
_X = np.array([-1.4, 0.3, 2.6])


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_value_and_gradient_are_the_same(body, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(_HEAD + body, encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit, check=False)
    assert made.refused == ()
    theirs, ours = {}, {}
    exec(path.read_text(encoding="utf-8"), theirs)  # noqa: S102 - our own text
    exec(made.text, ours)  # noqa: S102 - what the translator wrote
    x = torch.tensor(_X, requires_grad=True)
    y = theirs["Mine"].apply(x, *theirs["Mine"].forward.__defaults__ or ())
    y.backward(torch.full_like(y, 0.7))
    value = tf.constant(_X)
    with tf.GradientTape() as tape:
        tape.watch(value)
        made_y = ours[made.called](value)
    slope = tape.gradient(made_y, value, output_gradients=tf.fill(made_y.shape, tf.constant(0.7, tf.float64)))
    np.testing.assert_allclose(made_y, y.detach(), rtol=1e-12)
    np.testing.assert_allclose(slope, x.grad, rtol=1e-12)


_CHANGES = """\
    @staticmethod
    def forward(ctx, x):
        out = x.clone()
        CHANGED
        return out

    @staticmethod
    def backward(ctx, dy):
        return dy

    def quarter(self, x):
        return x / 4
"""
REFUSED = {
    "out.diagonal().fill_(1.0)": "changes a part of a tensor in place",
    "out[:, 0].clamp_(min=0.0)": "changes a part of a tensor in place",
    "x.clone().add_(1.0)": "changes a part of a tensor in place",
    "out.data.mul_(2.0)": "changes a part of a tensor in place",
    "out.narrow(-2, 0, 1).zero_()": "changes a part of a tensor in place",
    "out.narrow(0, -1, 1).zero_()": "changes a part of a tensor in place",
    "out[0].mul_(2.0).add_(1.0)": "changes a part of a tensor in place",
    "out = out * Mine.quarter(x)": "mine.quarter: is not defined in the translation",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_would_be_wrong_is_refused(line, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(_HEAD + _CHANGES.replace("CHANGED", line), encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit, check=False)
    assert not made.text
    assert REFUSED[line] in made.refused[0][1]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(x):\n    def g(dy):\n        return dy * y\n    return x, g\n", ["y"]),
        ("def f(x):\n    y = x\n\n    def g(dy):\n        return dy * y\n    return x, g\n", []),
        ("import tensorflow as tf\n\n\ndef f(x, k=ONE):\n    return [tf.abs(v) + k for v in x]\n", ["ONE"]),
        ("def f(x):\n    return x\n\n\ndef h(x):\n    return f.half(x), f.__name__\n", ["f.half"]),
        ("def norm(x):\n    return x\n\n\ndef h(norm):\n    return norm.shape\n", []),
        ("def f(x):\n    return later(x)\n\n\ndef later(x):\n    return len(x)\n", []),
    ],
)
def test_names_that_nothing_defines(text, names):
    assert undefined(text) == names


def test_two_classes_with_a_constant_of_one_name(tmp_path):
    other = _CONSTANT.replace("3.0", "5.0").replace("Mine", "Other")
    text = _HEAD + _CONSTANT + "\n\n" + _HEAD.partition("\n\n\n")[2].replace("Mine", "Other") + other
    text += "\n\n_SHIFT = 7.0\n"  # a name that is taken, further down
    path = tmp_path / "two.py"
    path.write_text(text, encoding="utf-8")
    made = Translator(read_source(path), "torch", "tf")
    assert "_SCALE = 3.0" in made.translate("Mine").text
    assert "_OTHER_SCALE = 5.0" in made.translate("Other").text
    assert "_MINE_SHIFT = 0.5" in Translator(read_source(path), "torch", "tf").translate("Mine").text


_TYPED = """\
import tensorflow as tf
from missing_library import types


@tf.custom_gradient
def mine(x: types.Tensor) -> types.Tensor:
    return x, lambda dy: 2.0 * dy
"""


def test_a_type_of_what_is_not_installed_is_left_out(tmp_path):
    path = tmp_path / "typed.py"
    path.write_text(_TYPED, encoding="utf-8")
    translator = Translator(read_source(path), "tf", "torch")
    assert "missing_library" not in translator.translate("mine").text
    assert "missing_library" not in extract(translator, {translator.source.path: ["mine"]})


def test_a_gradient_without_gradients_is_a_constant_to_the_second_derivative(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(_HEAD + _QUIET, encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit, check=False)
    space = {}
    exec(made.text, space)  # noqa: S102 - what the translator wrote
    x = tf.constant(_X)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = space[made.called](x)
        dx = inner.gradient(y, x)
    assert outer.gradient(dx, x) is None
    np.testing.assert_allclose(dx, np.cos(_X))


_SEVERAL = """\
    @staticmethod
    def forward(ctx, x, both):
        if both:
            return x * 2, x * 3
        else:
            return x * 2

    @staticmethod
    def backward(ctx, *grads):
        return 2 * grads[0], None
"""


def test_a_forward_of_one_or_two_outputs_is_refused(tmp_path):
    """It ended in an IndexError of our own."""
    path = tmp_path / "mine.py"
    path.write_text(_HEAD + _SEVERAL, encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit, check=False)
    assert "the forward returns 1 or 2 outputs; let it return as many always" in made.said


_NONE = """\
    @staticmethod
    def forward(ctx, x, k=None):
        ctx.k = k
        return x * k["factor"]

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.k["factor"], None


def mine(x, k=None):
    return Mine.apply(x, k)
"""


@pytest.mark.slow
def test_what_is_not_judged_is_no_fault_that_the_translation_has_not(tmp_path):
    """Each check was told as one: the forward raises for its default."""
    path = tmp_path / "mine.py"
    path.write_text(_HEAD + _NONE, encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit)
    assert made.status == "not proven"
    assert made.mended == ()


@pytest.mark.slow
def test_a_number_is_tried_where_none_is_refused(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(_HEAD + _NONE.replace('["factor"]', ""), encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    assert port(unit).status == "proven"
