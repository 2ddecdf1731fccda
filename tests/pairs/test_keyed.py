"""Arguments that are dictionaries by the source, where a side refuses what they are else."""

import pytest

import porting
from porting import Pair
from porting.pairs.said_by_keys import keyed_in
from tests.judged import accused

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

DEFAULTS = {"bits": 3, "signed": True, "mode": "even", "unused": 7}


def _levels(settings):
    own = settings.copy()
    return 2 ** own["bits"] if own["signed"] else 1


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, settings=None):
        ctx.levels = _levels(settings)
        return torch.round(x * ctx.levels) / ctx.levels if settings["mode"] == "even" else x.clone()

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.levels, None


def _rounded_tf(x, settings, sign):
    levels = _levels(settings)

    @tf.custom_gradient
    def rounded(x):
        return tf.round(x * levels) / levels if settings["mode"] == "even" else x, lambda dy: sign * dy * levels

    return rounded(tf.convert_to_tensor(x))


def rounded_tf(x, settings=None):
    return _rounded_tf(x, settings, 1)


def wrong_tf(x, settings=None):
    return _rounded_tf(x, settings, -1)


def wanted_tf(x, settings):
    return _rounded_tf(x, settings, 1)


def wanted(x, settings):
    return Rounded.apply(x, settings)


def weighted(x, weights=None):
    return x * weights["left"] + torch.exp(weights["right"])


def weighted_tf(x, weights=None):
    return x * weights["left"] + tf.exp(weights["right"])


def scaled(x, settings=None):
    return x * (2.0 if settings is None else settings["factor"])


@pytest.mark.parametrize(("one", "other"), [(Rounded, rounded_tf), (wanted, wanted_tf)])
def test_its_values_are_read_off_the_source_and_said(one, other):
    sides, report = accused(Pair(torch=one, tf=other), only=["value", "vjp"])
    assert not sides, str(report)
    assert sum(r.compared for r in report.results), str(report)
    said = "--static \"settings={'bits': 3, 'signed': True, 'mode': 'even'}\""
    assert said in report.described[0], report.described


def test_a_fault_is_found_with_them():
    report = porting.check(Pair(torch=Rounded, tf=wrong_tf), only=["value", "vjp"])
    assert "wrong_sign" in {d.cause for d in report.diagnoses}, str(report)


def counting(x, settings=None):
    settings["bits"] = settings["bits"] + 1
    return x * settings["bits"]


def test_what_a_side_writes_while_it_is_tried_is_not_the_value():
    found = Pair(torch=counting, tf=counting).guess()
    assert found.pair.statics == {"settings": {"bits": 3}}
    assert "'bits': 3" in found.flags


def test_what_may_be_arrays_is_an_example_alone():
    pair = Pair(torch=weighted, tf=weighted_tf)
    assert not keyed_in([weighted], ["weights"])["weights"].is_read
    assert pair.guess() is None
    assert "weights is a dictionary in the source: --static \"weights={'left': ?, 'right': ?}\"" in pair.advice
    assert '--input "weights.left=float64[?]" --input "weights.right=float64[?]" where it holds tensors' in pair.advice


def test_where_none_is_taken_it_stays():
    pair = Pair(torch=scaled, tf=lambda x, settings=None: x * 2.0)
    assert pair.guess() is None
    assert not pair.advice


def test_what_is_compared_or_asked_for_otherwise_is_a_value():
    def asked(x, how):
        mode, flag = how["mode"], how.get("flag", True)
        return x if mode == "plain" and not how["last"] and flag else -x

    assert keyed_in([asked], ["how"])["how"].given == {"mode": "plain", "flag": True, "last": False}


def _for_backward(settings):
    return {**settings, "bits": 0}


def quantised(x, settings):
    backwards = _for_backward(settings)
    return x * settings["bits"] if backwards["reciprocal"] else x


def test_what_a_function_makes_of_a_dictionary_is_asked_for_its_keys_too():
    assert {*keyed_in([quantised], ["settings"])["settings"].given} == {"bits", "reciprocal"}


class Windowed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, param):
        ctx.save_for_backward(x)
        ctx.param = param
        return (x >= 0).float()

    @staticmethod
    def backward(ctx, dy):
        return dy * (ctx.saved_tensors[0].abs() < ctx.param["width"] * ctx.param["height"]), None


def windowed_tf(x, param):
    width = param["width"] * param["height"]

    @tf.custom_gradient
    def windowed(x):
        return tf.cast(x >= 0, tf.float32), lambda dy: tf.cast(dy, x.dtype) * tf.cast(tf.abs(x) < width, x.dtype)

    return windowed(x)


def test_who_refuses_in_a_forward_what_another_side_refuses_in_its_backward_is_not_accused():
    report = porting.check(Pair(torch=Windowed, tf=windowed_tf), only=["value", "vjp"])
    assert not report.counts["differ"], str(report)
    assert any("param is a dictionary in the source" in r.note for r in report.results)
