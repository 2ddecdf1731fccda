"""Functions of two tensors."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.atan2(x, y)", "tf.atan2(x, y)", to="tf"),
    Rewrite("e.arctan2(-e)", "tf.atan2(e, -e)", to="tf"),
    Rewrite("tf.math.atan2(x, y)", "torch.atan2(x, y)", to="torch"),
    Rewrite("tf.atan2(y=x, x=y)", "torch.atan2(x, y)", to="torch"),
    Rewrite("torch.atan2(x, y)", "np.arctan2(x, y)", to="numpy"),
    Rewrite("torch.hypot(x, y)", "tf.experimental.numpy.hypot(x, y)", to="tf"),
    Rewrite("x.hypot(y)", "np.hypot(x, y)", to="numpy"),
    Rewrite("torch.xlogy(x, p)", "tf.math.xlogy(x, p)", to="tf"),
    Rewrite("torch.xlogy(0.5, p)", "tf.math.xlogy(tf.constant(0.5, p.dtype), p)", to="tf"),
    Rewrite("tf.math.xlogy(x, p)", "torch.xlogy(x, p)", to="torch"),
    Rewrite("torch.xlogy(n, p)", "np.where(n == 0, 0, n * np.log(np.where(n == 0, 1, p)))", to="numpy"),
    Rewrite("torch.special.xlog1py(x, p)", "tf.math.xlog1py(x, p)", to="tf"),
    Rewrite("tf.math.xlog1py(x, p)", "torch.special.xlog1py(x, p)", to="torch"),
    Rewrite("tf.math.xdivy(x, p)", "torch.where(x == 0, 0, x / p)", to="torch"),
    Rewrite("tf.math.xdivy(e, e)", "torch.where(e == 0, 0, e / e)", to="torch"),
    Rewrite("tf.math.xdivy(x, p)", "np.where(x == 0, 0, x / p)", to="numpy", of="tf"),
    Rewrite("torch.nextafter(x, y)", "tf.math.nextafter(x, y)", to="tf"),
    Rewrite("tf.math.nextafter(x1=x, x2=y)", "torch.nextafter(x, y)", to="torch"),
    Rewrite("torch.nextafter(x, y)", "np.nextafter(x, y)", to="numpy"),
    Refused("torch.special.xlog1py(x, p)", "no counterpart in NumPy", to="numpy"),
]
