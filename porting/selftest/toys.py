"""Toy ops to plant faults in, one for each way in which a gradient can be wrong; NumPy truths with exact gradients."""

from typing import Any

import numpy as np

from porting.spec import Op, op


@op
def cube(x: Any) -> Any:
    """x^3."""
    return x**3


@cube.defvjp
def cube_vjp(dy: Any, y: Any, x: Any) -> Any:
    """3 x^2."""
    return 3 * x**2 * dy


@op
def sine(x: Any) -> Any:
    """sin(x): bounded, so that no element is much larger than another."""
    return np.sin(x)


@sine.defvjp
def sine_vjp(dy: Any, y: Any, x: Any) -> Any:
    """cos(x)."""
    return np.cos(x) * dy


@op
def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)) without overflow."""
    return np.exp(-np.logaddexp(0 * x, -x))


@sigmoid.defvjp
def sigmoid_vjp(dy: Any, y: Any, x: Any) -> Any:
    """y (1 - y), the second factor as the value at -x."""
    return y * np.exp(-np.logaddexp(0 * x, x)) * dy


@op
def softplus(x: Any) -> Any:
    """log(1 + exp(x)) without overflow."""
    return np.logaddexp(0 * x, x)


@softplus.defvjp
def softplus_vjp(dy: Any, y: Any, x: Any) -> Any:
    """sigmoid(x)."""
    return np.exp(-np.logaddexp(0 * x, -x)) * dy


@op
def product(x1: Any, x2: Any) -> Any:
    """x1^2 x2, so that the two gradients differ and every second derivative is there."""
    return x1**2 * x2


@product.defvjp
def product_vjp(dy: Any, y: Any, x1: Any, x2: Any) -> Any:
    """2 x1 x2 and x1^2."""
    return 2 * x1 * x2 * dy, x1**2 * dy


@op(statics={"exponent": (3, 2)})
def power(x: Any, *, exponent: int = 3) -> Any:
    """x^exponent, a static."""
    return x**exponent


@power.defvjp
def power_vjp(dy: Any, y: Any, x: Any, *, exponent: int = 3) -> Any:
    """exponent x^(exponent - 1)."""
    return exponent * x ** (exponent - 1) * dy


@op(shapes={"x": (..., "n"), "b": ("n",)})
def scale_columns(x: Any, b: Any) -> Any:
    """x b, where b has the last axis only: its gradient is a sum over all the others."""
    return x * b


@scale_columns.defvjp
def scale_columns_vjp(dy: Any, y: Any, x: Any, b: Any) -> Any:
    """dy b, and dy x summed over all axes but the last."""
    return dy * b, (dy * x).sum(tuple(range(x.ndim - 1)))


@op
def offset(x: Any, b: Any) -> Any:
    """x + b of any two shapes that can be broadcast."""
    return x + b


@offset.defvjp
def offset_vjp(dy: Any, y: Any, x: Any, b: Any) -> Any:
    """dy, summed over the axes along which the input was repeated."""
    return _summed(dy, np.shape(x)), _summed(dy, np.shape(b))


def _summed(dy: Any, shape: tuple[int, ...]) -> Any:
    front = np.ndim(dy) - len(shape)
    axes = (*range(front), *(front + k for k, n in enumerate(shape) if n == 1 != np.shape(dy)[front + k]))
    return np.reshape(np.sum(dy, axes), shape) if axes else np.asarray(dy)


@op(shapes={"x": ("n", "m"), "w": ("m", "k")})
def matmul(x: Any, w: Any) -> Any:
    """x @ w of two matrices."""
    return x @ w


@matmul.defvjp
def matmul_vjp(dy: Any, y: Any, x: Any, w: Any) -> Any:
    """dy w^T and x^T dy."""
    return dy @ w.T, x.T @ dy


@op(shapes={"x": ("n", "n")})
def self_product(x: Any) -> Any:
    """x @ x of a square matrix: a transposed gradient has the right shape."""
    return x @ x


@self_product.defvjp
def self_product_vjp(dy: Any, y: Any, x: Any) -> Any:
    """dy x^T + x^T dy."""
    return dy @ x.T + x.T @ dy


@op(shapes={"x": (..., "n")})
def softmax(x: Any) -> Any:
    """exp(x) / sum of exp(x) over the last axis."""
    e = np.exp(x - np.max(np.real(x), axis=-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@softmax.defvjp
def softmax_vjp(dy: Any, y: Any, x: Any) -> Any:
    """y (dy - sum of dy y)."""
    return y * (dy - (dy * y).sum(-1, keepdims=True))


@op(shapes={"x": (..., "n")})
def mean_square(x: Any) -> Any:
    """Mean of x^2 over the last axis."""
    return (x**2).mean(-1)


@mean_square.defvjp
def mean_square_vjp(dy: Any, y: Any, x: Any) -> Any:
    """2 x / n."""
    return 2 * x / x.shape[-1] * np.asarray(dy)[..., None]


@op
def sin_cos(x: Any) -> Any:
    """(sin x, cos x): two outputs."""
    return np.sin(x), np.cos(x)


@sin_cos.defvjp
def sin_cos_vjp(dy: Any, y: Any, x: Any) -> Any:
    """cos(x) dy0 - sin(x) dy1."""
    return np.cos(x) * dy[0] - np.sin(x) * dy[1]


@op(kinks={"x": (0.0,)})
def relu(x: Any) -> Any:
    """max(x, 0)."""
    return np.where(x <= 0, 0 * x, x)


@relu.defvjp
def relu_vjp(dy: Any, y: Any, x: Any) -> Any:
    """1 where x > 0, else 0, at 0 too; NaN where x is NaN."""
    return np.where(np.isnan(x), x, np.where(x <= 0, 0 * dy, dy))


def meets(x1: Any, x2: Any) -> tuple[Any, ...]:
    """Where x1 = x2."""
    return (x2,)


@op(kinks={"x1": meets})
def maximum(x1: Any, x2: Any) -> Any:
    """The larger of two."""
    return np.where(x1 > x2, x1, x2)


@maximum.defvjp
def maximum_vjp(dy: Any, y: Any, x1: Any, x2: Any) -> Any:
    """dy to the larger one; half each at a tie."""
    to_first = np.where(x1 > x2, 1.0, np.where(x1 == x2, 0.5, 0.0))
    return dy * to_first, dy * (1 - to_first)


@op(kinks={"x": (0.0,)})
def sqrt_or_zero(x: Any) -> Any:
    """sqrt(x) where x > 0, else 0."""
    positive = x > 0
    return np.where(positive, np.sqrt(np.where(positive, x, 1)), 0 * x)


@sqrt_or_zero.defvjp
def sqrt_or_zero_vjp(dy: Any, y: Any, x: Any) -> Any:
    """1 / (2 sqrt(x)) where x > 0, else 0."""
    positive = x > 0
    return np.where(positive, dy / (2 * np.sqrt(np.where(positive, x, 1))), 0 * dy)


@op(domain={"i": range(4)}, shapes={"x": (4, "n"), "i": ("m",)})
def take_rows(x: Any, i: Any) -> Any:
    """Rows of x by their numbers; a row that is taken twice gets both gradients."""
    return x[i]


@take_rows.defvjp
def take_rows_vjp(dy: Any, y: Any, x: Any, i: Any) -> Any:
    """Add dy to the rows that it came from."""
    dx = np.zeros(x.shape, np.result_type(dy, x))
    np.add.at(dx, i, dy)
    return dx


@op(complex=True)
def square(x: Any) -> Any:
    """x^2 of real or complex numbers."""
    return x * x


@square.defvjp
def square_vjp(dy: Any, y: Any, x: Any) -> Any:
    """dy times the conjugate of 2 x."""
    return 2 * np.conj(x) * dy


@op(statics={"low": (-0.5,)}, refuses=({"low": 2.0, "high": 1.0},))
def between(x: Any, *, low: float = 0.0, high: float = 1.5) -> Any:
    """low + (high - low) sigmoid(x); low must be below high."""
    if not low < high:
        raise ValueError(f"low={low} and high={high}: low < high is wanted")
    return low + (high - low) * np.exp(-np.logaddexp(0 * x, -x))


@between.defvjp
def between_vjp(dy: Any, y: Any, x: Any, *, low: float = 0.0, high: float = 1.5) -> Any:
    """(high - low) sigmoid(x) sigmoid(-x)."""
    return dy * (high - low) * np.exp(-np.logaddexp(0 * x, -x) - np.logaddexp(0 * x, x))


TOYS = {thing.name: thing for thing in list(vars().values()) if isinstance(thing, Op)}
