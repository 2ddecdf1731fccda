"""Python's own numbers."""

from words import Refused, Rewrite

_MATH = (
    ("sqrt exp expm1 log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh atanh", "c"),
    ("erf erfc gamma lgamma fabs radians degrees", "c"),
    ("floor ceil trunc isnan isinf isfinite", "c"),
    ("acosh factorial isqrt", "k"),
    ("pow fmod atan2 copysign", "c, 2.0"),
    ("gcd comb", "4, k"),
)
_NUMPY = (("sqrt exp expm1 log log1p log2 log10 sin cos tan tanh", "c"), ("power", "c, 3.0"))
_CALLS = [
    *(f"math.{name}({given})" for names, given in _MATH for name in names.split()),
    *(f"np.{name}({given})" for names, given in _NUMPY for name in names.split()),
    *(f"{library}.{name}" for library in ("math", "np") for name in ("pi", "e", "inf", "nan")),
    "math.tau", "math.log(c)", "math.log(8, 2)",
]  # fmt: skip
SAMPLES = [
    *(Rewrite(call, call, to=to, of=of) for call in _CALLS for of, to in (("torch", "tf"), ("tf", "torch"))),
    *(Rewrite(call, call, to="numpy") for call in _CALLS),
    Rewrite("x * math.sqrt(2)", "x * math.sqrt(2)", to="tf"),
    Rewrite("n * math.sqrt(2)", "tf.cast(n, tf.float32) * math.sqrt(2)", to="tf"),
    Rewrite("x * np.pi", "x * np.pi", to="tf"),
    Rewrite("n * np.pi", "tf.cast(n, tf.float32) * np.pi", to="tf"),
    Rewrite("math.prod(x.shape)", "math.prod(x.shape)", to="tf"),
    Rewrite("np.prod(x.shape)", "math.prod(x.shape)", to="torch", of="tf"),
    Rewrite("math.prod(x.shape)", "math.prod(x.shape)", to="numpy"),
    *(
        Rewrite(
            'x if os.environ.get("NOBODY_SETS_THIS", "a") == "a" else y',
            'x if os.environ.get("NOBODY_SETS_THIS", "a") == "a" else y',
            to=to,
            of=of,
        )
        for of, to in (("torch", "tf"), ("tf", "torch"), ("torch", "numpy"))
    ),
    Refused("np.sqrt(x)", "for Python's numbers only", to="tf"),
    Refused("np.linalg.svd(x)", "no rule", to="tf"),
    Refused("np.prod(x)", "for Python's numbers only", to="torch", of="tf"),
]
