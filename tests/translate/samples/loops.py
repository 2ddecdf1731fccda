"""Loops that are written as functions."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite(
        "tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2), (0, x))",
        "_while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2), (0, x))",
        to="torch",
    ),
    Rewrite(
        "tf.while_loop(lambda i, a: i < 9, lambda i, a: [i + 1, a + x], loop_vars=[0, x], maximum_iterations=k)",
        "_while_loop(lambda i, a: i < 9, lambda i, a: [i + 1, a + x], [0, x], k)",
        to="torch",
    ),
    Rewrite("tf.cond(tf.reduce_sum(x) > 100, lambda: x, lambda: y * 2)", "x if x.sum() > 100 else y * 2", to="torch"),
    Rewrite("tf.map_fn(lambda row: row * v, x)", "torch.stack([row * v for row in x])", to="torch"),
    Rewrite("tf.map_fn(fn=lambda a: tf.reduce_sum(a), elems=x)", "torch.stack([a.sum() for a in x])", to="torch"),
    Rewrite("tf.vectorized_map(lambda row: row * v, x)", "torch.vmap(lambda row: row * v)(x)", to="torch"),
    Rewrite("tf.scan(lambda a, row: a * c + row, x)", "_scan(lambda a, row: a * c + row, x)", to="torch"),
    Rewrite("tf.scan(lambda a, row: a + row, x, initializer=v)", "_scan(lambda a, row: a + row, x, v)", to="torch"),
    Rewrite(
        "tf.scan(lambda a, row: (a[1], a[0] + row), x, (v, v))",
        "_scan(lambda a, row: (a[1], a[0] + row), x, (v, v))",
        to="torch",
    ),
    Rewrite("tf.foldl(lambda a, row: a * c + row, x)", "_fold(lambda a, row: a * c + row, x)", to="torch"),
    Rewrite("tf.foldl(lambda a, row: a - row, x, initializer=v)", "_fold(lambda a, row: a - row, x, v)", to="torch"),
    Refused("tf.cond(tf.reduce_sum(x) > 1, lambda: x)", "tf.cond: a function for each case is wanted", to="torch"),
    Refused("tf.map_fn(lambda rows: rows[0] * rows[1], (x, y))", "tf.map_fn: a rule for one tensor alone", to="torch"),
    Refused("tf.scan(lambda a, row: a + row, x, reverse=True)", "tf.scan: reverse has no rule", to="torch"),
    Refused("tf.scan(lambda a, rows: a + rows[0], (x, y))", "tf.scan: a rule for one tensor alone", to="torch"),
    Refused(
        "tf.vectorized_map(lambda rows: rows[0], (x, y))", "tf.vectorized_map: a rule for one tensor alone", to="torch"
    ),
    Refused("tf.foldl(lambda a, rows: a + rows[0], (x, y))", "tf.foldl: a rule for one tensor alone", to="torch"),
    Refused("tf.RaggedTensor.from_row_lengths(v, n[0])", "tf.RaggedTensor.from_row_lengths: no rule", to="torch"),
]
