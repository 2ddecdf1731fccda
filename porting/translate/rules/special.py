"""Special functions."""

from porting.translate.abstract_value import Abstract, Sort, joined
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer
from porting.translate.rules.elementwise import floating

# torch, TensorFlow, whether torch has it without ``special`` too
_ONE = (
    ("i0e", "bessel_i0e", False),
    ("i1e", "bessel_i1e", False),
    ("i0", "bessel_i0", True),
    ("i1", "bessel_i1", False),
    ("ndtri", "ndtri", False),
    ("erfinv", "erfinv", True),
    *((f"bessel_{name}", f"special.bessel_{name}", False) for name in ("j0", "j1", "y0", "y1")),
    *((f"modified_bessel_{name}", f"special.bessel_{name}", False) for name in ("k0", "k1")),
    *((f"scaled_modified_bessel_{name}", f"special.bessel_{name}e", False) for name in ("k0", "k1")),
)
_TWO = (
    ("torch.special.gammainc(a: input, b: other)", "tf.math.igamma(a, b: x, _name: name=None)"),
    ("torch.special.gammaincc(a: input, b: other)", "tf.math.igammac(a, b: x, _name: name=None)"),
    ("torch.special.zeta(a: input, b: other)", "tf.math.zeta(a: x, b: q, _name: name=None)"),
)


def _one(torch: str, tf: str, also: bool) -> Rule:
    paths = [f"torch.special.{torch}(x: input)"]
    names = [f"tf.math.{tf}(x, _name: name=None)"]
    if tf.startswith("bessel"):
        names.append(f"tf.math.special.{tf}(x, _name: name=None)")
    return Rule(torch=[*paths, f"torch.{torch}(x: input)"] if also else paths, tf=names, kind=floating)


POLYGAMMA = Rule(
    torch=["torch.polygamma(n, x: input)", "torch.special.polygamma(n, x: input)"],
    tf="tf.math.polygamma(n: a, x, _name: name=None)",
    kind=floating,
)
POLYGAMMA_METHOD = Rule(torch="Tensor.polygamma(x, n)", kind=floating)
NDTR = Rule(torch=["torch.special.ndtr(x: input)"], kind=floating)
LBETA = Rule(tf="tf.math.lbeta(x, _name: name=None)", kind=floating)
ERFCINV = Rule(tf="tf.math.erfcinv(x, _name: name=None)", kind=floating)
RULES = [
    *(_one(*row) for row in _ONE),
    *(Rule(torch=torch, tf=tf, kind=lambda kinds: joined(kinds["a"], kinds["b"])) for torch, tf in _TWO),
    POLYGAMMA_METHOD,  # before the function, whose arguments stand the other way round
    POLYGAMMA,
    NDTR,
    LBETA,
    ERFCINV,
]
LBETA.form("torch.lgamma({x}).sum(-1) - torch.lgamma({x}.sum(-1))", "torch")
ERFCINV.form("-torch.special.ndtri({x} / 2) * 0.5**0.5", "torch")


@POLYGAMMA_METHOD.writes("tf")
@POLYGAMMA.writes("tf")
def _polygamma(w: Writer, n: Expression, x: Expression) -> Expression:
    order = w.build("tf.cast({n}, {x}.dtype)" if w.code(x).isidentifier() else "{n}", n=n, x=x)
    if w.code(order) == w.code(n):
        raise w.refuse("torch.polygamma: a rule for a variable alone, whose type the order takes")
    return w.build("tf.math.polygamma({n}, {x})", n=order, x=x)


@POLYGAMMA.writes("torch")
def _polygamma_torch(w: Writer, n: Expression, x: Expression) -> Expression:
    text = w.code(n)
    if w.kinds["n"] != Abstract(Sort.STATIC, "int") and not text.removesuffix(".0").isdecimal():
        raise w.refuse("tf.math.polygamma: an order that is not known here; torch.polygamma wants one whole number")
    return w.build(f"torch.polygamma({text.removesuffix('.0')}, {{x}})", x=x)


NDTR.form("0.5 * tf.math.erfc(-{x} / 2**0.5)", "tf")
