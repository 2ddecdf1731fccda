"""Inputs that are declared in several floating types, such as weights in float32 beside numbers in float64.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, described, differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

MIXES = [("float64", "float32"), ("float32", "float64"), ("float32", "float16"), ("float32", "bfloat16")]
LOWEST = ["float32", "float32", "float16", "bfloat16"]


def declared(types, **kinds):
    return {n: porting.array((3, 4), dtype=t, kind=kinds.get(n, "")) for n, t in zip("xw", types, strict=True)}


def fixed(types, factor=1.0, wrong=None):
    """Two sides that return each gradient in the type that is declared, whatever they are given."""
    to = [getattr(torch, wrong or t) for t in types]

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(x, w)
            return x * w

        @staticmethod
        def backward(ctx, dy):
            x, w = ctx.saved_tensors
            return (dy * w).to(to[0]), (factor * dy * x).to(to[1])

    @tf.custom_gradient
    def product(x, w):
        wide = [tf.cast(t, tf.float64) for t in (x, w)]

        def grad(dy):
            dy = tf.cast(dy, tf.float64)
            return tf.cast(dy * wide[1], wrong or types[0]), tf.cast(factor * dy * wide[0], wrong or types[1])

        return wide[0] * wide[1], grad

    return Product, product


CHECKS = ["value", "vjp", "raw_gradient", "linear", "special_values", "adjoint"]


@pytest.mark.parametrize(("types", "lowest"), [*zip(MIXES, LOWEST, strict=True)])
def test_each_gradient_is_compared_in_the_type_of_its_input(types, lowest):
    sides = dict(zip(("torch", "tf"), fixed(types), strict=True))
    report, said = described(Pair(sides=sides, inputs=declared(types)), dtypes=[], only=CHECKS)
    assert f"x is {types[0]}, w is {types[1]}: each side is given them so; compared in {lowest}" in said
    assert {r.dtype for r in report.results} == {lowest}
    assert report.exit_code == 0, str(report)


@pytest.mark.parametrize("types", MIXES[:2])
def test_a_gradient_of_another_type_than_its_input_is_found(types):
    right, wrong = fixed(types), fixed(types, wrong="float64")
    pair = Pair(torch=right[0], tf=wrong[1], inputs=declared(types), reference="torch")
    report = porting.check(pair, only=CHECKS)
    assert differing(report) == {("tf", "raw_gradient")}, str(report)
    assert causes(report, "tf") == ["wrong_dtype"], str(report)


@pytest.mark.parametrize("types", MIXES)
def test_a_wrong_number_in_such_a_gradient_is_found(types):
    pair = Pair(torch=fixed(types)[0], tf=fixed(types, 2.0)[1], inputs=declared(types), reference="torch")
    report = porting.check(pair, only=["value", "vjp"])
    assert differing(report) == {("tf", "vjp")}, str(report)


def times(x, w):
    return x * w


@pytest.mark.parametrize("types", MIXES)
def test_all_have_one_type_where_a_side_raises_otherwise(types):
    report, said = described(Pair(torch=times, tf=times, inputs=declared(types)), dtypes=[], only=CHECKS)
    assert "all are given one type, because a side raises for that" in said
    assert report.exit_code == 0, str(report)


def masked(x, w):
    return tf.where(w > tf.constant(0.5), x, 0 * x)


def test_a_mask_keeps_its_type_beside_both_types_of_the_others():
    sides = {"torch": lambda x, w: torch.where(w > 0.5, x, 0 * x), "tf": masked}
    inputs = declared(("float64", "float32"), w="0,1")
    report, said = described(Pair(sides=sides, inputs=inputs), dtypes=[], only=["value", "vjp", "raw_gradient"])
    assert "w is float32: each side is given them so; compared in float32 and float64" in said
    assert report.exit_code == 0, str(report)
    assert {r.dtype for r in report.results if r.status == "agree"} == {"float32", "float64"}


def test_they_are_compared_in_that_type_whatever_is_asked_for():
    pair = Pair(torch=fixed(MIXES[0])[0], inputs=declared(MIXES[0]), name="f")
    report, said = described(pair, dtypes=["float64", "float16"])
    assert "compared in float32" in said
    assert {r.dtype for r in report.results} == {"float32"}
    assert report.exit_code == 0, str(report)


class Weighted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3, 4))

    def forward(self, x):
        return x * self.w


class WeightedLayer(tf.keras.layers.Layer):
    def build(self, _):
        self.w = self.add_weight(shape=(3, 4), name="w")

    def call(self, x):
        return x * self.w


def test_so_is_a_weight_of_a_module():
    pair = Pair(torch=Weighted, tf=WeightedLayer, inputs=declared(("float64", "float32")))
    report = porting.check(pair, only=CHECKS)
    assert report.exit_code == 0, str(report)


# A number of Python for a gradient that is 0, which a tape hands on.


class Reversed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x.view_as(x)

    @staticmethod
    def backward(ctx, dy):
        return -dy * ctx.scale.to(dy), None


@tf.custom_gradient
def reversed_tf(x, scale):
    return tf.identity(x), lambda dy: (-dy * tf.cast(scale, dy.dtype), 0)


def test_a_gradient_that_is_a_number_of_python_is_one_for_an_input_of_its_own_type():
    inputs = {"x": porting.array(dtype="float32"), "scale": porting.array((), domain=(0.3, 1.5))}
    report = porting.check(Pair(torch=Reversed, tf=reversed_tf, inputs=inputs), only=["value", "vjp", "raw_gradient"])
    assert report.counts["differ"] == 0, str(report)
    assert {(r.runner, r.check) for r in report.results if r.status == "agree" and r.compared} >= {
        ("torch", "vjp"),
        ("tf", "vjp"),
    }
