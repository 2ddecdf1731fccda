"""The limits of a type and named constants: the largest number, the smallest step, infinity, pi."""

import re

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer

_FLOAT = Abstract(Sort.STATIC, "float")
FINFO = Rule(
    torch="torch.finfo(dtype: type)",
    numpy="np.finfo(dtype)",
    tf="tf.experimental.numpy.finfo(dtype)",
    kind=Abstract(Sort.FINFO),
)
IINFO = Rule(torch="torch.iinfo(dtype: type)", numpy="np.iinfo(dtype)", kind=Abstract(Sort.FINFO))
ENDS = [Rule(torch=f"Finfo.{end}", kind=Abstract(Sort.STATIC)) for end in ("min", "max")]
LARGEST = Rule(tf="Dtype.max", kind=lambda kinds: Abstract(Sort.STATIC, kinds["x"].number))
LOWEST = Rule(tf="Dtype.min", kind=lambda kinds: Abstract(Sort.STATIC, kinds["x"].number))
EPSILON = Rule(tf="tf.keras.backend.epsilon()", kind=_FLOAT)
FLOATX = Rule(tf=["tf.keras.backend.floatx()", "tf.keras.config.floatx()"], kind=Abstract(Sort.STATIC))
RULES = [FINFO, IINFO, *ENDS, LARGEST, LOWEST, EPSILON, FLOATX]


def _constant(constant: str) -> Rule:
    rule = Rule(torch=f"torch.{constant}", numpy=f"np.{constant}", kind=_FLOAT)

    @rule.writes("tf")
    def _(w: Writer) -> Expression:
        w.imports.add("math")
        return w.build(f"math.{constant}")

    return rule


RULES += [_constant(name) for name in ("inf", "nan", "pi", "e")]
FINFO.form("np.finfo({dtype}.as_numpy_dtype)", "tf")
IINFO.form("np.iinfo({dtype}.as_numpy_dtype)", "tf")


def _end(rule: Rule, name: str) -> None:
    """Write ``np.finfo(x.dtype.as_numpy_dtype).max`` as TensorFlow's own, which it has for bfloat16 too."""

    @rule.writes("tf")
    def _(w: Writer, x: Expression) -> Expression:
        dtype = re.fullmatch(r"np\.[fi]info\((.*)\.as_numpy_dtype\)", w.code(x))
        return w.build(f"{dtype[1]}.{name}" if dtype else f"{{x}}.{name}", x=x)

    rule.form(f"{{x}}.{name}", "torch", "numpy")


for _rule, _name in zip(ENDS, ("min", "max"), strict=True):
    _end(_rule, _name)


def _of_type(rule: Rule, name: str) -> None:
    @rule.writes("torch")
    def _(w: Writer, x: Expression) -> Expression:
        info = "iinfo" if w.kinds["x"].number == "int" else "finfo"
        return w.build(f"torch.{info}({{x}}).{name}", x=x)


_of_type(LARGEST, "max")
_of_type(LOWEST, "min")


def _of_type_numpy(rule: Rule, name: str) -> None:
    @rule.writes("numpy")
    def _(w: Writer, x: Expression) -> Expression:
        info = "iinfo" if w.kinds["x"].number == "int" else "finfo"
        return w.build(f"np.{info}({{x}}).{name}", x=x)


_of_type_numpy(LARGEST, "max")
_of_type_numpy(LOWEST, "min")


@EPSILON.writes("torch", "numpy")
def _epsilon(w: Writer) -> Expression:
    w.note("tf.keras.backend.epsilon: written as 1e-07, which it is unless a program sets another one.")
    return w.build("1e-07")


@FLOATX.writes("torch", "numpy")
def _floatx(w: Writer) -> Expression:
    w.note("tf.keras.backend.floatx: written as float32, which it is unless a program sets another one.")
    return w.build('"float32"')
