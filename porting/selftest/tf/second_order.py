"""First order right, second order zero, wrong or refused."""

from porting.selftest.edits import planted_edits

planted_edits(
    __name__,
    """
    stopped_factor: sine, detached
        The factor is taken for a constant: tf.stop_gradient.
        - return tf.cos(x) * dy
        + return tf.stop_gradient(tf.cos(x)) * dy
    stopped_gradients: product, detached
        Both gradients are returned through tf.stop_gradient.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return tf.stop_gradient(2 * x1 * dy * x2), tf.stop_gradient(x1 * dy * x1)
    input_in_the_closure: cube, detached, tensorflow#34503
        The gradient has a gradient of its own, but only by dy: x is in its closure, so TensorFlow sees no dependence.
        - return 3 * x**2 * dy
        + return custom(lambda dy: 3 * x**2 * dy, lambda ddx, dy: 3 * x**2 * ddx, dy)
    prevented: sine, second_order_refused
        The gradient is marked as one that cannot be differentiated.
        - return tf.cos(x) * dy
        + return tf.raw_ops.PreventGradient(input=tf.cos(x) * dy, message="once only")
    not_implemented: cube, second_order_refused
        The gradient of the gradient is left for later.
        - return 3 * x**2 * dy
        + def once(ddx, dy, x):
        +     raise NotImplementedError("second order")
        + return custom(lambda dy, x: 3 * x**2 * dy, once, dy, x)
    half_the_curvature: cube, wrong_second_order
        The gradient of the gradient by x is 3 x dy where 6 x dy is meant.
        - return 3 * x**2 * dy
        + def second(ddx, dy, x):
        +     return 3 * x**2 * ddx, 3 * x * dy * ddx
        + return custom(lambda dy, x: 3 * x**2 * dy, second, dy, x)
    curvature_of_wrong_sign: sine, wrong_second_order
        The gradient of the gradient by x is sin(x) dy; the minus is missing.
        - return tf.cos(x) * dy
        + def second(ddx, dy, x):
        +     return tf.cos(x) * ddx, tf.sin(x) * dy * ddx
        + return custom(lambda dy, x: tf.cos(x) * dy, second, dy, x)
    no_mixed_term: product, wrong_second_order
        The gradient of the gradient of x2 by x1 is missing.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + def second(ddx2, dy, x1):
        +     return x1 * ddx2 * x1, tf.zeros_like(x1)
        + return 2 * x1 * dy * x2, custom(lambda dy, x1: x1 * dy * x1, second, dy, x1)
    curvature_without_nan: cube, nan_hidden
        The gradient of the gradient takes a NaN in its cotangent for 0.
        - return 3 * x**2 * dy
        + def second(ddx, dy, x):
        +     ddx = tf.where(tf.math.is_nan(ddx), tf.zeros_like(ddx), ddx)
        +     return 3 * x**2 * ddx, 6 * x * dy * ddx
        + return custom(lambda dy, x: 3 * x**2 * dy, second, dy, x)
    cotangent_left_out: softplus, wrong_second_order
        The gradient of the gradient by x lacks the cotangent: dy is taken for 1.
        - return tf.sigmoid(x) * dy
        + def second(ddx, dy, x):
        +     return tf.sigmoid(x) * ddx, tf.sigmoid(x) * tf.sigmoid(-x) * ddx
        + return custom(lambda dy, x: tf.sigmoid(x) * dy, second, dy, x)
    """,
)
