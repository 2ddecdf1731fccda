"""Numbers in a row, and the identity matrix."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.arange(5)", "tf.range(5)", to="tf"),
    Rewrite("torch.arange(1, 7, 2, device=x.device)", "tf.range(1, 7, 2)", to="tf"),
    Rewrite("torch.arange(0, 1, 0.25)", "tf.range(0, 1, 0.25)", to="tf"),
    Rewrite("torch.arange(1, end=k + 3, step=1)", "tf.range(1, k + 3)", to="tf"),
    Rewrite("torch.arange(3, dtype=x.dtype)", "tf.range(3, dtype=x.dtype)", to="tf"),
    Rewrite("torch.arange(4) * x", "tf.cast(tf.range(4), x.dtype) * x", to="tf"),
    Rewrite("torch.arange(x.size(0), dtype=torch.float32)", "tf.range(x.shape[0], dtype=tf.float32)", to="tf"),
    Rewrite("tf.range(5)", "torch.arange(5, device=x.device)", to="torch"),
    Rewrite(
        "tf.range(1, 7, delta=2, dtype=tf.float32)",
        "torch.arange(1, 7, 2, dtype=torch.float32, device=x.device)",
        to="torch",
    ),
    Rewrite("tf.range(start=0, limit=3)", "torch.arange(0, 3, device=x.device)", to="torch"),
    Rewrite("torch.arange(1, 5)", "np.arange(1, 5)", to="numpy"),
    Rewrite("torch.linspace(0, 1, 5)", "tf.linspace(0.0, 1.0, 5)", to="tf"),
    Rewrite("torch.linspace(-1, c, steps=3)", "tf.linspace(-1.0, c, 3)", to="tf"),
    Rewrite(
        "torch.linspace(0, 1, 5, dtype=x.dtype)", "tf.linspace(tf.cast(0, x.dtype), tf.cast(1, x.dtype), 5)", to="tf"
    ),
    Rewrite("torch.linspace(0, k, 5)", "tf.linspace(0.0, tf.cast(k, tf.float32), 5)", to="tf"),
    Rewrite("torch.linspace(0, 1, 5)", "np.linspace(0, 1, 5)", to="numpy"),
    Rewrite("tf.linspace(0.0, 1.0, 5)", "torch.linspace(0.0, 1.0, 5, device=x.device)", to="torch"),
    Rewrite("torch.eye(3)", "tf.eye(3)", to="tf"),
    Rewrite("torch.eye(3, 4, dtype=x.dtype)", "tf.eye(3, 4, dtype=x.dtype)", to="tf"),
    Rewrite("tf.eye(3, dtype=x.dtype)", "torch.eye(3, dtype=x.dtype, device=x.device)", to="torch"),
    Rewrite("tf.eye(3, 4)", "torch.eye(3, 4, device=x.device)", to="torch"),
    Rewrite("torch.eye(3)", "np.eye(3)", to="numpy"),
    Refused("tf.range(3, delta=2)", "without an end", to="torch"),
    Refused("tf.linspace(x, y, 5, axis=1)", "axis is not in its rule", to="torch"),
    Rewrite("tf.eye(k, batch_shape=[3, 1])", "torch.eye(k).expand(3, 1, -1, -1)", to="torch"),
    Rewrite("tf.eye(2, 3, shape)", "torch.eye(2, 3).expand(*shape, -1, -1)", to="torch"),
]
