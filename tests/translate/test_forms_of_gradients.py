"""A gradient of TensorFlow may stand elsewhere, be made by a function, be bound to a variable, or be one per branch.

Seen in code of public repositories.
"""

from textwrap import indent

import numpy as np
import pytest
import tensorflow as tf
import torch

from porting.engine.check import check
from porting.port.candidate_inputs import attempts
from porting.port.discover import units_of
from porting.port.judge import TOLD, judged
from porting.port.one import port
from porting.port.options import Checking
from porting.port.verify import verify
from porting.translate.module import Translator
from porting.translate.read.source import read_source

_HEAD = "import functools\nfrom functools import partial\n\nimport tensorflow as tf\n\n\n"
_ELSEWHERE = "def away(x, dy, k=1.5):\n    x = tf.tanh(x)\n    return dy * x * k\n\n\n"
_MADE = """def made(at, k=2.0):
    y = tf.tanh(at)

    def grad(upstream):
        return upstream * y * k

    return grad


"""
_MINE = "@tf.custom_gradient\ndef mine(x):\n"
FORMS = {
    "a function of the module": "def away(dy):\n    return dy * 0.5\n\n\n" + _MINE + "    return tf.round(x), away\n",
    "a function that hides one of the module": "def grad(x):\n    return 3.0 * x\n\n\n"
    + _MINE
    + "    def grad(dy):\n        return dy * x\n\n    return tf.round(x), grad\n",
    "a variable that hides one": "def g(x):\n    return 3.0 * x\n\n\n"
    + _MINE
    + "    g = lambda dy: dy * x\n    return tf.round(x), g\n",
    "partial": _ELSEWHERE + _MINE + "    return tf.round(x), functools.partial(away, x)\n",
    "partial by name": _ELSEWHERE + _MINE + "    y = tf.round(x)\n    return y, partial(away, x, k=3.0)\n",
    "a lambda that is bound": _MINE + "    grad = lambda dy: dy * tf.tanh(x)\n    return tf.round(x), grad\n",
    "made by a function": _MADE + _MINE + "    y = 2.0 * x\n    return y, made(y)\n",
    "made and bound": _MADE + _MINE + "    y = 2.0 * x\n    g = made(at=y, k=0.5)\n    return y, g\n",
    "made by a function that returns a lambda": "def made(at):\n    y = at * at\n    return lambda dy: dy * y\n\n\n"
    + _MINE
    + "    return tf.round(x), made(tf.cos(x))\n",
    "a static method": "class Of:\n    @staticmethod\n    def away(dy):\n        return dy * 0.5\n\n\n"
    + _MINE
    + "    return tf.round(x), Of.away\n",
    "both by a function": "def both(x):\n    def grad(dy):\n        return dy * x\n\n    return tf.round(x), grad\n\n\n"
    + _MINE
    + "    return both(x)\n",
    "tf.IndexedSlices apart": _MINE
    + "    def grad(dy):\n        if isinstance(dy, tf.IndexedSlices):\n            return dy.values\n"
    "        if type(dy) == tf.IndexedSlices:\n            dy = dy.values\n"
    "        dy = tf.convert_to_tensor(dy) if isinstance(dy, tf.IndexedSlices) else dy\n"
    "        return dy * x\n\n    return tf.round(x), grad\n",
    "a default": _MINE + "    def grad(dy, k=-1.0):\n        return k * dy\n\n    return tf.round(x), grad\n",
}
BRANCHES = """def mine(x, how="round"):
    @tf.custom_gradient
    def inner(x):
        if how == "round":

            def grad(dy):
                return dy * x

            return tf.round(x), grad
        elif how == "floor":
            return tf.floor(x), lambda dy: 0.5 * dy

        def other(upstream, variables=None):
            return tf.cos(x) * upstream

        return tf.math.ceil(x), other

    return inner(x)
"""
DEFINED_IN_BRANCHES = """def mine(x, how="round"):
    @tf.custom_gradient
    def inner(x):
        y = tf.sign(x)
        if how == "round":
            k = 3.0

            def grad(dy):
                return dy * x * k

        else:

            def grad(dy):
                return dy

        return y, grad

    return inner(x)
"""
CHOSEN = """def mine(x, how="round"):
    bound = 0.5 * x

    def halved(dy):
        return dy * bound

    choice = {"round": halved, "floor": lambda dy: 2.0 * dy, "ceil": halved}[how]

    @tf.custom_gradient
    def inner(x):
        return tf.round(x), choice

    return inner(x)
"""
CHOSEN_OR_RAISED = CHOSEN.replace("choice", "how").replace(
    '    how = {"round": halved, "floor": lambda dy: 2.0 * dy, "ceil": halved}[how]',
    """    try:
        how = {"round": halved, "floor": lambda dy: 2.0 * dy, "ceil": halved}[how]
    except KeyError:
        raise ValueError(f"no {how}")""",
)
_X, _DY = np.array([-1.7, 0.3, 2.6]), np.array([1.0, -0.5, 2.0])


def translated(tmp_path, text):
    path = tmp_path / "mine.py"
    path.write_text(_HEAD + text, encoding="utf-8")
    unit = next(unit for unit in units_of(path, "", "torch") if unit.name == "mine")
    return port(unit, check=False)


def function(text):
    space = {"__name__": "mine"}
    exec(text, space)  # noqa: S102 - what the translator wrote, or read
    return space["mine"]


def assert_same(text, made, **statics):
    assert made.refused == (), made.refused
    x = tf.constant(_X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(_HEAD + text)(x, **statics)
    ours = torch.tensor(_X, requires_grad=True)
    value = function(made.text)(ours, **statics)
    (dx,) = torch.autograd.grad(value, ours, torch.tensor(_DY))
    np.testing.assert_allclose(value.detach().numpy(), y.numpy(), rtol=1e-12)
    np.testing.assert_allclose(dx.numpy(), tape.gradient(y, x, tf.constant(_DY)).numpy(), rtol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_it_is_the_same_gradient(form, tmp_path):
    assert_same(FORMS[form], translated(tmp_path, FORMS[form]))


@pytest.mark.parametrize("text", [BRANCHES, DEFINED_IN_BRANCHES], ids=["returned", "defined"])
@pytest.mark.parametrize("how", ["round", "floor", "ceil"])
def test_each_branch_has_its_own(text, how, tmp_path):
    made = translated(tmp_path, text)
    assert_same(text, made, how=how)
    forward = made.text.partition("def forward")[2].partition("@")[0]
    assert "pass\n" not in forward  # no branch is left empty


@pytest.mark.parametrize(
    ("text", "raised"), [(CHOSEN, KeyError), (CHOSEN_OR_RAISED, ValueError)], ids=["chosen", "or raised"]
)
@pytest.mark.parametrize("how", ["round", "floor", "ceil", "nope"])
def test_one_is_chosen_by_a_name(text, raised, how, tmp_path):
    made = translated(tmp_path, text)
    if how == "nope":
        for side, x in ((_HEAD + text, tf.constant(_X)), (made.text, torch.tensor(_X))):
            with pytest.raises(raised, match="nope"):
                function(side)(x, how=how)
    else:
        assert_same(text, made, how=how)
    assert made.text.partition("def forward")[2].partition("@")[0].count("return") == 1


@pytest.mark.parametrize(
    "text",
    [
        CHOSEN.replace("return inner(x)", "return inner(2.0 * x)"),  # what is chosen reads another x
        CHOSEN.replace("return inner(x)", "halved(x)\n    return inner(x)"),
        CHOSEN.replace("return inner(x)", "choice = halved\n    return inner(x)"),
        CHOSEN.replace('"ceil": halved', "**others"),
        CHOSEN_OR_RAISED.replace("raise ValueError", "print"),
    ],
)
def test_what_is_chosen_in_another_way_is_refused(text, tmp_path):
    assert translated(tmp_path, text).refused


def test_several_gradients_by_a_function(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        _HEAD + "def both(dy, x, w):\n    a = dy * w\n    return a, dy * x\n\n\n@tf.custom_gradient\ndef mine(x, w):\n"
        "    def grad(dy):\n        return both(dy, x, w)\n\n    return x * w, grad\n",
        encoding="utf-8",
    )
    made = port(units_of(path, "", "torch")[0], check=False)
    assert made.refused == (), made.refused
    x, w = (torch.tensor(a, requires_grad=True) for a in (_X, _DY))
    dx, dw = torch.autograd.grad(function(made.text)(x, w), (x, w), torch.tensor([1.0, 2.0, 3.0], dtype=x.dtype))
    np.testing.assert_allclose(dx.numpy(), _DY * [1.0, 2.0, 3.0])
    np.testing.assert_allclose(dw.numpy(), _X * [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ("if how:\n    return x, lambda dy: dy\nhow = 2\nreturn x, lambda dy: 2 * dy", "how is bound again"),
        ("for k in range(3):\n    return x, lambda dy: k * dy\nreturn x, lambda dy: dy", "in a loop"),
        ("if how:\n    return x, lambda dy: dy\nreturn x, lambda a, b: a", "different numbers"),
        ("if how:\n    return x, lambda dy: dy\nreturn x, what", "defined elsewhere"),
        ("if how:\n    return x, lambda dy: dy\nreturn x, lambda *dy: dy", "a default or *args"),
    ],
)
def test_what_is_not_known_is_refused(inside, why, tmp_path):
    inner = indent(f"@tf.custom_gradient\ndef inner(x):\n{indent(inside, ' ' * 4)}\n\nreturn inner(x)\n", " " * 4)
    text = f"def mine(x, how):\n{inner}"
    assert why in translated(tmp_path, text).refused[0][1]


@pytest.mark.slow
def test_an_argument_that_has_to_be_given_is_given(tmp_path, monkeypatch):
    """TensorFlow wants a gradient for each argument that it is given, and no more."""
    path = tmp_path / "mine.py"
    path.write_text(
        _HEAD + "@tf.custom_gradient\ndef mine(x, scale=1.5):\n    def grad(dy):\n"
        "        return -scale * dy, None\n\n    return tf.identity(x), grad\n",
        encoding="utf-8",
    )
    made = Translator(read_source(path), "tf", "torch").translate("mine")
    assert [attempt.statics for attempt in attempts(made.arguments, {}, {})][:2] == [{}, {"scale": 1.5}]
    other = tmp_path / "translated.py"
    other.write_text(made.text, encoding="utf-8")
    monkeypatch.setattr("porting.port.verify.check", lambda *pairs, **how: check(*pairs, **{**how, "only": TOLD}))
    found = verify(f"{path}:mine", f"{other}:mine", "torch", made, Checking(dtypes=["float64"]).begun())
    assert found.status == "proven", found
    assert "nothing is known where scale is left out" in found.counted


@pytest.mark.slow
def test_complex_numbers_are_tried_where_the_source_speaks_of_them(tmp_path, monkeypatch):
    """The imaginary part of a real tensor is 0 in TensorFlow; PyTorch has none."""
    path = tmp_path / "mine.py"
    path.write_text(
        _HEAD + "@tf.custom_gradient\ndef mine(z):\n    def grad(dy):\n"
        "        return tf.complex(tf.math.real(dy), -tf.math.imag(dy))\n\n"
        "    return tf.complex(tf.math.real(z), -tf.math.imag(z)), grad\n",
        encoding="utf-8",
    )
    made = Translator(read_source(path), "tf", "torch").translate("mine")
    tried = attempts(made.arguments, {}, {}, made.text)
    types = ["complex64", "complex128"]
    assert [one.inputs["z"].dtype for one in tried][-2:] == types
    assert not {one.inputs["z"].dtype for one in attempts(made.arguments, {}, {}, "x * y")} & {*types}
    other = tmp_path / "translated.py"
    other.write_text(made.text, encoding="utf-8")
    only = [*TOLD, "complex_numbers"]
    monkeypatch.setattr("porting.port.verify.check", lambda *pairs, **how: check(*pairs, **{**how, "only": only}))
    how = Checking(dtypes=["float32"]).begun()
    found = verify(f"{path}:mine", f"{other}:mine", "torch", made, how)
    assert found.status == "proven", found
    assert "with real numbers" in found.limits
    assert judged(found.report, "tf", "torch").status == "no verdict"  # of inputs that nobody takes for complex
    other.write_text(made.text.replace("-torch.imag(dy)", "torch.imag(dy)"), encoding="utf-8")
    assert "torch.complex(torch.real(dy), torch.imag(dy))" in other.read_text()
    assert verify(f"{path}:mine", f"{other}:mine", "torch", made, how).status != "proven"


def test_a_test_by_what_is_bound_before_it_is_known(tmp_path):
    text = BRANCHES.replace("    @tf", "    n = len(how)\n\n    @tf", 1).replace('elif how == "floor"', "elif n == 9")
    text = text.replace("    def inner(x):\n", "    def inner(x):\n        n = len(how)\n").replace(
        "    n = len(how)\n\n", "", 1
    )
    made = translated(tmp_path, text)
    for how in ("round", "otherwise", "ceil"):
        assert_same(text, made, how=how)
