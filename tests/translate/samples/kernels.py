"""Backward kernels."""

from words import Refused, Rewrite

_A = "torch.ops.aten."
SAMPLES = [
    Rewrite(_A + "sigmoid_backward(x, p)", "x * p * (1 - p)", to="tf"),
    Rewrite(_A + "sigmoid_backward(x, p)", "x * p * (1 - p)", to="numpy"),
    Rewrite("tf.raw_ops.SigmoidGrad(y=p, dy=x)", "x * p * (1 - p)", to="torch"),
    Rewrite(_A + "tanh_backward(x, p)", "x * (1 - p * p)", to="tf"),
    Rewrite(_A + "tanh_backward(x, p)", "x * (1 - p * p)", to="numpy"),
    Rewrite("tf.raw_ops.TanhGrad(y=p, dy=x)", "x * (1 - p * p)", to="torch"),
    Rewrite(_A + "threshold_backward(x, y, 0)", "tf.where(y <= 0, tf.zeros_like(x), x)", to="tf"),
    Rewrite(_A + "threshold_backward(e, e, 0.5)", "tf.where(e <= 0.5, tf.zeros_like(e), e)", to="tf"),
    Rewrite(_A + "threshold_backward(x, y, 0)", "np.where(y <= 0, np.zeros_like(x), x)", to="numpy"),
    Rewrite("tf.raw_ops.ReluGrad(gradients=x, features=y)", "torch.where(y > 0, x, 0)", to="torch"),
    Rewrite("tf.raw_ops.ReluGrad(gradients=e[3:], features=-e[3:])", "torch.where(-e[3:] > 0, e[3:], 0)", to="torch"),
    Rewrite("tf.raw_ops.ReluGrad(gradients=x, features=y)", "np.where(y > 0, x, 0)", to="numpy", of="tf"),
    Rewrite(_A + "leaky_relu_backward(x, y, 0.1, False)", "tf.where(y > 0, x, 0.1 * x)", to="tf"),
    Rewrite(_A + "leaky_relu_backward(x, y, 0.1, False)", "np.where(y > 0, x, 0.1 * x)", to="numpy"),
    Rewrite(
        "tf.raw_ops.LeakyReluGrad(gradients=x, features=y, alpha=0.1)", "torch.where(y > 0, x, 0.1 * x)", to="torch"
    ),
    Rewrite("tf.raw_ops.LeakyReluGrad(gradients=x, features=y)", "torch.where(y > 0, x, 0.2 * x)", to="torch"),
    Rewrite("tf.raw_ops.LeakyReluGrad(gradients=x, features=y)", "np.where(y > 0, x, 0.2 * x)", to="numpy", of="tf"),
    Rewrite("tf.raw_ops.SoftplusGrad(gradients=x, features=-y)", "x * torch.sigmoid(-y)", to="torch"),
    Rewrite("tf.raw_ops.SoftplusGrad(gradients=x, features=y)", "x / (1 + np.exp(-y))", to="numpy", of="tf"),
    Rewrite(
        "torch._softmax_backward_data(x, p, 1, x.dtype)", "p * (x - tf.reduce_sum(x * p, 1, keepdims=True))", to="tf"
    ),
    Rewrite(_A + "_softmax_backward_data(x, p, -1, x.dtype)", "p * (x - np.sum(x * p, -1, keepdims=True))", to="numpy"),
    Rewrite(_A + "softplus_backward(x, y, 1, 20)", "x * tf.sigmoid(y)", to="tf"),
    Rewrite(_A + "softplus_backward(x, y, 2.0, 20)", "x * tf.sigmoid(2.0 * y)", to="tf"),
    Rewrite(_A + "softplus_backward(x, y, 1, 20)", "x * (1 / (1 + np.exp(-y)))", to="numpy"),
    Rewrite(_A + "silu_backward(x, y)", "x * tf.sigmoid(y) * (1 + y * (1 - tf.sigmoid(y)))", to="tf"),
    Rewrite(
        _A + "silu_backward(x, y)", "x * (1 / (1 + np.exp(-y))) * (1 + y * (1 - 1 / (1 + np.exp(-y))))", to="numpy"
    ),
    Rewrite(_A + "softplus_backward(x, y, 1, 40)", "x * tf.sigmoid(y)", to="tf"),
    Refused(_A + "softplus_backward(x, y, 1, 5)", "thresholds from 20 on alone", to="tf"),
    Rewrite(_A + "gelu_backward(x, y)", "_gelu_grad(x, y)", to="tf"),
    Rewrite(_A + "gelu_backward(x, y, approximate='tanh')", "_gelu_grad(x, y)", to="tf"),
    Refused(_A + "gelu_backward(x, y, approximate=k)", "approximate is not known here", to="tf"),
]
