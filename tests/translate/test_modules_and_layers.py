"""Modules of PyTorch become layers of Keras and the other way round, with weights, initialisers and methods."""

import numpy as np
import pytest
import tensorflow as tf
import torch
from spoiled import spoil

from porting.port.discover import units_of
from porting.port.one import Checking, port
from porting.translate.module import Translator
from porting.translate.read.source import read_source

SWISH = """import torch
from torch import nn
from torch.nn import init


class SwishFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return x * torch.sigmoid(beta * x)

    @staticmethod
    def backward(ctx, dy):
        x, beta = ctx.saved_tensors
        s = torch.sigmoid(beta * x)
        return dy * (s + beta * x * s * (1 - s)), (dy * x * x * s * (1 - s)).sum(0)


class Swish(nn.Module):
    \"\"\"Swish with a slope for each feature.\"\"\"

    floor = 0.25

    def __init__(self, features, scale=2.0, use_bias=True):
        super(Swish, self).__init__()
        self.scale = scale
        self.swish = SwishFunction.apply
        self.beta = nn.Parameter(torch.Tensor(features))
        self.register_buffer("shift", torch.zeros(features))
        if use_bias:
            self.bias = nn.Parameter(torch.empty(features))
        else:
            self.register_parameter("bias", None)
        self.mix = nn.Parameter(torch.eye(features) * 2)
        self.reset_parameters()

    def reset_parameters(self):
        init.uniform_(self.beta, 0.5, 1.5)
        end = 1.0 / self.beta.size(0) ** 0.5
        if self.bias is not None:
            self.bias.data.uniform_(-end, end)

    def mixed(self, y):
        return y @ self.mix + self.shift

    def extra_repr(self):
        return f"scale={self.scale}"

    def forward(self, x):
        y = self.scale * self.mixed(self.swish(x, self.beta)) + self.floor
        if self.bias is not None:
            y = y + self.bias
        return y if self.training else torch.tanh(y)
"""
STEEP = """import tensorflow as tf
from tensorflow.keras import initializers
from tensorflow.keras.layers import Layer


class Steep(Layer):
    \"\"\"A step with a surrogate.\"\"\"

    def __init__(self, units, slope=2.0, use_bias=True, kernel_initializer="glorot_uniform", name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.units = units
        self.slope = slope
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)

    def build(self, input_shape):
        self.w = self.add_weight("w", shape=(int(input_shape[-1]), self.units), initializer=self.kernel_initializer)
        if self.use_bias:
            self.b = self.add_weight(name="b", shape=(self.units,), initializer=initializers.Constant(1))
        else:
            self.b = None
        self.gain = tf.Variable(1.5, trainable=True)
        self.built = True

    @tf.custom_gradient
    def step(self, u):
        y = tf.sigmoid(4.0 * u)

        def grad(dy):
            return dy * self.slope / (1 + tf.abs(self.slope * u)) ** 2

        return y, grad

    def call(self, inputs, training=None):
        @tf.custom_gradient
        def doubled(u):
            return 2.0 * u, lambda dy: 3.0 * dy

        u = tf.matmul(inputs, self.w) * self.gain
        if self.b is not None:
            u = u + self.b
        return doubled(u) if training else u

    def get_config(self):
        return {**super().get_config(), "units": self.units}
"""
LIKE_STEEP = STEEP.replace("self.gain = tf.Variable(1.5, trainable=True)", "self.gain = 1.5").replace(
    'self.add_weight("w", ', 'self.add_weight(name="w", '
)


def made_of(tmp_path, source, name, to, **asked):
    """Return the translation of a class."""
    path = tmp_path / "mine.py"
    path.write_text(source, encoding="utf-8")
    (unit,) = units_of(path, name, to)
    return port(unit, **{"check": False, **asked})


def run(text):
    """Return what a file defines."""
    found = {"__name__": "mine"}
    exec(text, found)  # noqa: S102 - the test's own, or what the translator wrote
    return found


def in_torch(module, x, dy):
    """Return the value, and the gradients by the input and by each parameter."""
    given = torch.tensor(x, requires_grad=True)
    y = module(given)
    wrt = [given, *(p for _, p in sorted(module.named_parameters()))]
    return [part.detach().numpy() for part in (y, *torch.autograd.grad(y, wrt, torch.tensor(dy)))]


def in_keras(layer, x, dy, **mode):
    """Return the same of a layer."""
    given = tf.constant(x)
    weights = [w.value for _, w in sorted((w.name, w) for w in layer.trainable_weights)]
    with tf.GradientTape() as tape:
        tape.watch(given)
        y = layer(given, **mode)
    return [part.numpy() for part in (y, *tape.gradient(y, [given, *weights], tf.constant(dy)))]


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("use_bias", [True, False])
def test_a_module_becomes_a_layer(tmp_path, use_bias, training):
    made = made_of(tmp_path, SWISH, "Swish", "tf")
    assert not made.refused, made.refused
    module = run(SWISH)["Swish"](3, use_bias=use_bias).double().train(training)
    layer = run(made.text)["Swish"](3, use_bias=use_bias, dtype="float64")
    x, dy = np.random.default_rng(0).normal(size=(2, 5, 3))
    layer.copy_weights(module)
    for got, want in zip(in_keras(layer, x, dy, training=training), in_torch(module, x, dy), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)
    assert [w.name for w in layer.non_trainable_weights] == ["shift"]


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("use_bias", [True, False])
def test_a_layer_becomes_a_module(tmp_path, use_bias, training):
    made = made_of(tmp_path, LIKE_STEEP, "Steep", "torch")
    assert not made.refused, made.refused
    layer = run(LIKE_STEEP)["Steep"](3, use_bias=use_bias, dtype="float64")
    module = run(made.text)["Steep"](4, 3, use_bias=use_bias).double().train(training)
    x, dy = np.random.default_rng(0).normal(size=(5, 4)), np.random.default_rng(1).normal(size=(5, 3))
    layer(x)
    module.copy_weights(layer)
    for got, want in zip(in_torch(module, x, dy), in_keras(layer, x, dy, training=training), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)
    assert any("lets its caller choose" in note for note in made.notes)


def test_a_variable_becomes_a_parameter(tmp_path):
    made = made_of(tmp_path, STEEP, "Steep", "torch")
    module = run(made.text)["Steep"](4, 3)
    assert {n: tuple(p.shape) for n, p in module.named_parameters()} == {"w": (4, 3), "b": (3,), "gain": ()}
    assert module.gain.item() == 1.5
    assert module.b[0].item() == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(("source", "name", "to"), [(SWISH, "Swish", "tf"), (LIKE_STEEP, "Steep", "torch")])
def test_it_is_proven_both_ways(tmp_path, source, name, to):
    made = made_of(tmp_path, source, name, to, check=None, round_trip=True)
    assert made.status == "proven", made.said
    assert "with use_bias=False" in made.text.partition("import")[0].replace("\n#  ", "")
    assert made.came_back, made.back


WRONG = [
    (SWISH, "Swish", "tf", "dy * x * x * s", "1.01 * dy * x * x * s"),  # the gradient of a parameter
    (SWISH, "Swish", "tf", "y @ mix", "tf.matmul(y, mix, transpose_b=True)"),
    (SWISH, "Swish", "tf", ") + bias", ") + 2 * bias"),
    (SWISH, "Swish", "tf", "y if training", "y if not training"),
    (SWISH, "Swish", "tf", "self.scale = scale", "self.scale = 2.0"),  # as by default
    (LIKE_STEEP, "Steep", "torch", "3.0 * dy", "3.03 * dy"),
    (LIKE_STEEP, "Steep", "torch", "if b is not None", "if True"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("source", "name", "to", "right", "other"), WRONG)
def test_what_is_wrong_is_not_handed_over(tmp_path, monkeypatch, source, name, to, right, other):
    spoil(monkeypatch, right, other)
    made = made_of(tmp_path, source, name, to, check=None, how=Checking(dtypes=("float64",)))
    assert made.status == "different", made.said
    assert not made.text


BASES = """import torch
import torch.nn as nn
import torch.nn.functional as F


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (x.abs() <= 0.1).to(dy.dtype)


class Binary(nn.Linear):
    def __init__(self, *args, gain=2.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.gain = gain

    def forward(self, x):
        return self.gain * F.linear(x, Sign.apply(self.weight), self.bias)


class BinaryConv(nn.Conv2d):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super(BinaryConv, self).__init__(in_channels, out_channels, kernel_size, stride, padding, bias=bias)

    def forward(self, x):
        return F.conv2d(x, Sign.apply(self.weight), self.bias, self.stride, self.padding)


class Plain(nn.Linear):
    def forward(self, x):
        return Sign.apply(super().forward(x))
"""


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(
    ("name", "given", "shape"),
    [("Binary", (3, 2), (5, 3)), ("BinaryConv", (3, 2, 3, 2, 1), (2, 3, 6, 7)), ("Plain", (3, 2), (5, 3))],
)
def test_what_a_base_gives_comes_along(tmp_path, name, given, shape, bias):
    made = made_of(tmp_path, BASES, name, "tf")
    assert not made.refused, made.refused
    module = run(BASES)[name](*given, bias=bias).double()
    layer = run(made.text)[name](*given, bias=bias, dtype="float64")
    layer.copy_weights(module)
    x = np.random.default_rng(0).normal(size=shape)
    dy = np.random.default_rng(1).normal(size=tuple(module(torch.tensor(x)).shape))
    for got, want in zip(in_keras(layer, x, dy), in_torch(module, x, dy), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)
    drawn = run(made.text)[name](*given, bias=bias)
    ends = [float(np.abs(w.numpy()).max()) for w in drawn.trainable_weights]
    assert max(ends) <= float(np.prod(module.weight.shape[1:])) ** -0.5


BEGINS = """import math

import torch
from torch import nn


class Half(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        return x @ w

    @staticmethod
    def backward(ctx, dy):
        return dy, dy


class Begun(nn.Module):
    def __init__(self, n=300, k=200):
        super().__init__()
        {lines}

    def forward(self, x):
        return Half.apply(x, self.w)
"""
DRAWN = [
    "self.w = nn.Parameter(torch.randn(n, k) * 0.3)",
    "self.w = nn.Parameter(2 * torch.rand((n, k)))",
    "self.w = nn.Parameter(torch.ones([n, k]) * 0.5)",
    "self.w = nn.Parameter(torch.full((n, k), 3.0).float())",
    "self.w = nn.Parameter(torch.FloatTensor(n, k).normal_(1, 0.5))",
    "self.w = nn.Parameter(torch.empty(n, k)); nn.init.xavier_uniform_(self.w, gain=2.0)",
    "self.w = nn.Parameter(torch.empty(n, k)); nn.init.xavier_normal_(self.w)",
    "self.w = nn.Parameter(torch.empty(n, k)); nn.init.kaiming_uniform_(self.w, a=math.sqrt(5))",
    "self.w = nn.Parameter(torch.empty(n, k)); nn.init.kaiming_normal_(self.w, mode='fan_out', nonlinearity='relu')",
    "self.w = nn.Parameter(torch.empty(n, k)); nn.init.orthogonal_(self.w)",
    "self.w = nn.Parameter(torch.zeros(n, k)); nn.init.constant_(self.w, 0.7)",
    "self.w = nn.Parameter(torch.zeros(n, k)); end = 1 / self.w.size(1); self.w.data.uniform_(-end, end)",
    "self.w = nn.Parameter(torch.zeros(n, k)); nn.init.normal_(self.w); nn.init.ones_(self.w)",
    "self.w = nn.Parameter(torch.linspace(0, 1, n))",
]


@pytest.mark.parametrize("lines", DRAWN)
def test_weights_begin_alike(tmp_path, lines):
    """Mean, spread and ends of 60,000 numbers: a mean is known to 1/245 of the spread, a spread to 1/350 of itself."""
    source = BEGINS.format(lines="\n        ".join(part.strip() for part in lines.split(";")))
    made = made_of(tmp_path, source, "Begun", "tf")
    assert not made.refused, made.refused
    torch.manual_seed(0)
    tf.random.set_seed(0)
    want = run(source)["Begun"]().w.detach().numpy()
    (got,) = (w.numpy() for w in run(made.text)["Begun"]().weights)
    assert got.shape == want.shape
    spread = float(want.std()) or 1e-6
    assert abs(got.mean() - want.mean()) < 0.03 * spread
    assert abs(got.std() - want.std()) < 0.02 * spread
    if "normal" not in lines and "randn" not in lines and "orthogonal" not in lines:
        np.testing.assert_allclose([got.min(), got.max()], [want.min(), want.max()], rtol=1e-2, atol=1e-2 * spread)


BACK = """import tensorflow as tf


@tf.custom_gradient
def half(x, w):
    return x @ w, lambda dy: (dy, dy)


class Begun(tf.keras.layers.Layer):
    def __init__(self, n=300, k=200):
        super().__init__()
        self.w = self.add_weight(name="w", shape=(n, k), {given})

    def call(self, x):
        return half(x, self.w)
"""
DRAWN_BACK = [
    "", "initializer='zeros'", "initializer='ones'", "initializer='glorot_uniform'", "initializer='he_uniform'",
    "initializer='random_normal'", "initializer=tf.keras.initializers.RandomUniform(-1, 2)",
    "initializer=tf.keras.initializers.Constant(2)", "initializer=tf.keras.initializers.TruncatedNormal(0.0, 2.0)",
    "initializer=tf.random_normal_initializer(stddev=3.0)", "initializer=tf.keras.initializers.Orthogonal()",
    "initializer=tf.keras.initializers.get('uniform')",
]  # fmt: skip


@pytest.mark.parametrize("given", DRAWN_BACK)
def test_weights_begin_alike_in_pytorch(tmp_path, given):
    source = BACK.format(given=given)
    made = made_of(tmp_path, source, "Begun", "torch")
    assert not made.refused, made.refused
    torch.manual_seed(0)
    tf.random.set_seed(0)
    (want,) = (w.numpy() for w in run(source)["Begun"]().weights)
    got = run(made.text)["Begun"]().w.detach().numpy()
    assert got.shape == want.shape
    spread = float(want.std()) or 1e-6
    assert abs(got.mean() - want.mean()) < 0.03 * spread
    assert abs(got.std() - want.std()) < 0.02 * spread


REFUSED = [
    ("self.w = nn.Parameter(torch.empty(n)); nn.init.kaiming_uniform_(self.w)", "the lengths of what is no matrix"),
    ("self.w = nn.Parameter(torch.empty(n)); nn.init.sparse_(self.w, 0.1)", "torch.nn.init.sparse_: no rule"),
    ("self.w = nn.Parameter(torch.empty(n)); self.w.data.clamp_(0)", "an initialisation that has no rule"),
    ("self.w = nn.ParameterList([nn.Parameter(torch.zeros(n)) for _ in range(3)])", "made within an expression"),
    ("self.w = self.training", "read outside of its forward"),
    ("self.w = nn.Parameter(torch.zeros(n)); register(self)", "does more with self"),
    ("self.w = Half.apply if n > 3 else None", "half.apply: is not defined"),
    ("self.f = Half.apply; if n > 3: self.f = Other.apply; self.w = 1", "one function here and another one there"),
    ("self.w = 1; self.begin()\n    def begin(self):\n        if self.w: return\n        self.w = 2", "that does more"),
    ("self.w = 1; self.begin()\n    def begin(self):\n        n = 3\n        self.w = n", "that does more"),
    ("self.register_buffer('w', torch.randn(n, k))", "is drawn and has no gradient"),
    ("self.w = nn.Parameter(torch.zeros(n, k), requires_grad=False); nn.init.normal_(self.w)", "is drawn and has no"),
    ("self.register_buffer('w', torch.arange(n))", "a weight of whole numbers"),
    ("self.register_buffer(name, torch.zeros(n))", "its name is not seen here"),
    ("self.trainable = nn.Parameter(torch.zeros(n)); self.w = 1", "tf.keras.layers.Layer has a trainable of its own"),
    ("self.inner.w = nn.Parameter(torch.zeros(n)); self.w = 1", "a parameter of another module"),
    ("self.w = [nn.Parameter(torch.zeros(n))]", "a weight that is made within an expression"),
    ("for k in range(3): self.w = nn.Parameter(torch.zeros(n))", "a weight that is made in a loop"),
]


def test_what_freezes_a_weight_is_not_another_value_to_try(tmp_path):
    """Each side would draw the frozen weight anew, and a right translation be called different."""
    path = tmp_path / "mine.py"
    lines = "self.w = nn.Parameter(torch.randn(n, k), requires_grad=learn); self.scale = scale"
    signature = "n=300, k=200, learn=True, scale=2.0"
    path.write_text(BEGINS.format(lines=lines).replace("n=300, k=200", signature), encoding="utf-8")
    settings = {a.name: a.otherwise for a in Translator(read_source(path), "torch", "tf").translate("Begun").settings}
    assert not settings["learn"]
    assert settings["scale"]


def test_an_initialisation_in_a_case_of_its_own_stays_in_it(tmp_path):
    lines = "self.w = nn.Parameter(torch.zeros(n, k))\n        self.begin(k)\n\n    def begin(self, length):\n"
    lines += "        if length > 100:\n            nn.init.ones_(self.w)"
    source = BEGINS.format(lines=lines)
    found = run(made_of(tmp_path, source, "Begun", "tf").text)["Begun"]
    assert [float(found(k=k).weights[0][0, 0]) for k in (20, 200)] == [0.0, 1.0]


@pytest.mark.parametrize("learn", [True, False])
def test_a_weight_that_is_trained_on_demand_is(tmp_path, learn):
    source = BEGINS.format(lines="self.w = nn.Parameter(torch.ones(n, k), requires_grad=k > 100)")
    made = made_of(tmp_path, source, "Begun", "tf")
    back = made_of(tmp_path, made.text, "Begun", "torch")
    k = 200 if learn else 20
    assert len(run(made.text)["Begun"](k=k).trainable_weights) == learn
    assert run(back.text)["Begun"](k=k).w.requires_grad == learn


@pytest.mark.parametrize(("lines", "why"), REFUSED)
def test_what_has_no_place_in_a_layer_is_refused(tmp_path, lines, why):
    source = BEGINS.format(lines="\n        ".join(part.strip() for part in lines.split(";")))
    made = made_of(tmp_path, source, "Begun", "tf")
    assert made.status == "refused"
    assert why in made.said, made.said


METHODS = [
    ("self.count += 1\n        return x", "changes self.count"),
    ("return self.other(x)\n\n    def other(self, x):\n        return self.forward(x)", "calls itself"),
    ("return self.other\n\n    @property\n    def other(self):\n        return 1.0", "a property"),
    ("return super().forward(x)", "what its base does is not seen here"),
    ("return self.other(x)\n\n    def other(self, x):\n        return x if self.training else 2 * x", "outside of its"),
]


@pytest.mark.parametrize(("body", "why"), METHODS)
def test_what_a_method_may_not_do_is_refused(tmp_path, body, why):
    source = BEGINS.format(lines="self.count = 1.0").replace("return Half.apply(x, self.w)", body)
    made = made_of(tmp_path, source, "Begun", "tf")
    assert made.status == "refused"
    assert why in made.said, made.said
