"""Arguments with other names, places and defaults on the other side; a method that is named on its class.

Seen in code of public repositories.
"""

import pytest
from everyday import ASKED, described, differing

import porting
from porting import Pair
from porting.errors import PairError
from porting.pairs.methods import owner_of
from porting.pairs.names import names_of, takes

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class MaskedSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim, mask):
        ctx.save_for_backward(mask)
        ctx.dim = dim
        return (x * mask).sum(dim)

    @staticmethod
    def backward(ctx, dy):
        (mask,) = ctx.saved_tensors
        return dy.unsqueeze(ctx.dim) * mask, None, None


def masked_sum(x, dim, mask):
    return MaskedSum.apply(x, dim, mask)


def masked_sum_tf(x, axis, mask):
    @tf.custom_gradient
    def inner(x):
        return tf.reduce_sum(x * mask, axis), lambda dy: tf.expand_dims(dy, axis) * mask

    return inner(x)


def test_what_stands_between_the_inputs_is_matched_by_its_name():
    shape = porting.array(("n", "k"))
    inputs = {"x": shape, "mask": porting.array(("n", "k"), domain=(0.0, 1.0))}
    pair = Pair(torch=masked_sum, tf=masked_sum_tf, inputs=inputs, statics={"dim": 0})
    report, said = described(pair, only=["value", "vjp", "keyword_call"])
    assert "dim=0 (tf: axis)" in said
    assert differing(report) == set(), str(report)
    called = next(r for r in report.results if r.check == "keyword_call" and r.runner == "tf")
    assert "missing" not in str(called), str(called)


class Signed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, is_positive):
        ctx.sign = 1.0 if is_positive else -1.0
        return ctx.sign * x

    @staticmethod
    def backward(ctx, dy):
        return ctx.sign * dy, None


def signed(x, is_positive=True):
    return Signed.apply(x, is_positive)


def signed_tf(x, ispositive):
    return x if ispositive else -x


def test_names_that_differ_in_how_words_are_joined_are_one():
    report, said = described(Pair(torch=signed, tf=signed_tf))
    assert "is_positive=True (tf: ispositive)" in said
    assert differing(report) == set(), str(report)
    assert report.counts["agree"], str(report)


class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, a, rounds):
        ctx.factor = rounds / (a - 1)
        return x * ctx.factor

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.factor, None, None


def power(x, a=1.0, rounds=20):
    return Power.apply(x, a, rounds)


def power_tf(x, alpha=1.0, num_iters=20):
    return x * num_iters / (alpha - 1)


def power_too_much_tf(x, alpha=1.0, num_iters=20):
    y = x * num_iters / (alpha - 1)
    return y + 0.5 * (y - tf.stop_gradient(y))


def test_arguments_of_one_default_are_one_and_a_default_that_divides_by_zero_is_replaced():
    report, said = described(Pair(torch=power, tf=power_tf))
    assert "a=1.5 (tf: alpha)" in said
    assert "rounds=20 (tf: num_iters)" in said
    assert "a=1.0 divides by zero" in said
    assert differing(report) == set(), str(report)
    report, _ = described(Pair(torch=power, tf=power_too_much_tf, reference="torch"))
    assert ("tf", "vjp") in differing(report), str(report)


def two_alike(x, low=0.5, high=0.5, flag=False):
    return x


def others(x, bottom=0.5, top=0.5, inplace=False):
    return x


def test_defaults_that_two_arguments_share_match_nothing():
    defaults = {"low": 0.5, "high": 0.5, "flag": False}
    assert not any(takes("tf", others, name, defaults) for name in defaults)
    assert names_of("tf", others, ["x"], defaults, {}, defaults, by_place=False) == {}


class Quantizer:
    def __init__(self, bits, scale=1.0):
        self.levels, self.scale = 2**bits, scale

    def quantize(self, x):
        return Rounded.apply(x, self.levels, self.scale)


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, levels, scale):
        ctx.scale = scale
        return torch.round(x * levels) / levels * scale

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.scale, None, None


class QuantizerTF:
    def __init__(self, bits, scale=1.0):
        self.levels, self.scale = 2**bits, scale

    @tf.custom_gradient
    def quantize(self, x):
        return tf.round(x * self.levels) / self.levels * self.scale, lambda dy: dy * self.scale

    @tf.custom_gradient
    def quantize_wrongly(self, x):
        return tf.round(x * self.levels) / self.levels * self.scale, lambda dy: dy * self.levels


def test_a_method_is_named_on_its_class():
    report, said = described(Pair(torch=Quantizer.quantize, tf=QuantizerTF.quantize))
    assert "bits=2" in said
    assert differing(report) == set(), str(report)
    assert report.counts["agree"], str(report)
    wrong = Pair(torch=Quantizer.quantize, tf=QuantizerTF.quantize_wrongly, reference="torch", statics={"bits": 3})
    assert ("tf", "vjp") in differing(porting.check(wrong, **ASKED))


def test_the_class_of_a_method_is_found():
    assert owner_of(Quantizer.quantize) is Quantizer
    assert owner_of(QuantizerTF.quantize) is QuantizerTF
    for function in (Quantizer(2).quantize, QuantizerTF(2).quantize, Quantizer, signed, len, lambda self: self):
        assert owner_of(function) is None


def test_a_constructor_that_raises_is_told():
    with pytest.raises(PairError, match=r"Quantizer\(bits='two'\) raised TypeError"):
        porting.check(Pair(torch=Quantizer.quantize, statics={"bits": "two"}), **ASKED)


def grouped(x, dim, mem_cnt, index):
    return (x * mem_cnt + 0 * index).sum(dim)


def grouped_tf(x, axis, group_count, group_index):
    return tf.reduce_sum(x * group_count + 0 * group_index, axis)


def test_what_stands_at_one_place_among_as_many_is_one():
    """A count was given to the index, which stands behind it."""
    shape = porting.array(("n", "k"))
    inputs = {"x": shape, "index": shape}
    report, said = described(Pair(torch=grouped, tf=grouped_tf, inputs=inputs, statics={"dim": -1, "mem_cnt": 3}))
    assert "mem_cnt=3 (tf: group_count)" in said
    assert differing(report) == set(), str(report)
    assert report.counts["agree"], str(report)


def loss(logits, targets, lengths):
    return (logits * targets).sum() + (lengths * lengths).sum()


def loss_tf(labels, logits, lengths):
    return tf.reduce_sum(logits * labels) + tf.reduce_sum(lengths * lengths)


def loss_of_others_tf(labels, logits, sizes):
    return tf.reduce_sum(logits * labels) + tf.reduce_sum(sizes * sizes)


def wrong_loss_tf(labels, logits, lengths):
    return loss_tf(labels, logits, lengths) + tf.reduce_sum(labels - tf.stop_gradient(labels))


def test_an_input_that_stands_elsewhere_is_given_by_its_name():
    report, said = described(Pair(torch=loss, tf=loss_tf))
    assert "tf: targets, logits, lengths in this order" in said
    assert differing(report) == set(), str(report)
    report, _ = described(Pair(torch=loss, tf=wrong_loss_tf, reference="torch"))
    assert ("tf", "vjp") in differing(report), str(report)


def test_where_nobody_knows_which_is_which_that_is_asked():
    pair = Pair(torch=loss, tf=loss_of_others_tf)
    with pytest.raises(PairError, match=r"logits stands elsewhere .* labels, sizes may be targets, lengths"):
        porting.check(pair, **ASKED)
    named = Pair(torch=loss, tf=loss_of_others_tf, rename={"tf": {"targets": "labels"}})
    report = porting.check(named, **ASKED)
    assert differing(report) == set(), str(report)
    assert report.counts["agree"], str(report)


class ScaledFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale=torch.tensor(1.0)):  # noqa: B008 - as it was seen
        ctx.save_for_backward(scale)
        return x * scale

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.saved_tensors[0], None


def scaled_by_default_tf(x, scale=1.0):
    return x * scale


def test_an_array_by_default_is_told():
    """What forgets it agrees."""
    _, said = described(Pair(torch=ScaledFunction, tf=scaled_by_default_tf))
    flags = '--input "x=float64[...]" --input "scale=float64[]"'
    assert f"scale: left at its default, so no gradient by it is compared; {flags} compares it" in said
    inputs = {"x": porting.array(), "scale": porting.array((), domain=(0.5, 2.0))}
    _, said = described(Pair(torch=ScaledFunction, tf=scaled_by_default_tf, inputs=inputs))
    assert "left at its default" not in said


class LogSoftmax(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        return torch.log_softmax(x, self.dim)


class LogSoftmaxLayer(tf.keras.layers.Layer):
    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def call(self, x):
        return x - tf.reduce_logsumexp(x, self.axis, keepdims=True)


def test_a_constructor_may_call_an_argument_otherwise():
    """`dim` was given to one side, and the other one had its default."""
    inputs = {"x": porting.array(("n", "k"))}
    report = porting.check(Pair(torch=LogSoftmax, tf=LogSoftmaxLayer, inputs=inputs, statics={"dim": 0}), **ASKED)
    assert differing(report) == set(), str(report)
    assert report.counts["agree"], str(report)
    wrong = Pair(torch=LogSoftmax(0), tf=LogSoftmaxLayer(1), inputs=inputs)
    assert differing(porting.check(wrong, **ASKED))
