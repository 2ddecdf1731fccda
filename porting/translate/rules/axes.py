"""Axes in another order, or read backwards."""

from collections.abc import Sequence

import libcst as cst

from porting.translate.abstract_value import Sort
from porting.translate.calls import MODULES, flag, one_or_several, spread_out, whole
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

TRANSPOSE = Rule(
    torch=[
        "torch.transpose(x: input, a: dim0, b: dim1)",
        "torch.swapaxes(x: input, a: axis0, b: axis1)",
        "torch.swapdims(x: input, a: dim0, b: dim1)",
    ],
    tf="tf.experimental.numpy.swapaxes(x: a, a: axis1, b: axis2)",
    numpy="np.swapaxes(x: a, a: axis1, b: axis2)",
    axes=lambda kinds, _: kinds["x"].axes,
)
PERMUTE = Rule(torch=["Tensor.permute(x, *dims)"])
PERMUTE_TO = Rule(
    torch=["torch.permute(x: input, axes: dims)"],
    tf=["tf.transpose(x: a, axes: perm=None, conjugate=False, _name: name=None)"],
)
T = Rule(torch=["torch.t(x: input)"])
T_ATTRIBUTE = Rule(torch="Tensor.T")
MT = Rule(torch="Tensor.mT")
ADJOINT = Rule(torch="torch.adjoint(x: input)", tf=["tf.linalg.adjoint(x: matrix, _name: name=None)"])
MATRIX_T = Rule(tf=["tf.linalg.matrix_transpose(x: a, _name: name=None)"])
MH = Rule(torch="Tensor.mH")
MOVE = Rule(
    torch=["torch.movedim(x: input, a: source, b: destination)", "torch.moveaxis(x: input, a: source, b: destination)"],
    tf="tf.experimental.numpy.moveaxis(x: a, a: source, b: destination)",
    numpy="np.moveaxis(x: a, a: source, b: destination)",
)
FLIP = Rule(torch=["Tensor.flip(x, *dims)"])
FLIP_TO = Rule(
    torch=["torch.flip(x: input, axes: dims)"],
    tf=["tf.reverse(x: tensor, axes: axis, _name: name=None)"],
    numpy="np.flip(x: m, axes: axis)",
)
ROLL = Rule(
    torch="torch.roll(x: input, by: shifts, axis: dims=None)",
    tf=["tf.roll(x: input, by: shift, axis, _name: name=None)"],
    numpy="np.roll(x: a, by: shift, axis=None)",
)
LEFT_RIGHT = Rule(tf="tf.image.flip_left_right(x: image)")
UP_DOWN = Rule(tf="tf.image.flip_up_down(x: image)")
IMAGE_T = Rule(tf="tf.image.transpose(x: image, _name: name=None)")
RULES = [
    TRANSPOSE, PERMUTE, PERMUTE_TO, T, T_ATTRIBUTE, MT, ADJOINT, MATRIX_T, MH, MOVE, FLIP, FLIP_TO, ROLL,
    LEFT_RIGHT, UP_DOWN, IMAGE_T,
]  # fmt: skip


@TRANSPOSE.writes("tf")
def _transpose(w: Writer, x: Expression, a: Expression, b: Expression) -> Expression:
    count = w.kinds["x"].axes
    places = [place for place in (whole(w, a), whole(w, b)) if place is not None]
    if {*places} == {-1, -2} or (count > 1 and {place % count for place in places} == {count - 1, count - 2}):
        return w.build("tf.linalg.matrix_transpose({x})", x=x)
    if count and len(places) == 2:
        order = list(range(count))
        order[places[0]], order[places[1]] = order[places[1]], order[places[0]]
        return w.build(f"tf.transpose({{x}}, {order})", x=x)
    return w.build("tf.experimental.numpy.swapaxes({x}, {a}, {b})", x=x, a=a, b=b)


TRANSPOSE.form("{x}.transpose({a}, {b})", "torch")


def _permuted(w: Writer, x: Expression, axes: Expression) -> Expression:
    """tf.transpose counts from the front only."""
    if w.to == "tf" and w.is_sequence(axes):
        places = [whole(w, part) for part in w.parts(axes)]
        if any(place is not None and place < 0 for place in places):
            if None in places:
                raise w.refuse(".permute(): axes from the end beside axes that are not written out")
            axes = w.build(str([place % len(places) for place in places if place is not None]))
    return w.build(f"{MODULES[w.to]}.transpose({{x}}, {{axes}})", x=x, axes=axes)


@PERMUTE.writes("tf", "numpy")
def _permute(w: Writer, x: Expression, dims: Sequence[cst.BaseElement]) -> Expression:
    return _permuted(w, x, one_or_several(w, dims, "dims"))


@PERMUTE_TO.writes("tf", "numpy")
def _permute_to(w: Writer, x: Expression, axes: Given = None, conjugate: Given = None) -> Expression:
    made = w.build("{x}.T", x=x) if axes is None else _permuted(w, x, axes)
    return w.build("{x}.conj()", x=made) if _is_conjugate(w, conjugate) else made


@PERMUTE_TO.writes("torch")
def _permute_torch(w: Writer, x: Expression, axes: Given = None, conjugate: Given = None) -> Expression:
    x = w.build("{x}.conj()", x=x) if _is_conjugate(w, conjugate) else x
    if axes is None:
        return w.build("{x}.permute(*reversed(range({x}.ndim)))", x=x)
    return w.build(f"{{x}}.permute({spread_out(w, axes)})", x=x)


def _is_conjugate(w: Writer, conjugate: Given) -> bool:
    return conjugate is not None and flag(w, conjugate, "tf.transpose")


# Of one image, or of several: the channels are the last axis
LEFT_RIGHT.form("{x}.flip(-2)", "torch")
LEFT_RIGHT.form("np.flip({x}, -2)", "numpy")
UP_DOWN.form("{x}.flip(-3)", "torch")
UP_DOWN.form("np.flip({x}, -3)", "numpy")
IMAGE_T.form("{x}.transpose(-3, -2)", "torch")
IMAGE_T.form("np.swapaxes({x}, -3, -2)", "numpy")
T.form("tf.transpose({x})", "tf")
T_ATTRIBUTE.form("tf.transpose({x})", "tf")
T.form("{x}.T", "numpy")
T_ATTRIBUTE.form("{x}.T", "numpy")
MT.form("tf.linalg.matrix_transpose({x})", "tf")
MT.form("np.swapaxes({x}, -1, -2)", "numpy")
MATRIX_T.form("np.swapaxes({x}, -1, -2)", "numpy")
MATRIX_T.form("{x}.mT", "torch")
MH.form("tf.linalg.adjoint({x})", "tf")
MH.form("np.swapaxes({x}, -1, -2).conj()", "numpy")
ADJOINT.form("np.swapaxes({x}, -1, -2).conj()", "numpy")
ADJOINT.form("{x}.mH", "torch")
MOVE.form("{x}.movedim({a}, {b})", "torch")


@FLIP.writes("tf", "numpy")
def _flip(w: Writer, x: Expression, dims: Sequence[cst.BaseElement]) -> Expression:
    (first, *others) = dims
    sequence = w.is_sequence(first.value) or w.starred(first) or w.kinds["dims"].sort in {Sort.SHAPE, Sort.TUPLE}
    axes = first.value if sequence and not others else w.sequence(dims)
    if w.to == "tf":
        return w.build("tf.reverse({x}, {axes})", x=x, axes=axes)
    if w.is_sequence(axes):  # a list is no axis to NumPy
        axes = w.parts(axes)[0] if len(w.parts(axes)) == 1 else w.pair(*w.parts(axes))
    return w.build("np.flip({x}, {axes})", x=x, axes=axes)


@FLIP_TO.writes("tf")
def _flip_tf(w: Writer, x: Expression, axes: Expression) -> Expression:
    axes = axes if whole(w, axes) is None else w.build("[{axes}]", axes=axes)
    return w.build("tf.reverse({x}, {axes})", x=x, axes=axes)


@FLIP_TO.writes("torch")
def _flip_torch(w: Writer, x: Expression, axes: Expression) -> Expression:
    return w.build(f"{{x}}.flip({spread_out(w, axes)})", x=x)
