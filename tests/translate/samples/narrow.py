"""Parts along an axis."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("x.narrow(0, 1, 2)", "x[1:3]", to="tf"),
    Rewrite("z.narrow(-1, 1, 2)", "z[..., 1:3]", to="tf"),
    Rewrite("z.narrow(1, 0, k)", "z[:, :k]", to="tf"),
    Rewrite("z.narrow(-2, k - 1, 1)", "z[..., k - 1:k - 1 + 1, :]", to="tf"),
    Rewrite("z.narrow(k, 1, 2)", "tf.gather(z, tf.range(1, 1 + 2), axis=k)", to="tf"),
    Rewrite("torch.narrow(z, k, 0, 2)", "tf.gather(z, tf.range(2), axis=k)", to="tf"),
    Rewrite("z.select(1, 0)", "z[:, 0]", to="tf"),
    Rewrite("z.select(-1, -1)", "z[..., -1]", to="tf"),
    Rewrite("z.select(k, 1)", "tf.gather(z, 1, axis=k)", to="tf"),
    Rewrite("tf.slice(x, [1, 0], [2, 3])", "x[1:3, :3]", to="torch"),
    Rewrite("tf.slice(z, [0, 1, 0], [-1, -1, -1])", "z[:, 1:]", to="torch"),
    Rewrite("tf.slice(x, [k - 1, 0], [1, -1])", "x[k - 1:k - 1 + 1]", to="torch"),
    Rewrite("z.narrow(1, 1, 2)", "z[:, 1:3]", to="numpy"),
    Rewrite("z.narrow(k, 1, 2)", "np.take(z, np.arange(1, 1 + 2), k)", to="numpy"),
    Rewrite("z.select(-1, 0)", "z[..., 0]", to="numpy"),
    Rewrite("z.select(k, 0)", "np.take(z, 0, k)", to="numpy"),
    Rewrite("tf.slice(x, [1, 0], [2, 3])", "x[1:3, :3]", to="numpy", of="tf"),
    Refused("x.narrow(0, -2, 2)", ".narrow(): a start that counts from the end", to="tf"),
    Refused("tf.slice(x, n, n)", "tf.slice: a rule for places that are written out alone", to="torch"),
]
