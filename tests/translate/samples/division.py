"""Quotients."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.true_divide(x, y)", "x / y", to="tf"),
    Rewrite("torch.true_divide(n, 2)", "tf.cast(n, tf.float32) / 2", to="tf"),
    Rewrite("torch.true_divide(x, y)", "x / y", to="numpy"),
    Rewrite("tf.divide(x, y)", "x / y", to="torch"),
    Rewrite("tf.math.truediv(x, 3)", "x / 3", to="torch"),
    Rewrite("tf.realdiv(x, y)", "x / y", to="torch"),
    Rewrite("torch.div(x, c)", "x / c", to="tf"),
    Rewrite("x.div(n + 1)", "x / tf.cast(n + 1, x.dtype)", to="tf"),
    Rewrite("torch.div(n, n + 1)", "tf.cast(n, tf.float32) / tf.cast(n + 1, tf.float32)", to="tf"),
    Rewrite("x.div(y, rounding_mode=None)", "x / y", to="tf"),
    Rewrite("torch.divide(x, y)", "x / y", to="numpy"),
    # rounded down; PyTorch has 9 for 1.0 // 0.1, as Python has, and TensorFlow 10
    Rewrite('torch.div(x, y, rounding_mode="floor")', "tf.round((x - x % y) / y)", to="tf"),
    Rewrite('torch.div(x, 0.1, rounding_mode="floor")', "tf.round((x - x % 0.1) / 0.1)", to="tf"),
    Rewrite('torch.div(n - 3, 2, rounding_mode="floor")', "(n - 3) // 2", to="tf"),
    Rewrite("torch.floor_divide(x, 0.1)", "tf.round((x - x % 0.1) / 0.1)", to="tf"),
    Rewrite("torch.floor_divide(n - 3, 2)", "(n - 3) // 2", to="tf"),
    Rewrite("torch.floor_divide(x, 0.1)", "x // 0.1", to="numpy"),
    Rewrite("tf.math.floordiv(x, 0.1)", "torch.floor(x / 0.1)", to="torch"),
    Rewrite("tf.math.floordiv(n - 3, 2)", "(n - 3) // 2", to="torch"),
    # to zero
    Rewrite('torch.div(x, y, rounding_mode="trunc")', "tf.truncatediv(x, y)", to="tf"),
    Rewrite('torch.div(n - 3, 2, rounding_mode="trunc")', "tf.truncatediv(n - 3, 2)", to="tf"),
    Rewrite('torch.div(x, y, rounding_mode="trunc")', "np.trunc(x / y)", to="numpy"),
    Rewrite('torch.div(n, n + 1, rounding_mode="trunc")', "np.trunc(n / (n + 1)).astype(n.dtype)", to="numpy"),
    Rewrite("tf.truncatediv(n - 3, 2)", 'torch.div(n - 3, 2, rounding_mode="trunc")', to="torch"),
    Rewrite("tf.truncatediv(x, y)", "np.trunc(x / y)", to="numpy", of="tf"),
    # without NaN
    Rewrite("tf.math.divide_no_nan(x, y)", "torch.where(y == 0, 0, x / y)", to="torch"),
    Rewrite("tf.math.divide_no_nan(e, e)", "torch.where(e == 0, 0, e / e)", to="torch"),
    Rewrite("tf.math.divide_no_nan(x, c)", "x / c if c else torch.zeros_like(x)", to="torch"),
    Rewrite("tf.math.divide_no_nan(x, y)", "np.where(y == 0, 0, x / np.where(y == 0, 1, y))", to="numpy", of="tf"),
    Rewrite("tf.math.divide_no_nan(x, y - 1.0)", "torch.where(y - 1.0 == 0, 0, x / (y - 1.0))", to="torch"),
    Rewrite("tf.math.divide_no_nan(x, x * y - 100.0)", "_divide_no_nan(x, x * y - 100.0)", to="torch"),
    Rewrite(
        "tf.math.multiply_no_nan(e, x[0, 0] * 0)", "torch.where(x[0, 0] * 0 == 0, 0, e * (x[0, 0] * 0))", to="torch"
    ),
    Rewrite("tf.math.multiply_no_nan(x, x * y - 100.0)", "_multiply_no_nan(x, x * y - 100.0)", to="torch"),
    Rewrite("tf.math.multiply_no_nan(x, y)", "torch.where(y == 0, 0, x * y)", to="torch"),
    Rewrite("tf.math.multiply_no_nan(x, c)", "x * c if c else torch.zeros_like(x)", to="torch"),
    Rewrite("tf.math.multiply_no_nan(x, y)", "np.where(y == 0, 0, x * y)", to="numpy", of="tf"),
    Rewrite("tf.math.reciprocal_no_nan(x)", "torch.where(x == 0, 0, 1 / x)", to="torch"),
    Rewrite("tf.math.reciprocal_no_nan(x)", "np.where(x == 0, 0, 1 / np.where(x == 0, 1, x))", to="numpy", of="tf"),
    Refused('torch.div(x, y, rounding_mode="up")', "rounding_mode", to="tf"),
    Refused("torch.div(x, y, rounding_mode=c)", "rounding_mode", to="tf"),
]
