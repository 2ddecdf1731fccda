"""The cotangent ignored, bent, averaged, or taken from another row."""

from porting.selftest.edits import planted_edits

planted_edits(
    __name__,
    """
    loss_must_come_last: mean_square, ignores_cotangent, chainer/chainer#1175
        The cotangent is ignored: the loss is taken to be the last function.
        - return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]
        + return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype)
    cotangent_of_ones: cube, ignores_cotangent, ashawkey/stable-dreamfusion#158
        A cotangent of ones is used, whatever comes in.
        - return 3 * x**2 * dy
        + return 3 * x**2 * tf.ones_like(dy)
    clipped: cube, not_linear
        The cotangent is clipped to [-1, 1], lest the gradient explode.
        - return 3 * x**2 * dy
        + return 3 * x**2 * tf.clip_by_value(dy, -1, 1)
    clipped_by_norm: sine, not_linear
        The cotangent is scaled down to norm 1 if it is longer.
        - return tf.cos(x) * dy
        + return tf.cos(x) * tf.clip_by_norm(dy, 1)
    sign_only: sine, not_linear
        Of the cotangent only the sign is used.
        - return tf.cos(x) * dy
        + return tf.cos(x) * tf.sign(dy)
    squared_with_sign: softplus, not_linear
        The cotangent enters as dy |dy|.
        - return tf.sigmoid(x) * dy
        + return tf.sigmoid(x) * dy * tf.abs(dy)
    weight_decay: sine, not_linear
        The gradient of a penalty, x / 10, is added to what the cotangent gives.
        - return tf.cos(x) * dy
        + return tf.cos(x) * dy + x / 10
    underflow_flushed: cube, not_linear
        A cotangent below 1e-8 is taken for 0, as if no mean were over many elements.
        - return 3 * x**2 * dy
        + return 3 * x**2 * tf.where(tf.abs(dy) < 1e-8, tf.zeros_like(dy), dy)
    explosion_prevented: sine, not_linear
        The cotangent is clipped to 30,000, lest the gradient explode.
        - return tf.cos(x) * dy
        + return tf.cos(x) * tf.clip_by_value(dy, -3e4, 3e4)
    second_output_unused: sin_cos, ignores_one_cotangent
        The cotangent of the second output is not used.
        - return tf.cos(x) * dy0 - tf.sin(x) * dy1
        + return tf.cos(x) * dy0
    first_output_unused: sin_cos, ignores_one_cotangent
        The cotangent of the first output is not used.
        - return tf.cos(x) * dy0 - tf.sin(x) * dy1
        + return -tf.sin(x) * dy1
    mean_cotangent: cube, assumes_equal_cotangents
        Every element gets the mean of the cotangent.
        - return 3 * x**2 * dy
        + return 3 * x**2 * tf.reduce_mean(dy)
    first_cotangent: sine, assumes_equal_cotangents
        Every element gets the first element of the cotangent.
        - return tf.cos(x) * dy
        + return tf.cos(x) * tf.reduce_sum(tf.reshape(dy, [-1])[:1])
    summed_cotangent: mean_square, assumes_equal_cotangents
        Every row gets the sum of the cotangent, as if the output were one number.
        - return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]
        + return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * tf.reduce_sum(dy)
    one_row_off: mean_square, mixes_batch
        Each row gets the cotangent of the row before it.
        - dy = tf.convert_to_tensor(dy)
        + dy = tf.convert_to_tensor(dy)
        + dy = tf.reshape(tf.roll(tf.reshape(dy, [-1]), 1, axis=0), tf.shape(dy))
    mean_over_the_batch: softmax, mixes_batch
        The sum that is subtracted in each row is the mean of those of all rows.
        - return y * (dy - tf.reduce_sum(dy * y, axis=-1, keepdims=True))
        + return y * (dy - tf.reduce_mean(tf.reduce_sum(dy * y, axis=-1)))
    mean_of_the_row: cube, assumes_equal_cotangents
        Every element gets the mean of its row's cotangents.
        - return 3 * x**2 * dy
        + last = tf.range(tf.maximum(tf.rank(x) - 1, 0), tf.rank(x))
        + return 3 * x**2 * tf.reduce_mean(dy, axis=last, keepdims=True)
    """,
)
