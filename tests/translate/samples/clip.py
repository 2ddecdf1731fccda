"""Limits."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.clamp(x, -1, 1)", "tf.clip_by_value(x, -1, 1)", to="tf"),
    Rewrite("torch.clip(e, min=-c, max=c)", "tf.clip_by_value(e, -c, c)", to="tf"),
    Rewrite("x.clone().clamp_(0, 1)", "tf.clip_by_value(x, 0, 1)", to="tf"),
    Rewrite("x.clamp(min=c)", "tf.maximum(x, c)", to="tf"),
    Rewrite("x.clamp(0)", "tf.maximum(x, 0)", to="tf"),
    Rewrite("x.clamp(None, 1)", "tf.minimum(x, 1)", to="tf"),
    Rewrite("e.clamp(max=1)", "tf.minimum(e, 1)", to="tf"),
    Rewrite("x.clamp(-p, p)", "tf.clip_by_value(x, -p, p)", to="tf"),
    Rewrite("n.clamp(0, 1)", "tf.clip_by_value(n, 0, 1)", to="tf"),
    Rewrite("n.clamp(0, 1.5)", "tf.clip_by_value(tf.cast(n, tf.float32), 0, 1.5)", to="tf"),
    Rewrite("torch.clamp_min(x, 0)", "tf.maximum(x, 0)", to="tf"),
    Rewrite("x.clamp_min(y)", "tf.maximum(x, y)", to="tf"),
    Rewrite("x.clamp_max(c)", "tf.minimum(x, c)", to="tf"),
    Rewrite("tf.clip_by_value(x, -c, c)", "x.clamp(-c, c)", to="torch"),
    Rewrite("tf.clip_by_value(e, -p[0, 0], p[0, 0])", "e.clamp(-p[0, 0], p[0, 0])", to="torch"),
    Rewrite("tf.clip_by_value(x, 0.0, p)", "x.clamp(min=0.0).clamp(max=p)", to="torch"),
    Rewrite("tf.clip_by_value(x, clip_value_min=0, clip_value_max=1)", "x.clamp(0, 1)", to="torch"),
    Rewrite("x.clamp(-1, 1)", "np.clip(x, -1, 1)", to="numpy"),
    Rewrite("x.clamp(max=1)", "np.minimum(x, 1)", to="numpy"),
    Rewrite("x.clamp_min(0)", "np.maximum(x, 0)", to="numpy"),
    Rewrite("x.clamp_max(0)", "np.minimum(x, 0)", to="numpy"),
    Refused("torch.clamp(x)", "neither min nor max is given", to="tf"),
    Refused("tf.clip_by_value(x, 0)", "clip_value_max is not given", to="torch"),
]
