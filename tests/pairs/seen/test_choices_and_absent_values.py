"""Arguments that are one of some texts, or that None is refused for: the sources say so.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, described

from porting import Pair
from porting.errors import UnsaidError
from porting.pairs.choices import choices_of
from porting.pairs.constructed import constructed

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Feedback(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, mode):
        if mode in ["direct", "signed"]:
            ctx.save_for_backward(y)
        ctx.mode = mode
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        if ctx.mode == "none":
            return dy, None, None
        (y,) = ctx.saved_tensors
        return y if ctx.mode == "direct" else torch.sign(y), None, None


def feedback(x, y, mode):
    @tf.custom_gradient
    def inner(x):
        def grad(dy):
            if mode == "none":
                return dy
            return y if mode == "direct" else tf.sign(y)

        return tf.identity(x), grad

    return inner(x)


def doubled(x, y, mode):
    @tf.custom_gradient
    def inner(x):
        def grad(dy):
            if mode == "none":
                return dy
            return 2 * y if mode == "direct" else tf.sign(y)

        return tf.identity(x), grad

    return inner(x)


def test_an_argument_that_is_compared_with_texts_is_one_of_them():
    report, said = described(Pair(torch=Feedback, tf=feedback))
    assert report.counts["differ"] == 0, str(report)
    assert report.counts["agree"], str(report)
    assert "mode is one of direct, signed, none in the source, direct is tried" in said
    assert "--static mode=direct" in said


def test_a_fault_beside_a_text_is_found():
    report, _ = described(Pair(torch=Feedback, tf=doubled, reference="torch"))
    assert "vjp" in {r.check for r in report.results if r.status == "differ"}, str(report)


KERNELS = {"third": lambda x: x**3, "fourth": lambda x: x**4}
TWICE = {"third": lambda x: 3 * x**2, "fourth": lambda x: 8 * x**3}
SLOPES = {**TWICE, "fourth": lambda x: 4 * x**3}


class Powers(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kind):
        ctx.save_for_backward(x)
        ctx.kind = kind
        return KERNELS[kind](x)

    @staticmethod
    def backward(ctx, dy):
        return dy * SLOPES[ctx.kind](*ctx.saved_tensors), None


def powers(x, kind, slopes=SLOPES):
    @tf.custom_gradient
    def inner(x):
        return KERNELS[kind](x), lambda dy: dy * slopes[kind](x)

    return inner(x)


def no_third(x, kind):
    return powers(x, {"fourth": "fourth"}[kind], TWICE)


def test_a_key_of_a_dictionary_of_the_module_is_one_of_its_texts():
    assert choices_of(powers, ["x", "kind"]) == {"kind": ["third", "fourth"]}
    report, said = described(Pair(torch=Powers, tf=powers))
    assert report.exit_code == 0, str(report)
    assert "--static kind=third" in said, said
    report, said = described(Pair(torch=Powers, tf=no_third))
    assert report.counts["differ"], str(report)
    assert "--static kind=fourth" in said, said


def refused(x, kind):
    raise ValueError(KERNELS[kind])


def test_such_a_text_is_proposed():
    advice = Pair(torch=refused, tf=refused).advice
    assert "--static kind=third" in advice, advice
    assert 'a number is --static "x=?"' in advice, advice


def raises_for_some(x, mode):
    if mode == "first":
        raise ValueError("no such mode here")
    if mode != "second":
        raise TypeError(mode)
    return x * 1.0


def test_a_text_that_is_refused_is_passed_over():
    report, said = described(Pair(torch=raises_for_some, tf=raises_for_some))
    assert report.exit_code == 0, str(report)
    assert "second is tried" in said


def matched(x, how):
    match how:
        case "a" | "b":
            return x
        case "c":
            return -x


def handed(x, mode):
    return matched(x, how=mode)


def turned_round(x, mode):
    return x if "same" == mode else -x  # noqa: SIM300 - as people write it


def of_numbers(x, mode):
    return x if mode == 1 else -x


def test_texts_are_read_off_comparisons():
    assert choices_of(matched, ["x", "how"]) == {"how": ["a", "b", "c"]}
    assert choices_of(handed, ["x", "mode"]) == {"mode": ["a", "b", "c"]}
    assert choices_of(turned_round, ["x", "mode"]) == {"mode": ["same"]}
    assert choices_of(of_numbers, ["x", "mode"]) == {}
    assert choices_of(Feedback, ["x", "y", "mode"]) == {"mode": ["direct", "signed"]}


class Clipped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, clip_value):
        ctx.save_for_backward(x)
        ctx.clip_value = clip_value
        return x / clip_value

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() <= ctx.clip_value, dy, torch.zeros_like(dy)) / ctx.clip_value, None


def clipped(x, clip_value=None):
    return Clipped.apply(x, clip_value)


def _clipped_in_tf(x, clip_value, times):
    @tf.custom_gradient
    def inner(x):
        def grad(dy):
            return times * tf.where(tf.abs(x) <= clip_value, dy, tf.zeros_like(dy)) / clip_value

        return x / clip_value, grad

    return inner(x)


def clipped_in_tf(x, clip_value=None):
    return _clipped_in_tf(x, clip_value, 1)


def clipped_twice(x, clip_value=None):
    return _clipped_in_tf(x, clip_value, 2)


def test_a_number_stands_where_none_is_refused():
    report, said = described(Pair(torch=clipped, tf=clipped_in_tf))
    assert report.counts["differ"] == 0, str(report)
    assert report.counts["agree"], str(report)
    assert "clip_value=2" in said
    assert "clip_value=None is refused; the same is" in said


def test_a_fault_beside_such_a_number_is_found():
    report, _ = described(Pair(torch=clipped, tf=clipped_twice, reference="torch"))
    assert causes(report, "tf")[:1] == ["constant_factor"], str(report)


def named(x, bits=None, low=None):
    if bits is None:
        raise ValueError("bits must be given")
    return x * bits


def test_the_argument_that_an_error_names_is_tried_alone():
    report, said = described(Pair(torch=named, tf=named))
    assert report.exit_code == 0, str(report)
    assert "bits=2, low=None" in said


def optional(x, bias=None):
    return x * 2 if bias is None else x * 2 + bias


def test_none_stays_where_it_is_taken():
    report, said = described(Pair(torch=optional, tf=optional))
    assert report.exit_code == 0, str(report)
    assert "bias=None" in said
    assert "guessed" not in said


def needs_its_scale(x, scale=None):
    if scale is not None:
        factor = scale
    return x * factor


def test_none_is_replaced_where_nothing_else_is_taken():
    """The error names another variable."""
    report, said = described(Pair(torch=needs_its_scale, tf=needs_its_scale))
    assert report.exit_code == 0, str(report)
    assert "scale=None is refused" in said


class Divided(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(scale)
        return torch.round(x / scale).clamp(-8, 7) * scale

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.saved_tensors[0].sign(), None


def divided(x, specified_scale=None):
    return Divided.apply(x, specified_scale.reshape(()))


def divided_in_tf(x, specified_scale=None):
    @tf.custom_gradient
    def inner(x):
        step = tf.reshape(specified_scale, ())
        return tf.clip_by_value(tf.round(x / step), -8, 7) * step, lambda dy: dy * tf.sign(step)

    return inner(x)


def test_an_array_stands_where_neither_none_nor_a_number_is_taken():
    report, said = described(Pair(torch=divided, tf=divided_in_tf))
    assert report.counts["agree"], str(report)
    assert report.counts["differ"] == 0, str(report)
    assert "specified_scale=None is refused" in said
    assert "specified_scale=float64[]" in said


class Sided(torch.nn.Module):
    def __init__(self, rule, width=1):
        super().__init__()
        self.rule = rule
        if rule == "both":
            self.sign = 1.0
        elif rule == "negative":
            self.sign = -1.0
        else:
            raise ValueError(rule)

    def forward(self, x):
        return self.sign * torch.tanh(x)


class SidedLayer(tf.keras.layers.Layer):
    def __init__(self, rule, **kwargs):
        super().__init__(**kwargs)
        if rule != "negative":
            raise NotImplementedError(rule)

    def call(self, x):
        return -tf.tanh(x)


def test_what_a_constructor_compares_with_texts_is_the_first_that_all_sides_take():
    report, said = described(Pair(torch=Sided, tf=SidedLayer))
    assert report.counts["differ"] == 0, str(report)
    assert report.counts["agree"], str(report)
    assert "rule is one of both, negative in the source, negative is tried" in said
    assert "--static rule=negative" in said


def announced_torch(name: str, summary=torch.mean):
    def inner(x):
        return x * len(name)

    return inner


def announced_tf(name: str, summary=tf.reduce_mean):
    def inner(x):
        return x * float(len(name))

    return inner


def test_a_text_by_its_annotation_is_given_its_own_name():
    report, said = described(Pair(torch=announced_torch, tf=announced_tf))
    assert report.counts["differ"] == 0, str(report)
    assert report.counts["agree"], str(report)
    assert "name is a text by its annotation" in said
    assert "--static name=name" in said


def test_a_signature_is_told_without_addresses():
    with pytest.raises(UnsaidError) as told:
        constructed("tf", announced_tf, {})
    assert "announced_tf(name: str, summary=reduce_mean" in str(told.value)
    assert "0x" not in str(told.value)
