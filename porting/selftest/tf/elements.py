"""Elements that are wrong because of what they equal, or of where they stand."""

from porting.selftest.edits import planted_edits

planted_edits(
    __name__,
    """
    zero_taken_for_padding: sine, wrong_branch
        Where the input is 0 it is taken for padding, which gets no gradient.
        - return tf.cos(x) * dy
        + return tf.where(x == 0, tf.zeros_like(dy), tf.cos(x) * dy)
    one_taken_for_padding: sine, wrong_branch
        Where the input is 1 it is taken for padding, which gets no gradient.
        - return tf.cos(x) * dy
        + return tf.where(x == 1, tf.zeros_like(dy), tf.cos(x) * dy)
    no_gradient_at_the_lower_bound: power, wrong_branch
        Where x equals minus the exponent there is no gradient: the lower of two bounds was meant to be outside.
        - return exponent * x ** (exponent - 1) * dy
        + dx = exponent * x ** (exponent - 1) * dy
        + return tf.where(x == tf.cast(-exponent, x.dtype), tf.zeros_like(dx), dx)
    left_out_where_zero: product, wrong_branch
        Where the second input is 0 so is the product, and nothing is computed: its own gradient is not 0 there.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * dy * x2, tf.where(x2 == 0, tf.zeros_like(dy), x1 * dy * x1)
    tail_of_the_other_side: softplus, wrong_branch
        From 30 on the gradient is exp(-x): that is the tail on the other side, turned around.
        - return tf.sigmoid(x) * dy
        + return tf.where(x > 30, tf.exp(-x), tf.sigmoid(x)) * dy
    tail_of_fours_left_out: cube, few_elements
        Four elements are computed at once, and what is left over, three of seven, gets no gradient.
        - return 3 * x**2 * dy
        + return tf.where(number(x) >= tf.size(x) // 4 * 4, tf.zeros_like(dy), 3 * x**2 * dy)
    tail_of_many_left_out: sine, few_elements
        In arrays of more than 64 elements, blocks of 64 are computed, and what is left over gets no gradient.
        - return tf.cos(x) * dy
        + left_over = (tf.size(x) > 64) & (number(x) >= tf.size(x) // 64 * 64)
        + return tf.where(left_over, tf.zeros_like(dy), tf.cos(x) * dy)
    last_of_each_row: sine, few_elements
        The last element of each row gets no gradient: a loop over columns ends one too early.
        - return tf.cos(x) * dy
        + dx = tf.reshape(tf.cos(x) * dy, tf.concat([[1], tf.shape(x)], 0))
        + length = tf.shape(dx)[-1]
        + return tf.reshape(tf.where(tf.range(length) == length - 1, tf.zeros_like(dx), dx), tf.shape(x))
    first_two_exchanged: softplus, few_elements
        The gradients of the first two elements are exchanged.
        - return tf.sigmoid(x) * dy
        + flat = tf.reshape(tf.sigmoid(x) * dy, [-1])
        + return tf.reshape(tf.concat([flat[:2][::-1], flat[2:]], axis=0), tf.shape(x))
    """,
)
