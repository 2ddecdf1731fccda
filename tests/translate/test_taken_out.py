"""A gradient within a class or a function is translated: what it reads there are arguments. More is refused."""

import types

import numpy as np
import pytest
import tensorflow as tf
import torch

from porting.port.discover import units_of
from porting.port.extract import extract
from porting.port.one import port
from porting.translate.module import Translator
from porting.translate.read.source import read_source

_TF = """import tensorflow as tf

FACTOR = 2.0


class Layer(tf.Module):
    bits = 3

    def __init__(self, k=1.5, cfg=None):
        self.k = k
        self.x = 0.25
        self._max = 0.75
        self.__hidden = 0.5
        self.w = tf.Variable([0.5, 1.0, 2.0], dtype=tf.float64)
        self.cfg = cfg

    def scaled(self, v, by=1.0):
        return self.shifted(v) * by * self.k

    @property
    def half(self):
        return self.k / 2

    def shifted(self, v):
        return v + self.x

    def of_hidden(self, v):
        return v * self.__hidden

    @staticmethod
    def twice(v):
        return FACTOR * v

{body}
"""
_TORCH = """import torch


class Model(torch.nn.Module):
    def __init__(self, k=1.5, cfg=None):
        super().__init__()
        self.k = k
        self.cfg = cfg
        self.register_buffer("buffer", torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64))

    def scaled(self, v):
        return v * self.k

{body}
"""
TF = {
    "a method": """
    @tf.custom_gradient
    def run(self, x):
        low = self.cfg.low

        def grad(dy):
            return dy * self.k * tf.cos(x) - low

        return tf.sin(x) * self.cfg.low + self.bits, grad
""",
    "within a method": """
    def run(self, x):
        shift = 0.5

        def slope(v):
            return self.scaled(v, by=0.5) + shift

        @tf.custom_gradient
        def inner(x):
            def grad(dy):
                return dy * slope(x) * Layer.twice(shift)

            return tf.sin(x) + self.twice(self.k), grad

        return inner(x)
""",
    "names that are taken": """
    @tf.custom_gradient
    def run(self, x):
        return tf.sin(x) * self.x + max(self._max, 0.5), lambda dy: dy * self.x * self.k
""",
    "a variable of the layer": """
    def run(self, x):
        w = tf.stop_gradient(self.w * 2.0)
        w2 = tf.identity(self.w)

        @tf.custom_gradient
        def inner(x):
            n = w2.shape[0]
            return x * w, lambda dy: dy * w * float(n) + self.k

        return inner(x)
""",
    "called": """
    def run(self, x):
        def f(x):
            return tf.exp(x) * self.k, lambda dy: dy * self.cfg.low

        return tf.custom_gradient(f)(x)
""",
    "a lambda": """
    def run(self, x):
        shift = 0.5
        f = tf.custom_gradient(lambda x: (tf.sin(x) * self.k, lambda dy: self.scaled(dy) * tf.cos(x) + shift))
        return f(x)
""",
    "a function of the file": """
    def run(self, x):
        def shadowed(x):
            return x

        return tf.custom_gradient(plain)(shadowed(x))


def plain(x):
    return tf.exp(x) * FACTOR, lambda dy: dy * FACTOR * FACTOR
""",
    "with a local of the method's name": """
    @tf.custom_gradient
    def run(self, x):
        shifted = self.shifted(x)
        return tf.exp(shifted), lambda dy: dy * shifted * self.scaled(v=self.k) * self.half
""",
    "names that Python changes": """
    @tf.custom_gradient
    def run(self, x):
        return tf.sin(x) * self.__hidden, lambda dy: dy * self.of_hidden(x)
""",
    "of Keras": """
    def run(self, x):
        @tf.custom_gradient
        def f(x):
            def grad(*args, upstream=None):
                if upstream is None:
                    (upstream,) = args
                return upstream * self.k

            return tf.round(x), grad

        return f(x)
""",
    "with a default": """
    def run(self, x):
        k = self.k

        @tf.custom_gradient
        def f(x, eps=0.25):
            return tf.sin(x) + eps, lambda dy: (dy * k + eps, None)

        return f(x, 0.25)
""",
}
TORCH = {
    "within a method": """
    def run(self, x):
        shift = 0.5

        class Inner(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, eps):
                ctx.save_for_backward(x)
                ctx.k = self.k
                return torch.sin(x) * self.cfg.low + eps

            @staticmethod
            def backward(ctx, dy):
                (x,) = ctx.saved_tensors
                return self.scaled(dy) * torch.cos(x) * ctx.k + shift, None

        return Inner.apply(x, 0.25)
""",
    "a buffer": """
    def run(self, x):
        class Inner(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * self.buffer + self.buffer.shape[0]

            @staticmethod
            def backward(ctx, dy):
                (x,) = ctx.saved_tensors
                return dy * Inner.slope(x)

            @staticmethod
            def slope(x):
                return torch.cos(x)

        return Inner.apply(x)
""",
    "of a Function of the file": """
    def run(self, x):
        class Inner(Wave):
            @staticmethod
            def backward(ctx, dy):
                (x,) = ctx.saved_tensors
                return self.scaled(dy) * torch.cos(x)

        return Inner.apply(x)


class Wave(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x) * 3

    @staticmethod
    def backward(ctx, dy):
        return dy
""",
}
_X = np.array([-1.4, 0.3, 2.6])
_DY = np.array([0.7, -0.2, 1.1])


def of_tf(f):
    x = tf.constant(_X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y.numpy(), tape.gradient(y, x, output_gradients=tf.constant(_DY)).numpy()


def of_torch(f):
    x = torch.tensor(_X, requires_grad=True)
    y = f(x)
    y.backward(torch.tensor(_DY))
    return y.detach().numpy(), x.grad.numpy()


def given(theirs):
    """Return what the names of the arguments stand for."""
    low, three = theirs.cfg.low, np.array([0.5, 1.0, 2.0])
    numbers = {
        "k": theirs.k,
        "half": theirs.k / 2,
        "low": low,
        "cfg_low": low,
        "self_x": 0.25,
        "eps": 0.25,
        "shift": 0.5,
        "_max": 0.75,
    }
    return numbers | {"hidden": 0.5, "bits": 3, "w": 2.0 * three, "w2": three, "buffer": three}


def ported(text, to, tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(text, encoding="utf-8")
    return [port(unit, check=False) for unit in units_of(path, "", to)]


def same(text, name, to, tmp_path):
    (made,) = [one for one in ported(text, to, tmp_path) if one.name != "Wave"]
    assert made.refused == ()
    theirs, ours = types.ModuleType("theirs"), types.ModuleType("ours")
    exec(text, vars(theirs))  # noqa: S102 - our own text
    exec(made.text, vars(ours))  # noqa: S102 - what the translator wrote
    f = vars(ours)[made.called]
    thing = vars(theirs)[name](cfg=types.SimpleNamespace(low=0.4))
    wanted = [a for a in f.__code__.co_varnames[: f.__code__.co_argcount] if a != "x"]
    known = {a: given(thing)[a] for a in wanted}
    mine, other = (of_torch, of_tf) if to == "torch" else (of_tf, of_torch)
    place, there = (torch.tensor, tf.constant) if to == "torch" else (tf.constant, torch.tensor)
    right = other(thing.run)
    same_numbers(mine(lambda x: f(x, **placed(known, place))), right)
    same_numbers(other(lambda x: standing(tmp_path, made.name, to)(x, **placed(known, there))), right)


def placed(known, place):
    return {a: place(v) if isinstance(v, np.ndarray) else v for a, v in known.items()}


def standing(tmp_path, name, to):
    """Return what the checks compare a translation with."""
    file = Translator(read_source(tmp_path / "theirs.py"), "tf" if to == "torch" else "torch", to)
    made = file.translate(name)
    found = {}
    exec(extract(file, {file.source.path: list(file.made)}), found)  # noqa: S102 - our own text
    return found[made.name]


def same_numbers(ones, others):
    for one, two in zip(ones, others, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12)


@pytest.mark.parametrize("body", TF.values(), ids=TF)
def test_of_tensorflow_is_the_same(body, tmp_path):
    same(_TF.format(body=body), "Layer", "torch", tmp_path)


@pytest.mark.parametrize("body", TORCH.values(), ids=TORCH)
def test_of_pytorch_is_the_same(body, tmp_path):
    same(_TORCH.format(body=body), "Model", "tf", tmp_path)


def test_it_is_said_what_is_which_argument_and_who_calls_it(tmp_path):
    text = _TF.format(body=TF["a method"]) + "\n\ndef use(layer, x):\n    return layer.run(x)\n"
    (made,) = ported(text, "torch", tmp_path)
    (note,) = made.notes
    line = next(n for n, line in enumerate(text.splitlines(), 1) if "layer.run(x)" in line)
    assert "taken out of `Layer`" in note
    assert "`self.k` is the argument `k` here" in note
    assert "`self.cfg.low` is the argument `cfg_low` here" in note
    assert f"line {line} of the source calls it: `layer.run(x)`" in note
    assert made.name == "Layer.run"
    assert "def run(x, cfg_low, k=1.5, bits=3):" in made.text


def test_both_branches_are_translated_apart(tmp_path):
    text = """import tensorflow as tf


def outer(x, flag, k: float):
    if flag:

        @tf.custom_gradient
        def inner(x):
            return tf.sin(x), lambda dy: dy * k

    else:

        @tf.custom_gradient
        def inner(x):
            return tf.cos(x), lambda dy: dy * k * k

    return inner(x)
"""
    made = ported(text, "torch", tmp_path)
    assert [one.line for one in made] == [8, 14]
    assert len({one.called for one in made}) == len({one.name for one in made}) == 2
    for one, value, slope in zip(made, (np.sin, np.cos), (3.0, 9.0), strict=True):
        ours = {}
        exec(one.text, ours)  # noqa: S102 - what the translator wrote
        y, dx = of_torch(lambda x, f=ours[one.called]: f(x, 3.0))
        np.testing.assert_allclose(y, value(_X))
        np.testing.assert_allclose(dx, slope * _DY)


def test_where_a_function_around_is_refused_the_gradient_is_not(tmp_path):
    text = """import missing
import tensorflow as tf


def outer(x, k):
    x = missing.prepared(x)

    @tf.custom_gradient
    def inner(x):
        return tf.sin(x), lambda dy: dy * k

    return inner(x)
"""
    (made,) = ported(text, "torch", tmp_path)
    assert (made.name, made.called, made.refused) == ("outer", "inner", ())
    assert "what is around it is refused: missing.prepared: no rule" in made.notes
    assert "def inner(x, k):" in made.text


def test_a_class_is_not_its_method(tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(_TF.format(body=TF["a method"]), encoding="utf-8")
    (unit,) = units_of(path, "Layer", "torch")
    assert "Layer: a layer that has no __call__ of its own" in port(unit, check=False).said


REFUSED_TF = {
    "an attribute is written": ("self.k = 2.0\n        return x, lambda dy: dy", "changes self.k"),
    "a count": ("self.k += 1\n        return x, lambda dy: dy", "changes self.k"),
    "a part": ("self.cfg.low[0] = x\n        return x, lambda dy: dy", "changes self.cfg.low[0]"),
    "a variable": ("self.w.assign(x)\n        return x, lambda dy: dy", "changes self.w"),
    "by another name": ("w = self.w\n        w.assign_add(x)\n        return x, lambda dy: dy", "changes w"),
    "the object is handed on": ("return x, lambda dy: dy * use(self)", "does more with self than to read"),
    "an attribute by its name": ("return x, lambda dy: dy * getattr(self, 'k')", "does more with self than to read"),
    "a base class": ("return x, lambda dy: dy * super().k", "asks super()"),
    "an unknown method": ("return x, lambda dy: dy * self.dense(x)", "calls self.dense, and only the object knows"),
    "a method as a value": (
        "f = self.shifted\n        return x, lambda dy: f(dy)",
        "reads self.shifted, which is a method",
    ),
    "an object's method": ("return x, lambda dy: dy * self.cfg.scale(x)", "scale"),
    "a method that writes": ("return x, lambda dy: dy * self.counted(x)", "changes self.k"),
}


@pytest.mark.parametrize(("body", "why"), REFUSED_TF.values(), ids=REFUSED_TF)
def test_more_than_reading_is_refused(body, why, tmp_path):
    method = f"    @tf.custom_gradient\n    def run(self, x):\n        {body}\n"
    counted = "\n    def counted(self, v):\n        self.k += 1\n        return v\n"
    (made,) = ported(_TF.format(body=method + counted), "torch", tmp_path)
    assert not made.text
    ((line, reason),) = made.refused
    assert why in reason
    assert line >= made.line


def test_a_method_that_an_heir_has_too_is_refused(tmp_path):
    method = "    @tf.custom_gradient\n    def run(self, x):\n        return x, lambda dy: dy * self.shifted(x)\n"
    heir = "\n\nclass Heir(Layer):\n    def shifted(self, v):\n        return v\n"
    (made,) = ported(_TF.format(body=method) + heir, "torch", tmp_path)
    assert "calls self.shifted, and only the object knows" in made.said


def test_a_method_of_a_class_is_refused(tmp_path):
    method = (
        "    @classmethod\n    @tf.custom_gradient\n    def run(cls, x):\n        return x, lambda dy: dy * cls.bits\n"
    )
    (made,) = ported(_TF.format(body=method), "torch", tmp_path)
    assert "is a method of a class" in made.said


REFUSED_AROUND = {
    "it is counted": ("nonlocal k\n            k = k + 1", "writes to a variable of a function around it"),
    "it is called": ("x = k(x)", "calls k, a variable around it"),
    "it is a list": ("k.append(x)", "changes k"),
    "two functions": ("x = either(x)", "uses either, which is no single function around it"),
    "a function is handed on": ("x = map(only, x)", "hands on only, a function around it"),
}


@pytest.mark.parametrize(("line", "why"), REFUSED_AROUND.values(), ids=REFUSED_AROUND)
def test_variables_around_are_only_read(line, why, tmp_path):
    text = f"""import tensorflow as tf


def outer(k):
    if k:
        def either(x): return x
    else:
        def either(x): return 2 * x

    def only(x):
        return x

    def middle(x):
        @tf.custom_gradient
        def inner(x):
            {line}
            return x, lambda dy: dy * k

        return inner(x)

    return middle
"""
    (made,) = ported(text, "torch", tmp_path)
    assert why in made.said
    assert not made.text


REFUSED_CALLS = {
    "of two": "tf.custom_gradient(k, k)",
    "of another file": "tf.custom_gradient(other.plain)",
    "of what it is given": "tf.custom_gradient(k)",
}


@pytest.mark.parametrize("call", REFUSED_CALLS.values(), ids=REFUSED_CALLS)
def test_a_call_of_what_is_no_function_of_the_file_is_refused(call, tmp_path):
    plain = "def k(x):\n    return x, lambda dy: dy\n"
    text = f"import tensorflow as tf\n\n\n{plain}\n\ndef outer(x, k):\n    return {call}(x)\n"
    (made,) = ported(text, "torch", tmp_path)
    assert "of what is no function of the file" in made.said
    assert not made.text


REFUSED_TORCH = {
    "a buffer is changed": ("self.buffer.mul_(2)", "changes self.buffer"),
    "by another name": ("b = self.buffer.view(-1)\n                b.add_(1)", "changes b"),
    "by a function": ("torch.relu_(self.buffer)", "changes self.buffer"),
    "as the output": ("torch.add(x, x, out=self.buffer)", "changes self.buffer"),
}


@pytest.mark.parametrize(("line", "why"), REFUSED_TORCH.values(), ids=REFUSED_TORCH)
def test_what_pytorch_changes_in_place_is_refused(line, why, tmp_path):
    body = f"""
    def run(self, x):
        class Inner(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                {line}
                return x * self.k

            @staticmethod
            def backward(ctx, dy):
                return dy * self.k

        return Inner.apply(x)
"""
    (made,) = ported(_TORCH.format(body=body), "tf", tmp_path)
    assert why in made.said
    assert not made.text
