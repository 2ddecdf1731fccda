"""Rounding: halves to even in both frameworks; only ``torch.round`` has ``decimals``."""

from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

ROUND = Rule(
    torch="torch.round(x: input, *, decimals=0)",
    tf=["tf.round(x, _name: name=None)", "tf.math.round(x, _name: name=None)", "tf.math.rint(x, _name: name=None)"],
    numpy=["np.round(x: a, decimals=0)", "np.rint(x)"],
)
TRUNC = Rule(torch=["torch.trunc(x: input)", "torch.fix(x: input)"], numpy="np.trunc(x)")
FRAC = Rule(torch="torch.frac(x: input)")
RULES = [ROUND, TRUNC, FRAC]


@ROUND.writes("tf")
def _round(w: Writer, x: Expression, decimals: Given = None) -> Expression:
    if decimals is None:
        return w.build("tf.round({x})", x=x)
    text = w.code(decimals)
    if not text.isdecimal():
        raise w.refuse("torch.round: a rule for decimals that are written as a number, 0 or more")
    return w.build(f"tf.round({{x}} * 1e{text}) / 1e{text}", x=x)


@TRUNC.writes("tf")
def _trunc(w: Writer, x: Expression) -> Expression:
    if w.kinds["x"].number == "int":
        return x
    return w.build("tf.sign({x}) * tf.floor(tf.abs({x}))", x=x)


FRAC.form("tf.truncatemod({x}, 1)", "tf")
FRAC.form("np.fmod({x}, 1)", "numpy")
