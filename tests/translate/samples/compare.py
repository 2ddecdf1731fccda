"""Comparisons."""

from words import Refused, Rewrite

_OPERATORS = (
    (">", "gt", "greater"), (">=", "ge", "greater_equal"), ("<", "lt", "less"), ("<=", "le", "less_equal"),
    ("==", "eq", "equal"), ("!=", "ne", "not_equal"),
)  # fmt: skip
SAMPLES = [
    *(Rewrite(f"torch.{torch}(x, y)", f"x {operator} y", to="tf") for operator, torch, _ in _OPERATORS),
    *(Rewrite(f"e.{torch}(0)", f"e {operator} 0", to="tf") for operator, torch, _ in _OPERATORS),
    *(Rewrite(f"torch.{torch}(x, y)", f"x {operator} y", to="numpy") for operator, torch, _ in _OPERATORS),
    *(Rewrite(f"tf.{tf}(x, 0)", f"x {operator} 0", to="torch") for operator, _, tf in _OPERATORS),
    *(Rewrite(f"tf.math.{tf}(n, 1)", f"n {operator} 1", to="torch") for operator, _, tf in _OPERATORS),
    Rewrite("torch.greater(n, 0.5)", "tf.cast(n, tf.float32) > 0.5", to="tf"),
    Rewrite("x.lt(n)", "x < tf.cast(n, x.dtype)", to="tf"),
    Rewrite("x.gt(0) * y", "tf.cast(x > 0, y.dtype) * y", to="tf"),
    Rewrite("torch.gt(x, 0) * 0.5 * y", "tf.cast(x > 0, x.dtype) * 0.5 * y", to="tf"),
    *(
        Rewrite(f"torch.{torch}(e)", f"tf.math.is_{tf}(e)", to="tf")
        for torch, tf in (("isnan", "nan"), ("isinf", "inf"), ("isfinite", "finite"))
    ),
    *(
        Rewrite(f"tf.math.is_{tf}(e)", f"torch.{torch}(e)", to="torch")
        for torch, tf in (("isnan", "nan"), ("isinf", "inf"), ("isfinite", "finite"))
    ),
    *(Rewrite(f"e.{name}()", f"np.{name}(e)", to="numpy") for name in ("isnan", "isinf", "isfinite")),
    Rewrite("torch.maximum(x, y)", "tf.maximum(x, y)", to="tf"),
    Rewrite("x.maximum(n)", "tf.maximum(x, tf.cast(n, x.dtype))", to="tf"),
    Rewrite("torch.maximum(e, -e)", "tf.maximum(e, -e)", to="tf"),
    Rewrite("torch.maximum(x, y)", "np.maximum(x, y)", to="numpy"),
    Rewrite("tf.maximum(x, y)", "torch.maximum(x, y)", to="torch"),
    Rewrite("tf.maximum(x, 0.0)", "x.clamp(min=0.0)", to="torch"),
    Rewrite("tf.maximum(0.0, x)", "x.clamp(min=0.0)", to="torch"),
    Rewrite("tf.maximum(e, c)", "e.clamp(min=c)", to="torch"),
    Rewrite("tf.maximum(c, 0.1)", "max(c, 0.1)", to="torch"),
    Rewrite("torch.minimum(x, y)", "tf.minimum(x, y)", to="tf"),
    Rewrite("torch.minimum(e, -e)", "np.minimum(e, -e)", to="numpy"),
    Rewrite("tf.minimum(x, c)", "x.clamp(max=c)", to="torch"),
    Rewrite("tf.math.minimum(x, y)", "torch.minimum(x, y)", to="torch"),
    Refused("torch.fmax(x, y)", "no rule", to="tf"),
    Refused("torch.gt(x, y, out=y)", "out=y is not in its rule", to="tf"),
]
