"""Complex numbers and their parts."""

from porting.translate.abstract_value import COMPLEX as COMPLEX_NUMBERS
from porting.translate.abstract_value import FLOAT
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer

_NAME = "_name: name=None"
_ATTRIBUTES = {"real": ["Tensor.real"], "imag": ["Tensor.imag"]}
COMPLEX = Rule(
    torch="torch.complex(x: real, y: imag)",
    tf=[f"tf.complex(x: real, y: imag, {_NAME})", f"tf.dtypes.complex(x: real, y: imag, {_NAME})"],
    kind=COMPLEX_NUMBERS,
)
CONJ = Rule(torch="torch.conj(x: input)", tf=f"tf.math.conj(x, {_NAME})", numpy="np.conj(x)")
OF_PAIRS = Rule(torch="torch.view_as_complex(x: input)", kind=COMPLEX_NUMBERS)
AS_PAIRS = Rule(torch="torch.view_as_real(x: input)", kind=FLOAT)
RULES = [
    COMPLEX,
    CONJ,
    OF_PAIRS,
    AS_PAIRS,
    *(
        Rule(
            torch=[f"torch.{name}(x: input)", *_ATTRIBUTES.get(name, ())],
            tf=f"tf.math.{name}(x: input, {_NAME})",
            numpy=f"np.{name}(x)",
            kind=lambda kinds: kinds["x"] if kinds["x"].number not in {"", "complex"} else FLOAT,
        )
        for name in ("real", "imag", "angle")
    ),
]

_AS_PAIRS = '''
def _view_as_real(x):
    """Return complex numbers as pairs of their parts, along a further axis."""
    return tf.stack([tf.math.real(x), tf.math.imag(x)], -1)
'''
OF_PAIRS.form("tf.complex(*tf.unstack({x}, axis=-1))", "tf")


@AS_PAIRS.writes("tf")
def _view_as_real(w: Writer, x: Expression) -> Expression:
    w.helper("_view_as_real", _AS_PAIRS)
    return w.build("_view_as_real({x})", x=x)
