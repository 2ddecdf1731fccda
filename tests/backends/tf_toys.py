"""Functions whose value is x^2 and whose gradient is 3 dy; each but the first loses it in some mode of TensorFlow."""

import tensorflow as tf

SLOPE = [1.0]


def kept_by_stop_gradient(x):
    """No custom gradient at all."""
    return 3 * x + tf.stop_gradient(x * x - 3 * x)


def kept(x):
    """Captures nothing of the caller's graph, and its forward has no derivative of its own."""

    @tf.custom_gradient
    def forward(x):
        return tf.square(tf.stop_gradient(x)), lambda dy: 3 * dy

    return forward(tf.identity(x))


@tf.function(autograph=False)
def in_function(x):
    """A tf.function around the op itself."""
    return kept(x)


def late(x):
    """The gradient looks at a name that is bound after the call."""

    @tf.custom_gradient
    def forward(x):
        return tf.square(tf.stop_gradient(x)), lambda dy: 3 * dy + 0 * y

    y = forward(tf.identity(x))
    return y


@tf.custom_gradient
def decorated(x):
    return tf.square(tf.stop_gradient(x)), lambda dy: 3 * dy


@tf.custom_gradient
def differentiable(x):
    """The operations of the forward are differentiated too, by forward mode."""
    return tf.square(x), lambda dy: 3 * dy


def capturing(x):
    """The gradient looks at the x of the caller's graph."""

    @tf.custom_gradient
    def forward(x):
        return tf.square(tf.stop_gradient(x)), lambda dy: 3 * dy * x / tf.where(x == 0, tf.ones_like(x), x)

    return forward(tf.convert_to_tensor(x))


def eager_only(x):
    """A graph gets the plain formula."""
    return kept(x) if tf.executing_eagerly() else x * x


def clipped(x):
    """The gradient is not linear: it is 3 dy for the cotangents of these tests, and not for larger ones."""

    @tf.custom_gradient
    def forward(x):
        return tf.square(tf.stop_gradient(x)), lambda dy: 3 * tf.clip_by_value(dy, -0.5, 0.5)

    return forward(tf.identity(x))


def counting(x):
    """The gradient is half as large where one cotangent alone is not 0."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            alone = tf.math.count_nonzero(dy) == 1
            return tf.where(alone, 1.5 * dy, 3 * dy)

        return tf.square(tf.stop_gradient(x)), vjp

    return forward(tf.identity(x))


def single(x):
    """The gradient has a factor that is float32 or float64, never bfloat16."""
    factor = tf.constant(3.0, tf.float64 if x.dtype == tf.float64 else tf.float32)

    @tf.custom_gradient
    def forward(x):
        return tf.square(tf.stop_gradient(x)), lambda dy: factor * dy

    return forward(tf.identity(x))


def of_a_global(x):
    """The gradient depends on what a script has set, which a file of a model does not say."""

    @tf.custom_gradient
    def forward(x):
        return tf.square(tf.stop_gradient(x)), lambda dy: SLOPE[0] * dy

    return forward(tf.identity(x))


def in_python(x):
    """The gradient is computed by Python, which a SavedModel does not hold."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            return tf.ensure_shape(tf.numpy_function(lambda v: 3 * v, [dy], dy.dtype), dy.shape)

        return tf.square(tf.stop_gradient(x)), vjp

    return forward(tf.identity(x))


def averaged(x):
    """The gradient is divided by the number of replicas, as where a loss is averaged."""

    @tf.custom_gradient
    def forward(x):
        replicas = tf.distribute.get_strategy().num_replicas_in_sync
        return tf.square(tf.stop_gradient(x)), lambda dy: 3 * dy / replicas

    return forward(tf.identity(x))


def by_rank(x):
    """Looks at the rank of its input."""
    axes = range(x.shape.rank)
    return kept(tf.transpose(tf.transpose(x, [*axes]), [*axes]))


def ends(x):
    """Ends a process that another one has started to ask it."""
    import os
    from multiprocessing import parent_process

    if parent_process():
        os._exit(3)
    return kept(x)


def scaled(x, *, slope, names):
    """Its statics travel to another process."""
    return kept(x) * (slope if names == ("a", "b") else 0.0)


def two(x, k):
    """Two outputs, one of integers, of a floating input and one of integers."""
    return kept(x) * tf.cast(k, x.dtype), tf.argmax(x, -1)
