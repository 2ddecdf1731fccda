"""Wrong in places: single elements, far out, at a kink, at NaN, in the last digits, on overflow."""

from porting.selftest.edits import planted_edits

planted_edits(
    __name__,
    """
    last_element_left_out: sine, few_elements
        The last element gets no gradient.
        - return tf.cos(x) * dy
        + return tf.where(number(x) == tf.size(x) - 1, 0 * dy, tf.cos(x) * dy)
    tail_of_blocks_left_out: sine, few_elements
        Work is done in blocks of 8; the elements after the last full block get no gradient.
        - return tf.cos(x) * dy
        + return tf.where(number(x) >= tf.size(x) // 8 * 8, 0 * dy, tf.cos(x) * dy)
    one_in_a_large_array: cube, few_elements
        Element 54321 of a large array has the wrong sign; small arrays are right.
        - return 3 * x**2 * dy
        + return 3 * x**2 * tf.where(number(x) == 54321, -dy, dy)
    cut_off: sigmoid, wrong_branch
        No gradient beyond 4, where it is still 0.018.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + dx = tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + return tf.where(tf.abs(x) > 4, 0 * dx, dx)
    straight_beyond_ten: cube, wrong_branch
        Beyond 10 the gradient is that of a straight line.
        - return 3 * x**2 * dy
        + return tf.where(tf.abs(x) > 10, 300 * dy, 3 * x**2 * dy)
    taken_for_linear_too_early: softplus, wrong_branch
        From 3 on the gradient is 1, where sigmoid is still 0.95.
        - return tf.sigmoid(x) * dy
        + return tf.where(x > 3, dy, tf.sigmoid(x) * dy)
    through_float32: sine, precision_loss
        The gradient is computed in float32, in float64 too.
        - return tf.cos(x) * dy
        + return tf.cast(tf.cos(tf.cast(x, tf.float32)), x.dtype) * dy
    through_bfloat16: sigmoid, precision_loss
        The saved output is kept in bfloat16 to save memory.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + y = tf.cast(tf.cast(tf.sigmoid(x), tf.bfloat16), x.dtype)
        + return y * tf.sigmoid(-x) * dy
    difference_quotient: sine, precision_loss
        The gradient is a difference quotient with step 1/1024.
        - return tf.cos(x) * dy
        + return (tf.sin(x + 2**-10) - tf.sin(x - 2**-10)) * 512 * dy
    exponential_over_itself: softplus, overflow, tenstorrent/tt-metal#56397
        exp(x) / (1 + exp(x)) is inf / inf for large x.
        - return tf.sigmoid(x) * dy
        + return tf.exp(x) / (1 + tf.exp(x)) * dy
    largest_not_subtracted: softmax, overflow, uTensor/uTensor#175
        The exponentials are taken without subtracting the largest element.
        - y = tf.nn.softmax(x)
        + y = tf.exp(x) / tf.reduce_sum(tf.exp(x), axis=-1, keepdims=True)
    zero_slips_through: sqrt_or_zero, zero_times_infinity, tensorflow#4914
        The guard lets x = 0 through: 0 times 1 / sqrt(0).
        - return tf.where(x > 0, dy / (2 * root), 0 * dy)
        + return tf.cast(x > 0, x.dtype) * dy / (2 * tf.sqrt(tf.where(x >= 0, x, tf.ones_like(x))))
        - return tf.where(x > 0, root, 0 * x), vjp
        + return tf.where(x > 0, tf.sqrt(x), 0 * x), vjp
    branch_not_taken: sqrt_or_zero, zero_times_infinity, tensorflow#38349
        Differentiated once more, the branch that is not taken gives 0 times infinity.
        - return tf.where(x > 0, dy / (2 * root), 0 * dy)
        + return tf.where(x > 0, 0.5 * x**-0.5 * dy, 0 * dy)
        - return tf.where(x > 0, root, 0 * x), vjp
        + return tf.where(x > 0, tf.sqrt(x), 0 * x), vjp
    nan_to_zero: cube, nan_hidden
        A NaN in the gradient is replaced by 0.
        - return 3 * x**2 * dy
        + dx = 3 * x**2 * dy
        + return tf.where(tf.math.is_nan(dx), tf.zeros_like(dx), dx)
    nan_cotangent_to_zero: sine, nan_hidden, ashawkey/stable-dreamfusion#158
        A NaN in the cotangent is replaced by 0.
        - return tf.cos(x) * dy
        + return tf.cos(x) * tf.where(tf.math.is_nan(dy), tf.zeros_like(dy), dy)
    slope_at_zero: relu, kink_convention
        The slope at 0 is 1.
        - return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))
        + return tf.where(tf.math.is_nan(x), x, tf.where(x < 0, 0 * dy, dy))
    blocked_side_passes: relu, inverted_mask
        The mask marks what is blocked, and is taken for what passes.
        - return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))
        + return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, dy, 0 * dy))
    tie_to_the_first: maximum, kink_convention
        At a tie the whole gradient goes to the first.
        - to_first = tf.cast(x1 > x2, dy.dtype) + tf.cast(x1 == x2, dy.dtype) / 2
        + to_first = tf.cast(x1 >= x2, dy.dtype)
    no_gradient_at_the_static: power, wrong_branch
        Where x equals the exponent there is no gradient: a bound was meant to be outside.
        - return exponent * x ** (exponent - 1) * dy
        + dx = exponent * x ** (exponent - 1) * dy
        + return tf.where(x == tf.cast(exponent, x.dtype), 0 * dx, dx)
    no_gradient_where_equal: product, wrong_branch
        Where the two inputs are equal they are taken for one, and the second gets no gradient.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * dy * x2, tf.where(x1 == x2, tf.zeros_like(dy), x1 * dy * x1)
    value_over_input: cube, zero_times_infinity
        The gradient is 3 y / x, which is 0 / 0 at 0.
        - dy = tf.convert_to_tensor(dy)
        - return 3 * x**2 * dy
        + return 3 * y / x * tf.convert_to_tensor(dy)
        - return x**3, vjp
        + y = x**3
        + return y, vjp
    square_of_infinity: sigmoid, overflow
        exp(-x) / (1 + exp(-x))^2 is NaN far to the left.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + return tf.exp(-x) / (1 + tf.exp(-x)) ** 2 * dy
    infinite_curvature: softplus, overflow
        1 / (1 + exp(-x)) is right everywhere, and its own derivative NaN far to the left.
        - return tf.sigmoid(x) * dy
        + return 1 / (1 + tf.exp(-x)) * dy
    masked_nan: relu, nan_hidden
        Where x is NaN the gradient is 0: no comparison with NaN holds.
        - return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))
        + return tf.where(x > 0, dy, 0 * dy)
    half_at_zero: relu, kink_convention
        The slope at 0 is 1/2, the mean of both sides.
        - return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))
        + return (1 + tf.sign(x)) / 2 * dy
    """,
)
