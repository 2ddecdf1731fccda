"""The same numbers in another shape. ``-1`` means the same in both."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import libcst as cst

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.calls import MODULES, method, one_or_several, spread_out, whole
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.shape import shape_of


def _axes(_: Mapping[str, Abstract], given: Mapping[str, Any]) -> int:
    """Return how many axes a shape has that is written out."""
    (first, *others) = given["shape"]
    parts = first.value.elements if isinstance(first.value, cst.Tuple | cst.List) and not others else [first, *others]
    known = len(parts) > 1 and not any(isinstance(part, cst.StarredElement) for part in parts)
    return len(parts) if known else 0


RESHAPE = Rule(torch=["Tensor.reshape(x, *shape)", "Tensor.view(x, *shape)"], axes=_axes)
RESHAPE_TO = Rule(
    torch=["torch.reshape(x: input, shape)"],
    tf=["tf.reshape(x: tensor, shape, _name: name=None)"],
    numpy="np.reshape(x: a, shape)",
)
AS = Rule(torch=["Tensor.view_as(x, other)", "Tensor.reshape_as(x, other)"])
FLATTEN = Rule(torch=["torch.flatten(x: input, start: start_dim=0, end: end_dim=-1)", "torch.ravel(x: input)"])
UNFLATTEN = Rule(torch="torch.unflatten(x: input, axis: dim, sizes)")
UNSQUEEZE = Rule(
    torch="torch.unsqueeze(x: input, axis: dim)",
    tf=["tf.expand_dims(x: input, axis, _name: name=None)"],
    numpy="np.expand_dims(x: a, axis)",
)
SQUEEZE = Rule(
    torch="torch.squeeze(x: input, axis: dim=None)",
    tf=["tf.squeeze(x: input, axis=None, _name: name=None)"],
    numpy="np.squeeze(x: a, axis=None)",
)
RULES = [RESHAPE, RESHAPE_TO, AS, FLATTEN, UNFLATTEN, UNSQUEEZE, SQUEEZE]
# What has an axis of length 1 by its own words.
_OF_ONE = re.compile(r"^(tf|np)\.expand_dims\(|keepdims=True\)$")
# ``dy.sum(0).squeeze(0)``, by a bias: it has one axis for a matrix, and no other length than 1 is taken away.
_OF_BIAS = re.compile(r"^(tf\.reduce|np\.)_?sum\(\w+, 0\)$")
_SQUEEZE = '''
def _squeeze(x, axis):
    """Take axes of length 1 away; those of another length stay, as in PyTorch."""
    axes = [a for a in (axis if isinstance(axis, tuple) else (axis,)) if x.shape[a] in (1, None)]
    return {library}.squeeze(x, tuple(axes)) if axes else x
'''


@RESHAPE.writes("tf", "numpy")
def _reshape(w: Writer, x: Expression, shape: Sequence[cst.BaseElement]) -> Expression:
    if w.kinds["shape"].sort is Sort.DTYPE:
        raise w.refuse(".view(): reads the bits as another type; write torch.Tensor.to if the numbers are meant")
    made = one_or_several(w, shape, "shape")
    if w.to == "numpy":
        return w.build(f"{{x}}.reshape({spread_out(w, made)})", x=x)
    return w.build("tf.reshape({x}, {made})", x=x, made=made)


@RESHAPE_TO.writes("torch", "numpy")
def _reshape_to(w: Writer, x: Expression, shape: Expression) -> Expression:
    return w.build(f"{{x}}.reshape({spread_out(w, shape)})", x=x)


@AS.writes("tf", "numpy")
def _as(w: Writer, x: Expression, other: Expression) -> Expression:
    if w.code(x) == w.code(other):  # x.view_as(x): another tensor with the same numbers
        return w.build("tf.identity({x})", x=x) if w.to == "tf" else x
    return w.build(
        "tf.reshape({x}, tf.shape({other}))" if w.to == "tf" else "{x}.reshape({other}.shape)", x=x, other=other
    )


@FLATTEN.writes("tf", "numpy")
def _flatten(w: Writer, x: Expression, start: Given = None, end: Given = None) -> Expression:
    first, last = whole(w, start), whole(w, end)
    if (start is not None and first is None) or (end is not None and last is None):
        raise w.refuse("torch.flatten: a rule for axes that are written out alone")
    front = "" if first is None else f"*{{shape}}[:{first}], "
    back = "" if last is None else f", *{{shape}}[{last + 1}:]"
    return _reshaped(w, x, f"{front}-1{back}")


@UNFLATTEN.writes("tf", "numpy")
def _unflatten(w: Writer, x: Expression, axis: Expression, sizes: Expression) -> Expression:
    place = whole(w, axis)
    if place is None:
        raise w.refuse("torch.unflatten: a rule for an axis that is written out alone")
    inside = ", ".join(w.code(part) for part in w.parts(sizes)) if w.is_sequence(sizes) else f"*{w.code(sizes)}"
    front = f"*{{shape}}[:{place}], " if place else ""
    back = f", *{{shape}}[{place + 1}:]" if place != -1 else ""
    return _reshaped(w, x, f"{front}{inside}{back}")


def _reshaped(w: Writer, x: Expression, inside: str) -> Expression:
    made = f"tf.reshape({{x}}, [{inside}])" if w.to == "tf" else f"{{x}}.reshape({inside})"
    return w.build(made, x=x, **({"shape": shape_of(w, x)} if "{shape}" in inside else {}))


UNSQUEEZE.form("{x}.unsqueeze({axis})", "torch")


@SQUEEZE.writes("torch", "tf", "numpy")
def _squeeze(w: Writer, x: Expression, axis: Given = None) -> Expression:
    """Write it: an axis of another length than 1 stays in PyTorch, and raises in the others."""
    if axis is not None and w.is_sequence(axis):  # a tuple, which all three take
        parts = w.parts(axis)
        axis = parts[0] if len(parts) == 1 else w.pair(*parts)
    if w.to == "torch":
        return method(w, x, "squeeze", axis)
    if axis is not None and "rest" not in w.general and _OF_BIAS.match(w.code(x)) and w.code(axis) == "0":
        return x
    inside = "{x}" if axis is None else "{x}, {axis}"
    if axis is not None and w.of == "torch" and not _OF_ONE.search(w.code(x)):
        w.helper("_squeeze", _SQUEEZE.format(library=MODULES[w.to]))
        return w.build("_squeeze({x}, {axis})", x=x, axis=axis)
    return w.build(f"{MODULES[w.to]}.squeeze({inside})", **{"x": x} if axis is None else {"x": x, "axis": axis})
