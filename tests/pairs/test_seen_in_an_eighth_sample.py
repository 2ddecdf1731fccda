"""What was said falsely of strangers' code, or named and explains nothing, the eighth time; in its shape."""

import keras
import pytest
from judged import accused_by, first_cause

import porting
from porting import Pair
from porting.engine.crash import result_of
from porting.pairs.parse import parse_static
from porting.parity.plan import Task
from porting.workers.fate import TIMEOUT
from porting.workers.pool import Ended

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

FREE = {"x": porting.array(("n",))}
ROWS = {"x": porting.array(("n", "m"))}
CHECKS = {"dtypes": ["float64"], "only": ["value", "vjp", "adjoint", "linear", "special_values"]}


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


# Outputs of another shape than the other side's, whose cotangent they are sent.


class Bounded(torch.nn.Module):
    """The bound has one axis: so has an output of none."""

    def __init__(self):
        super().__init__()
        self.register_buffer("bound", torch.tensor([0.1], dtype=torch.float64))

    def forward(self, x):
        return function(torch.maximum, lambda dy, x, b: (dy * (x >= b).to(dy), None))(x, self.bound.to(x.dtype))


@tf.custom_gradient
def bounded(x):
    return tf.maximum(x, 0.1), lambda dy: dy * tf.cast(x >= 0.1, dy.dtype)


def test_a_cotangent_of_the_other_sides_shape_says_nothing_of_a_backward():
    report = porting.check(Pair(torch=Bounded, tf=bounded), dtypes=["float64"], only=["value", "vjp", "shapes"])
    assert {f.code for r in report.results for f in r.findings} == {"shape_differs"}, str(report)
    assert not [d for d in report.diagnoses if d.cause == "scalar_crash"], str(report)


# Causes that explain nothing of what they are named for.


def test_where_the_truth_is_not_linear_either_something_else_is_wrong():
    right = function(torch.clone, lambda dy, x: torch.where((x.abs() <= 1) | (dy * x > 0), dy, 0.1 * dy))

    @tf.custom_gradient
    def other_way(x):
        return tf.identity(x), lambda dy: tf.where((tf.abs(x) <= 1) | (dy * x < 0), dy, 0.1 * dy)

    pair = Pair(torch=right, tf=other_way, inputs=FREE, reference="torch")
    assert first_cause(pair, "tf", **CHECKS) == "wrong_branch"


def test_a_gradients_shape_explains_no_forward_that_raises():
    def number(x, alpha):
        return function(lambda x, a: x.clamp(0, a.item()), lambda dy, x, a: (dy, dy.sum().reshape(1)))(x, alpha)

    def any_shape(x, alpha):
        return tf.clip_by_value(x, 0.0, alpha)

    pair = Pair(torch=number, tf=any_shape, inputs={"x": porting.array(("n",)), "alpha": porting.array(("n",))})
    assert first_cause(pair, "torch", **CHECKS) == "raises_in_forward"


def series(times):
    """Sum two terms of a series far below 0, as an expansion of log_ndtr has them."""

    def value(x, log, where):
        far = where(x < -5, x, -5 + 0 * x)
        return where(x < -5, log(1 - 1 / far**2 + times * 3 / far**4) - far**2 / 2, -(x**2) / 2)

    return value


def test_a_term_that_is_wrong_far_out_loses_no_digits():
    def wrong(x):
        return series(1.01)(x, torch.log, torch.where)

    def right(x):
        return series(1.0)(x, torch.log, torch.where)

    found = first_cause(Pair(torch=wrong, like=right, inputs=FREE), "torch", **CHECKS)
    assert found in {"wrong_value", "wrong_branch"}


def test_a_small_constant_in_a_formula_loses_no_digits_of_a_type():
    def right(x):
        return torch.log(x * x + 1)

    regular = function(right, lambda dy, x: dy * 2 * x / (x * x + 1 + 1e-11))
    found, report = accused_by(Pair(torch=regular, like=right, inputs=FREE), **CHECKS)
    assert ("torch", "vjp") in found
    assert not [d for d in report.diagnoses if d.cause == "precision_loss"], str(report)


def test_where_the_truth_is_nan_no_digits_are_lost():
    def right(x):
        return torch.acos(x)

    clipped = function(right, lambda dy, x: -dy / torch.sqrt((1 - x * x).abs()))
    _, report = accused_by(Pair(torch=clipped, like=right, inputs=FREE), **CHECKS)
    assert not [d for d in report.diagnoses if d.cause == "precision_loss"], str(report)


def test_a_forward_that_is_another_one_is_told_before_a_gradient_that_is_wrong_by_itself():
    def right(x):
        return torch.softmax(torch.tril(x), -1)

    unmasked = function(lambda x: torch.softmax(x, -1), lambda dy, x: dy * torch.tril(x))
    pair = Pair(torch=unmasked, like=right, inputs={"x": porting.array(("n", "n"))})
    report = porting.check(pair, **CHECKS)
    first, *others = report.diagnoses
    assert first.cause == "wrong_value", str(report)
    assert first.seen.endswith("the gradient is wrong by itself")
    assert "forward_gradient_disagree" in {d.cause for d in others}


def test_a_gradient_that_is_missing_explains_no_other_one():
    def right(x, s):
        return torch.tanh(x) * s

    half = function(right, lambda dy, x, s: (dy * s * (1 + torch.tanh(x) ** 2), None))
    pair = Pair(torch=half, like=right, inputs={"x": porting.array(("n", "m")), "s": porting.array(())})
    found = [d.cause for d in porting.check(pair, **CHECKS).diagnoses]
    assert found[0] != "missing_gradient"
    assert "missing_gradient" in found


def test_no_branch_is_named_where_everyday_numbers_raise():
    def right(g, v):
        return g * v / torch.linalg.norm(v)

    only_scalars = function(right, lambda dy, g, v: ((dy * v).sum().reshape(g.shape) / v.norm(), dy * g / v.norm()))
    pair = Pair(torch=only_scalars, like=right, inputs={"g": porting.array(("n",)), "v": porting.array(("n",))})
    assert first_cause(pair, "torch", **CHECKS) == "raises_in_backward"


def test_a_matrix_is_no_batch():
    @tf.custom_gradient
    def product(a, x):
        return tf.matmul(a, x), lambda dy: (tf.matmul(dy, a, transpose_b=True), tf.matmul(dy, x, transpose_b=True))

    square = {"a": porting.array(("n", "n")), "x": porting.array(("n", "n"))}
    pair = Pair(torch=torch.matmul, tf=product, inputs=square, reference="torch")
    assert first_cause(pair, "tf", **CHECKS) != "mixes_batch"


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


# Notes, and what is no verdict.


def sparsemax(x):
    ordered = x.sort(-1, descending=True).values
    k = torch.arange(1, x.shape[-1] + 1, dtype=x.dtype)
    inside = 1 + k * ordered > ordered.cumsum(-1)
    count = inside.sum(-1, keepdim=True)
    tau = ((ordered * inside).sum(-1, keepdim=True) - 1) / count
    return function(
        lambda x, tau: (x - tau).clamp(min=0),
        lambda dy, x, tau: ((x > tau) * (dy - (dy * (x > tau)).sum(-1, keepdim=True) / (x > tau).sum(-1, True)), None),
    )(x, tau.detach())


@tf.custom_gradient
def sparsemax_tf(x):
    ordered = tf.sort(x, axis=-1, direction="DESCENDING")
    k = tf.range(1, tf.shape(x)[-1] + 1)
    inside = tf.cast(1 + tf.cast(k, x.dtype) * ordered > tf.cumsum(ordered, -1), x.dtype)
    tau = (tf.reduce_sum(ordered * inside, -1, keepdims=True) - 1) / tf.reduce_sum(inside, -1, keepdims=True)
    y = tf.nn.relu(x - tau)

    def grad(dy):
        there = tf.cast(x > tau, x.dtype)
        return there * (dy - tf.reduce_sum(dy * there, -1, keepdims=True) / tf.reduce_sum(there, -1, keepdims=True))

    return y, grad


def test_a_nan_that_one_side_keeps_in_its_row_is_a_note():
    report = porting.check(Pair(torch=sparsemax, tf=sparsemax_tf, inputs=ROWS), dtypes=["float64"], only=["nan_input"])
    assert report.exit_code == 0, str(report)
    assert {r.status for r in report.results} <= {"agree", "note"}


def test_symmetric_inputs_are_symmetric_by_name_too():
    def below(a):
        return (a * a).sum()

    pair = Pair(torch=below, tf=lambda a: tf.reduce_sum(a * a), inputs={"a": porting.array(("n", "n"), kind="spd")})
    report = porting.check(pair, dtypes=["float64"], only=["vjp", "keyword_call"])
    assert {r.status for r in report.results} == {"agree"}, str(report)


def test_lists_are_handed_on_by_name_too():
    @tf.custom_gradient
    def product(a, b):
        return a * b, lambda dy: (dy * b, dy * a)

    inputs = {"xs.0": porting.array(("n",)), "xs.1": porting.array(("n",))}
    pair = Pair(torch=lambda xs: xs[0] * xs[1], tf=lambda xs: product(*xs), inputs=inputs)
    report = porting.check(pair, dtypes=["float64"])
    assert report.exit_code == 0, str(report)
    assert all(r.status == "agree" for r in report.results if r.check == "keyword_call"), str(report)


@pytest.mark.parametrize(("asked", "status"), [(" of like", "no verdict"), (" of torch", "no verdict"), ("", "differ")])
def test_a_plain_version_that_does_not_come_back_is_no_fault_of_what_replaces_it(asked, status):
    task = Task(Pair(tf=lambda x: x, like=lambda x: x), "vjp", "tf", "cpu", "eager", "float64")
    ended = Ended(0, 0, f"forward{asked}", "took longer than 60 s", TIMEOUT, "f.py:3")
    result = result_of(task, ended, 0)
    assert result.status == status
    assert ("the plain version" in result.note) == (asked == " of like")


@pytest.mark.parametrize(("text", "value"), [("true", True), ("false", False), ("True", True), ("truth", "truth")])
def test_a_static_may_be_written_as_toml_writes_it(text, value):
    assert parse_static(f"causal={text}") == ("causal", value)
