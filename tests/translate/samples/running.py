"""Running sums and products."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("x.cumsum(0)", "tf.cumsum(x, 0)", to="tf"),
    Rewrite("torch.cumsum(x, dim=-1)", "tf.cumsum(x, -1)", to="tf"),
    Rewrite("mask.cumsum(1)", "tf.cumsum(tf.cast(mask, tf.int64), 1)", to="tf"),
    Rewrite("n.cumsum(1, dtype=torch.float64)", "tf.cumsum(tf.cast(n, tf.float64), 1)", to="tf"),
    Rewrite("x.cumprod(1)", "tf.math.cumprod(x, 1)", to="tf"),
    Rewrite("x.logcumsumexp(-1)", "tf.math.cumulative_logsumexp(x, -1)", to="tf"),
    Rewrite("tf.cumsum(x)", "x.cumsum(0)", to="torch"),
    Rewrite("tf.math.cumsum(x, axis=1)", "x.cumsum(1)", to="torch"),
    Rewrite("tf.cumsum(x, 1, reverse=True)", "x.flip(1).cumsum(1).flip(1)", to="torch"),
    Rewrite("tf.cumsum(x, 1, exclusive=True)", "_shifted(x, 1, 0).cumsum(1)", to="torch"),
    Rewrite("tf.cumsum(x, exclusive=True, reverse=True)", "_shifted(x.flip(0), 0, 0).cumsum(0).flip(0)", to="torch"),
    Rewrite("tf.math.cumprod(x, -1)", "x.cumprod(-1)", to="torch"),
    Rewrite("tf.math.cumprod(x, exclusive=True)", "_shifted(x, 0, 1).cumprod(0)", to="torch"),
    Rewrite("tf.math.cumulative_logsumexp(x, 1)", "x.logcumsumexp(1)", to="torch"),
    Rewrite("x.cumsum(0)", "np.cumsum(x, 0)", to="numpy"),
    Rewrite("x.cumprod(1)", "np.cumprod(x, 1)", to="numpy"),
    Rewrite("x.logcumsumexp(1)", "np.logaddexp.accumulate(x, 1)", to="numpy"),
    Rewrite("n.cumsum(1, dtype=torch.float64)", "np.cumsum(n, 1, dtype=np.float64)", to="numpy"),
    Rewrite("tf.cumsum(x)", "np.cumsum(x, 0)", to="numpy", of="tf"),
    Rewrite("tf.math.cumulative_logsumexp(x)", "np.logaddexp.accumulate(x, 0)", to="numpy", of="tf"),
    Refused("tf.cumsum(x, reverse=k)", "tf.cumsum: k is not known here to be True or False", to="torch"),
    Refused(
        "tf.cumsum(x, reverse=True)",
        "tf.cumsum: exclusive and reverse have no counterpart in NumPy",
        to="numpy",
        of="tf",
    ),
    Refused("x.cummax(0)", ".cummax(): no rule", to="tf"),
]
