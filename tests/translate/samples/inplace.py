"""What is written into a tensor whole."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("x.clone().fill_(0)", "tf.zeros_like(x)", to="tf"),
    Rewrite("x.clone().fill_(1)", "tf.ones_like(x)", to="tf"),
    Rewrite("x.clone().fill_(c)", "c * tf.ones_like(x)", to="tf"),
    Rewrite("torch.fill(n, 2)", "2 * tf.ones_like(n)", to="tf"),
    Rewrite("n.clone().fill_(1.7)", "tf.fill(tf.shape(n), tf.cast(1.7, n.dtype))", to="tf"),
    Rewrite("torch.fill(x, v[0])", "tf.fill(tf.shape(x), tf.cast(v[0], x.dtype))", to="tf"),
    Rewrite("torch.fill(x, 0.5)", "np.full_like(x, 0.5)", to="numpy"),
    Rewrite("x.clone().zero_()", "tf.zeros_like(x)", to="tf"),
    Rewrite("x.clone().zero_()", "np.zeros_like(x)", to="numpy"),
    Rewrite("x.clone().copy_(v)", "tf.broadcast_to(tf.cast(v, x.dtype), tf.shape(x))", to="tf"),
    Rewrite("x.clone().copy_(n)", "np.broadcast_to(n, x.shape).astype(x.dtype)", to="numpy"),
    Refused("x.fill_(0, 1)", "argument 1 is not in its rule", to="tf"),
]
