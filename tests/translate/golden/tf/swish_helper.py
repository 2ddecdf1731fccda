import tensorflow as tf

BETA = 1.5


def _gate(x):
    """How much of x passes."""
    return tf.nn.sigmoid(BETA * x)


@tf.custom_gradient
def swish(features):
    features = tf.convert_to_tensor(features, name="features")

    def grad(dy):
        sigmoid_features = _gate(features)
        activation_grad = sigmoid_features * (1.0 + BETA * features * (1.0 - sigmoid_features))
        return dy * activation_grad

    return features * _gate(features), grad
