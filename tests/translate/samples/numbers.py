"""Functions of numbers."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("tf.experimental.numpy.heaviside(x, 1)", "torch.heaviside(x, torch.tensor(1, dtype=x.dtype))", to="torch"),
    Rewrite("tf.experimental.numpy.heaviside(x, x * 0.5)", "torch.heaviside(x, x * 0.5)", to="torch"),
    Rewrite(
        "torch.heaviside(x.round(), v)",
        "tf.where(tf.round(x) == 0, v, tf.cast(tf.round(x) > 0, tf.round(x).dtype))",
        to="tf",
    ),
    Rewrite("torch.logaddexp(x, y)", "tf.experimental.numpy.logaddexp(x, y)", to="tf"),
    Rewrite("torch.logaddexp(x, v)", "tf.experimental.numpy.logaddexp(x, v)", to="tf"),
    Rewrite("torch.copysign(x, y)", "tf.where(y < 0, -tf.abs(x), tf.abs(x))", to="tf"),
    Rewrite(
        "torch.nan_to_num(torch.log(x))",
        "tf.clip_by_value(tf.where(tf.math.is_nan(tf.math.log(x)), tf.zeros_like(tf.math.log(x)), "
        "tf.math.log(x)), tf.math.log(x).dtype.min, tf.math.log(x).dtype.max)",
        to="tf",
    ),
    Rewrite(
        "torch.nan_to_num(1 / (0 * x), nan=7.0, posinf=0.5)",
        "tf.where(1 / (0 * x) == -math.inf, tf.constant((1 / (0 * x)).dtype.min, x.dtype), tf.where(1 / (0 * x) == "
        "math.inf, tf.constant(0.5, x.dtype), tf.where(tf.math.is_nan(1 / (0 * x)), tf.constant(7.0, x.dtype), "
        "1 / (0 * x))))",
        to="tf",
    ),
    Rewrite(
        "torch.nan_to_num(1 / (0 * x), posinf=2.0, neginf=-1.0)",
        "tf.where(1 / (0 * x) == -math.inf, tf.constant(-1.0, x.dtype), tf.where(1 / (0 * x) == math.inf, "
        "tf.constant(2.0, x.dtype), tf.where(tf.math.is_nan(1 / (0 * x)), tf.zeros_like(1 / (0 * x)), 1 / (0 * x))))",
        to="tf",
    ),
    Rewrite(
        "torch.nan_to_num(torch.log(x), nan=torch.inf, posinf=torch.inf)",
        "tf.where(tf.math.log(x) == -math.inf, tf.constant(tf.math.log(x).dtype.min, x.dtype), "
        "tf.where(tf.math.is_nan(tf.math.log(x)), tf.constant(math.inf, x.dtype), tf.math.log(x)))",
        to="tf",
    ),
    Rewrite(
        "x.nan_to_num(nan=1.0, posinf=torch.inf, neginf=-torch.inf)",
        "tf.where(tf.math.is_nan(x), tf.ones_like(x), x)",
        to="tf",
    ),
    Rewrite("tf.experimental.numpy.logaddexp(x, y)", "torch.logaddexp(x, y)", to="torch"),
    Rewrite(
        "torch.heaviside(x.round(), v)",
        "np.where(np.round(x) == 0, v, (np.round(x) > 0).astype(np.round(x).dtype))",
        to="numpy",
    ),
    Rewrite("torch.logaddexp(x, v)", "np.logaddexp(x, v)", to="numpy"),
    Rewrite("torch.copysign(x, y)", "np.copysign(x, y)", to="numpy"),
    Rewrite("torch.nan_to_num(x, 1.0, posinf=2.0)", "np.nan_to_num(x, nan=1.0, posinf=2.0)", to="numpy"),
    Refused("torch.frexp(x)", "torch.frexp: no rule", to="tf"),
    Rewrite("torch.logaddexp(x, v)", "_log_add_exp(x, v)", to="tf", general=True),
    Rewrite("torch.logaddexp(e, e)", "_log_add_exp(e, e)", to="tf", general=True),
    Rewrite("torch.logaddexp(e, -e)", "_log_add_exp(e, -e)", to="tf", general=True),
]
