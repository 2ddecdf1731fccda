"""Numbers put around."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("F.pad(x, (1, 2))", "tf.pad(x, [[0, 0]] * (x.shape.rank - 1) + [[1, 2]])", to="tf"),
    Rewrite("F.pad(x, (1, 0, 0, 2))", "tf.pad(x, [[0, 0]] * (x.shape.rank - 2) + [[0, 2], [1, 0]])", to="tf"),
    Rewrite(
        "F.pad(x, [0, k], value=c)", "tf.pad(x, [[0, 0]] * (x.shape.rank - 1) + [[0, k]], constant_values=c)", to="tf"
    ),
    Rewrite('F.pad(x, (1, 1), "constant", 0)', "tf.pad(x, [[0, 0]] * (x.shape.rank - 1) + [[1, 1]])", to="tf"),
    Rewrite(
        'F.pad(x, (1, 1), mode="reflect")',
        'tf.pad(x, [[0, 0]] * (x.shape.rank - 1) + [[1, 1]], mode="REFLECT")',
        to="tf",
    ),
    Rewrite("tf.pad(x, [[0, 0], [1, 2]])", "torch.nn.functional.pad(x, (1, 2))", to="torch"),
    Rewrite("tf.pad(x, [[0, 2], [1, 0]])", "torch.nn.functional.pad(x, (1, 0, 0, 2))", to="torch"),
    Rewrite(
        "tf.pad(x, [[0, 0], [0, k]], constant_values=c)", "torch.nn.functional.pad(x, (0, k), value=c)", to="torch"
    ),
    Rewrite('tf.pad(x, [[0, 0], [1, 1]], "REFLECT")', 'torch.nn.functional.pad(x, (1, 1), mode="reflect")', to="torch"),
    Rewrite("tf.pad(v, [[1, 0]])", "torch.nn.functional.pad(v, (1, 0))", to="torch"),
    Rewrite(
        "F.pad(x, (1, 2), value=c)", "np.pad(x, [[0, 0]] * (x.ndim - 1) + [[1, 2]], constant_values=c)", to="numpy"
    ),
    Rewrite("F.pad(x, (1, 0, 0, 2))", "np.pad(x, [[0, 0]] * (x.ndim - 2) + [[0, 2], [1, 0]])", to="numpy"),
    Rewrite("F.pad(x, shape)", "_pad(x, shape)", to="tf"),
    Rewrite("F.pad(x, (1, 0) + (k, 2), value=c)", "_pad(x, (1, 0) + (k, 2), c)", to="tf"),
    Rewrite("tf.pad(x, [[0, 1]] * 2)", "_pad(x, [[0, 1]] * 2)", to="torch"),
    Rewrite("tf.pad(z, [[0, k]] + [[1, 0]] * 2, constant_values=c)", "_pad(z, [[0, k]] + [[1, 0]] * 2, c)", to="torch"),
    Refused('F.pad(x, shape, mode="reflect")', "torch.nn.functional.pad: a rule for widths", to="tf"),
    Refused(
        'F.pad(x, (1, 1), mode="replicate")',
        "torch.nn.functional.pad: a rule for widths that are written out, and modes constant and reflect, alone",
        to="tf",
    ),
    Refused(
        'tf.pad(x, [[0, 0], [1, 1]], "SYMMETRIC")',
        "tf.pad: a rule for widths that are written out, and modes constant and reflect, alone",
        to="torch",
    ),
    Refused(
        "tf.pad(x, n)",
        "tf.pad: a rule for widths that are written out, and modes constant and reflect, alone",
        to="torch",
    ),
]
