"""Rows by number."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite(
        "tf.math.unsorted_segment_mean(x, [2, 0, 2], 4)",
        '_segments(x, torch.tensor([2, 0, 2]), 4, "mean", 0)',
        to="torch",
    ),
    Rewrite("tf.math.unsorted_segment_mean(x, n[:, 0] - 1, 4)", '_segments(x, n[:, 0] - 1, 4, "mean", 0)', to="torch"),
    Rewrite(
        "tf.math.unsorted_segment_prod(x, [2, 0, 2], 4)",
        '_segments(x, torch.tensor([2, 0, 2]), 4, "prod", 1)',
        to="torch",
    ),
    Rewrite("tf.math.unsorted_segment_prod(x, n[:, 0] - 1, 4)", '_segments(x, n[:, 0] - 1, 4, "prod", 1)', to="torch"),
    Rewrite(
        "tf.math.unsorted_segment_max(x, [2, 0, 2], 4)",
        '_segments(x, torch.tensor([2, 0, 2]), 4, "amax", torch.finfo(x.dtype).min)',
        to="torch",
    ),
    Rewrite(
        "tf.math.unsorted_segment_max(x, n[:, 0] - 1, 4)",
        '_segments(x, n[:, 0] - 1, 4, "amax", torch.finfo(x.dtype).min)',
        to="torch",
    ),
    Rewrite(
        "tf.math.unsorted_segment_min(x, [2, 0, 2], 4)",
        '_segments(x, torch.tensor([2, 0, 2]), 4, "amin", torch.finfo(x.dtype).max)',
        to="torch",
    ),
    Rewrite(
        "tf.math.unsorted_segment_min(x, n[:, 0] - 1, 4)",
        '_segments(x, n[:, 0] - 1, 4, "amin", torch.finfo(x.dtype).max)',
        to="torch",
    ),
    Rewrite(
        "tf.math.unsorted_segment_max(x, n, num_segments=k + 1)",
        '_segments(x, n, k + 1, "amax", torch.finfo(x.dtype).min)',
        to="torch",
    ),
    Rewrite(
        "tf.math.segment_sum(x, [0, 2, 2])",
        '_segments(x, torch.tensor([0, 2, 2]), int(torch.tensor([0, 2, 2])[-1]) + 1, "sum", 0)',
        to="torch",
    ),
    Rewrite(
        "tf.math.segment_mean(x, [0, 2, 2])",
        '_segments(x, torch.tensor([0, 2, 2]), int(torch.tensor([0, 2, 2])[-1]) + 1, "mean", 0)',
        to="torch",
    ),
    Rewrite(
        "tf.math.segment_prod(x, [0, 2, 2])",
        '_segments(x, torch.tensor([0, 2, 2]), int(torch.tensor([0, 2, 2])[-1]) + 1, "prod", 1)',
        to="torch",
    ),
    Rewrite(
        "tf.math.segment_sum(v, tf.sort(n[0]))",
        '_segments(v, n[0].sort().values, int(n[0].sort().values[-1]) + 1, "sum", 0)',
        to="torch",
    ),
    Rewrite("tf.unique(n[1])", "_unique(n[1])[:2]", to="torch"),
    Rewrite("tf.unique(tf.concat([-v, v, -v], 0))[0]", "_unique(torch.cat([-v, v, -v]))[:2][0]", to="torch"),
    Rewrite("tf.unique_with_counts(tf.concat([v, -v, v], 0))", "_unique(torch.cat([v, -v, v]))", to="torch"),
    Rewrite("tf.math.bincount(n)", "torch.bincount(n.reshape(-1))", to="torch"),
    Rewrite("tf.math.bincount(n[0], minlength=5)", "torch.bincount(n[0].reshape(-1), minlength=5)", to="torch"),
    Rewrite("tf.math.bincount(n)", "np.bincount(n.reshape(-1))", to="numpy", of="tf"),
    Rewrite("tf.math.bincount(n[0], minlength=5)", "np.bincount(n[0].reshape(-1), minlength=5)", to="numpy", of="tf"),
    Rewrite(
        "tf.dynamic_partition(x, tf.cast(n[:, 0], tf.int32), 4)",
        "_partition(x, n[:, 0].to(torch.int32), 4)",
        to="torch",
    ),
    Rewrite(
        "tf.dynamic_partition(x, tf.cast(n, tf.int32), 3)", "_partition(x, n.astype(np.int32), 3)", to="numpy", of="tf"
    ),
    Refused("tf.math.segment_mean(n, [0, 1, 1])", "for floating numbers alone", to="torch"),
    Refused("tf.math.unsorted_segment_max(n, [0, 1, 0], 2)", "for floating numbers alone", to="torch"),
    Refused("tf.math.bincount(n, weights=x)", "weights have no rule", to="torch"),
    Refused("tf.math.bincount(n, minlength=at[0])", "not known here to be a number of Python", to="torch"),
    Refused("tf.math.segment_max(x, [0, 2, 2])", "tf.math.segment_max: no rule", to="torch"),
]
