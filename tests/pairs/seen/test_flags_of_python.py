"""Arguments that are Python's True, False or numbers: their source says so, and as arrays they are something else.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, described

from porting import Pair
from porting.pairs.said_by_source import flags_of

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, graded):
        return v * v if graded is True else v.clone()

    @staticmethod
    def backward(ctx, dy):
        return dy, None


def spike(v, graded):
    @tf.custom_gradient
    def inner(v):
        return v * v if graded else tf.identity(v), lambda dy: dy

    return inner(v)


def twice(v, graded):
    @tf.custom_gradient
    def inner(v):
        return v * v if graded else tf.identity(v), lambda dy: 2 * dy

    return inner(v)


def test_a_flag_is_no_array():
    report, said = described(Pair(torch=Spike, tf=spike))
    assert report.exit_code == 0, str(report)
    assert "graded=False" in said
    assert "graded is a flag in the source, True is not tried" in said
    assert said.endswith('the same is --input "v=float64[...]" --static graded=False)')


def test_a_fault_beside_a_flag_is_found():
    report, _ = described(Pair(torch=Spike, tf=twice, reference="torch"))
    assert causes(report, "tf")[:1] == ["constant_factor"], str(report)


def raises_for_false(v, keep):
    if not keep:
        raise ValueError("it has to be kept")
    return v * 1.0


def test_true_is_tried_where_false_is_refused():
    report, said = described(Pair(torch=raises_for_false, tf=raises_for_false))
    assert report.exit_code == 0, str(report)
    assert "keep is a flag in the source, False is refused; the same is" in said
    assert "--static keep=True" in said


def annotated(x, causal: bool):
    return x


def documented(x, causal):
    """Mask what comes later.

    Parameters
    ----------
    causal : bool
        Whether it does.
    """
    return x


def handed_on(x, causal):
    return inner_(x, causal)


def inner_(x, flag):
    return x if flag else -x


def of_number(x, causal):
    return x / causal if causal else x


def compared(x, causal):
    return x if causal > 0 else -x


def may_be_none(x, causal):
    return x if causal is None else x * causal


def of_an_array(x, causal):
    return x[causal]


def handed_to_others(x, causal):
    return tf.maximum(x, causal) if causal else x


def handed_on_as_a_number(x, causal):
    return of_number(x, causal) if causal else x


def test_what_a_source_says():
    names = ("x", "causal")
    assert all(flags_of(f, names) == {"causal"} for f in (annotated, documented, handed_on))
    assert not flags_of(handed_on_as_a_number, names)
    assert not any(flags_of(f, names) for f in (of_number, compared, may_be_none, of_an_array, handed_to_others, abs))


# A number that is annotated as one is no array.


class HeaviTanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x, k)
        return torch.where(x <= 0, 0.0, 1.0).to(x)

    @staticmethod
    def backward(ctx, dy):
        x, k = ctx.saved_tensors
        return dy * (1 - (x * k).tanh().pow(2)), None


class HeaviTanhMended(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x)
        ctx.k = k
        return torch.where(x <= 0, 0.0, 1.0).to(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (1 - (x * ctx.k).tanh().pow(2)), None


def faulty(x: torch.Tensor, k: float):
    return HeaviTanh.apply(x, k)


def mended(x: torch.Tensor, k: float):
    return HeaviTanhMended.apply(x, k)


def heavi_tanh(x, k: float):
    @tf.custom_gradient
    def fn(x):
        return tf.where(x <= 0, tf.zeros_like(x), tf.ones_like(x)), lambda dy: dy * (1 - tf.tanh(x * k) ** 2)

    return fn(x)


def test_a_number_that_is_annotated_as_one_is_no_array():
    report, said = described(Pair(torch=mended, tf=heavi_tanh))
    assert report.exit_code == 0, str(report)
    assert "k=2.0" in said
    assert "k is a number of Python by annotation" in said


def test_what_raises_for_a_number_is_found():
    report, _ = described(Pair(torch=faulty, tf=heavi_tanh))
    assert report.exit_code == 1, str(report)
    assert causes(report, "torch")[:1] == ["raises_in_forward"], str(report)


def scaled(x, k: "float | torch.Tensor"):
    return x * k


def scaled_tf(x, k: float):
    return x * k


def test_what_one_side_calls_an_array_is_one():
    report, said = described(Pair(torch=scaled, tf=scaled_tf))
    assert report.exit_code == 0, str(report)
    assert "by annotation" not in said


class AtMost(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, most: "Optional[int]"):  # noqa: F821 - as it is read, and not looked up
        return torch.clamp(x.floor(), max=most)

    @staticmethod
    def backward(ctx, dy):
        return dy, None


def at_most(x, most):
    @tf.custom_gradient
    def op(x):
        return tf.minimum(tf.floor(x), tf.cast(most, x.dtype)), lambda dy: dy

    return op(x)


def test_a_number_that_may_be_none_is_one():
    report, said = described(Pair(torch=AtMost, tf=at_most))
    assert report.exit_code == 0, str(report)
    assert "most is a number of Python by annotation" in said
