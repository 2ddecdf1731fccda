"""Arguments that a source makes numbers of Python, that one side has by default, or that are functions.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, described

from porting import Pair
from porting.pairs.said_by_calls import called_in, objects_in
from porting.pairs.said_by_casts import cast_in

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Kept(torch.autograd.Function):
    """The gradient of the first so many columns, where there are as many."""

    @staticmethod
    def forward(ctx, x, keep):
        ctx.keep = int(keep)
        return x * 2

    @staticmethod
    def backward(ctx, dy):
        if dy.ndim < 2 or dy.shape[-1] < ctx.keep:
            return dy * 2, None
        return torch.cat([dy[..., : ctx.keep] * 2, dy[..., ctx.keep :] * 0], -1), None


def kept(x, keep, factor=2.0):
    keep = int(keep)

    @tf.custom_gradient
    def inner(x):
        def grad(dy):
            if len(dy.shape) < 2 or dy.shape[-1] < keep:
                return dy * 2
            return tf.concat([dy[..., :keep] * factor, dy[..., keep:] * 0], -1)

        return x * 2, grad

    return inner(x)


def kept_doubled(x, keep=3):
    return kept(x, keep, 4.0)


def test_what_is_cast_is_a_number():
    report, said = described(Pair(torch=Kept, tf=kept))
    assert report.exit_code == 0, str(report)
    assert "keep=2" in said, said


def test_what_one_side_has_by_default_is_that():
    report, said = described(Pair(torch=Kept, tf=kept_doubled))
    assert "keep=3" in said, said
    assert report.counts["differ"], str(report)  # as an array it was never reached


def test_casts_are_read_where_the_argument_is_bound_again_and_in_helpers():
    assert cast_in(kept, ["x", "keep"]) == {"keep": int}
    assert cast_in(kept_doubled, ["x", "keep"]) == {"keep": int}
    assert cast_in(Kept, ["x", "keep"]) == {"keep": int}


def moved(x, n):
    n = n + 1
    return x * int(n)


def test_another_value_of_that_name_says_nothing():
    assert cast_in(moved, ["x", "n"]) == {}


# None is no input's default where the other side has to be given one.


class Weighted(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w=None):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy * w, dy * x


@tf.custom_gradient
def weighted(x, w):
    return x * w, lambda dy: (dy * w, dy * x)


@tf.custom_gradient
def weighted_wrongly(x, w):
    return x * w, lambda dy: (dy * w, dy)


def test_what_one_side_requires_is_an_input():
    report, said = described(Pair(torch=Weighted, tf=weighted))
    assert report.exit_code == 0, str(report)
    assert "w[" in said, said
    report, _ = described(Pair(torch=Weighted, tf=weighted_wrongly))
    assert causes(report, "tf"), str(report)


def solved(x, func):
    return func(x) * len(list(func.parameters()))


def solved_tf(x, func):
    return func(x) * len(func.trainable_variables)


def test_a_function_is_no_array():
    assert called_in(solved, ["x", "func"]) == {"func"}
    advice = Pair(torch=solved, tf=solved_tf).advice
    assert advice.startswith("func is a function, or a module, in the source")
    assert "check a function around each side" in advice
    report, _ = described(Pair(torch=solved, tf=solved_tf), only=["value"])
    assert "func is a function, or a module" in report.undecided["solved"], "it stands in the last line"


class Faked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, levels):
        return levels.dequantised(levels.quantised(x))

    @staticmethod
    def backward(ctx, dy):
        return dy, None


def faked(x, levels):
    return levels.dequantised(levels.quantised(x))


def test_an_object_with_methods_of_its_own_is_no_array():
    assert Pair(torch=Faked, tf=faked).advice.startswith("levels is an object in the source, which no --input is")
    assert objects_in([lambda x: x.numpy(), faked], ["x", "levels"]) == set()


# Bounds that one side has no gradient for, and the other one zeros.


class Held(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, clip_min, clip_max):
        ctx.ends = clip_min, clip_max
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return dy.clamp(*ctx.ends), None, None


@tf.custom_gradient
def held(x, clip_min, clip_max):
    def grad(dy):
        return [tf.clip_by_value(dy, clip_min, clip_max), tf.constant(0.0), tf.constant(0.0)]

    return tf.identity(x), grad


@tf.custom_gradient
def held_below(x, clip_min, clip_max):
    return tf.identity(x), lambda dy: [tf.maximum(dy, clip_min), tf.constant(0.0), tf.constant(0.0)]


def test_bounds_without_a_gradient_are_numbers():
    asked = {"only": ["value", "vjp", "raw_gradient", "cotangent_sizes"]}
    report, said = described(Pair(torch=Held, tf=held), **asked)
    assert report.exit_code == 0, str(report)
    assert "clip_min=-1.0, clip_max=1.0" in said, said
    report, _ = described(Pair(torch=Held, tf=held_below), **asked)
    assert report.counts["differ"], str(report)
