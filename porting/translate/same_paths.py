"""The same function under several paths is looked up under one."""

from typing import Final

_PREFIXES: Final = (
    ("tensorflow.compat.v2.", "tf."),
    ("tensorflow.compat.v1.", "tf.compat.v1."),
    ("tensorflow.", "tf."),
    ("numpy.", "np."),
)
# TensorFlow's own modules, which people import from as well; names that stand at the top of `tf` alone come after.
_INSIDE: Final = {
    "tf.python.framework.constant_op.": "tf.",
    "tf.python.framework.ops.": "tf.",
    "tf.python.ops.array_ops.": "tf.",
    "tf.python.ops.clip_ops.": "tf.",
    "tf.python.ops.linalg_ops.": "tf.linalg.",
    "tf.python.ops.gen_array_ops.": "tf.",
    "tf.python.ops.gen_math_ops.": "tf.math.",
    "tf.python.ops.math_ops.": "tf.math.",
    "tf.python.ops.nn.": "tf.nn.",
    "tf.python.ops.nn_ops.": "tf.nn.",
}
_TOP: Final = frozenset({"cast", "matmul", "range", "linspace", "complex", "saturate_cast", "truediv", "tensordot"})
_OTHERS: Final = {"tf.linalg.eye": "tf.eye", "tf.where_v2": "tf.where", "tf.wherev2": "tf.where"}
_KERAS: Final = frozenset({"keras.activations", "keras.backend", "keras.ops"})
# What Keras calls as TensorFlow does, with the same arguments in the same order, and the same defaults.
_ALIKE: Final = (
    "abs", "add", "broadcast_to", "cast", "convert_to_tensor", "cos", "cosh", "divide", "equal", "exp", "expand_dims",
    "floor", "greater", "greater_equal", "less", "less_equal", "logical_and", "logical_not", "logical_or", "matmul",
    "maximum", "minimum", "multiply", "negative", "not_equal", "ones_like", "pow", "reshape", "round", "shape",
    "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "squeeze", "stack", "stop_gradient", "subtract", "tan", "tanh",
    "transpose", "where", "zeros_like",
)  # fmt: skip
_OF_KERAS: Final = {
    **{name: f"tf.{name}" for name in _ALIKE},
    **{f"arc{name}": f"tf.a{name}" for name in ("cos", "cosh", "sin", "sinh", "tan", "tanh")},
    **{name: f"tf.math.{name}" for name in ("ceil", "erf", "erfinv", "expm1", "log", "log1p", "reciprocal", "rsqrt")},
    **{name: f"tf.nn.{name}" for name in ("log_softmax", "relu", "relu6", "silu", "softmax", "softplus", "softsign")},
    **{name: f"tf.reduce_{name}" for name in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")},
    **{f"is{name}": f"tf.math.is_{name}" for name in ("finite", "inf", "nan")},
    "clip": "tf.clip_by_value", "concatenate": "tf.concat", "power": "tf.pow",
}  # fmt: skip


def same_path(path: str) -> str:
    """Return the path that a function is looked up under: ``tensorflow.exp`` is ``tf.exp``."""
    path = next((new + path[len(old) :] for old, new in _PREFIXES if path.startswith(old)), path)
    module, name = path[: path.rfind(".") + 1], path.rpartition(".")[2]
    if module in _INSIDE:
        top = name in _TOP or name.startswith("reduce_")
        path = f"tf.{name}" if top else f"{_INSIDE[module]}{name}"
    return _OTHERS.get(path, path)


def of_keras(path: str) -> str:
    """Return what TensorFlow calls a function of Keras that is nothing but its own; empty if it is none."""
    module, _, name = path.removeprefix("tf.").rpartition(".")
    return _OF_KERAS.get(name, "") if module in _KERAS else ""
