"""Variances."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("x.var()", "tf.math.reduce_variance(x) * (x.shape.num_elements() / (x.shape.num_elements() - 1))", to="tf"),
    Rewrite("x.var(1)", "tf.math.reduce_variance(x, 1) * (x.shape[1] / (x.shape[1] - 1))", to="tf"),
    Rewrite("x.var(1, unbiased=False)", "tf.math.reduce_variance(x, 1)", to="tf"),
    Rewrite("x.var(1, False)", "tf.math.reduce_variance(x, 1)", to="tf"),
    Rewrite("x.var(unbiased=False)", "tf.math.reduce_variance(x)", to="tf"),
    Rewrite("x.var(False)", "tf.math.reduce_variance(x)", to="tf"),
    Rewrite("x.var((0, 1), correction=0)", "tf.math.reduce_variance(x, (0, 1))", to="tf"),
    Rewrite(
        "torch.var(x, dim=-1, keepdim=True, correction=0)", "tf.math.reduce_variance(x, -1, keepdims=True)", to="tf"
    ),
    Rewrite(
        "torch.var(x, dim=-1, keepdim=True)",
        "tf.math.reduce_variance(x, -1, keepdims=True) * (x.shape[-1] / (x.shape[-1] - 1))",
        to="tf",
    ),
    Rewrite("x.std(0)", "tf.math.reduce_std(x, 0) * (x.shape[0] / (x.shape[0] - 1)) ** 0.5", to="tf"),
    Rewrite("x.std(0, correction=0)", "tf.math.reduce_std(x, 0)", to="tf"),
    Rewrite("torch.var_mean(x, 1, correction=0)", "(tf.math.reduce_variance(x, 1), tf.reduce_mean(x, 1))", to="tf"),
    Rewrite(
        "torch.std_mean(x, 1, unbiased=False, keepdim=True)",
        "(tf.math.reduce_std(x, 1, keepdims=True), tf.reduce_mean(x, 1, keepdims=True))",
        to="tf",
    ),
    Rewrite("tf.math.reduce_variance(x)", "x.var(correction=0)", to="torch"),
    Rewrite("tf.math.reduce_variance(x, [1], keepdims=True)", "x.var(1, correction=0, keepdim=True)", to="torch"),
    Rewrite("tf.math.reduce_std(x, axis=1)", "x.std(1, correction=0)", to="torch"),
    Rewrite("tf.math.reduce_std(x, keepdims=True)", "x.std(correction=0, keepdim=True)", to="torch"),
    Rewrite("tf.nn.moments(x, [1])", "(x.mean(1), x.var(1, correction=0))", to="torch"),
    Rewrite(
        "tf.nn.moments(x, [0, 1], keepdims=True)",
        "(x.mean([0, 1], keepdim=True), x.var([0, 1], correction=0, keepdim=True))",
        to="torch",
    ),
    Rewrite("x.var(1)", "np.var(x, 1, ddof=1)", to="numpy"),
    Rewrite("x.std(1, correction=0, keepdim=True)", "np.std(x, 1, keepdims=True)", to="numpy"),
    Rewrite("torch.var_mean(x, 1)", "(np.var(x, 1, ddof=1), np.mean(x, 1))", to="numpy"),
    Rewrite("torch.std_mean(x, 1, correction=0)", "(np.std(x, 1), np.mean(x, 1))", to="numpy"),
    Rewrite("tf.math.reduce_variance(x, [0, 1])", "np.var(x, (0, 1))", to="numpy", of="tf"),
    Rewrite("tf.math.reduce_std(x, 1)", "np.std(x, 1)", to="numpy", of="tf"),
    Refused("x.var((0, 1))", "torch.var: divides by n - 1 over several axes, TensorFlow by n", to="tf"),
    Refused("x.std(1, correction=2)", "torch.std: a rule for correction 0 and 1 alone", to="tf"),
    Refused("tf.math.reduce_variance(x, [])", "tf.math.reduce_variance: over no axis", to="torch"),
    Refused("tf.nn.moments(x, [])", "tf.nn.moments: over no axis", to="torch"),
    Rewrite("tf.keras.backend.std(x, axis=-1)", "x.std(-1, correction=0)", to="torch"),
    Rewrite("tf.keras.backend.var(x)", "x.var(correction=0)", to="torch"),
]
