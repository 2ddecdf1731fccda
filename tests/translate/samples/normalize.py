"""Normalized vectors and layers."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("F.normalize(x)", "x / tf.maximum(tf.norm(x, axis=1, keepdims=True), 1e-12)", to="tf"),
    Rewrite("F.normalize(x, dim=-1, eps=1e-6)", "x / tf.maximum(tf.norm(x, axis=-1, keepdims=True), 1e-6)", to="tf"),
    Rewrite("F.layer_norm(x, (4,))", "_layer_norm(x, (4,))", to="tf"),
    Rewrite(
        "F.layer_norm(x, x.shape[1:], v, v, 1e-3)", "_layer_norm(x, x.shape[1:], weight=v, bias=v, eps=1e-3)", to="tf"
    ),
    Rewrite("F.layer_norm(z, [3, 4], eps=1e-6)", "_layer_norm(z, [3, 4], eps=1e-6)", to="tf"),
    Rewrite("F.group_norm(z, 1)", "_group_norm(z, 1)", to="tf"),
    Rewrite("F.group_norm(z, 3, v[:3], v[1:])", "_group_norm(z, 3, weight=v[:3], bias=v[1:])", to="tf"),
    Rewrite("tf.math.l2_normalize(x)", "x * x.square().sum().clamp(min=1e-12).rsqrt()", to="torch"),
    Rewrite(
        "tf.math.l2_normalize(x, axis=-1)", "x * x.square().sum(-1, keepdim=True).clamp(min=1e-12).rsqrt()", to="torch"
    ),
    Rewrite(
        "tf.nn.l2_normalize(x, [0, 1], epsilon=1e-6)",
        "x * x.square().sum([0, 1], keepdim=True).clamp(min=1e-6).rsqrt()",
        to="torch",
    ),
    Rewrite("tf.clip_by_norm(x, c)", "x * c / torch.linalg.vector_norm(x).clamp(min=c)", to="torch"),
    Rewrite(
        "tf.clip_by_norm(x, 1.0, axes=[1])",
        "x * 1.0 / torch.linalg.vector_norm(x, dim=1, keepdim=True).clamp(min=1.0)",
        to="torch",
    ),
    Rewrite(
        "tf.clip_by_norm(x, clip_norm=100.0, axes=[0, 1])",
        "x * 100.0 / torch.linalg.vector_norm(x, dim=[0, 1], keepdim=True).clamp(min=100.0)",
        to="torch",
    ),
    Refused("F.normalize(x, p=1)", "torch.nn.functional.normalize: a rule for p = 2 alone", to="tf"),
    Refused("tf.clip_by_norm(x, 1.0, axes=[])", "tf.clip_by_norm: over no axis", to="torch"),
    Refused("F.layer_norm(x, (4,))", "torch.nn.functional.layer_norm: no counterpart in NumPy", to="numpy"),
    Refused("tf.math.confusion_matrix(n, n)", "tf.math.confusion_matrix: no rule", to="torch"),
]
