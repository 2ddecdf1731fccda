"""Translates calls: by a rule, of a method, of Python's own functions."""

import builtins
from typing import Final

import libcst as cst

from porting.translate.abstract_value import ARRAY, STATIC, TENSOR, UNKNOWN, Abstract, Sort
from porting.translate.code import Expression, build, is_none, name, source
from porting.translate.dialects import DIALECTS, FRAMEWORKS
from porting.translate.lower import tapes
from porting.translate.lower.attributes import applied, rule_of
from porting.translate.lower.of_python import kind_of_builtin
from porting.translate.lower.translating import TIGHT, Translating, Typed
from porting.translate.refusal import Refusal
from porting.translate.rules import Found

_KEPT: Final = {
    "len", "range", "int", "float", "bool", "tuple", "list", "dict", "zip", "enumerate", "reversed", "sorted", "str",
    "repr", "min", "max", "abs", "sum", "round", "isinstance", "any", "all", "map", "type", "getattr", "hasattr",
    "set", "slice", "print", "callable", "divmod", "pow",
}  # fmt: skip
_OF_CLASS: Final = "torch.Tensor."
_ARRAYS: Final = ("np.", "scipy.")
_HOST: Final = ("math.", "itertools.", "functools.", "operator.", "typing.", "collections.", "warnings.", "numbers.")


def call(t: Translating, node: cst.Call) -> Typed:
    """Translate a call."""
    member = t.names.member(node.func)
    node = node.with_changes(func=cst.Name(member)) if member else node
    own = t.call_of(t, node)
    if own is not None:
        return own
    path = t.path(node.func)
    if path:
        return _by_path(t, node, path)
    if isinstance(node.func, cst.Name):
        return _by_name(t, node, node.func.value)
    if isinstance(node.func, cst.Attribute):
        return _method(t, node, node.func)
    made, kind = t.typed(node.func)
    if kind.sort not in {Sort.FUNCTION, Sort.UNKNOWN}:
        raise Refusal(f"{source(node.func)[:60]}: is no function", node)
    return plain(t, node, made, UNKNOWN if kind.sort is Sort.UNKNOWN else TENSOR)


def _by_path(t: Translating, node: cst.Call, path: str) -> Typed:
    """Translate the call of something imported."""
    found = rule_of(t, path)
    if found is None and DIALECTS[t.of].underscored and path.endswith("_"):  # torch.log_(x) writes to x
        found = t.rules.functions.get(path[:-1])
        t.changed += [a.value.value for a in node.args[:1] if isinstance(a.value, cst.Name)]
    if found is not None:
        return _into(t, found, node, path) if DIALECTS[t.of].underscored else t.apply(found, node, None)
    if path.startswith(_OF_CLASS) and node.args and not (node.args[0].star or node.args[0].keyword):
        x, *rest = node.args
        return _method(t, node.with_changes(args=rest), cst.Attribute(x.value, cst.Name(path.removeprefix(_OF_CLASS))))
    if path.startswith(_ARRAYS):
        return _on_host(t, node, path)
    if path.startswith(_HOST) or "." not in path:
        return plain(t, node, name(source(node.func)))
    raise Refusal(f"{path}: no rule", node)


def _into(t: Translating, found: Found, node: cst.Call, path: str) -> Typed:
    """Translate a call that may write its result into a variable (``out=x``) of the same type."""
    out = next((a for a in node.args if a.keyword is not None and a.keyword.value == "out"), None)
    if out is None:
        return t.apply(found, node, None)
    made, kind = t.apply(found, node.with_changes(args=[a for a in node.args if a is not out]), None)
    if is_none(out.value):
        return made, kind
    known = t.scope.get(out.value.value) if isinstance(out.value, cst.Name) else None
    if known is None or not known.tensor or (known.number, known.like) != (kind.number, kind.like):
        raise Refusal(f"{path}: out={source(out.value)[:40]} is not in its rule", node)
    t.changed.append(source(out.value))
    return made, kind


def _by_name(t: Translating, node: cst.Call, called: str) -> Typed:
    """Translate the call of a variable, or of a function of Python."""
    if called in t.scope:
        result = t.scope[called].items
        return plain(t, node, cst.Name(called), result[0] if result else UNKNOWN)
    if called in _KEPT or (hasattr(builtins, called) and called[:1].isupper()):
        return _builtin(t, called, node)
    raise Refusal(f"{called}: is not defined in this file", node)


def _on_host(t: Translating, node: cst.Call, path: str) -> Typed:
    """Keep a call of NumPy, of what is no tensor; ``np.float64`` makes what is a number of Python to PyTorch."""
    if path == "np.float64" and len(node.args) == 1 and DIALECTS[t.of].by_class:
        number, kind = t.typed(node.args[0].value)
        if kind.sort is Sort.STATIC:
            made = number if kind.number == "float" else build("float({x})", x=number)
            return made, Abstract(Sort.STATIC, "float")
    made, _ = plain(t, node, name(source(node.func)))
    if any(t.typed(a.value)[1].tensor for a in node.args):
        raise Refusal(f"{path}: is given a tensor; no rule", node)
    return made, ARRAY


def _method(t: Translating, node: cst.Call, func: cst.Attribute) -> Typed:
    function = applied(t, func)
    if function is not None:
        return plain(t, node, function[0], TENSOR)
    method = func.attr.value
    made, kind = _owner(t, func.value, method)
    if kind.sort is Sort.OBJECT:
        raise Refusal(f"{source(func)[:60]}(): only the object knows what that does", node)
    if kind.sort is Sort.TAPE and DIALECTS[t.to].by_class:
        return tapes.asked(t, source(func.value), method, node)
    if kind.sort in {Sort.TENSOR, Sort.UNKNOWN, Sort.SHAPE, Sort.DTYPE}:
        found = t.rules.methods.get(method)
        if found is None and _is_in_place(t, method):
            found = t.rules.methods[method[:-1]]
            if isinstance(func.value, cst.Name):
                t.changed.append(func.value.value)
        if found is not None:
            return t.apply(found, node, (made, kind))
        if kind.sort is not Sort.UNKNOWN:
            raise Refusal(f".{method}(): no rule", node)
        raise Refusal(f"{source(func)[:60]}(): no rule", node)
    if method == "removeprefix" and source(node.args[0].value).strip("'\"") == "torch.":
        return made, kind
    return plain(t, node, cst.Attribute(made, cst.Name(method)), ARRAY if kind.sort is Sort.ARRAY else STATIC)


def _owner(t: Translating, node: Expression, method: str) -> Typed:
    """Translate what a method is called of; no number has one that writes in place."""
    made, kind = t.typed(node)
    return made, TENSOR if kind.sort is Sort.STATIC and _is_in_place(t, method) else kind


def _is_in_place(t: Translating, method: str) -> bool:
    """Whether a method writes to its tensor, as ``x.mul_(2)`` does."""
    return DIALECTS[t.of].underscored and method[:-1] in t.rules.methods and f"{method[:-1]}_" == method


def _builtin(t: Translating, called: str, node: cst.Call) -> Typed:
    if any(isinstance(a.value, cst.Name) and a.value.value == "None" for a in node.args) and called == "len":
        raise Refusal("len(None): variables are not known here", node)
    if called == "isinstance" and len(node.args) == 2:
        path = t.path(node.args[1].value)
        if path in {dialect.tensor for dialect in FRAMEWORKS.values()}:
            return build(DIALECTS[t.to].is_tensor, x=t(node.args[0].value)), Abstract(Sort.STATIC, "bool")
    if called == "str" and len(node.args) == 1:
        made, kind = t.typed(node.args[0].value)
        if kind.sort is Sort.DTYPE and DIALECTS[t.to].traced:
            return build("{x}.name", x=made), STATIC
    if called == "len" and DIALECTS[t.to].traced and len(node.args) == 1 and t.typed(node.args[0].value)[1].tensor:
        shape = cst.Attribute(node.args[0].value, cst.Name("shape"))  # a graph's tensors have no len
        return t.typed(cst.Subscript(shape, [cst.SubscriptElement(cst.Index(cst.Integer("0")))]))
    inside = [t.typed(argument.value)[1] for argument in node.args]
    kind = kind_of_builtin(called, inside, starred=any(argument.star for argument in node.args))
    return plain(t, node, cst.Name(called), kind)


def plain(t: Translating, node: cst.Call, function: Expression, kind: Abstract = STATIC) -> Typed:
    """Return the call of a function that is not translated."""
    arguments = [
        cst.Arg(t(a.value), keyword=a.keyword, star=a.star, equal=TIGHT if a.keyword else cst.MaybeSentinel.DEFAULT)
        for a in node.args
    ]
    return cst.Call(function, arguments), kind
