"""Types."""

from words import Refused, Rewrite

_NAMED = (
    ("float", "float32"), ("double", "float64"), ("half", "float16"), ("int", "int32"), ("long", "int64"),
    ("short", "int16"), ("char", "int8"), ("bool", "bool"),
)  # fmt: skip
SAMPLES = [
    *(Rewrite(f"x.{method}()", f"tf.cast(x, tf.{dtype})", to="tf") for method, dtype in _NAMED),
    *(Rewrite(f"n.{method}()", f"n.astype(np.{dtype})", to="numpy") for method, dtype in _NAMED),
    Rewrite("n.byte()", "tf.cast(n, tf.uint8)", to="tf"),
    Rewrite("n.byte()", "n.astype(np.uint8)", to="numpy"),
    Rewrite("p.bfloat16()", "tf.cast(p, tf.bfloat16)", to="tf"),
    Rewrite("(x > 0).float() * y", "tf.cast(x > 0, x.dtype) * y", to="tf"),
    Rewrite("e[3:].bool()", "tf.cast(e[3:], tf.bool)", to="tf"),
    # .to(...): a type, a tensor, a device, several
    Rewrite("n.to(torch.float32)", "tf.cast(n, tf.float32)", to="tf"),
    Rewrite("n.to(dtype=torch.double, non_blocking=True)", "tf.cast(n, tf.float64)", to="tf"),
    Rewrite("n.to(x.dtype)", "tf.cast(n, x.dtype)", to="tf"),
    Rewrite("mask.to(x) * x", "tf.cast(mask, x.dtype) * x", to="tf"),
    Rewrite("x.to(x.device)", "x", to="tf"),
    Rewrite("x.to(device=x.device)", "x", to="tf"),
    Rewrite('x.to("cpu")', "x", to="tf"),
    Rewrite("x.to(torch.device('cpu'))", "x", to="tf"),
    Rewrite("n.to(x.device, torch.float32)", "tf.cast(n, tf.float32)", to="tf"),
    Rewrite('n.to("cpu", dtype=x.dtype)', "tf.cast(n, x.dtype)", to="tf"),
    Rewrite("n.to(device='cpu', dtype=x.dtype, copy=True)", "tf.cast(n, x.dtype)", to="tf"),
    Rewrite("n.to(x.dtype)", "n.astype(x.dtype)", to="numpy"),
    Rewrite("mask.to(x)", "mask.astype(x.dtype)", to="numpy"),
    Rewrite("n.type(torch.float32)", "tf.cast(n, tf.float32)", to="tf"),
    Rewrite("n.type(torch.FloatTensor)", "tf.cast(n, tf.float32)", to="tf"),
    Rewrite('n.type("torch.DoubleTensor")', "tf.cast(n, tf.float64)", to="tf"),
    Rewrite("mask.type(torch.long)", "mask.astype(np.int64)", to="numpy"),
    Rewrite("n.type_as(x)", "tf.cast(n, x.dtype)", to="tf"),
    Rewrite("mask.type_as(x) * y", "tf.cast(mask, x.dtype) * y", to="tf"),
    Rewrite("n.type_as(x)", "n.astype(x.dtype)", to="numpy"),
    Rewrite("tf.cast(mask, x.dtype)", "mask.to(x.dtype)", to="torch"),
    Rewrite("tf.cast(x, tf.int32)", "x.to(torch.int32)", to="torch"),
    Rewrite('tf.dtypes.cast(x, "int64")', "x.to(torch.int64)", to="torch"),
    Rewrite("tf.cast(c, x.dtype)", "torch.tensor(c, dtype=x.dtype)", to="torch"),
    Rewrite("x * tf.cast(k, x.dtype)", "x * k", to="torch"),
    Rewrite("tf.cast(tf.shape(x)[-1], x.dtype) - x", "x.shape[-1] - x", to="torch"),
    Rewrite("x / tf.cast(tf.shape(x)[0], x.dtype)", "x / x.shape[0]", to="torch"),
    Rewrite("x * tf.cast(c, x.dtype)", "x * torch.tensor(c, dtype=x.dtype)", to="torch"),
    Rewrite(
        "tf.cast(n * tf.cast(k, n.dtype), x.dtype)", "(n * torch.tensor(k, dtype=n.dtype)).to(x.dtype)", to="torch"
    ),
    Rewrite("tf.cast([1, 2], tf.float32)", "torch.tensor([1, 2], dtype=torch.float32)", to="torch"),
    Rewrite("tf.cast(mask, tf.float64)", "mask.astype(np.float64)", to="numpy", of="tf"),
    Rewrite("tf.cast(2, tf.float64)", "np.array(2, np.float64)", to="numpy", of="tf"),
    Rewrite("tf.bitcast(n, tf.int64)", "n.view(torch.int64)", to="torch"),
    Refused("x.to(k)", "is it a type or a device?", to="tf"),
    Refused("p.bfloat16()", "no counterpart in NumPy", to="numpy"),
    Refused("tf.saturate_cast(x, tf.uint8)", "no rule", to="torch"),
    Rewrite("tf.cast(c, x.dtype)", "torch.as_tensor(c).to(x.dtype)", to="torch", general=True),
    Rewrite("tf.raw_ops.Cast(x=n, DstT=tf.float32)", "n.to(torch.float32)", to="torch"),
]
