"""Comparisons that are written as functions, and tests of single numbers."""

from collections.abc import Mapping, Sequence

from porting.translate.abstract_value import Abstract, Sort, joined
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer

_OPERATORS = (
    (">", ("gt", "greater"), "greater"),
    (">=", ("ge", "greater_equal"), "greater_equal"),
    ("<", ("lt", "less"), "less"),
    ("<=", ("le", "less_equal"), "less_equal"),
    ("==", ("eq",), "equal"),
    ("!=", ("ne", "not_equal"), "not_equal"),
)


def truth(kinds: Mapping[str, Abstract]) -> Abstract:
    """Return the kind of truth values that are computed of others."""
    return Abstract(Sort.TENSOR, "bool", next((kind.like for kind in kinds.values() if kind.like), ""))


def _rule(operator: str, torch: Sequence[str], tf: str) -> Rule:
    rule = Rule(
        torch=[f"torch.{name}(x: input, y: other)" for name in torch],
        tf=[f"{path}{tf}(x, y, _name: name=None)" for path in ("tf.", "tf.math.")],
        kind=truth,
    )

    @rule.writes("torch", "tf", "numpy")
    def _(w: Writer, x: Expression, y: Expression) -> Expression:
        x, y = w.meeting(x, w.kinds["x"], y, w.kinds["y"])
        return w.build(f"{{x}} {operator} {{y}}", x=x, y=y)

    return rule


ISNAN = Rule(
    torch="torch.isnan(x: input)",
    tf=["tf.math.is_nan(x, _name: name=None)", "tf.is_nan(x)"],
    numpy="np.isnan(x)",
    kind=truth,
)
ISINF = Rule(
    torch="torch.isinf(x: input)",
    tf=["tf.math.is_inf(x, _name: name=None)", "tf.is_inf(x)"],
    numpy="np.isinf(x)",
    kind=truth,
)
ISFINITE = Rule(
    torch="torch.isfinite(x: input)",
    tf=["tf.math.is_finite(x, _name: name=None)", "tf.is_finite(x)"],
    numpy="np.isfinite(x)",
    kind=truth,
)
MAXIMUM = Rule(
    torch=["torch.maximum(x: input, y: other)"],
    tf=["tf.maximum(x, y, _name: name=None)", "tf.math.maximum(x, y, _name: name=None)"],
    numpy="np.maximum(x, y)",
    kind=lambda kinds: joined(kinds["x"], kinds["y"]),
)
MINIMUM = Rule(
    torch=["torch.minimum(x: input, y: other)"],
    tf=["tf.minimum(x, y, _name: name=None)", "tf.math.minimum(x, y, _name: name=None)"],
    numpy="np.minimum(x, y)",
    kind=lambda kinds: joined(kinds["x"], kinds["y"]),
)
RULES = [*(_rule(*row) for row in _OPERATORS), ISNAN, ISINF, ISFINITE, MAXIMUM, MINIMUM]


def _pair(rule: Rule, function: str, python: str, limit: str) -> None:
    @rule.writes("torch")
    def _(w: Writer, x: Expression, y: Expression) -> Expression:
        first, second = w.kinds["x"].sort is Sort.STATIC, w.kinds["y"].sort is Sort.STATIC
        if first and second:
            return w.build(f"{python}({{x}}, {{y}})", x=x, y=y)
        second = second or w.kinds["y"].sort is Sort.UNKNOWN  # clamp takes numbers and tensors
        if first or second:  # torch.maximum takes tensors alone
            x, y = (y, x) if first else (x, y)
            return w.build(f"{{x}}.clamp({limit}={{y}})", x=x, y=y)
        return w.build(f"torch.{function}({{x}}, {{y}})", x=x, y=y)

    @rule.writes("tf")
    def _(w: Writer, x: Expression, y: Expression) -> Expression:
        x, y = w.meeting(x, w.kinds["x"], y, w.kinds["y"])
        return w.build(f"tf.{function}({{x}}, {{y}})", x=x, y=y)


_pair(MAXIMUM, "maximum", "max", "min")
_pair(MINIMUM, "minimum", "min", "max")
