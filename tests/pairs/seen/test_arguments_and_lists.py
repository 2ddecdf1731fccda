"""Arguments by place, by name, in a list, settings with and without a default: both sides are given the same.

Seen in code of public repositories.
"""

import pytest
from everyday import CHECKS, CHECKS_AND_REPEATED, FREE, described, differing
from judged import accused, accused_by

import porting
from porting import Pair
from porting.pairs.parse import parse_static

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


@tf.custom_gradient
def scale_by_place(t, scale):
    """Take the factor by place, as documented, and return None for it."""
    return t * 1.0, lambda dy: (scale * dy, None)


@tf.custom_gradient
def scale_by_default(t, scale=0.5):
    """Take the factor as a setting, and return no gradient for it."""
    return t * 1.0, lambda dy: scale * dy


@pytest.mark.parametrize("side", [scale_by_place, scale_by_default])
def test_a_static_is_handed_on_as_people_do(side):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, t, scale=0.5):
            ctx.scale = scale
            return t * 1.0

        @staticmethod
        def backward(ctx, dy):
            return ctx.scale * dy, None

    pair = Pair(torch=Scale, tf=side, inputs={"t": porting.array((..., "n"), dtype="float32")}, statics={"scale": 0.5})
    found, report = accused(pair)  # by place the factor becomes a tensor, of float32
    assert not found, str(report)


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, dy):
        return -ctx.alpha * dy, None


@tf.custom_gradient
def reverse_by_place(x, lamda=1.0):
    def grad(dy):
        return lamda * -dy, None

    return tf.identity(x), grad


@tf.custom_gradient
def reverse_by_name(x, lamda=1.0):
    def grad(dy):
        return lamda * -dy

    return tf.identity(x), grad


@pytest.mark.parametrize("side", [reverse_by_place, reverse_by_name])
def test_a_static_comes_by_place_where_a_gradient_is_returned_for_it(side):
    pair = Pair(torch=Reverse, tf=side, inputs=FREE, statics={"alpha": 0.7})
    found, report = accused_by(pair, **CHECKS_AND_REPEATED)
    assert not found, str(report)
    assert "alpha=0.7 (tf: lamda)" in next(iter(report.described))


def test_a_setting_that_one_side_alone_has_keeps_its_default():
    pair = Pair(torch=lambda x, eps=1e-5: x * torch.rsqrt(x * x + eps), tf=lambda x: x * tf.math.rsqrt(x * x + 1e-5))
    found, report = accused(pair, only=["value", "vjp"])
    assert not found, str(report)


def test_what_one_side_has_a_default_for_the_other_one_is_given():
    def scaled(x, factor=2.0):
        return factor * x

    report = porting.check(Pair(torch=scaled, like=lambda x, factor: factor * x), **CHECKS)
    assert report.exit_code == 0, str(report)
    assert report.counts["agree"] >= 4


def test_arguments_by_name_are_given_by_name_beside_statics():
    class Quantised(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, bits):
            return torch.round(x * 2**bits) / 2**bits

        @staticmethod
        def backward(ctx, dy):
            return dy, None

    @tf.custom_gradient
    def quantised(x, bits):
        return tf.round(x * 2**bits) / 2**bits, lambda dy: (dy, None)

    found, report = accused(Pair(torch=Quantised, tf=quantised, statics={"bits": 2}), only=["keyword_call", "vjp"])
    assert not found, str(report)
    assert {r.status for r in report.results if r.check == "keyword_call"} == {"note"}


def test_a_static_may_stand_between_arguments_that_are_given_by_name():
    def shifted(x, groups, weight):
        return x * weight + groups

    inputs = {"x": porting.array(("n",)), "weight": porting.array(("n",))}
    pair = Pair(torch=shifted, tf=shifted, inputs=inputs, statics={"groups": 2})
    report = porting.check(pair, only=["keyword_call"])
    assert {r.status for r in report.results if r.runner == "tf"} == {"agree"}, str(report)


def test_symmetric_inputs_are_symmetric_by_name_too():
    def below(a):
        return (a * a).sum()

    pair = Pair(torch=below, tf=lambda a: tf.reduce_sum(a * a), inputs={"a": porting.array(("n", "n"), kind="spd")})
    report = porting.check(pair, dtypes=["float64"], only=["vjp", "keyword_call"])
    assert {r.status for r in report.results} == {"agree"}, str(report)


def weighted(x, weight, **others):
    return x * weight


def test_the_arguments_that_a_function_names_are_its_inputs():
    report, said = described(Pair(torch=weighted, tf=weighted))
    assert said.startswith("weighted(x[...], weight[...])")
    assert report.exit_code == 0, str(report)
    assert described(Pair(torch=weighted, tf=weighted, statics={"weight": 2.0}))[1].startswith(
        "weighted(x[...], weight=2.0)"
    )


@pytest.mark.parametrize(("text", "value"), [("true", True), ("false", False), ("True", True), ("truth", "truth")])
def test_a_static_may_be_written_as_toml_writes_it(text, value):
    assert parse_static(f"causal={text}") == ("causal", value)


class Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, i):
        ctx.save_for_backward(i)
        ctx.shape = x.shape
        return x[i[:, 0]]

    @staticmethod
    def backward(ctx, dy):
        (i,) = ctx.saved_tensors
        return dy.new_zeros(ctx.shape).index_add(0, i[:, 0], dy), None


@tf.custom_gradient
def gather(x, i):
    assert i.dtype == tf.int32
    return tf.gather_nd(x, i), lambda dy: (tf.scatter_nd(i, dy, tf.shape(x)), None)


@pytest.mark.slow
def test_integers_have_the_type_that_they_are_declared_with():
    inputs = {"x": porting.array((4, 3)), "i": porting.array(("n", 1), dtype="int32", domain=range(4))}
    found, report = accused_by(Pair(torch=Gather, tf=gather, inputs=inputs))
    assert not found, str(report)


# Lists of arrays.


def test_lists_are_handed_on_by_name_too():
    @tf.custom_gradient
    def product(a, b):
        return a * b, lambda dy: (dy * b, dy * a)

    inputs = {"xs.0": porting.array(("n",)), "xs.1": porting.array(("n",))}
    pair = Pair(torch=lambda xs: xs[0] * xs[1], tf=lambda xs: product(*xs), inputs=inputs)
    report = porting.check(pair, dtypes=["float64"])
    assert report.exit_code == 0, str(report)
    assert all(r.status == "agree" for r in report.results if r.check == "keyword_call"), str(report)


# A layer that is called with a list of arrays, and what takes them one by one.


class Neighbours(torch.nn.Module):
    def __init__(self, input_dim, units):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(input_dim, units))

    def forward(self, inputs):
        x, neighbours = inputs
        return (neighbours @ x) @ self.weight


class OneByOne(Neighbours):
    def forward(self, x, neighbours):
        return super().forward([x, neighbours])


class NeighboursLayer(tf.keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.weight = self.add_weight(name="weight", shape=(input_shape[0][-1], self.units))

    def call(self, inputs, training=None):
        return self.product(inputs[1], inputs[0])

    def product(self, neighbours, x):
        return tf.matmul(tf.matmul(neighbours, x), self.weight)


class WrongNeighbours(NeighboursLayer):
    def product(self, neighbours, x):
        return tf.matmul(tf.matmul(tf.stop_gradient(neighbours), x), self.weight)


@pytest.mark.parametrize("mine", [Neighbours, OneByOne])
@pytest.mark.parametrize("theirs", [NeighboursLayer, WrongNeighbours])
def test_a_layer_of_a_list_is_guessed_to_take_its_parts(mine, theirs):
    pair = Pair(torch=mine, tf=theirs, reference="torch")
    found = pair.guess()
    assert found is not None
    assert {given.part for given in found.pair.inputs.values()} == {"inputs.0", "inputs.1"}
    assert '--input "inputs.0=float64[n,4]" --input "inputs.1=float64[n,n]"' in found.flags
    assert "--static input_dim=4 --static units=3" in found.flags
    report = porting.check(found.pair, only=["value", "vjp", "linear", "traced", "keyword_call"], dtypes=["float64"])
    differs = differing(report)
    assert (("tf", "vjp") in differs) is (theirs is WrongNeighbours), str(report)
    assert theirs is WrongNeighbours or not differs, str(report)
    noted = {r.check for r in report.results if r.status == "note"}
    assert "keyword_call" not in noted, str(report)


def one_by_one(x, neighbours, weight):
    return (neighbours @ x) @ weight


def test_a_function_takes_the_parts_of_a_layers_list_one_by_one():
    inputs = {"inputs.0": porting.array(("n", 4)), "inputs.1": porting.array(("n", "n"))}
    pair = Pair(torch=one_by_one, tf=NeighboursLayer(3), inputs=inputs)
    report = porting.check(pair, only=["value", "vjp", "adjoint"], dtypes=["float64"])
    assert report.exit_code == 0, str(report)


def total(xs):
    a, b = xs
    return torch.sin(a) * b + (a @ b).sum()


@pytest.mark.parametrize("factor", [1, 2])
def test_a_function_of_a_list_is_compared_with_one_of_two_arguments(factor):
    @tf.custom_gradient
    def of_two(a, b):
        def grad(dy):
            whole = tf.reduce_sum(dy) * tf.ones_like(dy)
            da = dy * tf.cos(a) * b + tf.matmul(whole, b, transpose_b=True)
            return da, dy * tf.sin(a) + factor * tf.matmul(a, whole, transpose_a=True)

        return tf.sin(a) * b + tf.reduce_sum(tf.matmul(a, b)), grad

    found = Pair(torch=total, tf=of_two, reference="torch").guess()
    assert found is not None
    assert '--input "xs.0=float64[n,n]" --input "xs.1=float64[n,n]"' in found.flags
    report = porting.check(found.pair, only=["value", "vjp"], dtypes=["float64"])
    assert differing(report) == ({("tf", "vjp")} if factor != 1 else set()), str(report)


def test_what_takes_a_tensor_apart_along_its_first_axis_is_given_a_tensor():
    def rows(q):
        return q[0] * q[1]

    assert Pair(torch=rows, tf=rows).guess() is None


# A mask of booleans is an input that nothing is differentiated by.


class Masked(torch.autograd.Function):
    factor = 1.0

    @classmethod
    def forward(cls, ctx, x, mask):
        ctx.save_for_backward(mask)
        return torch.where(mask, x, torch.full_like(x, -2.0))

    @classmethod
    def backward(cls, ctx, dy):
        (mask,) = ctx.saved_tensors
        return cls.factor * torch.where(mask, dy, torch.zeros_like(dy)), None


class Unmasked(Masked):
    @classmethod
    def backward(cls, ctx, dy):
        return dy, None


def masked_tf(x, mask):
    return tf.where(mask, x, tf.cast(-2, x.dtype))


@pytest.mark.parametrize(
    "said", [{}, {"x": porting.array(("n", "k")), "mask": porting.array(("n", "k"), dtype="bool")}]
)
def test_a_mask_of_booleans_is_taken_and_found(said):
    report, described_as = described(Pair(torch=Masked, tf=masked_tf, inputs=said))
    assert ("mask=bool[" in described_as) == (not said)
    assert report.exit_code == 0, str(report)
    assert report.counts["agree"] == 4


def test_a_gradient_that_comes_through_where_the_mask_is_false_is_found():
    report, _ = described(Pair(torch=Unmasked, tf=masked_tf, reference="tf"))
    assert {d.runner for d in report.diagnoses} == {"torch"}, str(report)


def test_a_mask_in_a_list_is_found_by_its_place():
    def from_list(inputs):
        x, mask = inputs
        return torch.where(mask, x, torch.zeros_like(x))

    def from_list_tf(inputs):
        x, mask = inputs
        return tf.where(mask, x, tf.zeros_like(x))

    report, said = described(Pair(torch=from_list, tf=from_list_tf))
    assert '--input "inputs.1=bool[...]"' in said
    assert report.exit_code == 0, str(report)
