"""Own pairs: what is inferred, who has the truth, who is blamed."""

import pickle

import numpy as np
import pytest
from soft_sign_pair import FAST, SoftSign, soft_sign, soft_sign_wrong, statuses

import porting
from porting.contract import Contract
from porting.errors import PairError, PortingError
from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.pairs.parse import parse_input, parse_static

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class SetupContext(torch.autograd.Function):
    @staticmethod
    def forward(x, scale):
        return scale * x / (1 + x.abs())

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.scale = inputs
        ctx.save_for_backward(x)

    backward = staticmethod(SoftSign.backward)


@pytest.mark.parametrize("side", [SoftSign, SetupContext], ids=["ctx in forward", "setup_context"])
def test_a_right_pair_agrees(side):
    report = porting.check(Pair(torch=side, tf=soft_sign, statics={"scale": 3.0}))
    assert report.exit_code == 0, str(report)
    assert {r.runner for r in report.results} == {"torch", "tf"}
    assert {r.dtype for r in report.results} == {"float32", "float64"}
    assert report.described[0].startswith(f"{side.__name__}(x[...], scale=3.0)   (read off the signature")


def test_a_side_alone_is_compared_with_its_own_forward():
    right = porting.check(Pair(tf=soft_sign))
    assert right.counts["differ"] == 0, str(right)
    wrong = porting.check(Pair(tf=soft_sign_wrong))
    assert "adjoint" in {r.check for r in wrong.results if r.status == "differ"}
    assert all(r.runner == "tf" for r in wrong.results)


def test_a_surrogate_is_compared_with_the_function_that_is_named():
    @tf.custom_gradient
    def step(x):
        return tf.cast(x > 0, x.dtype), lambda dy: dy / (1 + tf.abs(x)) ** 2

    def softsign(x):
        return x / (1 + np.abs(x))

    assert porting.check(Pair(tf=step), **FAST).counts["differ"] == 1, "without a contract it is a wrong gradient"
    assert porting.check(Pair(tf=step, surrogate_of=softsign), **FAST).counts["differ"] == 0
    assert porting.check(Pair(tf=step, surrogate_of=np.tanh), **FAST).counts["differ"] == 1


def test_with_an_oracle_both_sides_are_compared_with_it():
    @porting.op
    def soft(x, *, scale=2.0):
        return scale * x / (1 + np.abs(x))

    @soft.defvjp
    def soft_vjp(dy, y, x, *, scale=2.0):
        return scale * dy / (1 + np.abs(x)) ** 2

    report = porting.check(Pair(torch=SoftSign, tf=soft_sign_wrong, oracle=soft), **FAST)
    assert statuses(report, "torch")["vjp"] == "agree"
    assert statuses(report, "tf")["vjp"] == "differ"
    with pytest.raises(PairError, match="contract of its own"):
        Pair(torch=SoftSign, oracle=soft, contract=Contract(order=1)).on("torch")


def test_shapes_and_integers_are_given():
    def pick(x, i):
        return x[i]

    inputs = {"x": array((4, "n")), "i": array((3,), dtype="int64", domain=range(4))}
    report = porting.check(Pair(torch=pick, tf=tf.gather, inputs=inputs))
    assert report.exit_code == 0, str(report)
    assert {r.status for r in report.results if r.check == "duplicates"} == {"agree"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "a pair wants a side"),
        ({"torch": 3}, "neither a function nor"),
        ({"torch": "no_colon"}, "neither a function nor"),
        ({"torch": torch.sin, "reference": "tf"}, "is not a side of this pair"),
        ({"torch": torch.sin, "inputs": {"x": (3, 4)}}, "porting.array"),
    ],
)
def test_pairs_that_cannot_be_meant(arguments, words):
    with pytest.raises(PairError, match=words):
        Pair(**arguments)


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        (Pair(torch=torch.sin), "has no signature to read"),
        (Pair(tf=lambda *xs: xs[0]), "does not say what the inputs are"),
        (Pair(torch=lambda x: x, statics={"scale": 1}), "cannot be called"),
        (Pair(torch=dict), "no torch.autograd.Function|no signature"),
    ],
)
def test_functions_that_do_not_fit(pair, words):
    with pytest.raises(PairError, match=words):
        pair.on("torch" if pair.torch is not None else "tf")


def test_a_builtin_is_checked_when_the_input_is_given():
    report = porting.check(Pair(torch=torch.sin, tf=tf.sin, inputs={"x": array((3, 4))}))
    assert report.exit_code == 0, str(report)


def test_a_pair_by_name_travels_and_names_itself_on_a_command_line():
    pair = Pair(torch="a.b:f", tf="c.py:g", inputs={"x": array((3, "n"), domain=(-1, 1))}, statics={"axis": -1})
    assert pair.by_name
    again = pickle.loads(pickle.dumps(pair))  # noqa: S301 - our own
    assert (again.torch, again.inputs["x"], again.statics) == (pair.torch, pair.inputs["x"], pair.statics)
    assert pair.command == "--torch a.b:f --tf c.py:g --input 'x=float64[3,n]{-1..1}' --static axis=-1"
    assert not Pair(torch=torch.sin).by_name


TEXTS = ["x=float64[3,4]", "x=float64[...,n]{-3.0..3.0}", "i=int64[3]{0..4}", "x=float32[]", "z=complex128[2]"]


@pytest.mark.parametrize("text", TEXTS)
def test_inputs_read_back_as_they_are_written(text):
    name, given = parse_input(text)
    assert f"{name}={given}" == text


def test_an_integer_range_includes_both_ends():
    assert parse_input("i=int64[3]{0..4}")[1].domain == range(5)
    assert parse_input("x=float64")[1].shape == (...,)


def test_statics_are_literals_or_text():
    assert parse_static("axis=-1") == ("axis", -1)
    assert parse_static("mode=same") == ("mode", "same")
    assert parse_static("k=(1, 2)") == ("k", (1, 2))
    with pytest.raises(PortingError, match="NAME=VALUE"):
        parse_static("axis")
