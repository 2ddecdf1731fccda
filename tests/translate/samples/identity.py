"""The same numbers."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.nn.Parameter(x * 2)", "x * 2", to="tf"),
    Rewrite("torch.nn.Parameter(x, requires_grad=False)", "x", to="tf"),
    *(Rewrite(f"x.{method}", "x", to="tf") for method in (
        "clone()", "contiguous()", "cpu()", "detach().requires_grad_()", "resolve_conj()",
    ) if "detach" not in method),
    Rewrite("x.clone(memory_format=torch.preserve_format)", "x", to="tf"),
    Rewrite("x.detach().requires_grad_(True)", "tf.stop_gradient(x)", to="tf"),
    Rewrite("torch.autograd.Variable(x, requires_grad=True)", "x", to="tf"),
    Rewrite("x.clone()", "x", to="numpy"),
    Rewrite("tf.identity(x)", "x.view_as(x)", to="torch"),
    Rewrite("tf.identity(x * 2)", "x * 2", to="torch"),
    Rewrite("tf.raw_ops.Identity(input=x)", "x.view_as(x)", to="torch"),
    Rewrite("tf.ensure_shape(x, [3, None])", "x.view_as(x)", to="torch"),
    Rewrite("tf.ensure_shape(x * 2, x.shape)", "x * 2", to="torch"),
    Rewrite("tf.ensure_shape(x, [3, None])", "x", to="numpy", of="tf"),
    Rewrite("tf.identity(x)", "x", to="numpy", of="tf"),
    Rewrite("x.detach()", "tf.stop_gradient(x)", to="tf"),
    Rewrite("x.data", "tf.stop_gradient(x)", to="tf"),
    Rewrite("tf.stop_gradient(x + y)", "(x + y).detach()", to="torch"),
    Rewrite("x.detach()", "x", to="numpy"),
    Rewrite("x.data", "x", to="numpy"),
    Rewrite("tf.raw_ops.PreventGradient(input=x, message='once')", "x", to="numpy", of="tf"),
    Rewrite("torch.zeros(2, device=x.device)", "tf.zeros([2])", to="tf"),
    Rewrite("x.to(x.device)", "x", to="numpy"),
    Rewrite('x.to(torch.device("cpu"))', "x", to="numpy"),
    Refused("tf.raw_ops.PreventGradient(input=x)", "no counterpart in PyTorch", to="torch"),
    Refused("x.cuda(0, False, None, 1)", "is not in its rule", to="tf"),
    Rewrite("x.set_shape([3, 4])", "None", to="torch"),
    Rewrite("x.set_shape([3, 4])", "None", to="numpy", of="tf"),
]  # fmt: skip
