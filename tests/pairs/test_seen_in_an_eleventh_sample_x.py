"""What was said falsely of others' code the eleventh time: of NaN, kinks, state, signs, iterations, saved tensors."""

import pytest
from judged import accused_by

import porting
from porting import Pair
from porting.pairs.parse import parse_input

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

ANY = {"x": porting.array()}
WIDEST = {"dtypes": ["float64"]}
EDGE = 1 - 1e-15  # 1 in float32, where the gradient is infinite


def slope(dy, x):
    return dy / (1 - x.clamp(-EDGE, EDGE) ** 2)


@tf.custom_gradient
def edge_tf(x):
    x = tf.clip_by_value(x, -EDGE, EDGE)
    return 0 * x, lambda dy: dy / (1 - x**2)


@tf.custom_gradient
def apart_tf(x):
    x = tf.clip_by_value(x, -EDGE, EDGE)
    return 0 * x, lambda dy: dy / tf.maximum(1 - x**2, 1e-15)


def test_what_both_do_in_float32_is_a_note_beside_a_nan_and_in_other_shapes_too():
    asked = {"only": ["value", "vjp", "nan_input", "shapes"]}
    pair = Pair(torch=function(lambda x: 0 * x, slope), tf=edge_tf, inputs=ANY)
    found, report = accused_by(pair, **asked)
    assert not found, str(report)
    noted = {r.check for r in report.results if r.status == "note"}
    assert noted >= {"vjp", "nan_input"}, str(report)


def test_what_one_side_does_in_float32_is_found_beside_a_nan():
    pair = Pair(torch=function(lambda x: 0 * x, slope), tf=apart_tf, inputs=ANY)
    found, report = accused_by(pair, dtypes=["float32"], only=["vjp", "nan_input"])
    assert ("torch", "nan_input") in found, str(report)


# The slope of |x| at 0: 0 times infinity as the root of a square, on both sides or on one.


def rooted(x):
    return torch.sqrt(x * x)


def rooted_tf(x):
    return tf.sqrt(x * x)


def sinc(x):
    return torch.where(x == 0, torch.ones_like(x), torch.sin(x) / x)


def sinc_tf(x):
    return tf.where(x == 0, tf.ones_like(x), tf.sin(x) / x)


def test_a_nan_that_both_have_at_a_kink_is_a_note():
    found, report = accused_by(Pair(torch=rooted, tf=rooted_tf, inputs=ANY), only=["vjp", "finite", "special_values"])
    assert not found, str(report)
    noted = [r for r in report.results if (r.check, r.status) == ("finite", "note")]
    assert {r.runner for r in noted} == {"torch", "tf"}, str(report)
    assert all(f.fields["kink"] and "where the true one is" not in f.what for r in noted for f in r.findings)


@pytest.mark.parametrize(("one", "other", "sides"), [(rooted, tf.abs, {"torch"}), (sinc, sinc_tf, {"torch", "tf"})])
def test_a_nan_of_one_side_or_where_the_forward_is_smooth_is_still_found(one, other, sides):
    found, report = accused_by(Pair(torch=one, tf=other, inputs=ANY), only=["vjp", "finite"])
    assert {runner for runner, check in found if check == "finite"} == sides, str(report)


# A first call that sets a scale from the data: what builds the layer is no such call.


class Norm(torch.nn.Module):
    def __init__(self, factor=1.0):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor(1.0))
        self.register_buffer("initialized", torch.tensor(0.0))
        self.factor = factor

    def forward(self, x):
        with torch.no_grad():
            scale = torch.where(self.initialized > 0, self.scale, self.factor * x.abs().mean())
        self.initialized.fill_(1.0)
        return x * scale + 0 * self.scale


class Layer(tf.keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(), initializer="ones")
        self.initialized = self.add_weight(name="initialized", shape=(), initializer="zeros", trainable=False)

    def call(self, x):
        scale = tf.where(self.initialized > 0, tf.convert_to_tensor(self.scale), tf.reduce_mean(tf.abs(x)))
        self.initialized.assign(1.0)
        return x * tf.stop_gradient(scale) + 0 * self.scale


class WithAFlag(tf.keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(), initializer="ones")
        self.first = True

    def call(self, x):
        scale = tf.reduce_mean(tf.abs(x)) if self.first else tf.convert_to_tensor(self.scale)
        self.first = False
        return x * tf.stop_gradient(scale) + 0 * self.scale


class Around(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.inner = Layer()

    def call(self, x):
        return self.inner(x)


class Plain(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(1.0)
        self.initialized = tf.Variable(False, trainable=False)

    def __call__(self, x):
        scale = tf.where(self.initialized, tf.convert_to_tensor(self.scale), tf.reduce_mean(tf.abs(x)))
        self.initialized.assign(True)
        return x * tf.stop_gradient(scale) + 0 * self.scale


class Flagged(Norm):
    def __init__(self):
        super().__init__()
        self.first = True

    def forward(self, x):
        with torch.no_grad():
            scale = x.abs().mean() if self.first else self.scale
        self.first = False
        return x * scale + 0 * self.scale


STATEFUL = {"only": ["value", "vjp", "raw_gradient", "large", "repeated", "interleaved", "adjoint", "second_order"]}


@pytest.mark.parametrize("layer", [Layer, WithAFlag, Around, Plain])
@pytest.mark.parametrize("module", [Norm, Flagged])
def test_sides_that_their_first_call_changes_are_compared_from_the_same_state(module, layer):
    pair = Pair(torch=module(), tf=layer, inputs={"x": porting.array(("n", 4))})
    found, report = accused_by(pair, **STATEFUL)
    assert not found, str(report)
    assert {r.status for r in report.results if r.check in {"value", "vjp"}} == {"agree"}, str(report)


def test_another_scale_in_the_first_call_is_found():
    pair = Pair(torch=Norm(1.001), tf=Layer, inputs={"x": porting.array(("n", 4))}, reference="tf")
    found, report = accused_by(pair, only=["value", "vjp"])
    assert {("torch", "value"), ("torch", "vjp")} <= found, str(report)


# Eigenvectors are free up to their signs, here of every second one.

SPD = dict([parse_input("x=float64[n,n]{spd}")])
ONE_SIGN = {"only": ["value", "vjp", "large", "single_outputs"], "dtypes": ["float64"]}


def unique(x):
    e, v = torch.linalg.eigh(x)
    return e, v * v[..., :1, :].sign().detach()


def turned_tf(off_values=0.0, off_vectors=0.0, sign=1.0):
    def turned(x):
        e, v = tf.linalg.eigh(x)
        signs = (1.0 - 2.0 * tf.cast(tf.range(tf.shape(x)[-1]) % 2, x.dtype)) if sign > 0 else tf.cast(sign, x.dtype)
        v = v * tf.stop_gradient(tf.sign(v[..., :1, :])) * signs
        return e * (1 + off_values), v + off_vectors * tf.stop_gradient(v[..., ::-1, :])

    return turned


def test_eigenvectors_of_other_signs_are_no_verdict_with_the_reason():
    found, report = accused_by(Pair(torch=unique, tf=turned_tf(), inputs=SPD), **ONE_SIGN)
    assert not found, str(report)
    assert report.exit_code == 5
    assert {r.status for r in report.results if r.check == "value"} == {"no verdict"}
    assert "signs" in next(r.note for r in report.results if r.check == "vjp")


@pytest.mark.parametrize("wrong", [{"off_values": 1e-4}, {"off_vectors": 1e-4}, {"sign": -1.0}])
def test_what_else_is_wrong_beside_the_signs_is_found(wrong):
    found, report = accused_by(Pair(torch=unique, tf=turned_tf(**wrong), inputs=SPD), **ONE_SIGN)
    assert ("tf", "value") in found, str(report)


def test_wrong_signs_on_a_diagonal_are_found():
    """Rows that are orthogonal to each other, and no vectors of length 1."""
    pair = Pair(torch=torch.diag_embed, tf=lambda x: tf.linalg.diag(tf.abs(x)), inputs={"x": porting.array(("n",))})
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp"])
    assert ("tf", "value") in found, str(report)


def test_the_wrong_sign_of_a_function_is_found():
    found, report = accused_by(Pair(torch=lambda x: -torch.sin(x), tf=tf.sin, inputs=ANY), only=["value"])
    assert {("torch", "value"), ("tf", "value")} == found, str(report)


# What autograd itself saves of a straight-through product is differentiated again.

STE = function(torch.sign, lambda dy, _: dy)


@tf.custom_gradient
def ste_tf(x):
    return tf.sign(x), lambda dy: dy


def dense_once(x, w):
    """A side that raises where it is differentiated again, so that nobody knows its second derivative."""

    @tf.custom_gradient
    def product(x, w):
        def grad(dy):
            @tf.custom_gradient
            def refused(dy):
                def second(_):
                    raise ValueError("not again")

                return tf.identity(dy), second

            dy = refused(dy)
            return dy @ tf.transpose(tf.sign(w)), tf.transpose(tf.sign(x)) @ dy

        return tf.sign(x) @ tf.sign(w), grad

    return product(x, w)


class SavesItsSine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sin(x)
        ctx.save_for_backward(s, torch.cos(x))
        return s * s

    @staticmethod
    def backward(ctx, dy):
        s, c = ctx.saved_tensors
        return 2 * s * c * dy


DENSE = {"x": porting.array(("n", 4)), "w": porting.array((4, 3))}


def causes(pair):
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "adjoint", "second_order"])
    return {(d.runner, d.cause) for d in report.diagnoses}, report


def test_what_autograd_saves_is_no_intermediate_of_a_function():
    found, report = causes(Pair(torch=lambda x, w: STE(x) @ STE(w), tf=dense_once, inputs=DENSE, name="dense"))
    assert "saved_intermediate" not in {cause for _, cause in found}, str(report)
    assert not any(r.status == "differ" and r.runner == "torch" for r in report.results), str(report)


@pytest.mark.parametrize("side", [SavesItsSine.apply, lambda x: SavesItsSine.apply(2 * x)])
def test_what_a_function_saves_of_its_forward_is_an_intermediate(side):
    found, report = causes(Pair(torch=side, inputs=ANY, name="f"))
    assert ("torch", "saved_intermediate") in found, str(report)


# Thirty steps of Sinkhorn. They take most of a wrong first step away: what is left of it is no rounding.

COST = {"x": porting.array((3, 4), domain=(0.0, 1.0))}


def sinkhorn(x):
    f, g, eps = torch.zeros_like(x[:, 0]), torch.zeros_like(x[0]), 0.1
    for _ in range(30):
        g = g - eps * torch.logsumexp((f[:, None] + g - x) / eps, 0)
        f = f - eps * torch.logsumexp((f[:, None] + g - x) / eps, 1)
    return torch.exp((f[:, None] + g - x) / eps)


def sinkhorn_tf(first=None, off=0.0):
    def steps(x):
        f, g, later = tf.zeros_like(x[:, 0]), tf.zeros_like(x[0]), tf.constant(0.1, x.dtype)
        for k in range(30):
            eps = first(x) if first and not k else later
            g = g - eps * tf.reduce_logsumexp((f[:, None] + g - x) / eps, 0)
            f = f - eps * tf.reduce_logsumexp((f[:, None] + g - x) / eps, 1)
        return tf.exp((f[:, None] + g - x) / later) * (1 + off)

    return steps


@pytest.mark.parametrize("seed", range(3))
def test_a_right_iteration_is_not_accused(seed):
    pair = Pair(torch=sinkhorn, tf=sinkhorn_tf(), inputs=COST)
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp"], seed=seed)
    assert not found, str(report)


@pytest.mark.parametrize("wrong", [{"off": 1e-4}, {"off": 1e-2}, {"first": lambda x: tf.constant(0.11, x.dtype)}])
def test_a_wrong_iteration_is_found(wrong):
    pair = Pair(torch=sinkhorn, tf=sinkhorn_tf(**wrong), inputs=COST, reference="torch")
    found, report = accused_by(pair, **WIDEST, only=["value"])
    assert ("tf", "value") in found, str(report)
