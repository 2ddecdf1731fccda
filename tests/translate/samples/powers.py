"""Powers, roots, logarithms; of Python's numbers too."""

from words import Refused, Rewrite

_SAME = (
    ("sqrt", "tf.sqrt"), ("exp", "tf.exp"), ("expm1", "tf.math.expm1"), ("log", "tf.math.log"),
    ("log1p", "tf.math.log1p"), ("sin", "tf.sin"), ("cos", "tf.cos"), ("abs", "tf.abs"), ("square", "tf.square"),
)  # fmt: skip
SAMPLES = [
    *(Rewrite(f"torch.{torch}(p)", f"{tf}(p)", to="tf") for torch, tf in _SAME),
    *(Rewrite(f"{tf}(p)", f"torch.{torch}(p)", to="torch") for torch, tf in _SAME),
    *(Rewrite(f"torch.{torch}(p)", f"np.{torch}(p)", to="numpy") for torch, _ in _SAME),
    Rewrite("p.sqrt()", "tf.sqrt(p)", to="tf"),
    Rewrite("p.clone().log_()", "tf.math.log(p)", to="tf"),
    Rewrite("torch.absolute(x)", "tf.abs(x)", to="tf"),
    Rewrite("torch.special.expm1(x)", "tf.math.expm1(x)", to="tf"),
    Rewrite("tf.math.exp(x)", "torch.exp(x)", to="torch"),
    Rewrite("tf.math.abs(x)", "torch.abs(x)", to="torch"),
    Rewrite("tf.math.square(x)", "torch.square(x)", to="torch"),
    Rewrite("torch.abs(n)", "tf.abs(n)", to="tf"),
    Rewrite("tf.sqrt(e)", "torch.sqrt(e)", to="torch"),
    Rewrite("torch.log(e)", "tf.math.log(e)", to="tf"),
    # whole numbers
    Rewrite("torch.sqrt(n)", "tf.sqrt(tf.cast(n, tf.float32))", to="tf"),
    Rewrite("n.exp()", "tf.exp(tf.cast(n, tf.float32))", to="tf"),
    # Python's numbers
    Rewrite("tf.sqrt(2.0)", "math.sqrt(2.0)", to="torch"),
    Rewrite("tf.math.log(c)", "math.log(c)", to="torch"),
    Rewrite("tf.abs(c)", "abs(c)", to="torch"),
    Rewrite("tf.square(c)", "c ** 2", to="torch"),
    # what TensorFlow has no name for
    Rewrite("torch.log2(p)", "tf.math.log(p) / math.log(2)", to="tf"),
    Rewrite("torch.log2(p)", "np.log2(p)", to="numpy"),
    Rewrite("tf.keras.ops.log2(p)", "torch.log2(p)", to="torch"),
    Rewrite("tf.experimental.numpy.log10(p)", "torch.log10(p)", to="torch"),
    Rewrite("p.log10()", "tf.math.log(p) / math.log(10)", to="tf"),
    Rewrite("p.log10()", "np.log10(p)", to="numpy"),
    Rewrite("torch.exp2(x)", "2 ** x", to="tf"),
    Rewrite("torch.exp2(n)", "2 ** tf.cast(n, tf.float32)", to="tf"),
    Rewrite("torch.exp2(x)", "np.exp2(x)", to="numpy"),
    Rewrite("torch.logit(p)", "tf.math.log(p / (1 - p))", to="tf"),
    Rewrite(
        "torch.logit(p, eps=0.3)",
        "tf.math.log(tf.clip_by_value(p, 0.3, 1 - 0.3) / (1 - tf.clip_by_value(p, 0.3, 1 - 0.3)))",
        to="tf",
    ),
    Rewrite("torch.logit(p)", "np.log(p / (1 - p))", to="numpy"),
    Refused("torch.sqrt(x, y)", "argument y is not in its rule", to="tf"),
]
