"""Other ways to write the family `straight_through` in TensorFlow."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf


def _replaced(soft: Any, hard: Any) -> Any:
    """Return `hard` with the gradient of `soft`, up to rounding."""
    return soft + tf.stop_gradient(hard - soft)


def _dorefa_quantize(x: Any, *, bits: int) -> Any:
    n, inside = 2**bits - 1, tf.clip_by_value(x, 0, 1)
    return _replaced(inside, tf.round(n * inside) / n)


def _ste_sign(x: Any, *, clip: float = 1.0) -> Any:
    return _replaced(tf.clip_by_value(x, -clip, clip), tf.where(x >= 0, tf.ones_like(x), -tf.ones_like(x)))


def _ste_ternary(x: Any, *, threshold: float) -> Any:
    return _replaced(tf.clip_by_value(x, -1, 1), tf.where(tf.abs(x) > threshold, tf.sign(x), tf.zeros_like(x)))


def _range(bits: int, signed: bool) -> tuple[int, int]:
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


def _fake_quantize(x: Any, scale: Any, zero_point: Any, *, bits: int, signed: bool) -> Any:
    zero = tf.cast(zero_point, x.dtype)
    q = _replaced(x / scale, tf.round(x / scale)) + zero
    return (tf.clip_by_value(q, *_range(bits, signed)) - zero) * scale


def _gumbel_softmax(logits: Any, noise: Any, *, temperature: float, axis: int = -1) -> Any:
    soft = tf.nn.softmax((logits + noise) / temperature, axis=axis)
    return _replaced(soft, tf.one_hot(tf.argmax(soft, axis), tf.shape(soft)[axis], axis=axis, dtype=soft.dtype))


def _lsq_quantize(x: Any, step: Any, *, bits: int, signed: bool) -> Any:
    low, high = _range(bits, signed)
    g = (tf.cast(tf.size(x), x.dtype) * high) ** -0.5
    scaled = _replaced(step * g, step)
    r = tf.clip_by_value(x / scaled, low, high)
    return _replaced(r, tf.round(r)) * scaled


def _top_k_mask(x: Any, *, k: int, axis: int = -1) -> Any:
    rank = tf.argsort(tf.argsort(-tf.abs(x), axis=axis, stable=True), axis=axis)
    return _replaced(x, tf.where(rank < k, x, tf.zeros_like(x)))


def _vector_quantize(x: Any, codebook: Any) -> Any:
    rows = tf.reshape(x, [-1, x.shape[-1]])
    distance = (
        tf.reduce_sum(rows * rows, axis=-1, keepdims=True)
        - 2 * tf.matmul(rows, codebook, transpose_b=True)
        + tf.reduce_sum(codebook * codebook, axis=-1)
    )
    return _replaced(x, tf.reshape(tf.gather(codebook, tf.argmin(distance, axis=-1)), tf.shape(x)))


COMPOSITION: dict[str, Callable[..., Any]] = {
    "dorefa_quantize": _dorefa_quantize,
    "fake_quantize": _fake_quantize,
    "gumbel_softmax": _gumbel_softmax,
    "lsq_quantize": _lsq_quantize,
    "ste_ceil": lambda x: _replaced(x, tf.math.ceil(x)),
    "ste_clamp": lambda x, *, low, high: _replaced(x, tf.clip_by_value(x, low, high)),
    "ste_floor": lambda x: _replaced(x, tf.floor(x)),
    "ste_heaviside": lambda x, *, clip=1.0: _replaced(tf.clip_by_value(x, -clip, clip), tf.cast(x > 0, x.dtype)),
    "ste_round": lambda x: _replaced(x, tf.round(x)),
    "ste_sign": _ste_sign,
    "ste_ternary": _ste_ternary,
    "top_k_mask": _top_k_mask,
    "vector_quantize": _vector_quantize,
}
BUILT_IN: dict[str, Callable[..., Any]] = {}
