"""Logical operators: PyTorch accepts any numbers. The same operators work on the bits of whole numbers."""

from porting.translate.abstract_value import joined
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer
from porting.translate.rules.compare import truth

_OPERATORS = (("&", "and"), ("|", "or"), ("^", "xor"))


def _logical(operator: str, name: str) -> Rule:
    tf = [f"tf.math.logical_{name}(x, y, _name: name=None)"]
    rule = Rule(
        torch=f"torch.logical_{name}(x: input, y: other)",
        tf=tf if name == "xor" else [f"tf.logical_{name}(x, y, _name: name=None)", *tf],
        kind=truth,
    )

    @rule.writes("torch", "tf", "numpy")
    def _(w: Writer, x: Expression, y: Expression) -> Expression:
        if w.of == "torch" and not (w.kinds["x"].number and w.kinds["y"].number):  # are they truth values?
            function = {"tf": "tf.math", "numpy": "np"}[w.to]
            return w.build(f"{function}.logical_{name}({{x}}, {{y}})", x=x, y=y)
        x, y = (
            w.build("{v} != 0", v=v) if w.kinds[n].number in {"int", "float"} else v for n, v in (("x", x), ("y", y))
        )
        return w.build(f"{{x}} {operator} {{y}}", x=x, y=y)

    return rule


def _bitwise(operator: str, name: str) -> Rule:
    rule = Rule(
        torch=f"torch.bitwise_{name}(x: input, y: other)",
        tf=f"tf.bitwise.bitwise_{name}(x, y, _name: name=None)",
        kind=lambda kinds: joined(kinds["x"], kinds["y"]),
    )

    @rule.writes("torch", "tf", "numpy")
    def _(w: Writer, x: Expression, y: Expression) -> Expression:
        return w.build(f"{{x}} {operator} {{y}}", x=x, y=y)

    return rule


def _shift(name: str) -> Rule:
    return Rule(
        torch=f"torch.bitwise_{name}_shift(x: input, y: other)",
        tf=f"tf.bitwise.{name}_shift(x, y, _name: name=None)",
        numpy=f"np.{name}_shift(x: x1, y: x2)",
        kind="x",
    )


NOT = Rule(
    torch="torch.logical_not(x: input)",
    tf=["tf.logical_not(x, _name: name=None)", "tf.math.logical_not(x, _name: name=None)"],
    kind=truth,
)
INVERT = Rule(torch="torch.bitwise_not(x: input)", tf="tf.bitwise.invert(x, _name: name=None)")
_SHIFTS = [_shift(name) for name in ("left", "right")]
RULES = [*(_logical(*row) for row in _OPERATORS), *(_bitwise(*row) for row in _OPERATORS), NOT, INVERT, *_SHIFTS]


@NOT.writes("torch", "tf", "numpy")
def _not(w: Writer, x: Expression) -> Expression:
    number = w.kinds["x"].number
    if number in {"int", "float"}:
        return w.build("{x} == 0", x=x)
    if not number and w.of == "torch":
        return w.build(f"{'tf.math' if w.to == 'tf' else 'np'}.logical_not({{x}})", x=x)
    return w.build("~{x}", x=x)


INVERT.form("~{x}", "torch", "tf", "numpy")
