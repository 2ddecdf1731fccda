"""Choices."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.where(mask, x, y)", "tf.where(mask, x, y)", to="tf"),
    Rewrite("x.where(x > 0, y)", "tf.where(x > 0, x, y)", to="tf"),
    Rewrite("x.where(mask, 0)", "np.where(mask, x, 0)", to="numpy"),
    Rewrite("torch.where(x > 0, x, 0)", "tf.where(x > 0, x, 0)", to="tf"),
    Rewrite("torch.where(x > 0, x * y, 0.5)", "tf.where(x > 0, x * y, 0.5)", to="tf"),
    # a number that stands first has no type in a graph
    Rewrite("torch.where(x > 0, 0.0, x)", "tf.where(x > 0, tf.zeros_like(x), x)", to="tf"),
    Rewrite("torch.where(x > 0, 0.5, x)", "tf.where(x > 0, tf.constant(0.5, x.dtype), x)", to="tf"),
    Rewrite("torch.where(x > 0, 0, x * y)", "tf.where(x > 0, tf.constant(0, x.dtype), x * y)", to="tf"),
    Rewrite("torch.where(mask, 1.0, 0.0)", "tf.where(mask, 1.0, 0.0)", to="tf"),
    Rewrite("torch.where(mask, 1, -1)", "tf.where(mask, 1, -1)", to="tf"),
    Rewrite("torch.where(mask, 0, 0.5)", "tf.where(mask, float(0), 0.5)", to="tf"),
    # types meet
    Rewrite("torch.where(mask, n, x)", "tf.where(mask, tf.cast(n, x.dtype), x)", to="tf"),
    Rewrite("torch.where(mask, n, 0.5)", "tf.where(mask, tf.cast(n, tf.float32), 0.5)", to="tf"),
    Rewrite("torch.where(mask, n, 0)", "tf.where(mask, n, 0)", to="tf"),
    Rewrite("torch.where(mask, 1, n) * x", "tf.cast(tf.where(mask, tf.ones_like(n), n), x.dtype) * x", to="tf"),
    Rewrite("tf.where(mask, x, y)", "torch.where(mask, x, y)", to="torch"),
    Rewrite("tf.where(mask, x, tf.zeros_like(x))", "torch.where(mask, x, torch.zeros_like(x))", to="torch"),
    Rewrite("tf.where(condition=mask, x=x, y=0.0)", "torch.where(mask, x, 0.0)", to="torch"),
    Rewrite("torch.where(mask, x, 0)", "np.where(mask, x, 0)", to="numpy"),
    Rewrite("tf.compat.v1.where(mask, x, y)", "torch.where(mask, x, y)", to="torch"),
    Rewrite("x.masked_fill(mask, 0)", "tf.where(mask, tf.zeros_like(x), x)", to="tf"),
    Rewrite(
        'torch.masked_fill(x, ~mask, float("-inf"))', 'tf.where(~mask, tf.constant(float("-inf"), x.dtype), x)', to="tf"
    ),
    Rewrite("x.clone().masked_fill_(mask, 0.5)", "tf.where(mask, tf.constant(0.5, x.dtype), x)", to="tf"),
    Rewrite("x.masked_fill(mask, v[0])", "tf.where(mask, v[0], x)", to="tf"),
    Rewrite("x.masked_fill(mask, 0)", "np.where(mask, 0, x)", to="numpy"),
    Refused("torch.where(mask)", "input is not given", to="tf"),
    Rewrite("tf.where(mask)", "torch.nonzero(mask)", to="torch"),
    Rewrite("torch.nonzero(x > 0)", "tf.where(x > 0)", to="tf"),
    Rewrite("x.relu().nonzero()", "tf.where(tf.nn.relu(x))", to="tf"),
    Rewrite("torch.nonzero(x)", "np.argwhere(x)", to="numpy"),
    Rewrite("tf.where(x > 0)", "torch.nonzero(x > 0)", to="torch"),
    Rewrite("tf.where(mask)", "np.argwhere(mask)", to="numpy", of="tf"),
    Rewrite("tf.raw_ops.SelectV2(condition=mask, t=x, e=y)", "torch.where(mask, x, y)", to="torch"),
]
