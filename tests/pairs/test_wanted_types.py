"""An argument that an error asks whole numbers of, of a type that is named: it is tried so, and proposed so."""

import pytest

from porting import Pair
from porting.pairs.wanted_types import type_wanted
from tests.judged import accused

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Unpacked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, packed, width=1):
        if packed.dtype not in (torch.int8, torch.uint8):
            raise TypeError(f"expected int8 or uint8 to unpack, got {packed.dtype}")
        ctx.save_for_backward(packed)
        return (x * (packed & 0x07)).reshape(-1, width)

    @staticmethod
    def backward(ctx, dy):
        (packed,) = ctx.saved_tensors
        return dy.reshape(packed.shape) * (packed & 0x07), None, None


def unpacked(x, packed, width=1):
    return Unpacked.apply(x, packed, width)


def _unpacked_tf(x, packed, sign, width):
    if packed.dtype not in (tf.int8, tf.uint8):
        raise TypeError(f"Expected int8 or uint8 tensor for unpacking, got {packed.dtype}")
    factor = tf.cast(tf.bitwise.bitwise_and(packed, tf.constant(7, packed.dtype)), x.dtype)

    @tf.custom_gradient
    def product(x):
        return tf.reshape(x * factor, [-1, width]), lambda dy: sign * tf.reshape(dy, tf.shape(factor)) * factor

    return product(x)


def unpacked_tf(x, packed, width=1):
    return _unpacked_tf(x, packed, 1, width)


def unpacked_wrongly(x, packed, width=1):
    return _unpacked_tf(x, packed, -1, width)


@pytest.mark.parametrize(("other", "status"), [(unpacked_tf, 0), (unpacked_wrongly, 1)])
def test_it_is_tried_and_said(other, status):
    _, report = accused(Pair(torch=unpacked, tf=other), only=["value", "vjp"])
    assert report.exit_code == status, str(report)
    assert '--input "packed=int8[...]{0..4}"' in report.described[0], report.described


def refusing(x, packed):
    unpacked(x, packed)
    raise ValueError("a shape that nobody guesses")


def test_it_is_proposed_where_no_guess_suits():
    advice = Pair(torch=refusing, tf=unpacked_tf).advice
    assert '--input "packed=int8[?,?]{0..?}"' in advice, advice
    assert "packed=float64" not in advice, advice


@pytest.mark.parametrize(
    ("said", "dtype"),
    [
        ("Expected int8 or uint8 tensor for unpacking, got <dtype: 'float64'>", "int8"),
        ("Value for attr 'Tindices' of double is not in the list of allowed values: int32, int64", "int64"),
        ("indices must be int32, but found torch.float64", "int32"),
        ("expected float64, got int8", ""),
        ("Expected a 2-d tensor, got float64", ""),
    ],
)
def test_a_type_is_asked_for_in_the_place_of_real_numbers(said, dtype):
    assert type_wanted(said) == dtype
