"""Where no output is a number a gradient may be of any size: it allows nothing elsewhere.

Seen in code of public repositories: the gradient of a logarithm is 1 / max(x, eps), which is 1e16 for all x < 0.
"""

import pytest
from everyday import ASKED, differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

_LEAST = 1e-16


def _tf_side(sign):
    @tf.custom_gradient
    def safe_log(x):
        return tf.math.log(x), lambda dy: sign * dy / tf.maximum(x, tf.constant(_LEAST, x.dtype))

    return safe_log


@pytest.mark.parametrize(("sign", "wrong"), [(1, set()), (-1, {("torch", "vjp"), ("tf", "vjp")})])
def test_a_gradient_where_nothing_is_defined_hides_no_other(sign, wrong):
    pair = Pair(torch=function(torch.log, lambda dy, x: dy / x.clamp(min=_LEAST)), tf=_tf_side(sign))
    assert differing(porting.check(pair, **ASKED)) == wrong
