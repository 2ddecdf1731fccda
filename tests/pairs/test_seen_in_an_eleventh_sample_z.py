"""What was guessed, printed and asked for in vain the eleventh time; in its shape."""

import pytest

import porting
from porting import Pair
from porting.errors import PairError
from porting.parity.finding import Result
from porting.parity.report import Report
from porting.report.text import legend

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

ASKED = {"only": ["value", "vjp"], "dtypes": ["float64"]}


def told(pair, **asked):
    report = porting.check(pair, **{**ASKED, **asked})
    return report, report.described[0]


# A class that wants numbers is constructed with some, and called in a shape that goes with them.


class Groups(torch.nn.Module):
    def __init__(self, num_groups, num_channels):
        super().__init__()
        self.num_groups = num_groups
        self.weight = torch.nn.Parameter(torch.ones(1, num_channels, 1, 1))

    def forward(self, x):
        b, c, h, w = x.shape
        y = x.reshape(b, self.num_groups, c // self.num_groups, h, w)
        return (y - y.mean((2, 3, 4), keepdim=True)).reshape(x.shape) * self.weight


class GroupsLayer(keras.layers.Layer):
    factor = 1.0

    def __init__(self, num_groups, num_channels, **kwargs):
        super().__init__(**kwargs)
        self.num_groups, self.num_channels = num_groups, num_channels

    def build(self, shape):
        self.weight = self.add_weight(shape=(1, self.num_channels, 1, 1), name="weight")

    def call(self, x):
        b, c, h, w = x.shape
        y = tf.reshape(x, (b, self.num_groups, c // self.num_groups, h, w))
        y = tf.reshape(y - tf.reduce_mean(y, (2, 3, 4), keepdims=True), x.shape)
        return self.factor * y * tf.convert_to_tensor(self.weight)


class Doubled(GroupsLayer):
    factor = 2.0


def test_a_class_is_given_numbers_and_a_shape_that_goes_with_them():
    report, said = told(Pair(torch=Groups, tf=GroupsLayer))
    assert report.exit_code == 0, str(report)
    assert report.counts["agree"] == 4
    assert 'the same is --input "x=float64[n,4,5,5]" --static num_groups=2 --static num_channels=4)' in said


def test_a_wrong_one_is_found_so():
    report, _ = told(Pair(torch=Groups, tf=Doubled, reference="torch"))
    assert "constant_factor" in {d.cause for d in report.diagnoses}, str(report)


# What is printed has been tried on both sides.


class Wide(torch.nn.Module):
    """Wants nine columns or more."""

    def __init__(self):
        super().__init__()
        self.s = torch.nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        assert x.shape[1] > 8, "n <= 8"
        return x * self.s


class WideLayer(keras.layers.Layer):
    def build(self, shape):
        assert shape[1] > 8, "n <= 8"
        self.s = self.add_weight(shape=(), name="s")

    def call(self, x):
        return x * self.s


def test_a_shape_that_is_printed_was_taken_by_both_sides():
    report, said = told(Pair(torch=Wide, tf=WideLayer))
    assert 'the same is --input "x=float64[n,12]"' in said
    assert report.exit_code == 0, str(report)
    with pytest.raises(PairError, match=r'taken by all sides: --input "x=float64\[n,12\]"'):
        porting.check(Pair(torch=Wide, tf=WideLayer, inputs={"x": porting.array(("n", 8))}), **ASKED)


class Cubes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.s = torch.nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        assert x.ndim == 4, "four axes"
        return x * self.s


class Rows(WideLayer):
    def build(self, shape):
        assert len(shape) == 2, "two axes"
        self.s = self.add_weight(shape=(), name="s")


def test_where_nothing_fits_it_is_said_what_each_side_takes():
    said = r"x=float64\[SHAPE\]; nothing that was tried .*; torch by itself takes .*; tf by itself takes"
    with pytest.raises(PairError, match=said):
        porting.check(Pair(torch=Cubes, tf=Rows), **ASKED)


# A guess suits if the forward of both sides takes it: a backward that raises is what is looked for.


class OneTooFew(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        return -(x[:, :, None] - w[None]).abs().sum(1)

    @staticmethod
    def backward(ctx, dy):
        return dy


class Broken(OneTooFew):
    @staticmethod
    def backward(ctx, dy):
        raise RuntimeError("not written yet")


@tf.custom_gradient
def adder_tf(x, w):
    signs = tf.sign(x[:, :, None] - w[None])

    def grad(dy):
        return tf.reduce_sum(-signs * dy[:, None], 2), tf.reduce_sum(signs * dy[:, None], 0)

    return -tf.reduce_sum(tf.abs(x[:, :, None] - w[None]), 1), grad


def test_a_backward_that_raises_for_each_guess_is_found():
    report, said = told(Pair(torch=OneTooFew, tf=adder_tf))
    assert '--input "x=float64[n,k]" --input "w=float64[k,m]"' in said
    assert report.diagnoses[0].cause == "wrong_count", str(report)


def test_nothing_is_guessed_where_every_backward_raises():
    assert "guessed" not in told(Pair(torch=Broken))[1]


class NoVariables(WideLayer):
    """Its gradient function does not take the variable that it reads."""

    def call(self, x):
        return tf.custom_gradient(lambda x: (x * self.s, lambda dy: dy * self.s))(x)


def test_a_layer_that_takes_nothing_at_all_is_what_is_wrong():
    report, said = told(Pair(torch=Wide, tf=NoVariables))
    assert 'the same is --input "x=float64[n,12]"' in said
    assert {d.cause for d in report.diagnoses} >= {"missing_variables"}, str(report)


# An argument that is a count, or one number for all, is no array of the shape of x.


def levels(x, bits):
    return torch.round(x * 2**bits) / 2**bits


def levels_tf(x, bits):
    return tf.round(x * 2**bits) / 2**bits


def test_a_count_of_bits_is_a_whole_number():
    report, said = told(Pair(torch=levels, tf=levels_tf))
    assert '(guessed, bits is a number by its name; the same is --input "x=float64[...]" --static bits=2)' in said
    assert report.exit_code == 0, str(report)


class Reversed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lamb):
        ctx.save_for_backward(x, lamb)
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        _, lamb = ctx.saved_tensors
        return -lamb * dy, torch.zeros_like(lamb)


@tf.custom_gradient
def reversed_tf(x, lamb):
    return tf.identity(x), lambda dy: (-lamb * dy, -lamb * dy)


def test_a_hyperparameter_is_one_number():
    report, said = told(Pair(torch=Reversed, tf=reversed_tf))
    assert '--input "lamb=float64[]"' in said
    assert report.diagnoses[0].cause == "wrong_shape", str(report)


def test_an_argument_that_may_be_learned_stays_an_array():
    assert "guessed" not in told(Pair(torch=lambda x, alpha: x * alpha, tf=lambda x, alpha: x * alpha))[1]


def ramps(x, heights, widths):
    return (heights * torch.clamp(1 - x.abs()[..., None] / widths**2, min=0)).sum(-1)


def ramps_tf(x, heights, widths):
    return tf.reduce_sum(heights * tf.maximum(1 - tf.abs(x)[..., None] / widths**2, 0), -1)


def test_vectors_come_before_matrices():
    _, said = told(Pair(torch=ramps, tf=ramps_tf))
    assert '--input "x=float64[n]" --input "heights=float64[k]" --input "widths=float64[k]"' in said


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
    report, said = told(pair, dtypes=["float32", "float64"])
    assert "Keras does not train it: w" in said
    assert report.exit_code == (layer is BareDoubled), str(report)


# What is declared, asked for and printed.


def weighted(x, weight, **others):
    return x * weight


def test_the_arguments_that_a_function_names_are_its_inputs():
    report, said = told(Pair(torch=weighted, tf=weighted))
    assert said.startswith("weighted(x[...], weight[...])")
    assert report.exit_code == 0, str(report)
    assert told(Pair(torch=weighted, tf=weighted, statics={"weight": 2.0}))[1].startswith(
        "weighted(x[...], weight=2.0)"
    )


def test_nothing_is_said_of_a_second_derivative_that_nobody_needs():
    pair = Pair(torch=lambda x: x**3, tf=lambda x: x**3, contract=porting.Contract(order=1))
    report = porting.check(pair, only=["vjp", "second_order"], dtypes=["float64"])
    assert {(r.check, r.status) for r in report.results} == {("vjp", "agree"), ("second_order", "not applicable")}


def test_eager_alone_asks_for_no_graph():
    def only_eagerly(x):
        return tf.constant(x.numpy() * 2) if hasattr(x, "numpy") else 1 / 0

    pair, graphs = Pair(tf=only_eagerly), {"traced", "xla", "python_state"}
    asked = {
        mode: {r.check for r in porting.check(pair, dtypes=["float64"], modes=mode).results}
        for mode in ((), ("eager",))
    }
    assert asked[()] - asked["eager",] == graphs
    named = porting.check(pair, dtypes=["float64"], modes=["eager"], only=["traced"])
    assert [r.check for r in named.results] == ["traced"]


def test_types_are_told_where_they_differ():
    inputs = {"x": porting.array(("n",), dtype="float32"), "p": porting.array(("n",), kind="simplex")}
    _, said = told(Pair(torch=lambda x, p: x * p.float(), inputs=inputs, name="f"))
    assert said.startswith("f(x float32[n], p float64[n])")
    _, said = told(Pair(torch=lambda x, p: x * p, inputs=dict.fromkeys(inputs, porting.array(("n",))), name="f"))
    assert said.startswith("f(x[n], p[n])")


# Complex numbers that nobody declared.


class NoConjugate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.saved_tensors[0].cos()


class Conjugate(NoConjugate):
    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.saved_tensors[0].cos().conj()


def noted(torch_side, tf_side, inputs=None, **asked):
    pair = Pair(torch=torch_side, tf=tf_side, inputs=inputs or {}, name="f")
    report = porting.check(pair, only=["vjp", "complex_numbers"], dtypes=["float32", "float64"], **asked)
    return report, [str(f) for r in report.results if r.status == "note" for f in r.findings]


def test_a_conjugate_that_lacks_is_noted_where_both_sides_take_complex_numbers():
    report, notes = noted(NoConjugate, tf.sin)
    assert report.exit_code == 0
    assert any('nobody declared: --input "x=complex128" does' in note for note in notes), notes
    assert noted(NoConjugate, tf.sin, strict=True)[0].exit_code == 1


@pytest.mark.parametrize(
    ("one", "other", "inputs"),
    [
        (Conjugate, tf.sin, None),
        (torch.relu, tf.nn.relu, None),  # refuse them
        (NoConjugate, tf.sin, {"x": porting.array(domain=(0.1, 1.0))}),  # said to be real
    ],
)
def test_nothing_is_noted_otherwise(one, other, inputs):
    report, notes = noted(one, other, inputs)
    assert not notes
    assert {r.status for r in report.results if r.check == "complex_numbers"} == {"not applicable"}


def test_a_complex_output_is_sent_a_complex_cotangent():
    pair = Pair(
        torch=lambda x: x * x * x, tf=lambda x: x * x * x, inputs={"x": porting.array(("n",), dtype="complex128")}
    )
    report = porting.check(pair, only=["second_order"], dtypes=["float64"])
    assert [r.status for r in report.results] == ["agree", "agree"], str(report)


# One check that cannot compare takes the verdict from nobody, and says why.


def log_sinh(x):
    return torch.log(torch.sinh(x))


def log_sinh_tf(x):
    return tf.math.log(tf.sinh(x))


def test_where_nothing_could_be_compared_it_is_where_the_sides_are_defined():
    checks = ["value", "vjp", "adjoint"]
    report = porting.check(Pair(torch=log_sinh, tf=log_sinh_tf), only=checks, dtypes=["float64"])
    assert report.counts["agree"] == 6, str(report)
    (note,) = {r.note for r in report.results if r.check == "adjoint"}
    assert "outputs are not finite" in note
    assert note.endswith('compared with --input "x=float64[...]{0.1..10.0}"')


def test_what_is_wrong_there_is_found_and_named():
    class Forgets(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, base):
            y = torch.pow(base, x)
            ctx.save_for_backward(y, base)
            return y

        @staticmethod
        def backward(ctx, dy):
            y, base = ctx.saved_tensors
            return y * torch.log(base), None

    @tf.custom_gradient
    def power(x, base):
        y = tf.pow(base, x)
        return y, lambda dy: (dy * y * tf.math.log(base), None)

    report = porting.check(Pair(torch=Forgets, tf=power), only=["value", "vjp", "adjoint", "linear"])
    first = next(d for d in report.diagnoses if d.runner == "torch")
    assert first.cause == "ignores_cotangent", str(report)


def test_why_nothing_could_be_compared_is_said_with_what_to_type():
    never = porting.check(Pair(torch=lambda x: torch.log(-torch.exp(x)), tf=lambda x: tf.math.log(-tf.exp(x))))
    (note,) = {r.note for r in never.results if (r.check, r.status) == ("adjoint", "no verdict")}
    assert "outputs are not finite" in note
    assert note.endswith('say where it is defined, as in --input "x=float64{LOW..HIGH}"')


def result(check, status):
    return Result("f", check, "torch", "cpu", "eager", "float64", 0, status)


@pytest.mark.parametrize(
    ("lost", "mark"), [(["adjoint"], "✓"), (["vjp"], "?"), (["adjoint", "finite", "linear", "large"], "?")]
)
def test_a_mark_is_that_of_what_was_compared(lost, mark):
    agree = [result(check, "agree") for check in ("value", "vjp", "shapes", "repeated") if check not in lost]
    report = Report((*agree, *(result(check, "no verdict") for check in lost)), pairs=("f",))
    assert legend(report).startswith(f"{mark} ")
    assert f"{len(lost)} no verdict" in report.summary
