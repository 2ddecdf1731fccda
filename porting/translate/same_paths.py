"""The same function under several paths is looked up under one."""

from typing import Final

_PREFIXES: Final = (
    ("tensorflow.compat.v2.", "tf."),
    ("tensorflow.compat.v1.", "tf.compat.v1."),
    ("tensorflow.", "tf."),
    ("numpy.", "np."),
    *((f"keras.src.ops.{part}.", "keras.ops.") for part in ("core", "linalg", "math", "nn", "numpy")),
    ("keras.src.", "keras."),
)
# TensorFlow's own modules, which people import from as well; names that stand at the top of `tf` alone come after.
_INSIDE: Final = {
    "tf.python.framework.constant_op.": "tf.",
    "tf.python.framework.ops.": "tf.",
    "tf.python.ops.array_ops.": "tf.",
    "tf.python.ops.check_ops.": "tf.debugging.",
    "tf.python.ops.clip_ops.": "tf.",
    "tf.python.ops.linalg.linalg_impl.": "tf.linalg.",
    "tf.python.ops.linalg_ops.": "tf.linalg.",
    "tf.python.ops.gen_array_ops.": "tf.",
    "tf.python.ops.gen_math_ops.": "tf.math.",
    "tf.python.ops.math_ops.": "tf.math.",
    "tf.python.ops.nn.": "tf.nn.",
    "tf.python.ops.nn_impl.": "tf.nn.",
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
_NN: Final = ("elu", "gelu", "log_softmax", "relu", "relu6", "selu", "silu", "softmax", "softplus", "softsign", "swish")
_OF_KERAS: Final = {
    **{name: f"tf.{name}" for name in _ALIKE},
    **{f"arc{name}": f"tf.a{name}" for name in ("cos", "cosh", "sin", "sinh", "tan", "tanh")},
    **{name: f"tf.math.{name}" for name in ("ceil", "erf", "erfinv", "expm1", "log", "log1p", "reciprocal", "rsqrt")},
    **{name: f"tf.nn.{name}" for name in _NN},
    **{name: f"tf.reduce_{name}" for name in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")},
    **{f"is{name}": f"tf.math.is_{name}" for name in ("finite", "inf", "nan")},
    **{name: f"tf.experimental.numpy.{name}" for name in ("log2", "log10")},
    "clip": "tf.clip_by_value", "concatenate": "tf.concat", "cumprod": "tf.math.cumprod", "cumsum": "tf.cumsum",
    "exponential": "tf.exp", "gather": "tf.gather", "int_shape": "tf.shape", "l2_normalize": "tf.math.l2_normalize",
    "linear": "tf.identity", "ndim": "tf.rank", "permute_dimensions": "tf.transpose", "power": "tf.pow",
    "std": "tf.math.reduce_std", "var": "tf.math.reduce_variance",
}  # fmt: skip
# Operations of `tf.raw_ops` that have the arguments of a function of TensorFlow, which it calls otherwise.
_OF_RAW: Final = {
    **{name.title(): f"tf.{name}" for name in (
        "abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atanh", "cos", "cosh", "equal", "exp", "fill", "floor",
        "greater", "less", "maximum", "minimum", "pow", "rank", "reshape", "roll", "round", "shape",
        "sigmoid", "sign", "sin", "sinh", "size", "sqrt", "square", "tan", "tanh", "tile", "transpose",
    )},
    **{name.title(): f"tf.math.{name}" for name in (
        "ceil", "cumprod", "cumsum", "digamma", "erf", "erfc", "erfinv", "expm1", "igamma", "lgamma", "log",
        "polygamma", "reciprocal", "rint", "rsqrt", "xlogy",
    )},
    **{name.title(): f"tf.nn.{name}" for name in ("elu", "relu", "relu6", "selu", "softmax", "softplus", "softsign")},
    **{name.title().replace("_", ""): f"tf.{name}" for name in (
        "broadcast_to", "expand_dims", "greater_equal", "less_equal", "logical_and", "logical_not", "logical_or",
        "not_equal", "ones_like", "scatter_nd", "stop_gradient", "gather_nd", "zeros_like",
    )},
    **{name.title().replace("_", ""): f"tf.math.{name}" for name in (
        "is_finite", "is_inf", "is_nan", "squared_difference", "unsorted_segment_sum",
    )},
    "AddV2": "tf.add", "Atan2": "tf.atan2", "Cholesky": "tf.linalg.cholesky", "ConcatV2": "tf.concat",
    "DivNoNan": "tf.math.divide_no_nan", "FloorDiv": "tf.math.floordiv", "FloorMod": "tf.math.floormod",
    "Log1p": "tf.math.log1p", "LeakyRelu": "tf.nn.leaky_relu", "LogSoftmax": "tf.nn.log_softmax", "MatMul": "tf.matmul",
    "MatrixBandPart": "tf.linalg.band_part", "MatrixDiag": "tf.linalg.diag", "MatrixInverse": "tf.linalg.inv",
    "Mul": "tf.multiply", "MulNoNan": "tf.math.multiply_no_nan", "Neg": "tf.negative", "Pack": "tf.stack",
    "RealDiv": "tf.realdiv", "ReverseV2": "tf.reverse", "Sub": "tf.subtract",
    "TensorScatterUpdate": "tf.tensor_scatter_nd_update",
}  # fmt: skip
# What has another name since TensorFlow 2.
_OF_VERSION_1: Final = {
    **{name: f"tf.linalg.{name}" for name in ("cholesky", "cholesky_solve", "matrix_transpose", "qr", "svd", "trace")},
    **{name: f"tf.math.{name}" for name in (
        "acosh", "asinh", "atanh", "betainc", "ceil", "conj", "cumprod", "digamma", "erf", "erfc", "expm1", "floordiv",
        "floormod", "igamma", "igammac", "imag", "is_finite", "is_inf", "lbeta", "lgamma", "log1p", "log_sigmoid",
        "polygamma", "real", "reciprocal", "rint", "segment_max", "segment_mean", "segment_min", "segment_prod",
        "segment_sum", "squared_difference", "unsorted_segment_max", "unsorted_segment_mean", "unsorted_segment_min",
        "unsorted_segment_prod", "unsorted_segment_sqrt_n", "unsorted_segment_sum", "zeta",
    )},
    **{f"matrix_{name}": f"tf.linalg.{name}" for name in (
        "band_part", "diag", "diag_part", "set_diag", "solve", "triangular_solve",
    )},
    **{name: f"tf.signal.{name}" for name in ("fft", "fft2d", "ifft", "ifft2d")},
    "diag": "tf.linalg.tensor_diag", "diag_part": "tf.linalg.tensor_diag_part", "is_nan": "tf.math.is_nan",
    "matrix_determinant": "tf.linalg.det", "matrix_inverse": "tf.linalg.inv",
    "nn.softmax_cross_entropy_with_logits_v2": "tf.nn.softmax_cross_entropy_with_logits",
    "self_adjoint_eig": "tf.linalg.eigh", "self_adjoint_eigvals": "tf.linalg.eigvalsh",
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


def renamed(path: str) -> str:
    """Return what TensorFlow calls an operation of `tf.raw_ops`, or one of TensorFlow 1; empty if it is none."""
    name = path.removeprefix("tf.compat.v1.").removeprefix("tf.")
    known = _OF_RAW if name.startswith("raw_ops.") else _OF_VERSION_1
    return known.get(name.removeprefix("raw_ops."), "")
