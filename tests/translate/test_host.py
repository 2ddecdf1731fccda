"""Code on the host: NumPy and SciPy within a gradient, called by TensorFlow, and by PyTorch."""

from pathlib import Path

import pytest

from porting.port.discover import units_of
from porting.port.one import Checking, port
from porting.translate.module import Translator
from porting.translate.read.source import parse_source

_ROOT_OF = """
import numpy as np
import scipy.linalg
import torch

class MatrixRoot(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        root = torch.from_numpy(scipy.linalg.sqrtm(a.detach().numpy().astype(np.float64)).real).type_as(a)
        ctx.save_for_backward(root)
        return root

    @staticmethod
    def backward(ctx, dy):
        root, = ctx.saved_tensors
        root = root.data.numpy().astype(np.float64)
        found = scipy.linalg.solve_sylvester(root, root, dy.data.numpy().astype(np.float64))
        return torch.from_numpy(found).type_as(dy)
"""
_ROOT_OF_WRITTEN = """
        def host(a):
            root = scipy.linalg.sqrtm(a.astype(np.float64)).real.astype(a.dtype)
            return np.asarray(root, a.dtype)

        root = tf.numpy_function(host, [a], a.dtype)

        def grad(dy):
            dy = tf.convert_to_tensor(dy)

            def host_grad(a, root, dy):
                root = root.astype(np.float64)
                found = scipy.linalg.solve_sylvester(root, root, dy.astype(np.float64))
                return np.asarray(found.astype(dy.dtype), a.dtype)

            da = tf.numpy_function(host_grad, [a, root, dy], a.dtype)
            da.set_shape(a.shape)
"""
_CAPTURED = """
import numpy as np
import torch

class Inside(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        a = x.detach().cpu().numpy()
        ctx.inside = torch.from_numpy(np.abs(a) < limit)
        return torch.from_numpy(_clipped(a, limit))

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.inside.to(dy.dtype), None

def _clipped(x, limit):
    return np.minimum(np.maximum(x, -limit), limit)
"""
_ON_TF = """
import numpy as np
import scipy.special
import tensorflow as tf

def _smooth(x):
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)

@tf.custom_gradient
def softplus(x):
    def grad(dy):
        return dy * tf.numpy_function(scipy.special.expit, [x], x.dtype)
    return tf.numpy_function(_smooth, [x], x.dtype), grad
"""


def translated(text, of, title):
    to = "tf" if of == "torch" else "torch"
    return Translator(parse_source(text, Path("source.py")), of, to).translate(title)


def bare(text):
    return [line.partition("  # ")[0].rstrip() for line in text.splitlines() if line.strip()]


def test_a_forward_and_a_gradient_on_the_host():
    found = translated(_ROOT_OF, "torch", "MatrixRoot")
    assert not found.refused
    wanted, got = bare(_ROOT_OF_WRITTEN), bare(found.text)
    start = got.index(wanted[0])
    assert got[start : start + len(wanted)] == wanted
    assert "tf.raw_ops.PreventGradient" in found.text
    assert any("second derivative is refused" in note for note in found.notes)


def test_the_numbers_of_it():
    torch, tf = pytest.importorskip("torch"), pytest.importorskip("tensorflow")
    before, after = {"__name__": "before"}, {"__name__": "after"}
    exec(_ROOT_OF, before)  # noqa: S102 - our own
    exec(translated(_ROOT_OF, "torch", "MatrixRoot").text, after)  # noqa: S102
    numbers = [[2.0, 0.3], [0.3, 1.5]]
    a = torch.tensor(numbers, dtype=torch.float64, requires_grad=True)
    y = before["MatrixRoot"].apply(a)
    y.sum().backward()
    x = tf.constant(numbers, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = after["matrix_root"](x)
    assert abs(z.numpy() - y.detach().numpy()).max() < 1e-14
    assert abs(tape.gradient(z, x).numpy() - a.grad.numpy()).max() < 1e-14


def test_a_helper_of_arrays_is_carried_along_as_it_is():
    once = _CAPTURED.replace("    def backward", "    @torch.autograd.function.once_differentiable\n    def backward")
    found = translated(once, "torch", "Inside")
    assert not found.refused
    assert "def _clipped(x, limit):\n    return np.minimum(np.maximum(x, -limit), limit)" in found.text
    assert "return np.asarray(_clipped(x, limit), x.dtype)" in found.text
    assert "inside = np.array(np.abs(x) < limit)" in found.text.partition("def host_grad")[2]  # made there again


def test_what_the_host_hands_to_a_gradient_elsewhere_is_refused():
    ((_, why),) = translated(_CAPTURED, "torch", "Inside").refused
    assert "inside: is computed on the host" in why


def test_numpy_function_of_tensorflow():
    found = translated(_ON_TF, "tf", "softplus")
    assert not found.refused
    assert "return _on_host(_smooth, [x], x.dtype)" in found.text
    assert "return dy * _on_host(scipy.special.expit, [x], x.dtype)" in found.text
    assert "np.log1p(np.exp(-np.abs(x)))" in found.text


def test_a_function_that_is_not_known_is_refused():
    text = _ON_TF.replace("tf.numpy_function(_smooth,", "tf.numpy_function(lambda v: v.sum(),")
    ((_, why),) = translated(text, "tf", "softplus").refused
    assert "a rule for functions of the module" in why


_WIDENED = """
import numpy as np
import torch
LINE


class Slow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, k):
        ctx.save_for_backward(k)
        k = k.double()
        return torch.from_numpy(np.tanh(k.detach().numpy())).float()

    @staticmethod
    def backward(ctx, dy):
        (k,) = ctx.saved_tensors
        k = k.double()
        slope = torch.from_numpy(1 - np.tanh(k.detach().numpy()) ** 2)
        return dy * slope.float()
"""


def test_an_argument_that_a_backward_widens_keeps_the_type_of_its_gradient(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(_WIDENED.replace("LINE", ""), encoding="utf-8")
    text = Translator(parse_source(_WIDENED.replace("LINE", ""), path), "torch", "tf").translate("Slow").text
    made = {}
    exec(text, made)  # noqa: S102 - what the translator wrote
    tf = made["tf"]
    x = tf.constant([0.5, -1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = made["slow"](x)
    assert tape.gradient(y, x).dtype == tf.float32


@pytest.mark.slow
def test_what_runs_on_the_host_is_checked_apart_from_a_file_that_does_not_import(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(_WIDENED.replace("LINE", "import no_such_package_at_all"), encoding="utf-8")
    (unit,) = units_of(path, "", "tf")
    made = port(unit, how=Checking(dtypes=["float32"]))
    assert made.status == "proven", made.said


_GIVEN_TO_SCIPY = """
import scipy.special as sp
import torch


class Bessel(torch.autograd.Function):
    @staticmethod
    def forward(ctx, n, x):
        ctx.save_for_backward(x)
        ctx.n = n
        return sp.jv(n, x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return None, dy * 0.5 * (sp.jv(ctx.n - 1, x) - sp.jv(ctx.n + 1, x))
"""


def test_what_scipy_makes_of_a_tensor_runs_on_the_host():
    text = Translator(parse_source(_GIVEN_TO_SCIPY, Path("mine.py")), "torch", "tf").translate("Bessel").text
    made = {}
    exec(text, made)  # noqa: S102 - what the translator wrote
    tf, sp = made["tf"], pytest.importorskip("scipy.special")
    x = tf.constant([0.5, 1.5], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = made["bessel"](1, x)
    assert y.numpy() == pytest.approx(sp.jv(1, x.numpy()))
    assert tape.gradient(y, x).numpy() == pytest.approx(sp.jvp(1, x.numpy()))
