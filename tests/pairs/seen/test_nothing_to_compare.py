"""Where there is nothing to compare, or no true number, neither side is praised or accused.

Seen in code of public repositories.
"""

import dataclasses

import pytest
from everyday import ANY, WIDEST, described
from judged import accused_by

import porting
from porting import Pair
from porting.engine.odd_guess import without_odd_guesses
from porting.parity.finding import Diagnosis, Finding, Result

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

# For guessed arrays of three rows the outputs have no element.


def three_axes(x):
    if len(x.shape) != 3 or x.shape[1:] != (3, 3):
        raise ValueError("x must be [n, 3, 3]")
    return 2 * x[:, 3:, :]


def test_arrays_of_which_nothing_comes_are_no_agreement():
    report = porting.check(Pair(torch=three_axes, tf=three_axes), **WIDEST, only=["value", "vjp"])
    assert not any(r.status == "agree" for r in report.results), str(report)
    assert report.exit_code != 0, str(report)


# A surrogate that is infinite at 0 on both sides, of a forward that is flat there.


def root_surrogate(dy, x):
    return dy / x.abs().sqrt()


@tf.custom_gradient
def root_surrogate_tf(x):
    return tf.round(x), lambda dy: dy / tf.sqrt(tf.abs(x))


@tf.custom_gradient
def bounded_tf(x):
    return tf.round(x), lambda dy: dy / tf.sqrt(tf.abs(x) + 1e-3)


@pytest.mark.parametrize("reference", [None, "torch", "tf"])
def test_a_surrogate_that_is_infinite_on_both_sides_accuses_none(reference):
    pair = Pair(torch=function(torch.round, root_surrogate), tf=root_surrogate_tf, inputs=ANY, reference=reference)
    found, report = accused_by(pair, **WIDEST, only=["vjp", "adjoint", "finite", "special_values"])
    assert not found, str(report)


def test_one_that_is_infinite_on_one_side_is_found():
    pair = Pair(torch=function(torch.round, root_surrogate), tf=bounded_tf, inputs=ANY)
    found, report = accused_by(pair, **WIDEST, only=["vjp", "adjoint", "finite", "special_values"])
    assert ("torch", "finite") in found, str(report)


# What guessed shapes would make odd: a filter of one row is summed over the rows that were guessed. So it gets one.


class Weighted(torch.autograd.Function):
    extra = 1.0

    @staticmethod
    def forward(ctx, x, w):
        if x.ndim != 4 or w.ndim != 4:
            raise ValueError("x and w must have 4 axes")
        ctx.save_for_backward(x, w)
        return x * w

    @classmethod
    def backward(cls, ctx, dy):
        x, w = ctx.saved_tensors
        return cls.extra * dy * w, (dy * x).sum((0, 2, 3), keepdim=True)


class WrongWeighted(Weighted):
    extra = 2.0


@tf.custom_gradient
def weighted_tf(x, w):
    def vjp(dy):
        return dy * w, tf.reduce_sum(dy * x, [0, 2, 3], keepdims=True)

    return x * w, vjp


@pytest.mark.slow
@pytest.mark.parametrize(("side", "found"), [(Weighted, False), (WrongWeighted, True)])
def test_shapes_are_guessed_that_are_odd_on_no_side(side, found):
    report, said = described(Pair(torch=side, tf=weighted_tf), only=["value", "vjp", "shapes", "raw_gradient"])
    assert 'the same is --input "x=float64[b,3,8,8]" --input "w=float64[1,3,1,1]"' in said
    assert {r.check for r in report.results if r.status == "differ"} >= ({"vjp"} if found else set()), str(report)
    assert bool(report.diagnoses) is found, str(report)
    assert report.exit_code == found, str(report)


class Connected(torch.autograd.Function):
    """A distance that hands its gradient on to the difference it was computed of, whose shape nobody can guess."""

    @staticmethod
    def forward(ctx, diff, dist):
        ctx.save_for_backward(diff, dist)
        return dist.clone()

    @staticmethod
    def backward(ctx, ddist):
        diff, dist = ctx.saved_tensors
        return (ddist / dist).unsqueeze(1) * diff, None


@tf.custom_gradient
def connected_tf(diff, dist):
    def grad(ddist):
        return tf.expand_dims(ddist / dist, 1) * diff, None

    return tf.identity(dist), grad


@pytest.mark.slow
def test_shapes_that_nobody_gave_are_guessed_too():
    pair = Pair(torch=Connected, tf=connected_tf)
    found, report = accused_by(pair, **WIDEST)
    assert found == set(), str(report)
    assert report.exit_code == 5
    inputs = {"diff": porting.array(("n", 3)), "dist": porting.array(("n",))}
    found, report = accused_by(dataclasses.replace(pair, inputs=inputs), **WIDEST)
    assert (found, report.exit_code) == (set(), 0), str(report)


@pytest.mark.parametrize(("side", "found"), [(Weighted, set()), (WrongWeighted, {("torch", "vjp"), ("tf", "vjp")})])
def test_with_the_shapes_that_are_meant_they_are_judged(side, found):
    inputs = {"x": porting.array(("b", "c", "h", "w")), "w": porting.array((1, "c", 1, 1))}
    accusing, report = accused_by(Pair(torch=side, tf=weighted_tf, inputs=inputs), **WIDEST, only=["value", "vjp"])
    assert accusing == found, str(report)


def test_what_no_shape_excuses_stays_beside_odd_ones():
    def one(runner, check, *findings):
        return Result("f", check, runner, "cpu", "eager", "float64", 0, "differ", "", findings)

    def misshapen(runner):
        return Diagnosis("f", runner, "cpu", "eager", "wrong_shape", "fault", "", "", "")

    off = Finding("shape_differs", {"quantity": "gradient", "name": "w", "got_shape": (1,), "want_shape": (4,)})
    kept = Finding("overwritten", {"name": "x"})
    results = [one("torch", "vjp", off), one("tf", "vjp", off), one("torch", "inputs_unchanged", off, kept)]
    pair = Pair(torch=Weighted, tf=weighted_tf, inputs={"x": porting.array(), "w": porting.array()}, name="f")
    judged = without_odd_guesses(results, map(misshapen, ["torch", "tf"]), [pair], {"f"})
    assert [r.status for r in judged] == ["no verdict", "no verdict", "differ"]
    assert judged[-1].findings == (kept,)
    for causes, guessed in (([misshapen("torch")], {"f"}), (map(misshapen, ["torch", "tf"]), set())):
        assert without_odd_guesses(results, causes, [pair], guessed) == tuple(results)


class Squeezed(torch.autograd.Function):
    """Its gradient has another shape than an input of shape [1, n, 1]."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * x * dy + 0 * x.sum(0, keepdim=True).squeeze()


def _squeezed_tf(x, factor):
    @tf.custom_gradient
    def inner(x):
        def grad(dy):
            return factor * x * dy + 0 * tf.squeeze(tf.reduce_sum(x, 0, keepdims=True))

        return x * x, grad

    return inner(x)


def squeezed_tf(x):
    return _squeezed_tf(x, 2)


def squeezed_too_much_tf(x):
    return _squeezed_tf(x, 3)


@pytest.mark.parametrize(("side", "found"), [(squeezed_tf, set()), (squeezed_too_much_tf, {("tf", "vjp")})])
def test_rare_shapes_excuse_no_number(side, found):
    asked = {**WIDEST, "only": ["value", "vjp", "shapes"]}
    accusing, report = accused_by(Pair(torch=Squeezed, tf=side, reference="torch"), **asked)
    assert accusing == found, str(report)
