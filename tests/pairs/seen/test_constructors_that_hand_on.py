"""Constructors that take ``*args, **kwargs`` and hand them on: the statics go where they are taken, or are refused.

Seen in code of public repositories.
"""

import pytest
from everyday import described, differing

import porting
from porting import Pair
from porting.errors import PairError

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")


class Base(torch.nn.Module):
    def __init__(self, width=4, gain=1.0, weighted=True):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(width)) if weighted else 1.0
        self.gain = gain

    def forward(self, x):
        return self.gain * torch.tanh(x) * self.w


class LayerBase(keras.layers.Layer):
    def __init__(self, width=4, gain=1.0, weighted=True, **kwargs):
        super().__init__(**kwargs)
        self.w = self.add_weight(shape=(width,), name="w") if weighted else 1.0
        self.gain = gain

    def call(self, x):
        return self.gain * tf.tanh(x) * self.w


def handing_on(base):
    class HandsOn(base):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)

    return HandsOn


def twice(base):
    return handing_on(handing_on(base))


def looking_up(base):
    class LooksUp(base):
        def __init__(self, **kwargs):
            super().__init__(kwargs.pop("width", 4), kwargs.get("gain", 1.0), kwargs.get("weighted", True))

    return LooksUp


def itself(base):
    return base


def beside(base):
    class Beside(base):
        def __init__(self, width, *args, **kwargs):
            super().__init__(width, *args, **kwargs)

    return Beside


WAYS = [itself, handing_on, twice, looking_up, beside]


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("other", [itself, handing_on])
def test_statics_go_through_to_the_constructor_that_takes_them(way, other, weighted):
    statics = {"width": 8, "gain": 3.0, "weighted": weighted}
    inputs = {"x": porting.array(("n", 8))}
    right = Pair(torch=way(Base), tf=other(LayerBase), inputs=inputs, statics=statics, reference="tf")
    report, said = described(right)
    assert report.exit_code == 0, str(report)
    assert ("w[8]" in said) is weighted

    def one_sided(x, w=1.0):
        return tf.tanh(x) * w

    wrong = Pair(torch=way(Base), tf=one_sided, inputs=inputs, statics={**statics, "weighted": False}, reference="tf")
    assert differing(porting.check(wrong, only=["value"], dtypes=["float64"])) == {("torch", "value")}


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("way", [itself, handing_on, twice, looking_up])
def test_statics_that_nobody_takes_are_refused(way, weighted):
    pair = Pair(torch=way(Base), inputs={"x": porting.array(("n", 4))}, statics={"weighted": weighted, "widht": 8})
    with pytest.raises(PairError, match="widht"):
        porting.check(pair, only=["value"])


class OfLinear(torch.nn.Linear):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)


class OfLinearWithNumbers(torch.nn.Linear):
    def __init__(self, **kwargs):
        super().__init__(4, 3, **kwargs)


def test_what_a_base_wants_is_asked_for_unless_it_is_given_there():
    with pytest.raises(PairError, match="wants in_features, out_features"):
        porting.check(Pair(torch=OfLinear, inputs={"x": porting.array(("n", 4))}), only=["value"])
    for side, statics in ((OfLinear, {"in_features": 4, "out_features": 3}), (OfLinearWithNumbers, {"bias": False})):
        pair = Pair(torch=side, inputs={"x": porting.array(("n", 4))}, statics=statics)
        report, said = described(pair, only=["adjoint"])
        assert report.exit_code == 0, str(report)
        assert ("bias[3]" in said) is ("bias" not in statics)
