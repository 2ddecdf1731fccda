"""Modules and layers: what their weights are called, which of them are compared, and which gradients reach them.

Seen in code of public repositories.
"""

import pytest
from everyday import FREE, described, differing
from judged import accused, accused_by

import porting
from porting import Pair
from porting.errors import PairError

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")
from functions import function  # noqa: E402 - needs PyTorch

# Keras counts weights without a name in the whole process: each copy of a layer has others.


class Scaled(keras.layers.Layer):
    def __init__(self, times=1.0):
        super().__init__()
        self.low = self.add_weight(shape=())
        self.high = self.add_weight(shape=())
        self.times = times

    def call(self, x):
        @tf.custom_gradient
        def scaled(x, low, high):
            return x * low + high, lambda dy: (dy * low, self.times * tf.reduce_sum(dy * x), tf.reduce_sum(dy))

        return scaled(x, tf.convert_to_tensor(self.low), tf.convert_to_tensor(self.high))


class ScaledTorch(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.low = torch.nn.Parameter(torch.ones(()))
        self.high = torch.nn.Parameter(torch.ones(()))

    def forward(self, x):
        return x * self.low + self.high


class ScaledTooSteep(Scaled):
    def __init__(self):
        super().__init__(3.0)


@pytest.mark.parametrize("layer", [Scaled, ScaledTooSteep])
def test_weights_without_a_name_are_called_as_the_layer_calls_them(layer):
    pair = Pair(torch=ScaledTorch, tf=layer, inputs=FREE, reference="torch")
    found, report = accused_by(pair, dtypes=["float64"], only=["value", "vjp"])
    assert bool(found) == (layer is ScaledTooSteep), str(report)
    assert "(x[n], low[], high[])" in report.described[0]


class Nested(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = keras.layers.Dense(3), keras.layers.Dense(2)

    def call(self, x):
        return self.second(self.first(x))


def test_weights_of_layers_inside_are_called_by_the_attributes_that_lead_there():
    pair = Pair(tf=Nested, inputs={"x": porting.array(("n", 4))})
    report = porting.check(pair, dtypes=["float64"], only=["adjoint"])
    assert report.exit_code == 0, str(report)
    assert "first_kernel" in report.described[0]


def test_a_variable_that_keras_hides_the_reason_of_is_named():
    class Dense(keras.layers.Layer):
        def build(self, shape):
            self.w = self.add_weight(shape=(4, 3), name="w")

        def call(self, x):
            @tf.custom_gradient
            def product(x):
                return tf.matmul(x, self.w), lambda dy: tf.matmul(dy, self.w, transpose_b=True)

            return product(x)

    report = porting.check(Pair(tf=Dense(), inputs={"x": porting.array(("n", 4))}), dtypes=["float64"])
    assert report.diagnoses[0].cause == "missing_variables", str(report)
    assert "grad_fn must accept keyword argument" in str(report)


class Unaware(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)

    @tf.custom_gradient
    def call(self, x):
        return self.dense(x), lambda dy: tf.matmul(dy, tf.transpose(self.dense.kernel))


def test_a_layer_that_no_input_suits_is_told_why():
    pair = Pair(torch=torch.nn.Linear(4, 3), tf=Unaware(), inputs={"x": porting.array(("n", 4))})
    with pytest.raises(PairError, match="takes no argument `variables`; see `porting explain missing_variables`"):
        porting.check(pair, only=["vjp"])


class Closed(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.ones((3,)), name="w")

        def called(x):
            return x * self.w

        self.called = called

    def __call__(self, x):
        return self.called(x)


def test_a_module_whose_copy_computes_with_the_originals_variables_is_refused():
    pair = Pair(tf=Closed, inputs={"x": porting.array(("n", 3))})
    with pytest.raises(PairError, match="does not compute with its own variables"):
        porting.check(pair, dtypes=["float32"], only=["adjoint"])


# Keras 3 does not track what a layer makes with tf.Variable.


class Bare(keras.layers.Layer):
    factor = 1.0

    def __init__(self, units):
        super().__init__()
        self.w = tf.Variable(tf.ones((units,)))

    def call(self, x):
        return self.factor * x * self.w


class BareDoubled(Bare):
    factor = 2.0


class Gain(torch.nn.Module):
    def __init__(self, units):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(units))

    def forward(self, x):
        return x * self.w


@pytest.mark.parametrize("layer", [Bare, BareDoubled])
def test_variables_that_keras_does_not_track_are_parameters(layer):
    pair = Pair(torch=Gain(4), tf=layer(4), inputs={"x": porting.array(("n", 4))}, reference="torch")
    if layer is Bare:
        pair = Pair(torch=Gain, tf=layer)
    report, said = described(pair, dtypes=["float32", "float64"])
    assert "Keras does not train it: w" in said
    assert report.exit_code == (layer is BareDoubled), str(report)


# A module with parameters whose output is complex is viewed as two reals, as a function is.


class Turned(torch.nn.Module):
    def __init__(self, n, factor=1.0):
        super().__init__()
        self.b = torch.nn.Parameter(torch.zeros(n))
        self.factor = factor

    def forward(self, z):
        b = self.b * self.factor + (self.b * (1 - self.factor)).detach()
        return (torch.abs(z) + b) * torch.exp(1j * torch.angle(z))


def turned(z, b):
    size, angle = tf.abs(z) + b, tf.math.angle(z)
    return tf.complex(size * tf.cos(angle), size * tf.sin(angle))


class TurnedLayer(tf.keras.layers.Layer):
    def __init__(self, n, **kwargs):
        super().__init__(autocast=False, **kwargs)
        self.b = self.add_weight(name="b", shape=(n,), initializer="zeros")

    def call(self, z):
        size = tf.abs(z)
        return turned(z, tf.cast(self.b, size.dtype))


@pytest.mark.parametrize("other", [turned, TurnedLayer])
@pytest.mark.parametrize("factor", [1.0, 0.5])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.slow
def test_a_module_of_complex_output_is_compared_by_its_parts(other, factor, dtype):
    pair = Pair(
        torch=Turned(4, factor),
        tf=other(4) if other is TurnedLayer else other,
        inputs={"z": porting.array(("n", 4), dtype=dtype)},
        reference="tf",
    )
    asked = ["value", "vjp", "second_order", "complex_numbers"]
    report = porting.check(pair, only=asked, dtypes=["float64"])
    found = differing(report)
    assert (("torch", "vjp") in found) is (factor != 1.0), str(report)
    assert (("torch", "complex_numbers") in found) is (factor != 1.0 and dtype == "complex128"), str(report)
    assert "raised" not in {f.code for r in report.results for f in r.findings}, str(report)
    if factor == 1.0:
        assert found == set(), str(report)
        answered = {r.runner for r in report.results if r.check == "complex_numbers" and r.status == "agree"}
        assert answered == ({"torch"} if dtype == "complex128" else set()), str(report)


# A bias of Keras may have an axis of length 1 in front, and one of PyTorch none.


class Biased(keras.layers.Layer):
    factor = 1.0

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], 3), name="w")
        self.b = self.add_weight(shape=(1, 3), name="b")

    def call(self, x):
        return tf.matmul(x, tf.convert_to_tensor(self.w)) + self.factor * tf.convert_to_tensor(self.b)


class TwiceBiased(Biased):
    factor = 2.0


class Linear(torch.nn.Module):
    def __init__(self, in_features):
        super().__init__()
        self.lin = torch.nn.Linear(in_features, 3)

    def forward(self, x):
        return self.lin(x)


def test_a_bias_with_an_axis_of_length_1_more_is_matched():
    report, said = described(Pair(torch=torch.nn.Linear(4, 3), tf=Biased()))
    assert "tf:b = torch:bias with other axes of length 1" in said
    assert report.exit_code == 0, str(report)
    assert report.counts["agree"] == 4


def test_a_gradient_of_it_that_is_wrong_is_found():
    report, _ = described(Pair(torch=torch.nn.Linear(4, 3), tf=TwiceBiased(), reference="torch"))
    assert ("tf", "vjp") in differing(report), str(report)


class Wider(Biased):
    def build(self, shape):
        super().build(shape)
        self.c = self.add_weight(shape=(5, 5, 5), name="c")


class Strength(torch.nn.Module):
    def __init__(self, strength=2.0):
        super().__init__()
        self.strength = torch.nn.Parameter(torch.tensor(strength))

    def forward(self, x):
        return function(lambda x, s: x.clone(), lambda dy, x, s: (-s * dy, None))(x, self.strength)


class Centred(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.ones(()))

    def forward(self, x):
        return x - self.mean


def test_a_module_of_buffers_alone_has_no_parameters_to_tell_of():
    assert "no other side has" not in Pair(torch=Centred(), tf=lambda x: x - 1.0, name="centred").described()


class StrengthOfKeras(keras.layers.Layer):
    def __init__(self, strength=2.0):
        super().__init__()
        self.strength = tf.Variable(strength, name="strength")

    def call(self, x):
        return tf.custom_gradient(lambda x: (tf.identity(x), lambda dy: -self.strength * dy))(x)


def reversed_(factor):
    return (
        function(lambda x: x.clone(), lambda dy, x: -factor * dy),
        tf.custom_gradient(lambda x: (tf.identity(x), lambda dy: -factor * dy)),
    )


@pytest.mark.parametrize("factor", [2.0, -2.0])
@pytest.mark.parametrize("module", ["torch", "tf"])
def test_a_number_that_one_module_alone_holds_is_kept_and_told(module, factor):
    by_torch, by_tf = reversed_(factor)
    sides = {"torch": Strength(), "tf": by_tf} if module == "torch" else {"torch": by_torch, "tf": StrengthOfKeras()}
    pair = Pair(**sides, name="reversal")
    assert f"{module} parameters that no other side has: strength (kept, not compared)" in pair.described()
    found, report = accused(pair, only=["value", "vjp", "linear"])
    assert bool(found) == (factor < 0), str(report)


def test_parameters_that_do_not_match_are_told_where_numbers_are_wanted_too():
    with pytest.raises(PairError, match=r"with that: torch and tf do not have the same parameters"):
        porting.check(Pair(torch=Linear, tf=Wider), only=["value"], dtypes=["float64"])


# A parameter of which a forward refuses negative numbers.


class Clipped(torch.nn.Module):
    def __init__(self, num_bits, alpha=8.0):
        super().__init__()
        self.alpha = torch.nn.Parameter(torch.tensor([alpha]))

    def forward(self, x):
        if any(self.alpha < 0):
            raise ValueError("alpha must not be negative")
        return torch.minimum(torch.relu(x), self.alpha) * self.alpha


class ClippedLayer(keras.layers.Layer):
    factor = 1.0

    def __init__(self, num_bits, **kwargs):
        super().__init__(**kwargs)
        self.alpha = self.add_weight(shape=(1,), name="alpha", initializer="ones")

    def call(self, x):
        alpha = tf.convert_to_tensor(self.alpha)
        return tf.minimum(tf.nn.relu(x), alpha) * alpha * self.factor


class ClippedTwice(ClippedLayer):
    factor = 2.0


@pytest.mark.parametrize("layer", [ClippedLayer, ClippedTwice])
@pytest.mark.parametrize("statics", [{}, {"num_bits": 2}])
def test_a_parameter_is_positive_where_a_negative_one_is_refused(layer, statics):
    report, said = described(Pair(torch=Clipped, tf=layer, statics=statics, reference="torch"))
    assert '--input "x=float64[...]" --input "alpha=float64[1]{0.1..10.0}"' in said
    assert differing(report) == (set() if layer is ClippedLayer else {("tf", "value"), ("tf", "vjp")}), str(report)


def test_where_the_other_inputs_are_said_the_message_says_how_to_reach_it():
    report, _ = described(Pair(torch=Clipped(2), tf=ClippedLayer(2), inputs=FREE))
    (note,) = {r.note for r in report.results if r.status == "no verdict"}
    assert note.endswith('say so: --input "x=float64[n]" --input "alpha=float64[1]{0.1..10.0}"')


def test_a_parameter_that_may_be_negative_is():
    assert "refused where negative" not in described(Pair(torch=torch.nn.Linear(4, 3), tf=Biased()))[1]


# A layer without weights that holds other layers: Keras casts to float32 in each of them.


class Holds(tf.keras.layers.Layer):
    def build(self, _):
        self.inside = tf.keras.layers.Activation("relu")

    def call(self, x):
        return 2 * self.inside(x)


class HoldsFromTheBeginning(tf.keras.layers.Layer):
    def __init__(self, **given):
        super().__init__(**given)
        self.inside = tf.keras.layers.Activation("relu")

    def call(self, x):
        return 2 * self.inside(x)


@pytest.mark.parametrize("factor", [2, 3])
@pytest.mark.parametrize("kind", [Holds, HoldsFromTheBeginning])
@pytest.mark.parametrize("made", [False, True])
def test_a_layer_that_holds_layers_without_weights_is_asked_in_each_type(kind, made, factor):
    pair = Pair(torch=lambda x: factor * torch.relu(x), tf=kind() if made else kind, reference="torch")
    report = porting.check(pair, dtypes=["float32", "float64"], only=["value", "vjp", "raw_gradient"])
    found = {(r.check, r.dtype) for r in report.results if r.status == "differ" and r.runner == "tf"}
    everywhere = {(check, dtype) for check in ("value", "vjp") for dtype in ("float32", "float64")}
    assert found == (everywhere if factor == 3 else set()), str(report)


# A module that holds nothing has a mode too.


class TrainsOtherwise(torch.nn.Module):
    def forward(self, x):
        return 2 * x if self.training else 3 * x


class TrainsOtherwiseToo(tf.keras.layers.Layer):
    def call(self, x, training=None):
        return 2 * x if training else 3 * x


@pytest.mark.parametrize("statics", [{}, {"training": True}, {"training": False}])
def test_modules_that_hold_nothing_are_asked_in_one_mode(statics):
    pair = Pair(torch=TrainsOtherwise, tf=TrainsOtherwiseToo, statics=statics)
    report, line = described(pair, dtypes=["float32", "float64"])
    assert not differing(report), str(report)
    assert ("called with training=True, as PyTorch's module is" in line) == (not statics), line


def test_one_mode_of_two_is_found():
    class InferenceOnly(tf.keras.layers.Layer):
        def call(self, x):
            return 3 * x

    report = porting.check(Pair(torch=TrainsOtherwise, tf=InferenceOnly), dtypes=["float64"], only=["value", "vjp"])
    assert differing(report)


# A function without arguments that makes a module.


def makes_one():
    return TrainsOtherwise()


def makes_one_too():
    return TrainsOtherwiseToo()


def raises():
    raise LookupError("no such table")


def test_what_makes_a_module_is_as_good_as_its_class():
    report, line = described(Pair(torch=makes_one, tf=makes_one_too), dtypes=["float32", "float64"])
    assert not differing(report), str(report)
    assert "called with training=True" in line


def test_what_raises_where_a_module_is_to_be_made_is_told():
    with pytest.raises(PairError, match=r"torch: raises\(\) raised LookupError: no such table"):
        porting.check(Pair(torch=raises, tf=makes_one_too), only=["value"])


# A weight among the outputs, for a loss on it, say. A variable of Keras has a text as its type.


class Beside(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        return x * self.w, self.w


class BesideLayer(keras.layers.Layer):
    def build(self, _):
        self.w = self.add_weight(shape=(4,), name="w")

    def call(self, x):
        return x * self.w, self.w


class BesideLayerDetached(BesideLayer):
    def call(self, x):
        return x * self.w, tf.stop_gradient(self.w)


class BesideModule(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.ones(4))

    def __call__(self, x):
        return x * self.w, self.w


@pytest.mark.slow
@pytest.mark.parametrize("other", [BesideLayer, BesideLayerDetached, BesideModule])
def test_a_variable_among_the_outputs_is_the_tensor_that_it_holds(other):
    pair = Pair(torch=Beside, tf=other, inputs={"x": porting.array(("n", 4))}, reference="torch")
    report = porting.check(pair, only=["value", "vjp", "raw_gradient", "second_order", "traced"])
    assert bool(differing(report)) is (other is BesideLayerDetached), str(report)
    # Of a gradient that depends on nothing the second derivative is right: it is not the other side's.
    assert report.counts["no verdict"] == (other is BesideLayerDetached), str(report)


# A gradient gets `variables` in the order in which they were made, not in that of their names.


class Ends(tf.Module):
    def __init__(self):
        super().__init__()
        self.low = tf.Variable(-1.0, name="low")
        self.high = tf.Variable(1.5, name="high")

    def __call__(self, x):
        @tf.custom_gradient
        def clipped(x):
            low, high = tf.identity(self.low), tf.identity(self.high)

            def grad(dy, variables):
                assert [v.name.partition(":")[0] for v in variables] == ["low", "high"], "in another order"
                below, above = tf.cast(x < low, dy.dtype), tf.cast(x > high, dy.dtype)
                return dy * (1 - below) * (1 - above), [tf.reduce_sum(dy * below), tf.reduce_sum(dy * above)]

            return tf.clip_by_value(x, low, high), grad

        return clipped(x)


class TorchEnds(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.low = torch.nn.Parameter(torch.tensor(-1.0))
        self.high = torch.nn.Parameter(torch.tensor(1.5))

    def forward(self, x):
        return torch.minimum(torch.maximum(x, self.low), self.high)


def test_variables_come_to_a_gradient_in_the_order_in_which_they_were_made():
    ends = {"low": porting.array((), domain=(-2.0, -0.5)), "high": porting.array((), domain=(0.5, 2.0))}
    pair = Pair(torch=TorchEnds, tf=Ends, inputs={"x": porting.array(("n",)), **ends})
    report = porting.check(pair, only=["vjp"], dtypes=["float64"])
    assert not report.counts["differ"], str(report)
    assert report.counts["agree"] == 2, str(report)


class Learned(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x * self.scale


class Held(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(3,), initializer="ones", trainable=False)

    def call(self, x):
        return x * self.scale


def test_what_one_side_learns_and_another_one_only_holds_is_told():
    pair = Pair(torch=Learned(), tf=Held(), inputs={"x": porting.array((..., 3))})
    with pytest.raises(PairError, match=r"tf has nothing for scale \[3\](.|\n)*non-trainable weights: .*scale"):
        porting.check(pair)
