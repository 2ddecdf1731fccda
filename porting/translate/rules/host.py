"""Functions of Python's numbers: ``math``, and NumPy if its argument is one number."""

from typing import Any

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

_FLOAT, _INT, _BOOL = (Abstract(Sort.STATIC, number) for number in ("float", "int", "bool"))
_MATH = (
    (_FLOAT, 1, "sqrt exp expm1 log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"),
    (_FLOAT, 1, "erf erfc gamma lgamma fabs radians degrees"),
    (_FLOAT, 2, "pow fmod atan2 copysign"),
    (_INT, 1, "floor ceil trunc factorial isqrt"),
    (_INT, 2, "gcd comb"),
    (_BOOL, 1, "isnan isinf isfinite"),
)
_NUMPY = (
    (_FLOAT, 1, "sqrt exp expm1 log log1p log2 log10 sin cos tan tanh"),
    (_FLOAT, 2, "power"),
)


def _function(path: str, several: int, kind: Abstract) -> Rule:
    inside = ", ".join("xy"[:several])
    rule = Rule(torch=f"{path}({inside})", tf=f"{path}({inside})", kind=kind)

    @rule.writes("torch", "tf", "numpy")
    def _(w: Writer, **given: Any) -> Expression:
        if path.startswith("np.") and any(w.kinds[name].sort is not Sort.STATIC for name in given):
            raise w.refuse(f"{path}: a rule for Python's numbers only; is this a tensor?")
        if path.startswith("math."):
            w.imports.add("math")
        return w.build(f"{path}({', '.join(f'{{{name}}}' for name in given)})", **given)

    return rule


def _constant(path: str) -> Rule:
    rule = Rule(torch=path, tf=path, kind=_FLOAT)

    @rule.writes("torch", "tf", "numpy")
    def _(w: Writer) -> Expression:
        if path.startswith("math."):
            w.imports.add("math")
        return w.build(path)

    return rule


LOG = Rule(torch="math.log(x, base=None)", tf="math.log(x, base=None)", kind=_FLOAT)
PROD = Rule(
    torch=["math.prod(x)", "np.prod(x)"],
    tf=["math.prod(x)", "np.prod(x)"],
    kind=lambda kinds: Abstract(Sort.STATIC, "int" if kinds["x"].sort is Sort.SHAPE else ""),
)
ENVIRONMENT = Rule(
    torch="os.environ.get(x, other=None)", tf="os.environ.get(x, other=None)", kind=Abstract(Sort.STATIC)
)
RULES = [
    *(_function(f"math.{name}", several, kind) for kind, several, names in _MATH for name in names.split()),
    *(_function(f"np.{name}", several, kind) for kind, several, names in _NUMPY for name in names.split()),
    *(_constant(f"math.{name}") for name in ("pi", "e", "inf", "nan", "tau")),
    *(_constant(f"np.{name}") for name in ("pi", "e", "inf", "nan")),
    LOG,
    PROD,
    ENVIRONMENT,
]


@LOG.writes("torch", "tf", "numpy")
def _log(w: Writer, x: Expression, base: Given = None) -> Expression:
    w.imports.add("math")
    return w.build("math.log({x})" if base is None else "math.log({x}, {base})", x=x, base=base)


@ENVIRONMENT.writes("torch", "tf", "numpy")
def _environment(w: Writer, x: Expression, other: Given = None) -> Expression:
    w.imports.add("os")
    return w.build("os.environ.get({x})" if other is None else "os.environ.get({x}, {other})", x=x, other=other)


@PROD.writes("torch", "tf", "numpy")
def _prod(w: Writer, x: Expression) -> Expression:
    if w.kinds["x"].sort not in {Sort.SHAPE, Sort.TUPLE, Sort.STATIC}:
        raise w.refuse("prod: a rule for Python's numbers only; is this a tensor?")
    w.imports.add("math")
    return w.build("math.prod({x})", x=x)
