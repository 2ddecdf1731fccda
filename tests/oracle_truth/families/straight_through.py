"""Witnesses of the family straight_through: formulas written anew in mpmath."""

import mpmath
import numpy as np
from witness import Witness


def between(x, low, high):
    return sorted([mpmath.mpf(low), x, mpmath.mpf(high)])[1]


def ends(bits, signed):
    levels = 2**bits
    low = -levels // 2 if signed else 0
    return low, low + levels - 1


def elementwise(f):
    return np.vectorize(f, otypes=[object])


def fake_quantized(x, scale, zero_point, *, bits, signed):
    """The nearest of all the numbers that there are, by search."""
    low, high = ends(bits, signed)

    def one(x, scale, zero_point):
        return min((abs(n * scale - x), n * scale) for n in (m - int(zero_point) for m in range(low, high + 1)))[1]

    return elementwise(one)(x, scale, zero_point)


def clipped(x, scale, zero_point, *, bits, signed):
    low, high = ends(bits, signed)

    def one(x, scale, zero):
        return between(x, (low - int(zero) - 0.5) * scale, (high - int(zero) + 0.5) * scale)

    return elementwise(one)(x, scale, zero_point)


def lsq_vjp(dy, x, step, *, bits, signed):
    low, high = ends(bits, signed)
    dx, total = np.empty(x.shape, dtype=object), mpmath.mpf(0)
    for i in np.ndindex(x.shape):
        v = x[i] / step
        dx[i] = dy[i] if low < v < high else mpmath.mpf(0)
        total += dy[i] * (low if v <= low else high if v >= high else mpmath.nint(v) - v)
    return dx, total / mpmath.sqrt(x.size * high)


def largest(x, *, k, axis):
    def one(row):
        kept = sorted(range(len(row)), key=lambda i: (-abs(row[i]), i))[:k]
        return np.array([v if i in kept else mpmath.mpf(0) for i, v in enumerate(row)], dtype=object)

    return np.apply_along_axis(one, axis, x)


def one_hot(logits, noise, *, temperature, axis):
    def one(row):
        first = list(row).index(max(row))
        return np.array([mpmath.mpf(i == first) for i in range(len(row))], dtype=object)

    return np.apply_along_axis(one, axis, logits + noise)


def softmax(logits, noise, *, temperature, axis):
    def one(row):
        return np.array([1 / mpmath.fsum(mpmath.exp((w - v) / temperature) for w in row) for v in row], dtype=object)

    return np.apply_along_axis(one, axis, logits + noise)


def nearest_code(x, codebook):
    def one(row):
        distances = [mpmath.fsum((a - b) ** 2 for a, b in zip(row, code, strict=True)) for code in codebook]
        return codebook[distances.index(min(distances))]

    return np.apply_along_axis(one, -1, x)


ROWS = [[-3.7, 0.31, 2.9], [0.77, -0.83, -21.0]]
STEPS = ([0.5, 2.0, 0.7], [0, 1, 1])
CODES = [[1.0, 0.3, -2.0], [-4.0, 0.0, 3.0], [1.0, 0.3, -2.0], [0.0, -1.0, -20.0]]


WITNESS = {
    "dorefa_quantize": Witness(
        lambda x, *, bits: mpmath.nint(between(x, 0, 1) * (2**bits - 1)) / (2**bits - 1),
        gradient=lambda x, *, bits: between(x, 0, 1),
    ),
    "fake_quantize": Witness(
        fake_quantized, gradient=clipped, points=[(ROWS, *STEPS), (ROWS, 0.3, 1), ([1e9, -1e9, 1e-30], *STEPS)]
    ),
    "gumbel_softmax": Witness(
        one_hot,
        gradient=softmax,
        points=[
            (ROWS, [[0.1, -0.3, 0.0], [1.2, 0.4, 19.0]]),
            ([[1.0, 1.0], [720.0, 2.0]], [[0.5, 0.5], [-1.0, 720.0]]),
        ],
    ),
    "lsq_quantize": Witness(
        lambda x, step, *, bits, signed: fake_quantized(x, step, 0, bits=bits, signed=signed),
        vjp=lsq_vjp,
        points=[(ROWS, 0.7), (ROWS, 0.05), ([1.0, -1.0, 0.3, 7.0], 1.0)],
    ),
    "ste_ceil": Witness(lambda x: -mpmath.floor(-x), gradient=lambda x: x),
    "ste_clamp": Witness(lambda x, *, low, high: between(x, low, high), gradient=lambda x, *, low, high: x),
    "ste_floor": Witness(lambda x: -mpmath.ceil(-x), gradient=lambda x: x),
    "ste_heaviside": Witness(
        lambda x, *, clip: (1 + mpmath.sign(x)) / 2, gradient=lambda x, *, clip: between(x, -clip, clip)
    ),
    "ste_round": Witness(mpmath.nint, gradient=lambda x: x),
    "ste_sign": Witness(lambda x, *, clip: x / abs(x), gradient=lambda x, *, clip: between(x, -clip, clip)),
    "ste_ternary": Witness(
        lambda x, *, threshold: mpmath.sign(x - between(x, -threshold, threshold)),
        gradient=lambda x, *, threshold: between(x, -1, 1),
    ),
    "top_k_mask": Witness(
        largest,
        gradient=lambda x, *, k, axis: x,
        points=[([*ROWS, ROWS[0]],), ([[1.0, -1.0, 1.0, 0.5], [0.0, -0.0, 0.0, 0.0], [-2.0, 3.0, 2.0, -3.0]],)],
    ),
    "vector_quantize": Witness(
        nearest_code,
        vjp=lambda dy, x, codebook: (dy, 0 * codebook),
        points=[(ROWS, CODES), ([0.5, 0.5], [[1.0, 1.0], [0.0, 0.0]]), ([1e200, 1.0], [[1e200, -1e200], [-3.0, 5.0]])],
    ),
}
