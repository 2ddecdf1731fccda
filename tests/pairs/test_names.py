"""Python arguments that the sides call differently are one argument, and the report says so."""

import pytest

import porting
from porting import Pair
from porting.errors import PairError

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

ASKED = {"only": ["value", "vjp"], "dtypes": ["float64"]}
ROWS = {"x": porting.array(("n", "m"))}


def torch_norm(x, dim=-1, keepdim=True, eps=1e-5):
    return x * torch.rsqrt((x * x).mean(dim, keepdim=keepdim) + eps)


def tf_norm(logits, axis=-1, keepdims=True, epsilon=1e-5):
    return logits * tf.math.rsqrt(tf.reduce_mean(logits * logits, axis, keepdims=keepdims) + epsilon)


@pytest.mark.parametrize("statics", [{}, {"dim": 0}, {"axis": 0, "eps": 1e-2}, {"epsilon": 0.1, "keepdim": True}])
def test_known_names_are_one_argument(statics):
    pair = Pair(torch=torch_norm, tf=tf_norm, inputs=ROWS, statics=statics)
    report = porting.check(pair, **ASKED)
    assert report.exit_code == 0, str(report)
    (described,) = report.described
    assert "tf: axis" in described or "torch: dim" in described


class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, exponent):
        ctx.save_for_backward(x)
        ctx.exponent = exponent
        return x**exponent

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * ctx.exponent * x ** (ctx.exponent - 1), None


def tf_power(x, n):
    return x**n


def tf_power_of_two_names(x, n=2, m=0):
    return x ** (n + m)


def test_one_argument_that_is_left_is_the_one_that_is_given():
    pair = Pair(torch=Power, tf=tf_power, statics={"exponent": 3})
    assert porting.check(pair, **ASKED).exit_code == 0
    assert "exponent=3 (tf: n)" in pair.described()


def test_another_default_is_told():
    pair = Pair(torch=lambda x, eps=1e-5: x + eps, tf=lambda x, epsilon=1e-3: x + epsilon)
    assert porting.check(pair, **ASKED).exit_code == 1
    assert "eps=1e-05 (tf: epsilon=0.001)" in pair.described()


def test_a_name_that_means_nothing_is_renamed():
    pair = {"torch": Power, "tf": tf_power_of_two_names, "statics": {"exponent": 3}}
    with pytest.raises(PairError, match="exponent"):
        porting.check(Pair(**pair), **ASKED)
    renamed = Pair(**pair, rename={"tf": {"exponent": "n"}})
    assert porting.check(renamed, **ASKED).exit_code == 0


@pytest.mark.parametrize(
    ("rename", "said"),
    [({"tf": {"exponent": "k"}}, "takes x, n, m"), ({"jax": {"a": "b"}}, "jax is no side of this pair")],
)
def test_a_rename_that_leads_nowhere_is_told(rename, said):
    with pytest.raises(PairError, match=said):
        porting.check(Pair(torch=Power, tf=tf_power_of_two_names, statics={"exponent": 3}, rename=rename), **ASKED)


def test_another_value_under_another_name_is_found():
    def fixed(x, axis=-1):  # says axis, and takes none
        return x * tf.math.rsqrt(tf.reduce_mean(x * x, -1, keepdims=True) + 1e-5)

    report = porting.check(Pair(torch=torch_norm, tf=fixed, inputs=ROWS, statics={"dim": 0}), **ASKED)
    assert report.exit_code == 1


def test_the_command_says_it():
    pair = Pair(torch="a.py:f", tf="b.py:g", statics={"dim": 1}, rename={"tf": {"dim": "way"}})
    assert pair.command == "--torch a.py:f --tf b.py:g --static dim=1 --rename tf:dim=way"


class Doubling:
    def __call__(self, x):
        return 2 * x


def test_what_has_no_name_is_called_by_its_place_or_class():
    line = test_what_has_no_name_is_called_by_its_place_or_class.__code__.co_firstlineno
    assert Pair(torch=lambda x: 2 * x).name == f"lambda at test_names.py:{line + 2}"
    assert Pair(torch=Doubling()).name == "Doubling"


@pytest.mark.slow
def test_an_input_may_stand_behind_a_static():
    class Power(torch.autograd.Function):
        @staticmethod
        def forward(ctx, n, x):
            ctx.n = n
            ctx.save_for_backward(x)
            return x**n

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return None, dy * ctx.n * x ** (ctx.n - 1)

    def behind(n, x):
        assert isinstance(n, int)
        return x**n

    def between(x, n, w):
        return w * x**n

    report = porting.check(Pair(torch=Power, tf=behind, inputs={"x": porting.array()}, statics={"n": 3}))
    assert report.exit_code == 0, str(report)
    inputs = {name: porting.array(("k",)) for name in "xw"}
    report = porting.check(Pair(torch=between, tf=between, inputs=inputs, statics={"n": 2}))
    assert report.exit_code == 0, str(report)
