"""The names of types."""

from words import Refused, Rewrite

_NAMES = (
    "float32", "float64", "float16", "bfloat16", "int32", "int64", "int16", "int8", "uint8", "bool", "complex64",
    "complex128",
)  # fmt: skip
_OLD = (
    ("Float", "float32"), ("Double", "float64"), ("Half", "float16"), ("Int", "int32"), ("Long", "int64"),
    ("Short", "int16"), ("Char", "int8"), ("Byte", "uint8"),
)  # fmt: skip
SAMPLES = [
    *(Rewrite(f"torch.{name}", f"tf.{name}", to="tf") for name in _NAMES),
    *(Rewrite(f"tf.{name}", f"torch.{name}", to="torch") for name in _NAMES),
    *(
        Rewrite(f"torch.ones(2, dtype=torch.{name})", f"np.ones([2], np.{name})", to="numpy")
        for name in _NAMES
        if name != "bfloat16"
    ),
    Rewrite("torch.long", "tf.int64", to="tf"),
    Rewrite("tf.double", "torch.float64", to="torch"),
    *(Rewrite(f"torch.{name}Tensor([1, 0])", f"tf.constant([1, 0], tf.{dtype})", to="tf") for name, dtype in _OLD),
    Rewrite("torch.BoolTensor([True, False])", "tf.constant([True, False], tf.bool)", to="tf"),
    *(Rewrite(f"torch.{name}Tensor([1, 0])", f"np.array([1, 0], np.{dtype})", to="numpy") for name, dtype in _OLD),
    Rewrite("torch.BoolTensor([True, False])", "np.array([True, False], np.bool)", to="numpy"),
    Rewrite("torch.Tensor([1, 2])", "tf.constant([1, 2], tf.float32)", to="tf"),
    Rewrite("torch.Tensor([1, 2])", "np.array([1, 2], np.float32)", to="numpy"),
    Rewrite("n.to(x.dtype)", "tf.cast(n, x.dtype)", to="tf"),
    Rewrite("tf.cast(n, x.dtype)", "n.to(x.dtype)", to="torch"),
    Rewrite("x.dtype.itemsize", "x.dtype.size", to="tf"),
    Rewrite("x.dtype.size", "x.dtype.itemsize", to="torch"),
    Rewrite("x.dtype.itemsize", "x.dtype.itemsize", to="numpy"),
    Rewrite("x.dtype.is_floating_point", "x.dtype.is_floating", to="tf"),
    Rewrite("n.dtype.is_floating", "n.dtype.is_floating_point", to="torch"),
    Rewrite("x.dtype.is_complex", "x.dtype.is_complex", to="tf"),
    Rewrite("x.dtype.is_complex", "x.dtype.is_complex", to="torch"),
    Rewrite("torch.is_floating_point(n)", "n.dtype.is_floating", to="tf"),
    Rewrite("x.is_complex()", "x.dtype.is_complex", to="tf"),
    Rewrite(
        "n.dtype.is_integer",
        "not (n.dtype.is_floating_point or n.dtype.is_complex or n.dtype == torch.bool)",
        to="torch",
    ),
    Rewrite(
        "mask.dtype.is_integer",
        "not (mask.dtype.is_floating_point or mask.dtype.is_complex or mask.dtype == torch.bool)",
        to="torch",
    ),
    Rewrite("tf.cast(n, x.dtype.base_dtype)", "n.to(x.dtype)", to="torch"),
    Rewrite("tf.zeros(2, x.dtype.base_dtype)", "np.zeros(2, x.dtype)", to="numpy", of="tf"),
    Rewrite("tf.zeros(2, x.dtype.as_numpy_dtype)", "torch.zeros(2, dtype=x.dtype, device=x.device)", to="torch"),
    Rewrite("tf.zeros(2, x.dtype.as_numpy_dtype)", "np.zeros(2, x.dtype)", to="numpy", of="tf"),
    Rewrite("x.dtype.name", 'str(x.dtype).removeprefix("torch.")', to="torch"),
    Rewrite("n.to(torch.get_default_dtype())", "tf.cast(n, tf.float32)", to="tf"),
    Rewrite(
        "n.to(torch.promote_types(x.dtype, torch.float32))",
        "tf.cast(n, tf.float32 if x.dtype.size == 2 else x.dtype)",
        to="tf",
    ),
    Rewrite(
        "torch.zeros(2, dtype=torch.promote_types(x.dtype, torch.float32))",
        "np.zeros([2], np.promote_types(x.dtype, np.float32))",
        to="numpy",
    ),
    Refused("torch.promote_types(x.dtype, torch.float64)", "torch.float32 only", to="tf"),
    Refused("torch.FloatTensor(5)", "a list of numbers alone", to="tf"),
    Refused("torch.FloatTensor(3, 4)", "argument 4 is not in its rule", to="tf"),
    Refused("torch.Tensor", "no rule for it as a value", to="tf"),
    Rewrite('x.dtype.as_numpy_dtype("-inf")', 'float("-inf")', to="torch"),
    Rewrite("x.dtype.as_numpy_dtype(2)", "float(2)", to="numpy", of="tf"),
    Refused("torch.bfloat16", "no counterpart in NumPy", to="numpy"),
    Rewrite("tf.cast(n, tf.dtypes.float32)", "n.to(torch.float32)", to="torch"),
]
