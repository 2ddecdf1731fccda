"""What a type knows, and numbers that have a name."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.finfo(x.dtype).eps", "np.finfo(x.dtype.as_numpy_dtype).eps", to="tf"),
    Rewrite("x.clamp(min=torch.finfo(x.dtype).tiny)", "tf.maximum(x, np.finfo(x.dtype.as_numpy_dtype).tiny)", to="tf"),
    Rewrite(
        "x.masked_fill(mask, torch.finfo(x.dtype).min)",
        "tf.where(mask, tf.constant(x.dtype.min, x.dtype), x)",
        to="tf",
    ),
    Rewrite("torch.finfo(x.dtype).eps", "np.finfo(x.dtype).eps", to="numpy"),
    Rewrite("torch.finfo(x.dtype).min", "np.finfo(x.dtype).min", to="numpy"),
    Rewrite("torch.finfo(x.dtype).max", "np.finfo(x.dtype).max", to="numpy"),
    Rewrite("torch.finfo(x.dtype).max", "x.dtype.max", to="tf"),
    Rewrite("tf.experimental.numpy.finfo(tf.float32).eps", "torch.finfo(torch.float32).eps", to="torch"),
    Rewrite("torch.iinfo(n.dtype).max", "n.dtype.max", to="tf"),
    Rewrite("torch.iinfo(n.dtype).max", "np.iinfo(n.dtype).max", to="numpy"),
    Rewrite("x.dtype.max", "torch.finfo(x.dtype).max", to="torch"),
    Rewrite("n.dtype.max", "torch.iinfo(n.dtype).max", to="torch"),
    Rewrite("x.dtype.min", "torch.finfo(x.dtype).min", to="torch"),
    Rewrite("x.dtype.max", "np.finfo(x.dtype).max", to="numpy", of="tf"),
    Rewrite("x.dtype.min", "np.finfo(x.dtype).min", to="numpy", of="tf"),
    Rewrite("n.dtype.max", "np.iinfo(n.dtype).max", to="numpy", of="tf"),
    *(Rewrite(f"torch.{name}", f"math.{name}", to="tf") for name in ("inf", "nan", "pi", "e")),
    *(Rewrite(f"torch.{name}", f"np.{name}", to="numpy") for name in ("inf", "nan", "pi", "e")),
    Rewrite("x.masked_fill(mask, -torch.inf)", "tf.where(mask, tf.constant(-math.inf, x.dtype), x)", to="tf"),
    Refused("torch.finfo()", "type is not given", to="tf"),
    Rewrite("x + tf.keras.backend.epsilon()", "x + 1e-07", to="torch"),
    Rewrite("x + tf.keras.backend.epsilon()", "x + 1e-07", to="numpy", of="tf"),
    Rewrite("tf.cast(n, tf.keras.backend.floatx())", "n.to(torch.float32)", to="torch"),
    Rewrite("tf.cast(n, tf.keras.backend.floatx())", "n.astype(np.float32)", to="numpy", of="tf"),
]
