"""Means that are written as a sum over the number of its terms."""

from words import Rewrite

SAMPLES = [
    Rewrite("x.sum() / x.numel()", "tf.reduce_mean(x)", to="tf"),
    Rewrite("x.sum() / x.numel()", "tf.reduce_mean(x)", to="tf", general=True),
    Rewrite("x.norm(p=1).div(x.nelement())", "tf.reduce_mean(tf.abs(x))", to="tf", general=True),
    Rewrite("(x ** 2).sum() / x.numel()", "tf.reduce_mean(x ** 2)", to="tf"),
    Rewrite("x.sum(1, keepdim=True) / x.size(1)", "tf.reduce_mean(x, 1, keepdims=True)", to="tf"),
    Rewrite("x.sum(1) / x.shape[1]", "tf.reduce_mean(x, 1)", to="tf", general=True),
    Rewrite("tf.reduce_sum(tf.abs(x)) / tf.cast(tf.size(x), x.dtype)", "torch.abs(x).mean()", to="torch"),
    Rewrite(
        "tf.reduce_sum(x, axis=1, keepdims=True) / tf.cast(tf.shape(x)[1], x.dtype)",
        "x.mean(1, keepdim=True)",
        to="torch",
    ),
    # No means: of whole numbers, of another axis, of another tensor, of more elements than that
    Rewrite("n.sum() / n.numel()", "tf.cast(tf.reduce_sum(n), tf.float32) / n.shape.num_elements()", to="tf"),
    Rewrite("x.sum(0) / x.shape[1]", "tf.reduce_sum(x, 0) / x.shape[1]", to="tf"),
    Rewrite("v.sum() / x.numel()", "tf.reduce_sum(v) / tf.cast(tf.size(x), v.dtype)", to="tf", general=True),
    Rewrite("(v * x).sum() / v.numel()", "tf.reduce_sum(v * x) / v.shape.num_elements()", to="tf"),
]
