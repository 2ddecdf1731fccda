"""Rounding."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.round(x)", "tf.round(x)", to="tf"),
    Rewrite("x.clone().round_()", "tf.round(x)", to="tf"),
    Rewrite("torch.round(x * 2.5)", "tf.round(x * 2.5)", to="tf"),  # halves
    Rewrite("torch.round(e)", "tf.round(e)", to="tf"),
    Rewrite("torch.round(x / 3, decimals=2)", "tf.round(x / 3 * 1e2) / 1e2", to="tf"),
    Rewrite("torch.round(x, decimals=0)", "tf.round(x)", to="tf"),
    Rewrite("tf.round(x)", "torch.round(x)", to="torch"),
    Rewrite("tf.math.rint(e)", "torch.round(e)", to="torch"),
    Rewrite("torch.round(x)", "np.round(x)", to="numpy"),
    Rewrite("torch.round(x / 3, decimals=1)", "np.round(x / 3, 1)", to="numpy"),
    Rewrite("torch.trunc(x)", "tf.sign(x) * tf.floor(tf.abs(x))", to="tf"),
    Rewrite("e.trunc()", "tf.sign(e) * tf.floor(tf.abs(e))", to="tf"),
    Rewrite("n.trunc()", "n", to="tf"),
    Rewrite("torch.fix(x)", "np.trunc(x)", to="numpy"),
    Rewrite("torch.frac(x)", "tf.truncatemod(x, 1)", to="tf"),
    Rewrite("torch.frac(x)", "np.fmod(x, 1)", to="numpy"),
    Refused("torch.round(x, decimals=-1)", "0 or more", to="tf"),
    Refused("torch.round(x, decimals=k)", "written as a number", to="tf"),
]
