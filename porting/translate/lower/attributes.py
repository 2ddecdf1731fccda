"""Translates attributes: of tensors by their rules, of modules by their paths, and functions that are passed on."""

from typing import Final

import libcst as cst

from porting.translate.abstract_value import ARRAY, SHAPE, STATIC, TENSOR, UNKNOWN, WHOLE, Abstract, Sort
from porting.translate.code import Expression, build, source
from porting.translate.lower.translating import Translating, Typed
from porting.translate.refusal import Refusal
from porting.translate.rules import Found
from porting.translate.same_paths import of_keras, renamed

_PARTS: Final = {  # of torch.sort, torch.linalg.eigh, tf.linalg.slogdet, ...
    "values": 0, "indices": 1, "eigenvalues": 0, "eigenvectors": 1, "sign": 0, "logabsdet": 1, "log_abs_determinant": 1,
    "LU": 0, "pivots": 1, "Q": 0, "R": 1,
}  # fmt: skip

_OWNERS: Final = {
    Sort.TENSOR: "Tensor",
    Sort.UNKNOWN: "Tensor",
    Sort.SHAPE: "Shape",
    Sort.DTYPE: "Dtype",
    Sort.FINFO: "Finfo",
}


def applied(t: Translating, node: Expression) -> Typed | None:
    """Return the function for ``Inner.apply`` and ``Inner().apply``."""
    if not isinstance(node, cst.Attribute) or node.attr.value != "apply":
        return None
    owner = node.value.func if isinstance(node.value, cst.Call) else node.value
    found = t.gradients.get(owner.value) if isinstance(owner, cst.Name) else None
    return (cst.Name(found), Abstract(Sort.FUNCTION, items=(TENSOR,))) if found else None


def attribute(t: Translating, node: cst.Attribute) -> Typed:
    """Translate an attribute: ``x.shape``, ``torch.pi``, ``Inner.apply``."""
    function = applied(t, node)
    if function is not None:
        return function
    member = t.names.member(node)
    if member:
        return t.typed(cst.Name(member))
    path = t.path(node)
    if path:
        return beside(t, node) or by_path(t, path, node)
    made, kind = t.typed(node.value)
    found = t.rules.attributes.get(f"{_OWNERS.get(kind.sort, '')}.{node.attr.value}")
    if found is not None:
        return t.write(found.rule, {"x": made}, {"x": kind}, source(node))
    return _of_value(made, kind, node)


def _of_value(made: Expression, kind: Abstract, node: cst.Attribute) -> Typed:
    """Return an attribute of what has no rule: an array, one of several results, a value of Python."""
    if kind.sort is Sort.ARRAY:
        title = node.attr.value
        of_array = {"shape": SHAPE, "size": WHOLE, "ndim": WHOLE, "dtype": UNKNOWN}.get(title, ARRAY)
        return cst.Attribute(made, cst.Name(title)), of_array
    if kind.sort is Sort.OBJECT:
        return cst.Attribute(made, cst.Name(node.attr.value)), STATIC
    if kind.sort is Sort.TUPLE and node.attr.value in _PARTS:
        place = _PARTS[node.attr.value]
        inside = kind.items[place] if place < len(kind.items) else UNKNOWN
        if isinstance(made, cst.Tuple):
            return made.elements[place].value, inside
        return build("{x}[{n}]", x=made, n=cst.Integer(str(place))), inside
    if kind.sort in {Sort.STATIC, Sort.TUPLE, Sort.FUNCTION, Sort.FINFO}:
        return cst.Attribute(made, cst.Name(node.attr.value)), UNKNOWN
    raise Refusal(f"{source(node)}: no rule", node)


def beside(t: Translating, node: Expression) -> Typed | None:
    """Return what a file beside defines, ``constants.WIDTH``; nothing where that is not translated: it is imported."""
    try:
        return t.call_of(t, cst.Call(node, [cst.Arg(cst.Ellipsis())]))  # its name alone
    except Refusal:
        return None


def by_path(t: Translating, path: str, node: Expression) -> Typed:
    """Translate the name of an import that is not called."""
    found = rule_of(t, path)
    if found is not None:
        if found.signature.attribute:
            return t.write(found.rule, {}, {}, path)
        return _as_function(t, found, node)
    if path.startswith(("torch.", "tf.", "keras.")):
        raise Refusal(f"{path}: no rule", node)
    return cst.parse_expression(source(node)), STATIC


def rule_of(t: Translating, path: str) -> Found | None:
    """Return the rule of a function; one of TensorFlow 1, of Keras or a raw one has that of 2, if it has none."""
    known = t.rules.functions
    newer, keras = path.replace("tf.compat.v1.", "tf."), path.replace("keras.", "tf.keras.", 1)
    paths = (path, newer, keras, of_keras(path), renamed(path))
    return next((known[one] for one in paths if one in known), None)


def _as_function(t: Translating, found: Found, node: Expression) -> Typed:
    """Return a function of the framework that is handed on, not called: its other name, or a lambda."""
    wanted = [p for p in found.signature.parameters if p.default is None and p.kind == "positional"]
    own = [n for n in ("x", "y", "z", "u", "v", "w") if n not in t.scope][: len(wanted)]
    call = cst.Call(node, [cst.Arg(cst.Name(n)) for n in own])
    with t.within(dict.fromkeys(own, TENSOR)):
        made, kind = t.apply(found, call, None)
    plain = isinstance(made, cst.Call) and [source(a) for a in made.args] == own
    if plain:
        return cst.ensure_type(made, cst.Call).func, Abstract(Sort.FUNCTION, items=(kind,))
    return build(f"lambda {', '.join(own)}: {{made}}", made=made), Abstract(Sort.FUNCTION, items=(kind,))
