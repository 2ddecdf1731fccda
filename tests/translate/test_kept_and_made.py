"""What a forward keeps in one branch and otherwise in another, fills step by step, or what a module changes again."""

import numpy as np
import pytest
import tensorflow as tf
import torch

from porting.port.discover import units_of
from porting.port.one import port

_X, _W, _DY = np.array([-1.4, 0.3, 2.6]), np.array([0.5, -2.0, 1.25]), np.array([1.0, -0.5, 2.0])
_TORCH = """import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, flag=True):
        ctx.flag = flag
{forward}

    @staticmethod
    def backward(ctx, dy):
        a, w = ctx.saved_tensors
        if ctx.flag:
            return dy * w, dy * a, None
        return dy * w * w, 2 * dy * a, None
"""
_BRANCHES = """\
        if flag:
            y = x * w
            ctx.save_for_backward(x, w)
        else:
            y = x * w * w
            ctx.save_for_backward(x * w, w)
        return y"""
_EARLY = """\
        if flag:
            ctx.save_for_backward(x, w)
            return x * w
        z = x * w
        ctx.save_for_backward(z, w)
        return z * w"""
_CHANGED = """\
        if flag:
            ctx.save_for_backward(x, w)
            x = x * w
        else:
            x = x * w
            ctx.save_for_backward(x, w)
            x = x * w
        return x"""
_LOOP = """\
        for k in range(1 if flag else 2):
            ctx.save_for_backward(x, w)
            x = x * w
        return x"""
_ATTRIBUTE = (
    _BRANCHES.replace("ctx.save_for_backward(x, w)", "ctx.a = x")
    .replace("ctx.save_for_backward(x * w, w)", "ctx.a = x * w")
    .replace("        return y", "        ctx.save_for_backward(w, w)\n        return y")
)


def translated(tmp_path, source, to):
    """Return a translation that was not checked, with its name."""
    path = tmp_path / "mine.py"
    path.write_text(source, encoding="utf-8")
    (unit,) = units_of(path, "", to)
    made = port(unit, check=False)
    assert made.refused == (), made.refused
    space = {"__name__": "mine"}
    exec(made.text, space)  # noqa: S102 - what the translator wrote
    return space["mine"]


def refused(tmp_path, source, to="tf"):
    """Return why a source is refused."""
    path = tmp_path / "mine.py"
    path.write_text(source, encoding="utf-8")
    (unit,) = units_of(path, "", to)
    ((_, why),) = port(unit, check=False).refused
    return why


def in_tensorflow(op, *statics):
    x, w = tf.constant(_X), tf.constant(_W)
    with tf.GradientTape() as tape:
        tape.watch((x, w))
        y = op(x, w, *statics)
    return [part.numpy() for part in (y, *tape.gradient(y, (x, w), tf.constant(_DY)))]


def in_pytorch(op, *statics):
    x, w = torch.tensor(_X, requires_grad=True), torch.tensor(_W, requires_grad=True)
    y = op(x, w, *statics)
    return [part.detach().numpy() for part in (y, *torch.autograd.grad(y, (x, w), torch.tensor(_DY)))]


def in_numpy(op, **statics):
    y = op(_X, _W, **statics)
    return [y, *op.vjp(_DY, _X, _W, **statics)]


def wanted(*, flag):
    """Return value and gradients: of x w, or of x w^2."""
    if flag:
        return _X * _W, _DY * _W, _DY * _X
    return _X * _W * _W, _DY * _W * _W, 2 * _DY * _X * _W


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("forward", [_BRANCHES, _EARLY, _CHANGED, _LOOP], ids=["two", "early", "changed", "loop"])
def test_each_branch_keeps_its_own(forward, flag, tmp_path):
    source = _TORCH.format(forward=forward)
    for found in (
        in_tensorflow(translated(tmp_path, source, "tf"), flag),
        in_numpy(translated(tmp_path, source, "numpy"), flag=flag),
    ):
        for got, want in zip(found, wanted(flag=flag), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("flag", [True, False])
def test_an_attribute_is_what_each_branch_makes_it(flag, tmp_path):
    source = _TORCH.format(forward=_ATTRIBUTE).replace("a, w = ctx.saved_tensors", "a, w = ctx.a, ctx.saved_tensors[0]")
    found = in_tensorflow(translated(tmp_path, source, "tf"), flag)
    for got, want in zip(found, wanted(flag=flag), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("flag", [True, False])
def test_a_branch_keeps_more_than_another_one(flag, tmp_path):
    forward = _BRANCHES.replace("(x * w, w)", "(x * w, w, 2 * x)")
    source = _TORCH.format(forward=forward).replace(
        "        a, w = ctx.saved_tensors\n        if ctx.flag:\n            return dy * w, dy * a, None\n",
        "        if ctx.flag:\n            a, w = ctx.saved_tensors\n            return dy * w, dy * a, None\n"
        "        a, w, twice = ctx.saved_tensors\n",
    )
    source = source.replace("        a, w, twice = ctx.saved_tensors\n        return dy * w * w, 2 * dy * a", "{again}")
    again = "        else:\n            a, w, twice = ctx.saved_tensors\n            return dy * w * w, twice * dy * w"
    source = source.replace("{again}", again)
    for found in (
        in_tensorflow(translated(tmp_path, source, "tf"), flag),
        in_numpy(translated(tmp_path, source, "numpy"), flag=flag),
    ):
        for got, want in zip(found, wanted(flag=flag), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-12)


def test_what_an_unpacking_calls_as_the_forward_does_is_not_said_again(tmp_path):
    forward = _BRANCHES.replace("(x * w, w)", "(x, w, 2 * x)")
    source = _TORCH.format(forward=forward).replace(
        "        a, w = ctx.saved_tensors\n        if ctx.flag:\n",
        "        if ctx.flag:\n            x, w = ctx.saved_tensors\n"
        "        else:\n            x, w, twice = ctx.saved_tensors\n        if ctx.flag:\n",
    )
    path = tmp_path / "mine.py"
    path.write_text(source.replace("dy * a", "dy * x").replace("2 * dy * x", "twice * dy * w"), encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    text = port(unit, check=False).text
    assert "if not flag:\n                twice = kept2\n" in text, text
    assert "w = w" not in text, text
    assert "pass" not in text, text


def test_other_numbers_of_tensors_are_refused(tmp_path):
    forward = _BRANCHES.replace("(x * w, w)", "(x * w, w, x)")
    assert "saves 2 or 3 tensors" in refused(tmp_path, _TORCH.format(forward=forward))


def test_a_set_up_that_says_two_things_is_refused(tmp_path):
    source = _TORCH.format(forward="        return x * w").replace("(ctx, x, w, flag=True)", "(x, w, flag=True)")
    source = source.replace("        ctx.flag = flag\n", "").replace(
        "    @staticmethod\n    def backward",
        "    @staticmethod\n    def setup_context(ctx, inputs, output):\n        x, w, flag = inputs\n"
        "        ctx.flag = True\n        if flag:\n            ctx.flag = False\n"
        "        ctx.save_for_backward(x, w)\n\n    @staticmethod\n    def backward",
    )
    assert "ctx.flag is True in one place and False in another" in refused(tmp_path, source)


_LISTS = """import tensorflow as tf


@tf.custom_gradient
def mine(x, w):
    powers = []
    p = x
    for _ in range(3):
        powers.append(p)
        p = p * x

    def grad(dy):
        parts = []
        for power in powers:
            parts.append(power * dy)
        return dy * w * (1 + 2 * powers[0] + 3 * powers[1]), parts[0] + parts[1] + parts[2]

    return w * (powers[0] + powers[1] + powers[2]), grad
"""
_FILLED = _LISTS.replace(
    "@tf.custom", "def fill(powers, x):\n    powers.append(x)\n    powers.append(x * x)\n\n\n@tf.custom"
).replace(
    "    for _ in range(3):\n        powers.append(p)\n        p = p * x\n",
    "    fill(powers, p)\n    powers += [x * x * x]\n",
)


@pytest.mark.parametrize("source", [_LISTS, _FILLED], ids=["appended", "by a helper"])
def test_a_list_is_filled_again(source, tmp_path):
    powers = _X + _X**2 + _X**3
    want = _W * powers, _DY * _W * (1 + 2 * _X + 3 * _X**2), _DY * powers
    for found in (in_pytorch(translated(tmp_path, source, "torch")), in_numpy(translated(tmp_path, source, "numpy"))):
        for got, one in zip(found, want, strict=True):
            np.testing.assert_allclose(got, one, rtol=1e-12)


_GIVEN = "return dy * w, dy * x"
_PAIR = """import tensorflow as tf


@tf.custom_gradient
def mine(x, w):
    def grad(dy):
        return dy * w, dy * x

    return x * w, grad
"""


@pytest.mark.parametrize(
    "given",
    [
        "grads = (dy * w, dy * x)\n        return (*grads,)",
        "grads = [dy * w]\n        return (*grads, dy * x)",
        "grads = [dy * w]\n        return tuple(grads) + (dy * x,)",
        "grads = []\n        grads.append(dy * w)\n        grads.append(dy * x)\n        return grads",
        "grads = [dy * w, 0]\n        grads[1] = dy * x\n        return grads",
    ],
)
def test_a_tuple_of_gradients_keeps_its_places(given, tmp_path):
    source = _PAIR.replace(_GIVEN, given)
    want = _X * _W, _DY * _W, _DY * _X
    for found in (in_pytorch(translated(tmp_path, source, "torch")), in_numpy(translated(tmp_path, source, "numpy"))):
        for got, one in zip(found, want, strict=True):
            np.testing.assert_allclose(got, one, rtol=1e-12)


def test_a_star_of_unknown_length_is_refused(tmp_path):
    given = "grads = [dy * w]\n        grads.append(dy * x)\n        return (*grads,)"
    assert "*grads: how many values that are is not seen" in refused(tmp_path, _PAIR.replace(_GIVEN, given), "torch")


_CONSTANT = """import torch

{made}


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w * SCALE

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy * w * SCALE, dy * x * SCALE
"""


@pytest.mark.parametrize(
    "made",
    [
        "SCALE = 1.0\nSCALE = 3.0",
        "SCALE = 1.0\nSCALE += 2",
        "if torch.cuda.is_available():\n    SCALE = 1.0\nelse:\n    SCALE = 2.0",
        "try:\n    import numba\n    SCALE = 1.0\nexcept ImportError:\n    SCALE = 2.0",
        "for SCALE in range(3):\n    pass\nSCALE = 4.0",
        "SCALE = 1.0\n\n\ndef set_scale(to):\n    global SCALE\n    SCALE = to\n\n\nset_scale(2.0)",
    ],
)
def test_a_constant_that_is_two_things_is_refused(made, tmp_path):
    assert "SCALE: is " in refused(tmp_path, _CONSTANT.format(made=made))


def test_a_table_that_is_changed_further_down_is_refused(tmp_path):
    source = _CONSTANT.format(made="SCALE = [1.0]\nSCALE[0] = 2.0").replace("* SCALE", "* SCALE[0]")
    assert "SCALE: is changed further down" in refused(tmp_path, source)


@pytest.mark.parametrize(
    "made",
    [
        "SCALE = 3.0\nif __name__ == '__main__':\n    SCALE = 4.0",
        "try:\n    SCALE = 3.0\nexcept ImportError:\n    SCALE = 3.0",
        "SCALE: float\nSCALE = 3.0",
        "SCALE = 3.0\nprint(SCALE)",
    ],
)
def test_a_constant_that_is_one_thing_is_taken(made, tmp_path):
    found = in_tensorflow(translated(tmp_path, _CONSTANT.format(made=made), "tf"))
    for got, want in zip(found, (3 * _X * _W, 3 * _DY * _W, 3 * _DY * _X), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)


def test_who_changes_a_constant_later_is_told(tmp_path):
    path = tmp_path / "mine.py"
    made = "SCALE = 3.0\n\n\ndef set_scale(to):\n    global SCALE\n    SCALE = to"
    path.write_text(_CONSTANT.format(made=made), encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    assert "set_scale() changes it in the source" in " ".join(port(unit, check=False).notes)


_FORGOTTEN_COMMA = """\
import torch


class Binary(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return torch.sign(input)

    @staticmethod
    def backward(ctx, dy):
        input = ctx.saved_tensors
        dx = dy.clone()
        dx[input[0].gt(1)] = 0
        dx[input[0].lt(-1)] = 0
        return dx
"""
_SAME_NAME = """\
import torch


class Gate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        if x.requires_grad:
            mask = x.abs() > 1 / alpha
            grad_x = -alpha * alpha * x.abs() + alpha
            grad_x.masked_fill_(mask, 0)
            ctx.save_for_backward(grad_x)
        return x.gt(0.0).float()

    @staticmethod
    def backward(ctx, dy):
        grad_x = None
        if ctx.needs_input_grad[0]:
            grad_x = dy * ctx.saved_tensors[0]
        return grad_x, None
"""


@pytest.mark.parametrize("text", [_FORGOTTEN_COMMA, _SAME_NAME], ids=["a comma is forgotten", "the same name"])
@pytest.mark.slow
def test_what_is_saved_is_what_is_read(text, tmp_path):
    path = tmp_path / "source.py"
    path.write_text(text, encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit)
    assert made.status == "proven", made
