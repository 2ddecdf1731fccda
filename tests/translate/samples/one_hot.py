"""One hot."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("F.one_hot(n, 3)", "tf.one_hot(n, 3, dtype=tf.int64)", to="tf"),
    Rewrite("F.one_hot(n, num_classes=4)", "tf.one_hot(n, 4, dtype=tf.int64)", to="tf"),
    Rewrite("tf.one_hot(n, 3)", "(n.unsqueeze(-1) == torch.arange(3, device=n.device)).to(torch.float32)", to="torch"),
    Rewrite("tf.one_hot(n, 2)", "(n.unsqueeze(-1) == torch.arange(2, device=n.device)).to(torch.float32)", to="torch"),
    Rewrite(
        "tf.one_hot(n - 1, depth=3, dtype=tf.float64)",
        "((n - 1).unsqueeze(-1) == torch.arange(3, device=(n - 1).device)).to(torch.float64)",
        to="torch",
    ),
    Rewrite(
        "tf.one_hot(n, 3, on_value=True, off_value=False)",
        "n.unsqueeze(-1) == torch.arange(3, device=n.device)",
        to="torch",
    ),
    Rewrite(
        "tf.one_hot(n, 3, on_value=1, off_value=0, dtype=tf.int32)",
        "(n.unsqueeze(-1) == torch.arange(3, device=n.device)).to(torch.int32)",
        to="torch",
    ),
    Rewrite(
        "tf.one_hot(n, 3, axis=0)",
        "(n.unsqueeze(-1) == torch.arange(3, device=n.device)).to(torch.float32).movedim(-1, 0)",
        to="torch",
    ),
    Rewrite("F.one_hot(n, 3)", "np.eye(3, dtype=np.int64)[n]", to="numpy"),
    Rewrite("tf.one_hot(n, 3)", "(np.expand_dims(n, -1) == np.arange(3)).astype(np.float32)", to="numpy", of="tf"),
    Rewrite(
        "tf.one_hot(n - 1, 3, axis=1, dtype=x.dtype)",
        "np.moveaxis((np.expand_dims(n - 1, -1) == np.arange(3)).astype(x.dtype), -1, 1)",
        to="numpy",
        of="tf",
    ),
    Rewrite(
        "tf.one_hot(n, 2, on_value=True, off_value=False)",
        "np.expand_dims(n, -1) == np.arange(2)",
        to="numpy",
        of="tf",
    ),
    Rewrite(
        "tf.one_hot(n, 3, on_value=0.9, off_value=0.1)",
        "np.where(np.expand_dims(n, -1) == np.arange(3), 0.9, 0.1)",
        to="numpy",
        of="tf",
    ),
    Refused("F.one_hot(n)", "torch.nn.functional.one_hot: num_classes is not given", to="tf"),
    Refused("F.one_hot(n)", "torch.nn.functional.one_hot: num_classes is not given", to="numpy"),
    Rewrite(
        "tf.one_hot(n, 3, False, True, dtype=tf.bool)",
        "n.unsqueeze(-1) != torch.arange(3, device=n.device)",
        to="torch",
    ),
    Refused(
        "tf.one_hot(n, 3, on_value=0.9, off_value=0.1)",
        "tf.one_hot: a rule for on_value 1 and off_value 0 alone",
        to="torch",
    ),
]
