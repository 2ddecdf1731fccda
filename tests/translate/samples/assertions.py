"""Assertions about numbers."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite('tf.debugging.check_numerics(x, "odd")', '_all_finite(x, "odd")', to="torch"),
    Rewrite("tf.debugging.assert_all_finite(x * 2, message='odd')", "_all_finite(x * 2, 'odd')", to="torch"),
    Rewrite('tf.debugging.assert_equal(x, x, message="odd")', '_assert(x == x, "odd")', to="torch"),
    Rewrite(
        "tf.debugging.assert_equal(tf.shape(x), [3, 4])",
        '_assert(x.shape == (3, 4), "x.shape == (3, 4) does not hold")',
        to="torch",
    ),
    Rewrite("tf.debugging.assert_none_equal(k, 3)", '_assert(k != 3, "k != 3 does not hold")', to="torch"),
    Rewrite("tf.debugging.assert_greater(p, x - 9)", '_assert(p > x - 9, "p > x - 9 does not hold")', to="torch"),
    Rewrite('tf.assert_greater(p, x - 9, "odd")', '_assert(p > x - 9, "odd")', to="torch"),
    Rewrite("tf.debugging.assert_greater_equal(x, x)", '_assert(x >= x, "x >= x does not hold")', to="torch"),
    Rewrite('tf.compat.v1.assert_less(p, x + 9, [p], message="odd")', '_assert(p < x + 9, "odd")', to="torch"),
    Rewrite("tf.debugging.assert_less_equal(x, x)", '_assert(x <= x, "x <= x does not hold")', to="torch"),
    Rewrite("tf.debugging.assert_positive(p)", '_assert(p > 0, "p > 0 does not hold")', to="torch"),
    Rewrite('tf.debugging.assert_equal("a", "a")', '_assert("a" == "a", \'"a" == "a" does not hold\')', to="torch"),
    Rewrite("tf.debugging.assert_negative(-p)", '_assert(-p < 0, "-p < 0 does not hold")', to="torch"),
    Rewrite('tf.debugging.assert_non_negative(p, message="odd")', '_assert(p >= 0, "odd")', to="torch"),
    Rewrite("tf.debugging.assert_non_positive(-p)", '_assert(-p <= 0, "-p <= 0 does not hold")', to="torch"),
    Rewrite("tf.debugging.assert_rank(x, 2)", '_assert(x.ndim == 2, "x.ndim == 2 does not hold")', to="torch"),
    Rewrite(
        "tf.Assert(tf.reduce_all(p > 0), [p])", '_assert((p > 0).all(), "(p > 0).all() does not hold")', to="torch"
    ),
    Rewrite('tf.print("p", c)', 'print("p", c)', to="torch"),
    Rewrite('tf.print(x, c, summarize=-1, sep="")', 'print(x, c, sep="")', to="torch"),
    Rewrite('tf.print("p", c)', 'print("p", c)', to="numpy", of="tf"),
    Rewrite(
        "tf.debugging.assert_equal(x.shape.as_list(), [3, 4])",
        '_assert(tuple(list(x.shape)) == (3, 4), "tuple(list(x.shape)) == (3, 4) does not hold")',
        to="torch",
    ),
    Rewrite(
        "tf.debugging.assert_equal(tf.shape(x), [3, 4])",
        '_assert(x.shape == (3, 4), "x.shape == (3, 4) does not hold")',
        to="numpy",
        of="tf",
    ),
    Rewrite("tf.debugging.assert_none_equal(k, 3)", '_assert(k != 3, "k != 3 does not hold")', to="numpy", of="tf"),
    Rewrite(
        "tf.debugging.assert_greater(p, x - 9)", '_assert(p > x - 9, "p > x - 9 does not hold")', to="numpy", of="tf"
    ),
    Rewrite("tf.debugging.assert_greater_equal(x, x)", '_assert(x >= x, "x >= x does not hold")', to="numpy", of="tf"),
    Rewrite("tf.debugging.assert_less(p, x + 9)", '_assert(p < x + 9, "p < x + 9 does not hold")', to="numpy", of="tf"),
    Rewrite("tf.debugging.assert_less_equal(x, x)", '_assert(x <= x, "x <= x does not hold")', to="numpy", of="tf"),
    Rewrite("tf.debugging.assert_positive(p)", '_assert(p > 0, "p > 0 does not hold")', to="numpy", of="tf"),
    Rewrite("tf.debugging.assert_negative(-p)", '_assert(-p < 0, "-p < 0 does not hold")', to="numpy", of="tf"),
    Rewrite("tf.debugging.assert_non_negative(p)", '_assert(p >= 0, "p >= 0 does not hold")', to="numpy", of="tf"),
    Rewrite("tf.debugging.assert_non_positive(-p)", '_assert(-p <= 0, "-p <= 0 does not hold")', to="numpy", of="tf"),
    Rewrite("tf.debugging.assert_rank(x, 2)", '_assert(x.ndim == 2, "x.ndim == 2 does not hold")', to="numpy", of="tf"),
    Rewrite(
        "tf.Assert(tf.reduce_all(p > 0), [p])",
        '_assert(np.all(p > 0), "np.all(p > 0) does not hold")',
        to="numpy",
        of="tf",
    ),
    Refused(
        "tf.debugging.assert_greater(tf.shape(x), [2, 2])", "two tensors, two numbers or two shapes alone", to="torch"
    ),
]
