"""Modules and layers as sides."""

# mypy: allow-untyped-defs, allow-untyped-calls

import keras
import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.alpha, None


class GradientReversal(torch.nn.Module):
    def __init__(self, alpha):
        super().__init__()
        self.alpha = alpha

    def forward(self, x):
        return Reverse.apply(x, self.alpha)


class ReversalLayer(keras.layers.Layer):  # type: ignore[misc]  # Keras ships no types
    def __init__(self, alpha, **kwargs):
        super().__init__(**kwargs)
        self.alpha = alpha

    def call(self, x):
        @tf.custom_gradient
        def reverse(x):
            return tf.identity(x), lambda dy: -self.alpha * dy

        return reverse(x)


@right_pair("tf")
def module_beside_a_layer():
    """One side is a module, the other a Keras layer without weights that would cast to float32."""
    return Pair(torch=GradientReversal(0.5), tf=ReversalLayer(0.5), name="reversal")


@planted_pair("tf", "constant_factor")
def layer_with_another_strength():
    """The layer reverses with a strength of 1, the module with one of a half."""
    return Pair(torch=GradientReversal(0.5), tf=ReversalLayer(1.0), name="reversal")


class Affine(torch.autograd.Function):
    """A linear layer by hand; the gradients of the weight and of the bias are multiplied by what is given."""

    @staticmethod
    def forward(ctx, x, weight, bias, of_weight, of_bias):
        ctx.save_for_backward(x, weight)
        ctx.factors = of_weight, of_bias
        return x @ weight.t() + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        of_weight, of_bias = ctx.factors
        grad_weight = of_weight * (grad_output.t() @ x)
        grad_bias = None if of_bias is None else of_bias * grad_output.sum(0)
        return grad_output @ weight, grad_weight, grad_bias, None, None


class FastLinear(torch.nn.Module):
    def __init__(self, inputs, outputs, of_weight=1.0, of_bias=1.0):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(outputs, inputs))
        self.bias = torch.nn.Parameter(torch.zeros(outputs))
        self.factors = of_weight, of_bias

    def forward(self, x):
        return Affine.apply(x, self.weight, self.bias, *self.factors)


class ChannelGain(torch.nn.Module):
    """A learned factor for each channel, used twice, and a running mean that counts as state."""

    running_mean: torch.Tensor

    def __init__(self, width):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.ones(width))
        self.register_buffer("running_mean", torch.zeros(width))

    def forward(self, x):
        self.running_mean.mul_(0.9).add_(0.1 * x.detach().mean(0))
        return self.gain * x + self.gain.square()


class GainLayer(keras.layers.Layer):  # type: ignore[misc]  # Keras ships no types
    """The same with variables that a tf.custom_gradient captures."""

    def __init__(self, factor=1.0, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def build(self, shape):
        self.gain = self.add_weight(name="gain", shape=(shape[-1],), initializer="ones")

    def call(self, x):
        @tf.custom_gradient
        def scaled(x):
            gain = tf.convert_to_tensor(self.gain)

            def grad(dy, variables=None):
                by_gain = tf.reduce_sum(dy * (x + 2 * gain), axis=0)
                return dy * gain, [self.factor * by_gain for _ in variables]

            return gain * x + gain * gain, grad

        return scaled(x)


class LinearModule(tf.Module):  # type: ignore[misc]  # TensorFlow ships no types
    """A linear layer of TensorFlow alone, with the weight as PyTorch has it."""

    def __init__(self, inputs, outputs, sign=1.0):
        super().__init__()
        self.weight = tf.Variable(tf.zeros((outputs, inputs)))
        self.bias = tf.Variable(tf.zeros((outputs,)))
        self.sign = sign

    def __call__(self, x):
        @tf.custom_gradient
        def linear(x, weight, bias):
            def grad(dy):
                return tf.matmul(dy, weight), tf.matmul(dy, x, transpose_a=True), self.sign * tf.reduce_sum(dy, axis=0)

            return tf.matmul(x, weight, transpose_b=True) + bias, grad

        return linear(x, self.weight, self.bias)


def linear(x, weight, bias):
    return torch.nn.functional.linear(x, weight, bias)


BATCH = {"x": array(("n", 4))}


@right_pair("torch")
def module_beside_a_dense_layer():
    """The weight of the module is the transposed kernel of the layer."""
    return Pair(torch=FastLinear(4, 3), tf=keras.layers.Dense(3), inputs=BATCH, name="linear")


@right_pair("torch")
def module_with_a_running_mean():
    """Each call changes a buffer, which the output does not depend on; the gain is used twice."""
    return Pair(torch=ChannelGain(4), tf=GainLayer(), inputs=BATCH, name="gain")


@right_pair("tf")
def layer_that_captures_its_weight():
    """The gradient function is given the variables, and returns their gradients."""
    return Pair(tf=GainLayer(), torch=lambda x, gain: gain * x + gain**2, inputs=BATCH, name="gain")


@right_pair("tf")
def module_of_tensorflow_beside_a_function():
    """One side is a tf.Module, the other a function whose arguments are its variables."""
    return Pair(torch=linear, tf=LinearModule(4, 3), inputs=BATCH)


@planted_pair("torch", "constant_factor")
def gradient_of_a_parameter_three_times():
    """The gradient of a parameter is three times what it should be; that of the input is right."""
    return Pair(torch=FastLinear(4, 3, of_weight=3.0), tf=keras.layers.Dense(3), inputs=BATCH, name="linear")


@planted_pair("torch", "missing_gradient")
def bias_without_a_gradient():
    """The backward returns None for the bias, which is a parameter of the module."""
    return Pair(torch=FastLinear(4, 3, of_bias=None), tf=LinearModule(4, 3), inputs=BATCH, name="linear")


@planted_pair("tf", "constant_factor")
def gradient_of_a_captured_weight_three_times():
    """The gradient of a captured variable is three times what it should be."""
    return Pair(torch=ChannelGain(4), tf=GainLayer(3.0), inputs=BATCH, name="gain")


@planted_pair("tf", "wrong_sign")
def bias_of_a_module_with_the_other_sign():
    """The gradient of a variable has the other sign."""
    return Pair(torch=linear, tf=LinearModule(4, 3, -1.0), inputs=BATCH, reference="torch")


class Shift(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(()))
        self.offset = torch.nn.Parameter(torch.ones(()))

    def forward(self, x):
        return x * self.scale + self.offset


class ShiftLayer(keras.layers.Layer):  # type: ignore[misc]  # Keras ships no types
    """Its weights have no names: Keras counts them in the whole process."""

    times = 1.0

    def __init__(self):
        super().__init__()
        self.scale = self.add_weight(shape=())
        self.offset = self.add_weight(shape=())

    def call(self, x):
        @tf.custom_gradient
        def shifted(x, scale, offset):
            grad = lambda dy: (dy * scale, self.times * tf.reduce_sum(dy * x), tf.reduce_sum(dy))  # noqa: E731 - short
            return x * scale + offset, grad

        return shifted(x, tf.convert_to_tensor(self.scale), tf.convert_to_tensor(self.offset))


class ShiftLayerTooSteep(ShiftLayer):
    times = 3.0


@right_pair("tf")
def weights_without_names():
    """The weights of a layer have no names, and so other ones in each copy."""
    return Pair(torch=Shift, tf=ShiftLayer, name="shift")


@planted_pair("tf", "constant_factor")
def weight_without_a_name_three_times():
    """The gradient of a weight without a name is three times too large."""
    return Pair(torch=Shift, tf=ShiftLayerTooSteep, reference="torch", name="shift")
