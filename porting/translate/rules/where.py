"""Choices element by element. TensorFlow needs both branches to have one type.

A Python number gets the type of a tensor that comes before it. A number that comes first gets that type here, because
TensorFlow's graphs would make it single precision.
"""

from porting.translate.abstract_value import INT, STATIC, Abstract, Sort, joined
from porting.translate.calls import MODULES
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

WHERE = Rule(
    torch="torch.where(mask: condition, x: input, y: other)",
    tf=[
        "tf.where(mask: condition, x=None, y=None, _name: name=None)",
        "tf.raw_ops.SelectV2(mask: condition, x: t, y: e)",
    ],
    numpy="np.where(mask: condition, x, y)",
    kind=lambda kinds: joined(kinds["x"], kinds["y"]).values() if "x" in kinds else INT,
)
METHOD = Rule(torch="Tensor.where(x, mask: condition, y: other)", kind=WHERE.kind)  # another order: x stands first
V1 = Rule(tf="tf.compat.v1.where(mask: condition, x, y, _name: name=None)", kind=WHERE.kind)
NONZERO = Rule(torch=["torch.nonzero(x: input)", "Tensor.nonzero(x)"], kind=INT)
FILL = Rule(torch="torch.masked_fill(x: input, mask, value)")
RULES = [METHOD, WHERE, V1, NONZERO, FILL]


def _typed(w: Writer, x: Expression, kind: Abstract, value: Expression) -> Expression:
    """Return a Python number in the type of x."""
    if kind.dtype and not w.code(x).isidentifier():
        return w.in_type(value, STATIC, w.build(kind.dtype))
    return w.filled_like(x, kind, value)


@WHERE.writes("torch", "numpy")
def _chosen(w: Writer, mask: Expression, x: Given = None, y: Given = None) -> Expression:
    """Write it; without x and y it gives the places of a mask."""
    if x is None and w.of == "tf":
        return w.build("torch.nonzero({mask})" if w.to == "torch" else "np.argwhere({mask})", mask=mask)
    return w.build(f"{MODULES[w.to]}.where({{mask}}, {{x}}, {{y}})", mask=mask, x=x, y=y)


@METHOD.writes("tf")
@WHERE.writes("tf")
def _where(w: Writer, mask: Expression, x: Expression, y: Expression) -> Expression:
    first, second = w.kinds["x"], w.kinds["y"]
    x, y = w.meeting(x, first, y, second)
    if first.sort is Sort.STATIC and second.tensor:
        x = _typed(w, y, second, x)
    elif first.sort is second.sort is Sort.STATIC and {first.number, second.number} == {"int", "float"}:
        x, y = (w.build("float({v})", v=v) if k.number == "int" else v for v, k in ((x, first), (y, second)))
    return w.build("tf.where({mask}, {x}, {y})", mask=mask, x=x, y=y)


METHOD.form("np.where({mask}, {x}, {y})", "numpy")
NONZERO.form("tf.where({x})", "tf")
NONZERO.form("np.argwhere({x})", "numpy")


@V1.writes("torch")
def _v1(w: Writer, mask: Expression, x: Expression, y: Expression) -> Expression:
    w.note("tf.compat.v1.where: a mask of one axis chooses rows there; torch.where broadcasts it.")
    return w.build("torch.where({mask}, {x}, {y})", mask=mask, x=x, y=y)


@FILL.writes("tf")
def _fill(w: Writer, x: Expression, mask: Expression, value: Expression) -> Expression:
    if w.kinds["value"].sort is Sort.STATIC:
        value = _typed(w, x, w.kinds["x"], value)
    return w.build("tf.where({mask}, {value}, {x})", mask=mask, value=value, x=x)


FILL.form("np.where({mask}, {value}, {x})", "numpy")
