"""Translates operators, comparisons and choices: those whose outcome is known here are left out."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import MASK, SHAPE, UNKNOWN, Abstract, Sort, joined
from porting.translate.code import Expression, build, names_in, same, source
from porting.translate.dialects import DIALECTS
from porting.translate.lower.translating import Translating, Typed
from porting.translate.lower.type_promotion import meeting

_QUOTIENTS: Final = {
    cst.Divide: {"torch": "torch.true_divide", "tf": "tf.truediv"},
    cst.FloorDivide: {"torch": "torch.floor_divide", "tf": "tf.math.floordiv"},
}


def unary(t: Translating, node: cst.UnaryOperation) -> Typed:
    """Translate ``-x`` or ``not x``."""
    made, kind = t.typed(node.expression)
    if isinstance(node.operator, cst.Not):
        folded = truth(made)
        if isinstance(made, cst.UnaryOperation) and isinstance(made.operator, cst.Not):
            return made.expression, kind
        return (
            (cst.Name(str(not folded)), Abstract(Sort.STATIC, "bool"))
            if folded is not None
            else (countable(t, made, wanted=False), Abstract(Sort.STATIC, "bool"))
        )
    return cst.UnaryOperation(type(node.operator)(), made), kind


def boolean(t: Translating, node: cst.BooleanOperation) -> Typed:
    """Translate ``and`` and ``or``."""
    left, kind = t.typed(node.left)
    wins = isinstance(node.operator, cst.Or)
    if truth(left) is not None:
        return t.typed(node.right) if truth(left) != wins else (left, kind)
    right, other = t.typed(node.right)
    if truth(right) is not None:
        return (left, kind) if truth(right) != wins else (right, other)
    left, right = countable(t, left), countable(t, right)
    return cst.BooleanOperation(left, type(node.operator)(), right), joined(kind, other)


def choice(t: Translating, node: cst.IfExp) -> Typed:
    """Translate ``a if test else b``."""
    test = countable(t, t.question(node.test))
    folded = truth(test)
    if folded is not None:
        return t.typed(node.body if folded else node.orelse)
    (body, kind), (orelse, other) = t.typed(node.body), t.typed(node.orelse)
    if same(body, orelse):
        return body, kind
    known = other if kind.sort is Sort.UNKNOWN or (other.like and not kind.like) else kind
    known = known.of_axes(known.axes if kind.axes == other.axes else 0)
    return cst.IfExp(test, body, orelse), _widened(test, (body, kind), (orelse, other)) or known


_WIDENED: Final = m.Call(m.Attribute(m.Name("tf"), m.Name("cast")), [m.DoNotCare(), m.Arg(m.Attribute(m.Name("tf")))])


def _widened(test: Expression, body: Typed, orelse: Typed) -> Abstract | None:
    """Return the kind of ``x.float() if x.dtype.itemsize == 2 else x``, if it is of that sort."""
    types = [
        source(made.args[1].value) if m.matches(made, _WIDENED) else kind.dtype  # type: ignore[attr-defined]  # a call
        for made, kind in (body, orelse)
    ]
    if ".dtype" not in source(test) or not all(types) or all(kind.like for _, kind in (body, orelse)):
        return None
    return Abstract(Sort.TENSOR, "float", wide=f"{types[0]} if {source(test)} else {types[1]}")


_COUNT: Final = m.Call(func=m.Attribute(value=m.Attribute(attr=m.Name("shape")), attr=m.Name("num_elements")))
_LENGTH: Final = m.Subscript(m.Attribute(attr=m.Name("shape")), [m.SubscriptElement(m.Index())])


def countable(t: Translating, test: Expression, *, wanted: bool = True) -> Expression:
    """Return an expression whose truth or untruth is tested: a number that the graph does not know is not 0."""
    if DIALECTS[t.to].traced and m.matches(test, _COUNT):
        shape: Any = cst.ensure_type(cst.ensure_type(test, cst.Call).func, cst.Attribute).value
        return build("tf.size({x}) > 0" if wanted else "tf.size({x}) == 0", x=shape.value)
    if DIALECTS[t.to].traced and m.matches(test, _LENGTH):
        return build("{n} != 0" if wanted else "{n} == 0", n=test)
    return test if wanted else cst.UnaryOperation(cst.Not(), test)


def known_only(t: Translating, test: Expression) -> Expression:
    """Return a test of lengths that reports nothing if the graph does not know the lengths."""
    lengths = [source(cst.ensure_type(found, cst.Subscript)) for found in m.findall(test, _LENGTH)]
    variables = sorted(
        n for n in names_in(test) if n in t.scope and t.scope[n].traced and t.scope[n].sort is Sort.STATIC
    )
    if not DIALECTS[t.to].traced or not (lengths or variables) or isinstance(test, cst.BooleanOperation):
        return test
    known = [f"{n} is not None" for n in dict.fromkeys(lengths)] + [f"not tf.is_tensor({n})" for n in variables]
    return build(f"{' and '.join(known)} and {{test}}", test=test)


def comparison(t: Translating, node: cst.Comparison) -> Typed:
    """Translate a comparison."""
    left, kind = t.typed(node.left)
    parts, kinds = [], [kind]
    for target in node.comparisons:
        right, other = t.typed(target.comparator)
        if len(node.comparisons) == 1 and not isinstance(target.operator, cst.Is | cst.IsNot | cst.In | cst.NotIn):
            left, right = meeting(t.to, left, kinds[-1], right, other)
        kinds.append(other)
        parts.append(cst.ComparisonTarget(type(target.operator)(), right))
    left, parts = _without_none(t, left, parts)
    folded = _compared(left, parts)
    if folded is not None:
        return cst.Name(str(folded)), Abstract(Sort.STATIC, "bool")
    whole = any(isinstance(part.operator, cst.Is | cst.IsNot | cst.In | cst.NotIn) for part in parts)
    tensor = any(k.tensor for k in kinds) and not whole
    like = next((k.like for k in kinds if k.like), "")
    made = (
        MASK
        if tensor
        else Abstract(Sort.STATIC, "bool")
        if all(k.sort is not Sort.UNKNOWN for k in kinds) or whole
        else UNKNOWN
    )
    return cst.Comparison(left, parts), Abstract(made.sort, made.number, like) if tensor else made


def _without_none(
    t: Translating, left: Expression, parts: list[cst.ComparisonTarget]
) -> tuple[Expression, list[cst.ComparisonTarget]]:
    """Ask nothing of a number of axes that PyTorch always knows: it is never None there."""
    if t.to != "torch" or len(parts) != 1 or not m.matches(left, m.Attribute(attr=m.Name("ndim"))):
        return left, parts
    (part,) = parts
    if source(part.comparator) == "None":
        return cst.Integer("0"), parts
    if isinstance(part.operator, cst.In | cst.NotIn) and isinstance(part.comparator, cst.Tuple):
        kept = [e.value for e in part.comparator.elements if source(e.value) != "None"]
        if len(kept) == 1:
            operator = cst.Equal() if isinstance(part.operator, cst.In) else cst.NotEqual()
            return left, [cst.ComparisonTarget(operator, kept[0])]
    return left, parts


def binary(t: Translating, node: cst.BinaryOperation) -> Typed:
    """Translate an operator between two values."""
    (left, kind), (right, other) = t.typed(node.left), t.typed(node.right)
    operator = type(node.operator)
    left, right = _bare(t, left, other), _bare(t, right, kind)
    if operator is not cst.MatrixMultiply:
        left, right = _unspread(left, right), _unspread(right, left)
    if operator is cst.MatrixMultiply and t.of == "torch" and "rest" in t.general:
        rule = t.rules.functions["torch.matmul"].rule
        return t.write(rule, {"x": left, "y": right}, {"x": kind, "y": other}, "@")
    if DIALECTS[t.to].traced and operator is cst.Multiply and Sort.SHAPE in {kind.sort, other.sort}:  # twice a shape
        left, right = (
            build("list({x})", x=a) if k.sort is Sort.SHAPE else a for a, k in ((left, kind), (right, other))
        )
    if operator in _QUOTIENTS and (kind.tensor or other.tensor):
        rule = t.rules.functions[_QUOTIENTS[operator][t.of]].rule
        return t.write(rule, {"x": left, "y": right}, {"x": kind, "y": other}, source(node)[:40])
    if DIALECTS[t.to].traced and kind.mask and other.mask and operator in (cst.Multiply, cst.Add):
        operator = cst.BitAnd if operator is cst.Multiply else cst.BitOr
    elif operator not in (cst.BitAnd, cst.BitOr, cst.BitXor):
        left, right = meeting(t.to, left, kind, right, other, arithmetic=True, scope=t.scope)
    return cst.BinaryOperation(left, operator(), right), _result(kind, other, operator)


_MADE: Final = m.Call(
    func=m.Attribute(m.Name("torch"), m.Name("tensor")), args=[m.Arg(keyword=None), m.Arg(keyword=m.Name("dtype"))]
)

_REAL: Final = (
    m.Float() | m.UnaryOperation(m.Minus(), m.Float()) | m.Attribute(m.Name("np") | m.Name("math"), m.Name("pi"))
)


def _bare(t: Translating, made: Expression, beside: Abstract) -> Expression:
    """Return a number without the tensor that is made of it, where it meets a floating one in PyTorch.

    A whole number takes the type of what it meets, whichever that is; any other one only keeps it.
    """
    if t.to != "torch" or not beside.tensor or beside.number != "float" or not m.matches(made, _MADE):
        return made
    number, dtype = (argument.value for argument in cst.ensure_type(made, cst.Call).args)
    title = source(dtype).removesuffix(".dtype")
    if m.matches(number, _REAL) and beside.dtype in {source(dtype), t.scope.get(title, UNKNOWN).dtype or "?"}:
        return number
    known = t.scope.get(number.value, UNKNOWN) if isinstance(number, cst.Name) else UNKNOWN
    whole = (known.sort, known.number) == (Sort.STATIC, "int")
    return number if whole or m.matches(number, _LENGTH | m.Integer()) else made


_SHAPE: Final = m.Call(m.Attribute(m.Name("tf"), m.Name("shape")), [m.Arg()])
_SPREAD: Final = m.Call(m.Attribute(m.Name("tf"), m.Name("broadcast_to")), [m.Arg(), m.Arg(_SHAPE)])
_ONE_MORE: Final = m.Call(m.Attribute(m.Name("tf"), m.Name("expand_dims")), [m.Arg(), m.Arg(m.Integer("0"))])


def _unspread(made: Expression, beside: Expression) -> Expression:
    """Return what is given the shape of what it meets without that: an operator does so by itself."""
    if not m.matches(made, _SPREAD):
        return made
    inner, shape = (argument.value for argument in cst.ensure_type(made, cst.Call).args)
    if not same(cst.ensure_type(shape, cst.Call).args[0].value, beside):
        return made
    while m.matches(inner, _ONE_MORE):  # so does the first axis, which the other one has
        inner = cst.ensure_type(inner, cst.Call).args[0].value
    return inner


def _result(kind: Abstract, other: Abstract, operator: type) -> Abstract:
    if Sort.SHAPE in {kind.sort, other.sort} or Sort.TUPLE in {kind.sort, other.sort}:
        return SHAPE
    found = joined(kind, other)
    if found.tensor and operator is cst.Divide and found.number in {"int", "bool"}:
        return Abstract(Sort.TENSOR, "float")
    if found.mask and operator not in (cst.BitAnd, cst.BitOr, cst.BitXor):
        return Abstract(Sort.TENSOR, "int") if not (kind.mask and other.mask) else found
    return found


def truth(node: Expression) -> bool | None:
    """Return the truth of ``True``, ``False`` or ``None``; nothing for everything else."""
    return {"True": True, "False": False, "None": False}.get(node.value) if isinstance(node, cst.Name) else None


def _compared(left: Expression, parts: Sequence[cst.ComparisonTarget]) -> bool | None:
    """Return what a comparison of two literals with ``is`` says."""
    (part, *others) = parts
    if others or not isinstance(part.operator, cst.Is | cst.IsNot):
        return None
    if source(part.comparator) != "None":
        return None
    known = isinstance(left, cst.Integer | cst.Float | cst.SimpleString)
    none = isinstance(left, cst.Name) and left.value == "None"
    return (none == isinstance(part.operator, cst.Is)) if known or none else None
