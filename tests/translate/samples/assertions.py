"""Assertions about numbers."""

from words import Rewrite

SAMPLES = [
    Rewrite('tf.debugging.check_numerics(x, "odd")', '_all_finite(x, "odd")', to="torch"),
    Rewrite("tf.debugging.assert_all_finite(x * 2, message='odd')", "_all_finite(x * 2, 'odd')", to="torch"),
]
