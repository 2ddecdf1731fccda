"""What another run of a side makes different: in a graph, by a compiler, in a backward, with drawn numbers.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, causes, differing
from judged import accused, accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

# What a graph knows, and what a compiler says.


def test_a_length_that_is_declared_is_known_to_a_graph():
    @tf.custom_gradient
    def first_of_three(x):
        a, b, c = tf.unstack(x)
        return a + 2 * b + 3 * c, lambda dy: tf.stack([dy, 2 * dy, 3 * dy])

    found, report = accused(Pair(tf=first_of_three, inputs={"x": porting.array((3, "n"))}), only=["traced", "vjp"])
    assert not found, str(report)


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


def all_causes(report):
    return {(d.runner, d.cause) for d in report.diagnoses}


@tf.custom_gradient
def rounded_in_a_graph(x):
    off = tf.constant(0.0 if tf.executing_eagerly() else 6e-8, x.dtype)  # as a compiler rounds otherwise
    return tf.sin(x), lambda dy: dy * tf.cos(x) * (1 + off)


def test_what_a_graph_rounds_otherwise_is_no_baked_value():
    report = porting.check(Pair(torch=torch.sin, tf=rounded_in_a_graph), only=["value", "vjp", "traced"])
    assert ("tf", "baked_python_value") not in all_causes(report), str(report)


# What a compiler says is told once, without where in a graph it was.


def test_what_xla_cannot_compile_is_told_once():
    report = porting.check(Pair(tf=lambda x: tf.math.special.bessel_k0(tf.exp(x))), only=["xla"], dtypes=["float64"])
    text = str(report)
    assert text.count("Detected unsupported operations") == 1, text
    assert "XlaMustCompile" not in text, text
    assert "{{" not in text, text
    assert "BesselK0" in text, text
    assert any("XlaMustCompile" in f.fields["message"] for r in report.results for f in r.findings), text


@tf.custom_gradient
def not_compiled_backward(x):
    return 2 * x, lambda dy: tf.ensure_shape(tf.numpy_function(lambda v: 2 * v, [dy], dy.dtype), dy.shape)


def test_what_xla_cannot_compile_is_said_of_the_forward_if_it_is_its_own():
    sides = {"forward": lambda x: tf.math.special.bessel_k0(tf.exp(x)), "backward": not_compiled_backward}
    for stage, side in sides.items():
        report = porting.check(Pair(tf=side), only=["xla"], dtypes=["float64"])
        said = {f.fields.get("stage") for r in report.results for f in r.findings}
        assert said == {stage}, str(report)
        assert [d.cause for d in report.diagnoses] == ["xla_unsupported"], str(report)


# A module that its backward calls again.


class Scaled(torch.autograd.Function):
    """A gradient that is a few times too large."""

    @staticmethod
    def forward(ctx, y, factor):
        ctx.factor = factor
        return y.clone()

    @staticmethod
    def backward(ctx, dy):
        return ctx.factor * dy, None


class Saving(torch.nn.Module):
    """Computes its layer again in the backward."""

    def __init__(self, factor=1.0):
        super().__init__()
        self.factor = factor
        self.inner = torch.nn.Linear(4, 3)

    def forward(self, x):
        y = torch.utils.checkpoint.checkpoint(lambda x: torch.tanh(self.inner(x)), x, use_reentrant=False)
        return y if self.factor == 1 else Scaled.apply(y, self.factor)


def plain(x, weight, bias):
    return tf.tanh(tf.matmul(x, weight, transpose_b=True) + bias)


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1.0, 3.0], ids=["right", "three times"])
def test_a_module_that_is_called_again_by_its_backward_has_the_parameters_that_were_drawn(factor):
    pair = Pair(torch=Saving(factor), tf=plain, inputs={"x": porting.array(("n", 4))}, reference="tf")
    found, report = accused_by(pair, only=["vjp", "interleaved", "linear", "raw_gradient", "second_order"])
    assert bool(found) == (factor != 1), str(report)
    assert all(who == "torch" for who, _ in found), str(report)
    if found:
        assert next(iter(report.diagnoses)).cause == "constant_factor"


class Again(torch.autograd.Function):
    """Computes its inner layer again, and calls ``backward`` of it: weights get their gradient that way alone."""

    @staticmethod
    def forward(ctx, x, inner):
        ctx.inner = inner
        ctx.save_for_backward(x)
        with torch.no_grad():
            return inner(x)

    @staticmethod
    def backward(ctx, dy):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            y = ctx.inner(x)
        torch.autograd.backward(y, ctx.inner.factor * dy if hasattr(ctx.inner, "factor") else dy)
        return x.grad, None


class Reversible(torch.nn.Module):
    def __init__(self, factor=None):
        super().__init__()
        self.inner = torch.nn.Linear(4, 3)
        if factor:
            self.inner.factor = factor

    def forward(self, x):
        return Again.apply(x, self.inner)


def affine(x, weight, bias):
    return tf.matmul(x, weight, transpose_b=True) + bias


@pytest.mark.parametrize("factor", [None, 2.0])
def test_a_gradient_that_arrives_by_backward_alone_is_there(factor):
    pair = Pair(torch=Reversible(factor), tf=affine, inputs={"x": porting.array(("n", 4))}, reference="tf")
    found, report = accused_by(pair, dtypes=["float64"], only=["value", "vjp"])
    assert bool(found) == (factor is not None), str(report)
    if factor:
        assert next(iter(report.diagnoses)).cause == "constant_factor", str(report)


class Writing(torch.autograd.Function):
    """Writes the gradient of its weight into ``.grad``, and returns none."""

    factor = 1.0

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @classmethod
    def backward(cls, ctx, dy):
        x, w = ctx.saved_tensors
        w.grad = cls.factor * dy * x
        return dy * w, None


class WritingTwice(Writing):
    factor = 2.0


class Refusing(Writing):
    """Takes ``.backward()`` only, as a checkpoint that computes its inner gradients does."""

    @classmethod
    def backward(cls, ctx, dy):
        if not torch.autograd._is_checkpoint_valid():
            raise RuntimeError("not compatible with .grad(), please use .backward()")
        x, w = ctx.saved_tensors
        return dy * w, cls.factor * dy * x


class RefusingTwice(Refusing):
    factor = 2.0


_USES = ["value", "vjp", "raw_gradient", "interleaved", "retained", "subsets", "shared_cotangent", "linear", "repeated"]


@pytest.mark.parametrize("side", [Writing, Refusing])
def test_what_backward_alone_may_ask_is_asked_by_it_in_each_use(side):
    report = porting.check(Pair(torch=side, tf=lambda x, w: x * w), dtypes=["float64"], only=_USES)
    assert not [r for r in report.results if r.status not in {"agree", "not applicable"}], str(report)


@pytest.mark.parametrize("side", [WritingTwice, RefusingTwice])
def test_a_factor_in_it_is_found(side):
    pair = Pair(torch=side, tf=lambda x, w: x * w, reference="tf")
    found, report = accused_by(pair, dtypes=["float64"], only=["vjp"])
    assert found == {("torch", "vjp")}, str(report)
    assert next(iter(report.diagnoses)).cause == "constant_factor", str(report)


# A second backward is compared with the first one: what both lose, other checks say.


def noisy(x):
    return tf.sin(x), lambda dy: dy * (tf.sin(x + 1e-8) - tf.sin(x - 1e-8)) / 2e-8


@tf.custom_gradient
def differences(x):
    return noisy(x)


@tf.custom_gradient
def used_up(x):
    y, gradient = noisy(x)
    left = [1.0]
    return y, lambda dy: gradient(dy) * (left.pop() if left else 2.0)


@pytest.mark.slow
@pytest.mark.parametrize(("side", "found"), [(differences, False), (used_up, True)])
def test_a_second_backward_is_compared_with_the_first(side, found):
    report = porting.check(Pair(torch=torch.sin, tf=side, inputs={"x": porting.array(("n",))}))
    assert (("tf", "retained") in differing(report)) == found, str(report)
    assert (("tf", "overwrites_saved") in all_causes(report)) == found, str(report)


# Two backwards that draw random numbers, each of its own kind.


def test_two_sides_that_draw_in_the_backward_are_compared_in_nothing_else():
    drawn = function(torch.sin, lambda dy, x: dy * torch.cos(x) + torch.randn_like(x))

    @tf.custom_gradient
    def drawn_tf(x):
        return tf.sin(x), lambda dy: dy * tf.cos(x) + tf.random.uniform(tf.shape(x), -1.0, 1.0, x.dtype)

    for reference in (None, "torch"):
        pair = Pair(torch=drawn, tf=drawn_tf, inputs=ANY, reference=reference)
        report = porting.check(pair, dtypes=["float64"], only=["vjp", "large", "repeated", "global_state"])
        drawn_on_both = {r.status for r in report.results if r.check == "repeated"}
        assert drawn_on_both == {"note"}, "noise that both backwards have is meant, and told"
        assert not report.diagnoses, str(report)
        assert not report.counts["differ"], str(report)
        assert report.exit_code == 5, "nobody knows whether the gradients agree"


def test_noise_in_one_backward_is_no_other_sides():
    drawn = function(torch.sin, lambda dy, x: dy * torch.cos(x) + torch.randn_like(x))
    report = porting.check(Pair(torch=drawn, tf=tf.sin, inputs=ANY), dtypes=["float64"], only=["vjp", "repeated"])
    assert causes(report, "torch")[0] == "random_backward", str(report)
    assert not causes(report, "tf"), str(report)


def test_digits_that_are_lost_are_no_fault_of_a_use():
    """The plain difference loses eight digits near 0, in whatever use; its gradient alone says so."""

    def lost(x):
        return (1 - torch.cos(x)) / x**2

    @tf.custom_gradient
    def kept(x):
        s, c = tf.sin(x / 2), tf.cos(x / 2)
        return 2 * (s / x) ** 2, lambda dy: dy * 4 * (s / x) * (c * x / 2 - s) / x**2

    side = function(lost, lambda dy, x: dy * (torch.sin(x) / x**2 - 2 * (1 - torch.cos(x)) / x**3))
    pair = Pair(torch=side, tf=kept, inputs={"x": porting.array(("n",), domain=(0.01, 0.1))})
    report = porting.check(pair, only=["vjp", "interleaved", "traced", "xla"], dtypes=["float64"])
    assert differing(report) == {("torch", "vjp")}, str(report)


# What a graph alone refuses, and what an eager backward alone does.


def halved(x):
    return function(lambda x: x / 2, lambda dy, x: dy)(x)


def typed_tf(x):
    @tf.custom_gradient
    def half(x):
        many = tf.size(x) if tf.executing_eagerly() else tf.size(x) * tf.ones([], x.dtype)  # int32 times a float
        return x / 2 + 0 * tf.cast(many, x.dtype), lambda dy: dy / 2

    return half(x)


@pytest.mark.parametrize("side", [halved, lambda x: x / 2])
def test_a_graph_alone_that_refuses_types_is_no_wrong_type(side):
    asked = {"only": ["value", "vjp", "traced"], "dtypes": ["float64"]}
    report = porting.check(Pair(torch=side, tf=typed_tf, inputs={"x": porting.array()}), **asked)
    assert "graph_mode_fails" in causes(report, "tf"), str(report)
    assert "wrong_dtype" not in causes(report, "tf"), str(report)


@tf.custom_gradient
def forgets_tf(x):
    def gradient(dy):
        if tf.executing_eagerly():
            raise RuntimeError("tf.gradients is not supported when eager execution is enabled")
        return 2 * x

    return x * x, gradient


def test_an_error_of_the_eager_backward_explains_no_number_of_a_graph():
    pair = Pair(torch=lambda x: x * x, tf=forgets_tf, inputs={"x": porting.array()}, reference="torch")
    report = porting.check(pair, only=["traced"])
    assert ("tf", "traced") in differing(report), str(report)
    assert "raises_in_backward" not in causes(report, "tf"), str(report)
    assert causes(porting.check(pair, only=["vjp"]), "tf") == ["raises_in_backward"]


# A reference has no truth but itself: in which graphs it is not compared is said.


@pytest.mark.parametrize(
    ("sides", "reference", "left"),
    [("torch tf", "tf", True), ("torch tf", "torch", False), ("torch tf", None, False), ("tf", None, True)],
)
@pytest.mark.parametrize("modes", [[], ["xla"]])
def test_graphs_in_which_a_side_is_not_compared_are_told(sides, reference, left, modes):
    from rich.console import Console

    from porting.report.text import notes

    both = {"torch": torch.tanh, "tf": tf.tanh}
    pair = Pair(
        sides={key: both[key] for key in sides.split()}, inputs={"x": porting.array()}, reference=reference, name="f"
    )
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "traced", "xla"], modes=modes)
    console = Console(record=True, width=200)
    console.print(notes(report))
    said = console.export_text().partition("Not compared")[2]
    names = "f value in mode xla, vjp in mode xla" if modes else "f traced, xla"
    assert (f"{names} (tf): no independent reference" in said) is left, said
    assert ("(tf)" in said) is left, said


# A quotient that is whole eagerly is less by its last digit in a graph, and a floor tells them apart.


def _pieces(x, low, high, count):
    step = (high - low) / count
    return torch.floor((torch.minimum(torch.maximum(x, low), high - 2 * step) - low) / step)


PIECES = function(lambda x, low, high: _pieces(x, low, high, 10.0), lambda dy, x, low, high: (dy, None, None))


def _pieces_in_tf(x, low, high, count):
    @tf.custom_gradient
    def inner(x):
        step = (high - low) / count
        return tf.floor((tf.clip_by_value(x, low, high - 2 * step) - low) / step), lambda dy: dy

    return inner(x)


def pieces(x, low, high):
    return _pieces_in_tf(x, low, high, 10.0)


def fewer_in_a_graph(x, low, high):
    return _pieces_in_tf(x, low, high, 10.0 if tf.executing_eagerly() else 9.0)


ENDS = {
    "x": porting.array(domain=(-0.12, 0.12)),
    "low": porting.array((1,), domain=(-0.11, -0.09)),
    "high": porting.array((1,), domain=(0.09, 0.11)),
}


@pytest.mark.parametrize("seed", range(4))
def test_a_step_on_whose_edge_numbers_lie_is_no_fault_of_a_graph(seed):
    pair = Pair(torch=PIECES, tf=pieces, inputs=ENDS)
    found, report = accused_by(pair, only=["traced", "xla"], dtypes=["float64"], seed=seed)
    assert not found, str(report)


def test_another_number_of_steps_in_a_graph_is_one():
    pair = Pair(torch=PIECES, tf=fewer_in_a_graph, inputs=ENDS)
    found, report = accused_by(pair, only=["traced", "xla"], dtypes=["float64"])
    assert found == {("tf", "traced"), ("tf", "xla")}, str(report)


def nothing_in_a_graph(x, low, high):
    y = pieces(x, low, high)
    return y if tf.executing_eagerly() else y * (tf.zeros_like(y) / tf.zeros_like(y))


def test_nan_in_a_graph_is_no_step():
    pair = Pair(torch=PIECES, tf=nothing_in_a_graph, inputs=ENDS)
    found, report = accused_by(pair, only=["traced", "xla"], dtypes=["float64"])
    assert found == {("tf", "traced"), ("tf", "xla")}, str(report)
