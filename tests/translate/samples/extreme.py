"""Largest and smallest numbers."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("x.max()", "tf.reduce_max(x)", to="tf"),
    Rewrite("x.min()", "tf.reduce_min(x)", to="tf"),
    Rewrite("torch.max(x, 1)", "(tf.reduce_max(x, 1), _argmax(x, 1))", to="tf"),
    Rewrite(
        "x.max(dim=1, keepdim=True)",
        "(tf.reduce_max(x, 1, keepdims=True), _argmax(x, 1, keepdims=True))",
        to="tf",
    ),
    Rewrite("n.max(1)", "(tf.reduce_max(n, 1), tf.argmax(n, 1))", to="tf"),
    Rewrite("x.min(-1)", "(tf.reduce_min(x, -1), _argmin(x, -1))", to="tf"),
    Rewrite("e.min(0)", "(tf.reduce_min(e, 0), _argmin(e, 0))", to="tf"),
    Rewrite("x.max(1)[0]", "tf.reduce_max(x, 1)", to="tf"),
    Rewrite("torch.max(x, y)", "tf.maximum(x, y)", to="tf"),
    Rewrite("torch.min(x, y)", "tf.minimum(x, y)", to="tf"),
    Rewrite("x.argmax()", "_argmax(x)", to="tf"),
    Rewrite("n.argmax()", "tf.argmax(tf.reshape(n, [-1]))", to="tf"),
    Rewrite("x.argmax(-1)", "_argmax(x, -1)", to="tf"),
    Rewrite("torch.argmin(x, dim=1, keepdim=True)", "_argmin(x, 1, keepdims=True)", to="tf"),
    Rewrite("n.argmin(dim=0, keepdim=True)", "tf.expand_dims(tf.argmin(n, 0), 0)", to="tf"),
    Rewrite("x.argmin(0)", "_argmin(x, 0)", to="tf"),
    Rewrite("tf.argmax(x, 1)", "x.argmax(1)", to="torch"),
    Rewrite("tf.argmax(x, axis=-1, output_type=tf.int32)", "x.argmax(-1)", to="torch"),
    Rewrite("tf.argmax(x)", "x.argmax(0)", to="torch"),
    Rewrite("tf.math.argmin(x, 0)", "x.argmin(0)", to="torch"),
    Rewrite("x.max()", "np.max(x)", to="numpy"),
    Rewrite(
        "torch.max(x, 1, keepdim=True)", "(np.max(x, 1, keepdims=True), np.argmax(x, 1, keepdims=True))", to="numpy"
    ),
    Rewrite("torch.min(x, y)", "np.minimum(x, y)", to="numpy"),
    Rewrite("x.argmax(1, keepdim=True)", "np.argmax(x, 1, keepdims=True)", to="numpy"),
    Rewrite("x.argmin()", "np.argmin(x)", to="numpy"),
    Rewrite("tf.argmax(x)", "np.argmax(x, 0)", to="numpy", of="tf"),
    Rewrite("tf.argmin(x, 1)", "np.argmin(x, 1)", to="numpy", of="tf"),
    Refused("x.argmax(keepdim=True)", "torch.argmax: keepdim without dim has no counterpart", to="tf"),
    Refused("torch.aminmax(x)", "torch.aminmax: no rule", to="tf"),
    Rewrite("torch.argmin(e)", "_argmin(e)", to="tf"),
    Rewrite("e.argmax(0, keepdim=True)", "_argmax(e, 0, keepdims=True)", to="tf"),
]
