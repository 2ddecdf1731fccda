"""Degrees and radians."""

from words import Rewrite

SAMPLES = [
    Rewrite("torch.deg2rad(x)", "x * (math.pi / 180)", to="tf"),
    Rewrite("torch.deg2rad(x + y)", "(x + y) * (math.pi / 180)", to="tf"),
    Rewrite("torch.sin(torch.deg2rad(e))", "tf.sin(e * (math.pi / 180))", to="tf"),
    Rewrite("n.deg2rad()", "tf.cast(n, tf.float32) * (math.pi / 180)", to="tf"),
    Rewrite("x.clone().deg2rad_()", "x * (math.pi / 180)", to="tf"),
    Rewrite("torch.rad2deg(x)", "x * (180 / math.pi)", to="tf"),
    Rewrite("n.rad2deg()", "tf.cast(n, tf.float32) * (180 / math.pi)", to="tf"),
    Rewrite("torch.deg2rad(x)", "np.deg2rad(x)", to="numpy"),
    Rewrite("torch.rad2deg(x)", "np.rad2deg(x)", to="numpy"),
]
