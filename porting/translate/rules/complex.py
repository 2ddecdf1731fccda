"""Complex numbers and their parts."""

from porting.translate.abstract_value import COMPLEX as COMPLEX_NUMBERS
from porting.translate.abstract_value import FLOAT
from porting.translate.rule import Rule

_NAME = "_name: name=None"
_ATTRIBUTES = {"real": ["Tensor.real"], "imag": ["Tensor.imag"]}
COMPLEX = Rule(
    torch="torch.complex(x: real, y: imag)",
    tf=[f"tf.complex(x: real, y: imag, {_NAME})", f"tf.dtypes.complex(x: real, y: imag, {_NAME})"],
    kind=COMPLEX_NUMBERS,
)
CONJ = Rule(torch="torch.conj(x: input)", tf=f"tf.math.conj(x, {_NAME})", numpy="np.conj(x)")
RULES = [
    COMPLEX,
    CONJ,
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
