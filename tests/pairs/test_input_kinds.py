"""Inputs of a kind: right pairs that are defined there alone are not accused, wrong ones are."""

import numpy as np
import pytest
from judged import accused_by

import porting
from porting import Pair
from porting.errors import PairError, PortingError
from porting.pairs.listed import listed_pairs
from porting.pairs.parse import parse_input

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

ASKED = {"dtypes": ["float64"]}


def inputs(*texts):
    return dict(map(parse_input, texts))


class SoftCrossEntropy(torch.autograd.Function):
    """Its gradient by the logits is softmax - p only where p sums to 1."""

    factor = 1.0

    @classmethod
    def forward(cls, ctx, logits, p):
        ctx.save_for_backward(logits, p)
        return -(p * torch.log_softmax(logits, -1)).sum(-1)

    @classmethod
    def backward(cls, ctx, dy):
        logits, p = ctx.saved_tensors
        return cls.factor * dy[..., None] * (torch.softmax(logits, -1) - p), None


class Halved(SoftCrossEntropy):
    factor = 0.5


def soft_cross_entropy(logits, p):
    return -tf.reduce_sum(p * tf.nn.log_softmax(logits, -1), -1)


@pytest.mark.parametrize("kind", ["simplex", "onehot"])
@pytest.mark.parametrize("side", [SoftCrossEntropy, Halved])
def test_a_loss_of_distributions(side, kind):
    described = inputs("logits=float64[n,k]", f"p={kind}[n,k]")
    promise = porting.Contract(wrt=("logits",))
    pair = Pair(torch=side, tf=soft_cross_entropy, inputs=described, contract=promise, reference="tf")
    found, report = accused_by(pair, only=["value", "vjp", "adjoint", "linear"], **ASKED)
    assert bool(found) == (side is Halved), str(report)
    if found:
        assert next(iter(report.diagnoses)).cause == "constant_factor"


def test_one_hot_labels_are_not_differentiated():
    pair = Pair(torch=SoftCrossEntropy, tf=soft_cross_entropy, inputs=inputs("logits=float64[n,k]", "p=onehot[n,k]"))
    assert pair.on("torch").wrt == ("logits",)


class LogDet(torch.autograd.Function):
    """The inverse, symmetric; TensorFlow's below has everything below the diagonal."""

    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return torch.linalg.cholesky(a).diagonal(0, -2, -1).log().sum(-1) * 2

    @staticmethod
    def backward(ctx, dy):
        (a,) = ctx.saved_tensors
        return dy[..., None, None] * torch.linalg.inv(a)


@tf.custom_gradient
def logdet_below(a):
    def vjp(dy):
        full = dy[..., None, None] * tf.linalg.inv(a)
        return tf.linalg.band_part(2 * full, -1, 0) - tf.linalg.diag(tf.linalg.diag_part(full))

    return 2 * tf.reduce_sum(tf.math.log(tf.linalg.diag_part(tf.linalg.cholesky(a))), -1), vjp


@tf.custom_gradient
def logdet_twice(a):
    return logdet_below(a), lambda dy: 2 * dy[..., None, None] * tf.linalg.inv(a)


@pytest.mark.parametrize(("side", "right"), [(logdet_below, True), (logdet_twice, False)])
def test_a_positive_definite_matrix_has_a_symmetric_gradient(side, right):
    pair = Pair(torch=LogDet, tf=side, inputs=inputs("a=spd[...,k,k]"), reference="torch")
    found, report = accused_by(pair, only=["value", "vjp", "adjoint", "layouts", "subsets"], **ASKED)
    assert bool(found) != right, str(report)


def hinge_torch(x, y):
    return torch.relu(1 - x * y)


@tf.custom_gradient
def hinge_tf(x, y):
    def vjp(dy):
        return tf.where(x * y < 1, -y * dy, tf.zeros_like(x)), None

    return tf.nn.relu(1 - x * y), vjp


def test_labels_of_two_numbers():
    pair = Pair(torch=hinge_torch, tf=hinge_tf, inputs=inputs("x=float64[n]", "y=float64[n]{-1,1}"))
    report = porting.check(pair, only=["value", "vjp", "linear"], **ASKED)
    assert report.exit_code == 0, str(report)
    assert pair.on("tf").wrt == ("x",)


def test_a_function_of_ones_own_beside_a_list_of_pairs(tmp_path):
    (tmp_path / "sides_of_kinds.py").write_text("import torch\n\ndef f(x, w):\n    return torch.log(x) * w\n")
    (tmp_path / "own_kind.py").write_text("import numpy as np\n\ndef make(x):\n    return np.abs(x) + 3\n")
    text = '[pair.f]\ntorch = "sides_of_kinds.py:f"\ninput = ["x=@own_kind.py:make[n]", "w=sparse 0.5[n]"]\n'
    (tmp_path / "pairs.toml").write_text(text)
    (pair,) = listed_pairs(tmp_path / "pairs.toml")
    assert "own_kind.py:make}" in pair.command
    case = porting.parity.cases.Cases(pair.on("torch"), "float64").case()
    assert case.inputs["x"].min() > 3
    assert np.count_nonzero(case.inputs["w"]) == 2
    assert porting.check(pair, only=["vjp", "adjoint"], isolate=False, **ASKED).exit_code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p=simplex", "cannot have the shape"), ("a=spd[n,k]", "cannot have the shape [n,k]; as in spd[...,k,k]"),
        ("x=float64[n]{foo}", "no kind of input is 'foo'; there are simplex"),
        ("x=simplex[n,k]{0..1}", "leave {...} out"), ("m=int64[n]{0,2}", "which integers?"),
        ("z=complex64[n,k]{unit}", "cannot be that too"), ("x=@nowhere.py:f", "there is no such file"),
        ("x=float65[n]", "and the kinds simplex"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_told(text, said):
    with pytest.raises(PairError) as caught:
        parse_input(text)
    assert f"--input {text}: " in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["p=float64[n,k]{simplex}", "m=float64[n]{0,1}", "w=float64[n,m]{sparse 0.1}", "x=float64[...]{0.01..inf}",
     "m=int64[n]{0..1}"],
)  # fmt: skip
def test_a_kind_is_written_as_it_is_read(text):
    name, described = parse_input(text)
    assert f"{name}={described}" == text


@pytest.mark.parametrize(
    ("short", "long"),
    [("p = simplex[n, k]", "p=float64[n,k]{simplex}"), ("m=int64[n]{0,1}", "m=int64[n]{0..1}"),
     ("x=positive", "x=float64{0.01..inf}"), ("w=sparse 0.1[n]", "w=float64[n]{ sparse 0.1 }")],
)  # fmt: skip
def test_two_ways_to_say_the_same(short, long):
    assert parse_input(short) == parse_input(long)


def test_a_range_of_one_whole_number_is_one() -> None:
    """``again:`` prints ``{0..0}`` for labels of one class: it can be pasted."""
    name, given = parse_input("labels=int64[3]{0..0}")
    assert (name, str(given)) == ("labels", "int64[3]{0..0}")
    assert given.domain == range(1)


def masked(x, mask):
    assert mask.dtype == torch.bool
    assert mask.any()
    assert not mask.all()
    return torch.where(mask, x, torch.zeros_like(x))


def test_booleans_are_of_both_kinds_and_not_differentiated():
    for text in ("mask=bool[n,k]", "mask=bool[1,k]"):  # what somebody makes stays, see `seen/test_made_and_declared`
        pair = Pair(torch=masked, inputs=inputs("x=float64[n,k]", text))
        assert pair.on("torch").wrt == ("x",)
        report = porting.check(pair, only=["value", "vjp", "adjoint", "shapes"], dtypes=["float64"])
        assert report.exit_code == 0, str(report)
    assert str(parse_input("mask=bool[n,k]")[1]) == "bool[n,k]"


def test_booleans_that_are_called_numbers_are_refused(tmp_path):
    made = tmp_path / "made.py"
    made.write_text("def negative(x):\n    return x < 0\n")
    pair = Pair(torch=masked, inputs=inputs("x=float64[n,k]", f"mask=float64[n,k]{{@{made}:negative}}"))
    with pytest.raises(PortingError, match="--input mask=bool"):
        porting.check(pair, only=["value"], dtypes=["float64"])


def summed_by_rising(x, ids):
    assert ids.dtype == torch.int64
    assert (ids.diff() >= 0).all()
    return torch.zeros_like(x).index_add(0, ids, x)


def test_integers_may_be_made_by_a_function(tmp_path):
    made = tmp_path / "ids.py"
    made.write_text("import numpy as np\n\ndef rising(x):\n    return np.sort(np.abs(x).astype(int) % x.size)\n")
    text = f"ids=int64[n]{{@{made}:rising}}"
    pair = Pair(torch=summed_by_rising, inputs=inputs("x=float64[n]", text))
    assert pair.on("torch").wrt == ("x",)
    report = porting.check(pair, only=["value", "vjp", "adjoint", "shapes"], dtypes=["float64"])
    assert report.exit_code == 0, str(report)
    assert str(parse_input(text)[1]) == text.removeprefix("ids=")


def test_nothing_more_can_be_said_of_booleans():
    with pytest.raises(PairError, match="bool says already"):
        parse_input("mask=bool[n]{0..1}")


def test_a_single_number_that_a_function_makes_is_no_matrix(tmp_path):
    made = tmp_path / "one_number.py"
    made.write_text("def one(x):\n    return 0 * x + 0.75\n", encoding="utf-8")
    described = inputs("x=float64[n,k]", f"p=float64[]{{@{made}:one}}")
    assert not described["p"].is_symmetric
    pair = Pair(torch=lambda x, p: x * p, tf=lambda x, p: x * p, inputs=described)
    report = porting.check(pair, only=["value", "vjp"], dtypes=["float64"])
    assert {r.status for r in report.results} == {"agree"}, str(report)
