"""Complex numbers."""

from words import Refused, Rewrite

_PARTS = ("conj", "real", "imag", "angle")
SAMPLES = [
    Rewrite("torch.complex(x, y).abs() * x", "tf.cast(tf.abs(tf.complex(x, y)), x.dtype) * x", to="tf"),
    Rewrite("torch.complex(x, y).real * x", "tf.cast(tf.math.real(tf.complex(x, y)), x.dtype) * x", to="tf"),
    Rewrite(
        "torch.exp(torch.complex(x, y)) / p", "tf.exp(tf.complex(x, y)) / tf.complex(p, tf.zeros_like(p))", to="tf"
    ),
    Rewrite("p - torch.complex(x, y) * 2", "tf.complex(p, tf.zeros_like(p)) - tf.complex(x, y) * 2", to="tf"),
    *(Rewrite(f"torch.{name}(torch.complex(x, y))", f"tf.math.{name}(tf.complex(x, y))", to="tf") for name in _PARTS),
    *(
        Rewrite(f"tf.math.{name}(tf.complex(x, y))", f"torch.{name}(torch.complex(x, y))", to="torch")
        for name in _PARTS
    ),
    *(Rewrite(f"torch.{name}(n)", f"np.{name}(n)", to="numpy") for name in ("conj", "real")),
    Rewrite("torch.imag(x.to(torch.complex128))", "np.imag(x.astype(np.complex128))", to="numpy"),
    Rewrite("torch.angle(x)", "np.angle(x)", to="numpy"),
    Refused("torch.complex(x, y)", "no counterpart in NumPy", to="numpy"),
    Rewrite(
        "torch.view_as_complex(torch.stack([x, y], -1)).abs()",
        "tf.abs(tf.complex(*tf.unstack(tf.stack([x, y], -1), axis=-1)))",
        to="tf",
    ),
    Rewrite("torch.view_as_real(torch.complex(x, y))", "_view_as_real(tf.complex(x, y))", to="tf"),
    Rewrite("torch.complex(x, y).real", "tf.math.real(tf.complex(x, y))", to="tf"),
    Rewrite("torch.complex(x, y).imag", "tf.math.imag(tf.complex(x, y))", to="tf"),
]
