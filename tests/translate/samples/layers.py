"""Small functions of neural networks."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("tf.nn.l2_loss(x)", "x.square().sum() / 2", to="torch"),
    Rewrite("tf.raw_ops.L2Loss(t=x)", "x.square().sum() / 2", to="torch"),
    Rewrite("tf.nn.l2_loss(x)", "np.sum(np.square(x)) / 2", to="numpy", of="tf"),
    Rewrite("tf.nn.bias_add(x, v)", "x + v", to="torch"),
    Rewrite('tf.nn.bias_add(x, v, "NHWC")', "x + v", to="torch"),
    Rewrite("tf.nn.bias_add(x, v)", "x + v", to="numpy", of="tf"),
    Rewrite(
        "tf.nn.batch_normalization(x, v, v * v, -v, v + 1, 0.001)",
        "(x - v) * torch.rsqrt(v * v + 0.001) * (v + 1) + -v",
        to="torch",
    ),
    Rewrite(
        "tf.nn.batch_normalization(x, v, v * v, None, None, variance_epsilon=1e-3)",
        "(x - v) * torch.rsqrt(v * v + 1e-3)",
        to="torch",
    ),
    Rewrite(
        "tf.nn.weighted_cross_entropy_with_logits(labels=p, logits=x, pos_weight=2.0)",
        'torch.nn.functional.binary_cross_entropy_with_logits(x, p, reduction="none", pos_weight=x.new_tensor(2.0))',
        to="torch",
    ),
    Rewrite(
        "tf.nn.weighted_cross_entropy_with_logits(p, 30 * x, v)",
        'torch.nn.functional.binary_cross_entropy_with_logits(30 * x, p, reduction="none", pos_weight=v)',
        to="torch",
    ),
    Rewrite("tf.nn.crelu(x)", "torch.cat([x, -x], -1).relu()", to="torch"),
    Rewrite("tf.nn.crelu(x, axis=0)", "torch.cat([x, -x], 0).relu()", to="torch"),
    Rewrite("tf.linalg.global_norm([x, v])", "sum(part.square().sum() for part in [x, v]).sqrt()", to="torch"),
    Rewrite("tf.clip_by_global_norm([x, v], 1.5)[0]", "_clip_by_global_norm([x, v], 1.5)[0]", to="torch"),
    Rewrite("tf.clip_by_global_norm([x, y], 99.0)", "_clip_by_global_norm([x, y], 99.0)", to="torch"),
    Rewrite("tf.clip_by_global_norm([x, e], 9.0)[0]", "_clip_by_global_norm([x, e], 9.0)[0]", to="torch"),
    Rewrite("tf.keras.backend.flatten(z)", "z.reshape(-1)", to="torch"),
    Rewrite("tf.keras.backend.flatten(z)", "z.reshape(-1)", to="numpy", of="tf"),
    Rewrite("tf.keras.backend.batch_flatten(z)", "z.reshape(z.shape[0], -1)", to="torch"),
    Rewrite("tf.keras.backend.batch_flatten(z)", "z.reshape(z.shape[0], -1)", to="numpy", of="tf"),
    Rewrite(
        "tf.keras.backend.dot(x, tf.transpose(y))",
        "torch.tensordot(x, y.permute(*reversed(range(y.ndim))), dims=([-1], [-2]))",
        to="torch",
    ),
    Rewrite(
        "tf.keras.backend.dot(z, tf.transpose(z, [0, 2, 1]))",
        "torch.tensordot(z, z.permute(0, 2, 1), dims=([-1], [-2]))",
        to="torch",
    ),
    Rewrite("tf.keras.backend.dot(x, tf.transpose(y))", "np.tensordot(x, y.T, ([-1], [-2]))", to="numpy", of="tf"),
    Refused('tf.nn.bias_add(x, v, "NCHW")', "the channels last alone", to="torch"),
    Refused("tf.nn.batch_normalization(x, v, v, c, v, 0.001)", "is offset a tensor or None", to="torch"),
    Refused("tf.clip_by_global_norm([x], 1.0, x)", "use_norm has no rule", to="torch"),
]
