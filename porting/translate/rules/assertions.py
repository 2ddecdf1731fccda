"""Assertions about numbers: PyTorch has none that raise, so that a helper does, in TensorFlow's words."""

from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer

FINITE = Rule(
    tf=[
        "tf.debugging.check_numerics(x: tensor, message, _name: name=None)",
        "tf.debugging.assert_all_finite(x, message, _name: name=None)",
    ]
)
RULES = [FINITE]

_ALL_FINITE = '''
def _all_finite(x, message):
    """Return x, or raise if it holds NaN or infinity."""
    if not x.isfinite().all():
        raise ValueError(message)
    return x
'''


@FINITE.writes("torch")
def _finite(w: Writer, x: Expression, message: Expression) -> Expression:
    w.helper("_all_finite", _ALL_FINITE)
    return w.build("_all_finite({x}, {message})", x=x, message=message)
