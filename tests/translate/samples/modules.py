"""Modules that are functions."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.nn.Sigmoid()(x)", "tf.sigmoid(x)", to="tf"),
    Rewrite("torch.nn.ReLU(inplace=True)(x)", "tf.nn.relu(x)", to="tf"),
    Rewrite("torch.nn.Tanh()(x)", "tf.tanh(x)", to="tf"),
    Rewrite("torch.nn.LogSigmoid()(x)", "tf.math.log_sigmoid(x)", to="tf"),
    Rewrite("torch.nn.Identity()(x)", "tf.identity(x)", to="tf"),
    Refused("torch.nn.GELU()(x)", "torch.nn.GELU: no rule", to="tf"),
]
