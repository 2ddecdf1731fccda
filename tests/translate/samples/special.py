"""Special functions."""

from words import Refused, Rewrite

_ONE = (
    ("special.i0e", "bessel_i0e", "x"), ("special.i1e", "bessel_i1e", "x"), ("special.i0", "bessel_i0", "x"),
    ("special.i1", "bessel_i1", "x"), ("special.ndtri", "ndtri", "p"), ("special.erfinv", "erfinv", "p"),
)  # fmt: skip
_TWO = (("special.gammainc", "igamma"), ("special.gammaincc", "igammac"))
SAMPLES = [
    *(Rewrite(f"torch.{torch}({x})", f"tf.math.{tf}({x})", to="tf") for torch, tf, x in _ONE),
    *(Rewrite(f"tf.math.{tf}({x})", f"torch.{torch}({x})", to="torch") for torch, tf, x in _ONE),
    *(Rewrite(f"torch.{torch}(p, p + 1)", f"tf.math.{tf}(p, p + 1)", to="tf") for torch, tf in _TWO),
    *(Rewrite(f"tf.math.{tf}(p, p + 1)", f"torch.{torch}(p, p + 1)", to="torch") for torch, tf in _TWO),
    Rewrite("tf.math.igamma(a=p, x=p + 1)", "torch.special.gammainc(p, p + 1)", to="torch"),
    Rewrite("torch.special.zeta(p + 1, p)", "tf.math.zeta(p + 1, p)", to="tf"),
    Rewrite("tf.math.zeta(p + 1, p)", "torch.special.zeta(p + 1, p)", to="torch"),
    Rewrite("tf.math.special.bessel_i0(x)", "torch.special.i0(x)", to="torch"),
    Rewrite("p.erfinv()", "tf.math.erfinv(p)", to="tf"),
    Rewrite("torch.polygamma(1, p)", "tf.math.polygamma(tf.cast(1, p.dtype), p)", to="tf"),
    Rewrite("p.polygamma(2)", "tf.math.polygamma(tf.cast(2, p.dtype), p)", to="tf"),
    Rewrite("tf.math.polygamma(1.0, p)", "torch.polygamma(1, p)", to="torch"),
    Rewrite("torch.special.ndtr(x)", "0.5 * tf.math.erfc(-x / 2**0.5)", to="tf"),
    Refused("torch.polygamma(1, p + 1)", "a rule for a variable alone", to="tf"),
    Refused("tf.math.polygamma(p, p)", "an order that is not known here", to="torch"),
    Refused("tf.math.polygamma(1.5, p)", "one whole number", to="torch"),
    Refused("torch.special.i0(x)", "no counterpart in NumPy", to="numpy"),
    Rewrite("tf.math.special.bessel_j0(p)", "torch.special.bessel_j0(p)", to="torch"),
    Rewrite("tf.math.special.bessel_j1(p)", "torch.special.bessel_j1(p)", to="torch"),
    Rewrite("tf.math.special.bessel_y0(p)", "torch.special.bessel_y0(p)", to="torch"),
    Rewrite("tf.math.special.bessel_y1(p)", "torch.special.bessel_y1(p)", to="torch"),
    Rewrite("tf.math.special.bessel_k0(p)", "torch.special.modified_bessel_k0(p)", to="torch"),
    Rewrite("tf.math.special.bessel_k1(p)", "torch.special.modified_bessel_k1(p)", to="torch"),
    Rewrite("tf.math.special.bessel_k0e(p)", "torch.special.scaled_modified_bessel_k0(p)", to="torch"),
    Rewrite("tf.math.special.bessel_k1e(p)", "torch.special.scaled_modified_bessel_k1(p)", to="torch"),
    Rewrite("tf.math.lbeta(p)", "torch.lgamma(p).sum(-1) - torch.lgamma(p.sum(-1))", to="torch"),
    Rewrite("tf.math.erfcinv(p)", "-torch.special.ndtri(p / 2) * 0.5**0.5", to="torch"),
    *(
        Rewrite(f"torch.special.{scaled}bessel_{name}(p)", f"tf.math.special.bessel_{tf}(p)", to="tf")
        for scaled, names, tail in (
            ("", ("j0", "j1", "y0", "y1"), ""),
            ("modified_", ("k0", "k1"), ""),
            ("scaled_modified_", ("k0", "k1"), "e"),
        )
        for name in names
        for tf in (name + tail,)
    ),
]
