"""Parameters that a framework does not find, in plain lists and dictionaries, and those that a first call makes.

Seen in code of public repositories.
"""

import pytest
from everyday import described, differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

INPUTS = {"x": porting.array(("n", 4))}
KINDS = {
    "list": list,
    "tuple": tuple,
    "dict": lambda parts: dict(zip("ab", parts, strict=True)),
    "nested": lambda parts: [[part] for part in parts],
}


def each(held):
    for part in held.values() if isinstance(held, dict) else held:
        yield part[0] if isinstance(part, list) else part


class Product(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.held = KINDS[kind]([torch.nn.Parameter(torch.ones(4)) for _ in range(2)])

    def forward(self, x):
        for w in each(self.held):
            x = torch.tanh(x * w)
        return x


class ProductLayer(keras.layers.Layer):
    factor = 1.0

    def __init__(self, kind):
        super().__init__()
        self.held = KINDS[kind]([tf.Variable(tf.ones(4)) for _ in range(2)])

    def call(self, x):
        for w in each(self.held):
            x = tf.tanh(x * scaled(tf.convert_to_tensor(w), self.factor))
        return x


@tf.custom_gradient
def scaled(w, factor):
    return w, lambda dy: (dy * tf.cast(factor, dy.dtype), None)


class WrongProductLayer(ProductLayer):
    factor = 2.0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layer", [ProductLayer, WrongProductLayer])
def test_parameters_in_lists_are_compared_and_it_is_said_that_nobody_trains_them(kind, layer):
    pair = Pair(torch=Product, tf=layer, inputs=INPUTS, statics={"kind": kind}, reference="torch")
    report, said = described(pair, dtypes=["float32", "float64"])
    assert "in a plain list or dictionary, so that PyTorch does not train it: held." in said
    assert "made with tf.Variable, so that Keras does not train it: held." in said
    assert differing(report) == ({("tf", "vjp")} if layer is WrongProductLayer else set()), str(report)
    assert report.counts["no verdict"] == 0, str(report)


class Within(keras.layers.Layer):
    def __init__(self, kind):
        super().__init__()
        self.parts = [ProductLayer(kind), ProductLayer(kind)]

    def call(self, x):
        return self.parts[1](self.parts[0](x))


@pytest.mark.parametrize("kind", KINDS)
def test_so_are_those_of_layers_inside(kind):
    pair = Pair(tf=Within, inputs=INPUTS, statics={"kind": kind})
    report, said = described(pair, dtypes=["float32", "float64"], only=["adjoint", "raw_gradient", "variables"])
    assert "Keras does not train it: parts.0.held." in said
    assert report.exit_code == 0, str(report)


class Stack(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.held = KINDS[kind]([torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4)])

    def forward(self, x):
        for layer in each(self.held):
            x = layer(x)
        return x


class Registered(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.a, self.b = torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4)

    def forward(self, x):
        return self.b(self.a(x))


@pytest.mark.parametrize("kind", KINDS)
def test_modules_in_lists_hold_parameters_and_buffers(kind):
    pair = Pair(torch=Stack, inputs=INPUTS, statics={"kind": kind})
    report, said = described(pair, dtypes=["float32", "float64"], only=["adjoint", "raw_gradient", "repeated"])
    assert report.exit_code == 0, str(report)
    first, second = [f"held.{k}{'.0' * (kind == 'nested')}" for k in ("ab" if kind == "dict" else (0, 1))]
    assert f"{first}.weight, {first}.bias, {second}.weight, {second}.bias" in said
    assert f"{second}.running_mean" in said


class Alias(torch.nn.Module):
    """Its lists hold what is registered: the drawn numbers are there too."""

    def __init__(self, kind):
        super().__init__()
        self.a, self.b = (torch.nn.Parameter(torch.ones(4)) for _ in range(2))
        self.held = KINDS[kind]([self.a, self.b])

    def forward(self, x):
        for w in each(self.held):
            x = torch.tanh(x * w)
        return x


@pytest.mark.parametrize("kind", KINDS)
def test_lists_of_what_is_registered_hold_the_drawn_numbers(kind):
    module = Alias(kind)
    pair = Pair(torch=module, tf=ProductLayer(kind), inputs=INPUTS, reference="torch")
    report, said = described(pair)
    assert "a plain list" not in said
    assert report.exit_code == 0, str(report)
    assert all(w is own for w, own in zip(each(module.held), (module.a, module.b), strict=True))


class Late(torch.nn.Module):
    """Makes its weight in its first call."""

    def __init__(self, how):
        super().__init__()
        self.how = how
        if how == "attribute":
            self.w = None
        else:
            self.register_parameter("w", None)

    def forward(self, x):
        if self.w is None:
            self.w = torch.nn.Parameter(torch.ones(x.shape[-1], dtype=x.dtype))
        return x * self.w


class Early(keras.layers.Layer):
    factor = 1.0

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1],), name="w")

    def call(self, x):
        return x * scaled(tf.convert_to_tensor(self.w), self.factor)


class WrongEarly(Early):
    factor = 2.0


@pytest.mark.parametrize("how", ["attribute", "registered"])
@pytest.mark.parametrize("made", [False, True])
@pytest.mark.parametrize("layer", [Early, WrongEarly])
def test_what_a_first_call_makes_is_compared(how, made, layer):
    side = Late(how) if made else Late
    statics = {} if made else {"how": how}
    pair = Pair(torch=side, tf=layer, inputs=INPUTS, statics=statics, reference="torch")
    report, said = described(pair, dtypes=["float32", "float64"], only=["value", "vjp", "raw_gradient"])
    assert "w[4]" in said
    assert ("tf", "vjp") in differing(report) if layer is WrongEarly else not differing(report), str(report)
    assert not made or side.w is None
