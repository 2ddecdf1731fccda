"""Formulas that are wrong: signs, factors, inner derivatives, axes, another function's gradient, the value itself."""

from porting.selftest.edits import planted_edits

planted_edits(
    __name__,
    """
    minus_cosine: sine, wrong_sign
        The gradient has the wrong sign.
        - return tf.cos(x) * dy
        + return -tf.cos(x) * dy
    minus_second: product, wrong_sign
        The gradient of x2 has the wrong sign.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * dy * x2, -x1 * dy * x1
    forgotten_exponent: cube, constant_factor
        The exponent does not come down: x^2 where 3 x^2 is meant.
        - return 3 * x**2 * dy
        + return x**2 * dy
    averaged_twice: sine, constant_factor
        The gradient is divided by the number of elements, which the loss does already.
        - return tf.cos(x) * dy
        + return tf.cos(x) * dy / tf.cast(tf.size(x), x.dtype)
    never_averaged: mean_square, constant_factor
        The gradient is that of the sum, n times too large.
        - return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]
        + return 2 * x * dy[..., tf.newaxis]
    doubled_weights: matmul, constant_factor
        The gradient of w is counted twice.
        - return tf.matmul(dy, w, transpose_b=True), tf.matmul(x, dy, transpose_a=True)
        + return tf.matmul(dy, w, transpose_b=True), 2 * tf.matmul(x, dy, transpose_a=True)
    mistyped_constant: softplus, constant_factor
        The gradient is a thousandth too large.
        - return tf.sigmoid(x) * dy
        + return 1.001 * tf.sigmoid(x) * dy
    only_of_the_logarithm: softplus, missing_inner_derivative
        The derivative of log(u), u = 1 + exp(x), without that of u.
        - return tf.sigmoid(x) * dy
        + return tf.sigmoid(-x) * dy
    only_of_the_exponential: sigmoid, missing_inner_derivative
        The derivative of exp(u), u = -log(1 + exp(-x)), without that of u.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + return tf.sigmoid(x) * dy
    only_of_the_mean: mean_square, missing_inner_derivative
        The derivative of the mean, without that of the square in it.
        - return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]
        + return tf.ones_like(x) / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]
    transposed_product: self_product, transposed
        The gradient comes out transposed.
        - return tf.matmul(dy, x, transpose_b=True) + tf.matmul(x, dy, transpose_a=True)
        + return tf.transpose(tf.matmul(dy, x, transpose_b=True) + tf.matmul(x, dy, transpose_a=True))
    swapped_factors: product, swapped_gradients
        The two gradients are returned in the wrong order.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return x1 * dy * x1, 2 * x1 * dy * x2
    gradient_to_the_smaller: maximum, swapped_gradients
        The gradient goes to the smaller of the two.
        - return dy * to_first, dy * (1 - to_first)
        + return dy * (1 - to_first), dy * to_first
    sum_over_the_rows: softmax, wrong_axis
        The sum in the gradient goes over the first axis.
        - return y * (dy - tf.reduce_sum(dy * y, axis=-1, keepdims=True))
        + return y * (dy - tf.reduce_sum(dy * y, axis=0, keepdims=True))
    recomputed_over_the_rows: softmax, wrong_axis
        The output is computed again for the gradient, over the first axis.
        - dy = tf.convert_to_tensor(dy)
        + dy = tf.convert_to_tensor(dy)
        + y = tf.nn.softmax(x, axis=0)
    gradient_of_an_older_forward: cube, forward_gradient_disagree, huggingface/transformers#23774
        The forward was x^4 once, and the gradient has stayed.
        - return 3 * x**2 * dy
        + return 4 * x**3 * dy
    gradient_of_tanh: sigmoid, forward_gradient_disagree
        The gradient is that of tanh.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + return (1 - tf.tanh(x)) * (1 + tf.tanh(x)) * dy
    outputs_swapped: sin_cos, wrong_value
        The cosine is returned first; the gradient is right for the right order.
        - return (tf.sin(x), tf.cos(x)), vjp
        + return (tf.cos(x), tf.sin(x)), vjp
    second_output_halved: sin_cos, scaled_value
        The second of two outputs is half of what it should be; the gradient is right.
        - return (tf.sin(x), tf.cos(x)), vjp
        + return (tf.sin(x), tf.cos(x) / 2), vjp
    leaky_forward: relu, wrong_value
        The value leaks for negative x, the gradient does not.
        - return tf.where(x <= 0, 0 * x, x), vjp
        + return tf.where(x <= 0, 0.01 * x, x), vjp
    hard_forward: sigmoid, wrong_value
        The value is a piecewise linear approximation.
        - return tf.sigmoid(x), vjp
        + return tf.clip_by_value(x / 6 + 0.5, 0, 1), vjp
    diagonal_alone: softmax, forward_gradient_disagree
        The gradient is y (1 - y), that of a sigmoid: the other elements of the row are missing.
        - return y * (dy - tf.reduce_sum(dy * y, axis=-1, keepdims=True))
        + return y * (1 - y) * dy
    gradient_of_softmax: sigmoid, forward_gradient_disagree
        The gradient is that of a softmax over the last axis, whose elements depend on each other.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + last = tf.range(tf.maximum(tf.rank(x) - 1, 0), tf.rank(x))
        + y = tf.sigmoid(x)
        + return y * (dy - tf.reduce_sum(dy * y, axis=last, keepdims=True))
    length_of_the_first_axis: mean_square, wrong_axis
        The sum is divided by the length of the first axis, the number of rows.
        - return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]
        + return 2 * x / tf.cast(tf.shape(x)[0], x.dtype) * dy[..., tf.newaxis]
    averaged_over_all_axes: mean_square, constant_factor
        The gradient is that of a mean over all axes, divided by the number of elements.
        - return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]
        + return 2 * x / tf.cast(tf.size(x), x.dtype) * dy[..., tf.newaxis]
    eps_beside_the_root: sqrt_or_zero, forward_gradient_disagree
        A thousandth is added to the root in the gradient, of which the forward has none.
        - return tf.where(x > 0, dy / (2 * root), 0 * dy)
        + return tf.where(x > 0, dy / (2 * (root + 1e-3)), 0 * dy)
    eps_under_the_root: sqrt_or_zero, forward_gradient_disagree
        A millionth is added under the root in the gradient, of which the forward has none.
        - return tf.where(x > 0, dy / (2 * root), 0 * dy)
        + return tf.where(x > 0, dy / (2 * tf.sqrt(tf.where(x > 0, x, tf.ones_like(x)) + 1e-6)), 0 * dy)
    """,
)
