"""How a function runs."""

from words import Refused, Rewrite

_NO = (
    "torch.jit.is_scripting()", "torch.jit.is_tracing()", "torch.cuda.is_available()",
    "torch.is_autocast_enabled()", "torch.is_inference_mode_enabled()", "x.is_cuda",
)  # fmt: skip
SAMPLES = [
    Rewrite("y if x.requires_grad else y", "y", to="tf"),
    Rewrite("y if x.requires_grad else y", "y", to="numpy"),
    *(Rewrite(question, "False", to=to) for question in _NO for to in ("tf", "numpy")),
    Rewrite("x if not torch.compiler.is_compiling() else x", "x", to="tf"),
    Rewrite("torch.compiler.is_compiling()", "False", to="numpy"),
    *(Rewrite("torch.is_grad_enabled()", "True", to=to) for to in ("tf", "numpy")),
    Rewrite("tf.executing_eagerly()", "True", to="torch"),
    Rewrite("tf.compat.v1.executing_eagerly_outside_functions()", "True", to="torch"),
    Rewrite("tf.inside_function()", "False", to="torch"),
    Rewrite("torch.is_tensor(x)", "tf.is_tensor(x)", to="tf"),
    Rewrite("tf.is_tensor(c)", "torch.is_tensor(c)", to="torch"),
    Rewrite("x if torch.is_grad_enabled() else y", "x", to="tf"),
    Rewrite("torch.func.debug_unwrap(x)", "x", to="tf"),
    Rewrite("torch.func.debug_unwrap(x)", "x", to="numpy"),
    Refused("torch.is_tensor(x)", "no counterpart in NumPy", to="numpy"),
]
