"""Lengths: asked of a tensor once, and not again by a gradient that sees those of its forward."""

from collections.abc import Collection, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import written
from porting.translate.code import build, names_in, same, tidy

_FORMULA: Final = (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide)
_SHAPE: Final = m.Call(m.Name("_shape"), [m.Arg(m.Name())]) | m.Attribute(m.Name(), m.Name("shape"))
_LENGTH: Final = m.Subscript(_SHAPE, [m.SubscriptElement(m.Index())])
_LENGTH_OF: Final = m.Subscript(m.Call(m.Name("_shape")), [m.SubscriptElement(m.Index(m.Integer()))])
_ASKED: Final = m.SimpleStatementLine(
    [m.Assign([m.AssignTarget(m.Name())], _LENGTH_OF)], trailing_whitespace=m.TrailingWhitespace(comment=None)
)


def not_again(body: Sequence[Any], inner: Sequence[Any], fixed: Sequence[str]) -> list[Any]:
    """Leave out of a function within a function the lengths that have the same name around it already.

    Parameters
    ----------
    body : sequence of statements
        Of the function around it.
    inner : sequence of statements
        Of the function within.
    fixed : sequence of str
        The parameters of the function around it that nothing else is assigned to.
    """
    known = {n for n in fixed if not any(n in written(s) for s in (*body, *inner))}
    around: dict[str, cst.BaseExpression] = {}
    for statement in body:
        if m.findall(statement, m.Return()):
            break
        for title, value in _pairs(statement):
            reads = names_in(value) - {"_shape"} <= {*known, *around}
            if reads and _is_length(value, around) and _once(title, body):
                around[title] = value
    left: list[Any] = []
    shared: set[str] = set()
    for statement in inner:
        pairs = _pairs(statement)
        alike = [same(value, around[n]) and _once(n, inner) for n, value in pairs if n in around]
        reads = all(names_in(value) - {"_shape"} <= known | shared for _, value in pairs)
        if pairs and len(alike) == len(pairs) and all(alike) and reads:
            shared |= {title for title, _ in pairs}
        else:
            left.append(statement)
    return left


def _once(title: str, body: Sequence[Any]) -> bool:
    """Whether one statement alone assigns a variable."""
    return sum(title in written(s) for s in body) == 1


def _pairs(statement: Any) -> list[tuple[str, Any]]:
    """Return the variables of a line, with what each is assigned: ``b, c = x.shape[0], x.shape[1]``, too."""
    if not m.matches(statement, m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Tuple())], m.Tuple())])):
        title, value = _assigned(statement)
        return [(title, value)] if title else []
    small = statement.body[0]
    targets, values = ([e.value for e in part.elements] for part in (small.targets[0].target, small.value))
    plain = len(targets) == len(values) and all(isinstance(target, cst.Name) for target in targets)
    return [(t.value, v) for t, v in zip(targets, values, strict=True)] if plain else []


def _assigned(statement: Any) -> tuple[str, Any]:
    """Return the variable and the value of a line that assigns one; an empty name for any other statement."""
    if not m.matches(statement, m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Name())])])):
        return "", cst.Name("None")
    small = statement.body[0]
    return small.targets[0].target.value, small.value


def _is_length(value: cst.BaseExpression, known: Collection[str]) -> bool:
    match value:
        case cst.BinaryOperation(left=left, right=right, operator=operator):
            return isinstance(operator, _FORMULA) and _is_length(left, known) and _is_length(right, known)
        case cst.Name(value=title):
            return title in known
        case cst.Integer():
            return True
        case _:
            return m.matches(value, _LENGTH)


def asked_once(body: Sequence[Any]) -> list[Any]:
    """Return ``b, c = _shape(x)[:2]`` for ``b = _shape(x)[0]`` and ``c = _shape(x)[1]`` behind each other."""
    made: list[Any] = []
    for statement in [*map(_sliced, body)]:
        joined = _joined(made[-1], statement) if made and m.matches(statement, _ASKED) else None
        made = [*made[:-1], joined] if joined is not None else [*made, statement]
    return [tidy(statement) for statement in made]


def _sliced(statement: Any) -> Any:
    """Return ``b, c = _shape(x)[:2]`` for ``b, c = _shape(x)[0], _shape(x)[1]``."""
    if not m.matches(statement, m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Tuple())], m.Tuple())])):
        return statement
    small: Any = cst.ensure_type(statement, cst.SimpleStatementLine).body[0]
    asked = [e.value for e in small.value.elements]
    if not all(m.matches(one, _LENGTH_OF) and same(one.value, asked[0].value) for one in asked):
        return statement
    places = [int(one.slice[0].slice.value.value) for one in asked]
    if places != list(range(places[0], places[0] + len(places))):
        return statement
    whole = build(f"{{shape}}[{places[0] or ''}:{places[-1] + 1}]", shape=asked[0].value)
    return statement.with_changes(body=[small.with_changes(value=whole)])


def _joined(before: Any, statement: Any) -> Any:
    """Return one line for two that ask for lengths next to each other; nothing for others."""
    if any(line.comment for line in statement.leading_lines):
        return None
    title, value = _assigned(statement)
    at = int(value.slice[0].slice.value.value)
    small: Any = before.body[0] if isinstance(before, cst.SimpleStatementLine) else None
    if m.matches(before, _ASKED):
        first, asked = _assigned(before)
        start, names = int(asked.slice[0].slice.value.value), [first]
    elif m.matches(small, m.Assign([m.AssignTarget(m.Tuple())], m.Subscript(m.Call(m.Name("_shape"))))):
        assign = cst.ensure_type(small, cst.Assign)
        asked = cst.ensure_type(assign.value, cst.Subscript)
        part = asked.slice[0].slice
        if not isinstance(part, cst.Slice):
            return None
        start = int(part.lower.value) if isinstance(part.lower, cst.Integer) else 0
        target = cst.ensure_type(assign.targets[0].target, cst.Tuple)
        names = [cst.ensure_type(e.value, cst.Name).value for e in target.elements]
    else:
        return None
    if not same(asked.value, value.value) or at != start + len(names) or {title, *names} & names_in(value):
        return None
    if title in names:
        return None
    target = cst.Tuple([cst.Element(cst.Name(n)) for n in (*names, title)], lpar=[], rpar=[])
    whole = build(f"{{shape}}[{start or ''}:{at + 1}]", shape=value.value)
    return before.with_changes(body=[cst.Assign([cst.AssignTarget(target)], whole)])


_SIZE: Final = m.Call(m.Name("_size"), [m.Arg()])
_CAST: Final = m.Attribute(attr=m.Name("cast"))


def as_tensors(function: cst.FunctionDef) -> cst.FunctionDef:
    """Return a function in which ``n = _size(x)`` is ``n = tf.size(x)``, if all that is done with n is to cast it."""
    assigns: Sequence[Any] = m.findall(function, m.Assign([m.AssignTarget(m.Name())], _SIZE))
    for title in sorted({assign.targets[0].target.value for assign in assigns}):
        whole = m.Assign([m.AssignTarget(m.Name(title))], _SIZE)
        known = [*m.findall(function, whole), *m.findall(function, m.Call(_CAST, [m.Arg(m.Name(title)), m.Arg()]))]
        if len(m.findall(function, m.Name(title))) == len(known):
            function = cst.ensure_type(m.replace(function, whole, _sized), cst.FunctionDef)
    return function


def _sized(assign: Any, _: object) -> cst.Assign:
    """Return ``n = tf.size(x)`` for ``n = _size(x)``."""
    made: cst.Assign = assign.with_changes(value=build("tf.size({x})", x=assign.value.args[0].value))
    return made
