"""What a call changes, in a module, in its arguments, or in what was saved, is compared as it was before.

Seen in code of public repositories.
"""

from importlib import import_module
from types import SimpleNamespace

import pytest
from everyday import ANY, WIDEST, differing
from judged import accused, accused_by, first_cause

import porting
from porting import Pair
from porting.diagnosis.cause import causes as causes_by_name
from porting.parity.finding import Finding, Worst

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

ROWS = {"x": porting.array(("n", 3))}


# Modules that train and layers that infer.


class Normed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3, eps=1e-3, affine=False)

    def forward(self, x):
        return x * torch.sigmoid(self.norm(x))


class NormedLayer(tf.keras.layers.Layer):
    def build(self, shape):
        self.norm = tf.keras.layers.BatchNormalization(center=False, scale=False)

    def call(self, x, training=None):
        return x * tf.sigmoid(self.norm(x, training=training))


@pytest.mark.parametrize(
    ("module", "statics", "told"),
    [
        (Normed(), {}, "training mode"),
        (Normed().eval(), {}, "evaluation mode"),
        (Normed(), {"training": False}, "evaluation mode"),
        (Normed().eval(), {"training": True}, "training mode"),
    ],
)
def test_both_are_in_one_mode(module, statics, told):
    report = porting.check(Pair(torch=module, tf=NormedLayer(), inputs=ROWS, statics=statics), only=["value", "vjp"])
    assert not differing(report), str(report)
    assert told in report.described[0]
    assert statics or f"tf: called with training={told == 'training mode'}" in report.described[0]


def test_what_was_given_stays_in_its_mode():
    module = Normed()
    porting.check(Pair(torch=module, tf=NormedLayer(), inputs=ROWS, statics={"training": False}), only=["value"])
    assert module.training


def test_a_mode_that_a_layer_takes_for_another_one_is_found():
    class Opposite(NormedLayer):
        def call(self, x, training=None):
            return super().call(x, training=not training)

    report = porting.check(Pair(torch=Normed(), tf=Opposite(), inputs=ROWS), only=["value"])
    assert differing(report) == {("torch", "value"), ("tf", "value")}, str(report)


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


@pytest.mark.slow
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


# What is overwritten.


def test_a_function_that_says_that_it_works_in_place_is_given_a_copy():
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(3)

        @staticmethod
        def backward(ctx, dy):
            return dy * 3

    found, report = accused(Pair(torch=Scaled, tf=lambda x: 3 * x))
    assert not found, str(report)
    assert report.exit_code == 0, str(report)


def test_what_works_in_place_without_a_word_is_told_of_it():
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.mul_(3)

        @staticmethod
        def backward(ctx, dy):
            return dy * 3

    _, report = accused(Pair(torch=Scaled, tf=lambda x: 3 * x), only=["inputs_unchanged", "layouts"])
    codes = {(r.check, f.code) for r in report.results if r.status == "differ" for f in r.findings}
    assert {("inputs_unchanged", "overwritten"), ("layouts", "raised")} <= codes, str(report)


def test_what_is_overwritten_first_is_named_first():
    class InPlace(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x *= 2
            return x.clone()

        @staticmethod
        def backward(ctx, dy):
            dy *= 2
            return dy.clone()

    pair = Pair(torch=InPlace, tf=lambda x: 2 * x)
    assert first_cause(pair, "torch", dtypes=["float64"]) == "overwrites_input"


def softplus_tf(x):
    return tf.math.softplus(x)


def softplus_in_place(x):
    return x.exp_().log1p_()


OVERWRITES = function(softplus_in_place, lambda dy, x: dy * torch.sigmoid(x))


def test_what_an_overwritten_input_explains_is_one_finding():
    pair = Pair(torch=OVERWRITES, tf=softplus_tf, inputs=ANY, name="softplus", reference="tf")
    report = porting.check(pair, **WIDEST, only=["vjp", "value", "adjoint", "inputs_unchanged"])
    (message,) = report.messages
    assert "gradient of x differs" in message.splitlines()[0]
    assert "(overwrites_input, fault)" in message


def test_another_gradient_beside_an_overwritten_input_has_a_cause_of_its_own():
    wrong = function(softplus_in_place, lambda dy, x: -dy * (1 - torch.exp(-x)))  # of what was given; its sign is wrong
    pair = Pair(torch=wrong, tf=softplus_tf, inputs=ANY, name="softplus", reference="tf")
    report = porting.check(pair, **WIDEST, only=["vjp", "value", "inputs_unchanged"])
    assert ["wrong_sign" in m for m in report.messages] == [True, False], str(report)


@pytest.mark.parametrize(("got", "told"), [(float("nan"), False), (2.0, True)])
def test_a_nan_of_the_op_itself_is_no_overwritten_cotangent(got, told, monkeypatch):
    worst = Worst("dx", (0,), got, 0.0, {}, 1.0, 1.0, 9.0)
    found = Finding("differs", {"name": "x", "quantity": "gradient", "truth": "oracle"}, worst=worst)
    evidence = SimpleNamespace(clean=True, results=(), said=lambda *_, **__: None, finding=lambda *_: found)
    module = import_module("porting.diagnosis.faults.overwrites_cotangent")
    monkeypatch.setattr(module, "_by_sharing", lambda _: found)  # another branch changes it
    assert bool(causes_by_name()["overwrites_cotangent"].detect(evidence)) == told


class SparseProduct(torch.autograd.Function):
    """Saves a sparse matrix, which has no one place in memory."""

    @staticmethod
    def forward(ctx, values, b):
        i = torch.tensor([[0, 1, 1], [1, 0, 1]])
        a = torch.sparse_coo_tensor(i, values, (2, 2))
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, dy):
        a, b = ctx.saved_tensors
        i = a._indices()
        return (dy[i[0]] * b[i[1]]).sum(1), a.t() @ dy


@pytest.mark.filterwarnings("ignore:Sparse")
def test_a_sparse_tensor_may_be_saved():
    inputs = {"values": porting.array((3,)), "b": porting.array((2, 3))}
    pair = Pair(torch=SparseProduct, inputs=inputs, contract=porting.Contract(order=1))
    found, report = accused(pair, only=["leak", "vjp"])
    assert not found, str(report)


class Drawing(torch.autograd.Function):
    """Draws a number, and does not use it: random numbers of others are other ones then, as with a dropout."""

    @staticmethod
    def forward(ctx, x):
        return x + 0 * torch.rand(())

    @staticmethod
    def backward(ctx, dy):
        return dy + 0 * torch.rand(())


class Seeding(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        torch.manual_seed(3)
        return x + 0 * torch.rand(())

    @staticmethod
    def backward(ctx, dy):
        return dy.clone()


@pytest.mark.parametrize(("side", "found"), [(Drawing, set()), (Seeding, {("torch", "global_state")})])
def test_who_draws_numbers_changes_no_setting_and_who_seeds_does(side, found):
    report = porting.check(Pair(torch=side, tf=tf.identity), dtypes=["float64"], only=["global_state"])
    assert differing(report) == found, str(report)


class RandomGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return dy * torch.bernoulli(torch.full_like(dy, 0.5))


def test_a_gradient_that_is_drawn_anew_overwrites_nothing():
    asked = {"dtypes": ["float64"], "only": ["value", "vjp", "repeated", "retained", "global_state"]}
    report = porting.check(Pair(torch=RandomGradient, tf=tf.identity), **asked)
    found = {d.cause for d in report.diagnoses if d.runner == "torch"}
    assert "random_backward" in found, str(report)
    assert not found & {"overwrites_saved", "global_state"}, str(report)
