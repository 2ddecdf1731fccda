"""Finds the mean that a sum over the number of its terms is: a quotient, which has its rules elsewhere."""

from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, Given, literal, names_in, same
from porting.translate.rule import Rule, Writer

_SUM: Final = {
    "tf": m.Call(m.Attribute(m.Name("tf"), m.Name("reduce_sum"))),
    "torch": m.Call(m.Attribute(attr=m.Name("sum"))),
}
_COUNTED: Final = {  # what has as many elements
    "tf": m.Call(m.Name("_size"), [m.Arg(m.SaveMatchedNode(m.DoNotCare(), "x"))])
    | m.Call(m.Attribute(m.Name("tf"), m.Name("size")), [m.Arg(m.SaveMatchedNode(m.DoNotCare(), "x"))])
    | m.Call(
        m.Attribute(m.Attribute(m.SaveMatchedNode(m.DoNotCare(), "x"), m.Name("shape")), m.Name("num_elements")), []
    ),
    "torch": m.Call(m.Attribute(m.SaveMatchedNode(m.DoNotCare(), "x"), m.Name("numel")), []),
}
_LENGTH: Final = m.Subscript(
    m.Attribute(m.SaveMatchedNode(m.DoNotCare(), "x"), m.Name("shape"))
    | m.Call(m.Name("_shape"), [m.Arg(m.SaveMatchedNode(m.DoNotCare(), "x"))]),
    [m.SubscriptElement(m.Index(m.SaveMatchedNode(m.DoNotCare(), "axis")))],
)
_MADE: Final = m.Call(m.Attribute(m.Name("torch"), m.Name("tensor")), [m.Arg(), m.Arg(keyword=m.Name("dtype"))])
RULES: list[Rule] = []
_EACH: Final = {"abs", "square", "exp", "log", "sqrt", "sigmoid", "tanh", "sign"}  # of each element by itself


def mean_of(w: Writer, total: Expression, count: Expression) -> Expression | None:
    """Return the mean that a sum over the number of its terms is; nothing for another quotient."""
    if w.to not in _SUM or w.kinds["x"].number != "float" or not m.matches(total, _SUM[w.to]):
        return None
    if m.matches(count, _MADE):  # of a length, which TensorFlow must be told to divide by
        count = cst.ensure_type(count, cst.Call).args[0].value
    summed = cst.ensure_type(total, cst.Call)
    terms, axis = _terms_and_axis(summed, w.to)
    found: Any = m.extract(count, _COUNTED[w.to] if axis is None else _LENGTH)
    if not found or terms is None or not _as_many(terms, found["x"]):
        return None
    if axis is not None and (not same(axis, found["axis"]) or not isinstance(literal(axis), int)):
        return None
    if w.to == "tf":
        return summed.with_changes(func=w.build("tf.reduce_mean"))
    return summed.with_changes(func=cst.Attribute(terms, cst.Name("mean")))


def _terms_and_axis(summed: cst.Call, to: str) -> tuple[Expression | None, Given]:
    """Return what is summed, and over which axis, from a sum as it is written here."""
    places = [a.value for a in summed.args if a.keyword is None]
    if to == "torch":
        owner = cst.ensure_type(summed.func, cst.Attribute).value
        named = m.matches(owner, m.Name("torch")) or any(a.keyword and a.keyword.value == "dim" for a in summed.args)
        places = [] if named else [owner, *places]
    return (places[0], places[1] if len(places) > 1 else None) if places else (None, None)


def _as_many(terms: Any, x: Expression) -> bool:
    """Whether something has the shape of x for sure: it is x, or is computed from each element of x by itself."""
    match terms:
        case cst.BinaryOperation() if names_in(terms) <= names_in(x) | {"tf", "torch"}:
            ends = [terms.left, terms.right]
            known = [_as_many(end, x) or isinstance(literal(end), int | float) for end in ends]
            return (
                all(known)
                and any(_as_many(end, x) for end in ends)
                and not isinstance(terms.operator, cst.MatrixMultiply)
            )
        case cst.Call(func=cst.Attribute(attr=attr, value=owner)) if attr.value in _EACH:
            inner = terms.args[0].value if len(terms.args) == 1 else owner
            return _as_many(inner, x)
        case _:
            return same(terms, x)
