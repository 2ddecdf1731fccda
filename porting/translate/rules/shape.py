"""Shapes, ranks and sizes, and the conversion of a tensor to Python numbers."""

from collections.abc import Mapping
from dataclasses import replace

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import ARRAY, SHAPE, STATIC, WHOLE, Abstract, Sort
from porting.translate.calls import spread_out
from porting.translate.code import Expression, Given
from porting.translate.rule import Made, Rule, Writer


def _number(kinds: Mapping[str, Abstract]) -> Abstract:
    return Abstract(Sort.STATIC, kinds["x"].number)


OF = Rule(torch="Tensor.shape", tf="Tensor.shape", numpy="Tensor.shape", kind=SHAPE)
SIZE = Rule(torch="Tensor.size(x, axis: dim=None)", kind=lambda kinds: WHOLE if "axis" in kinds else SHAPE)
DYNAMIC = Rule(tf=["tf.shape(x: input, _out_type: out_type=None, _name: name=None)", "Tensor.get_shape(x)"], kind=SHAPE)
AS_LIST = Rule(tf="Tensor.as_list(x)", kind=SHAPE)
AS_SIZE = Rule(torch="torch.Size(x)", kind=SHAPE)
RANK = Rule(torch=["Tensor.dim(x)", "Tensor.ndimension(x)"], tf=["tf.rank(x: input, _name: name=None)"], kind=WHOLE)
OF_SHAPE = Rule(tf="Shape.shape", kind=Abstract(Sort.TUPLE, items=(WHOLE,)))
NDIM = Rule(torch="Tensor.ndim", tf=["Shape.rank", "Shape.ndims", "Tensor.ndim"], numpy="Tensor.ndim", kind=WHOLE)
NUMEL = Rule(
    torch=["Tensor.numel(x)", "Tensor.nelement(x)", "torch.numel(x: input)"],
    tf=["Tensor.num_elements(x)"],
    kind=WHOLE,
)
TF_SIZE = Rule(tf=["tf.size(x: input, _out_type: out_type=None, _name: name=None)"], kind=WHOLE)
COMPATIBLE = Rule(tf="Tensor.is_compatible_with(x, y: other)", kind=Abstract(Sort.STATIC, "bool"))
ITEM = Rule(torch="Tensor.item(x)", kind=_number)
TO_LIST = Rule(torch="Tensor.tolist(x)", kind=Abstract())
NUMPY = Rule(tf="Tensor.numpy(x)", kind=ARRAY)
NEW_AXIS = Rule(tf="tf.newaxis", numpy="np.newaxis", kind=STATIC)
RULES = [
    OF,
    OF_SHAPE,
    SIZE,
    DYNAMIC,
    AS_LIST,
    AS_SIZE,
    RANK,
    NDIM,
    NUMEL,
    TF_SIZE,
    COMPATIBLE,
    ITEM,
    TO_LIST,
    NUMPY,
    NEW_AXIS,
]
OF.form("{x}.shape", "torch", "numpy")


@OF_SHAPE.writes("torch", "numpy")
def _of_shape(w: Writer, x: Expression) -> Expression:
    """Return the shape of a shape: how many axes there are."""
    return w.pair(_ndim(w, x))


@DYNAMIC.writes("torch", "numpy")
def _dynamic(w: Writer, x: Expression) -> Made:
    if w.kinds["x"].sort is Sort.SHAPE:
        return _of_shape(w, x), Abstract(Sort.TUPLE, items=(WHOLE,))
    return w.build("{x}.shape", x=x)


_SHAPE = '''
def _shape(x):
    """The shape of x: numbers, and tensors for the lengths that a graph does not know."""
    return tuple(tf.shape(x)[k] if n is None else n for k, n in enumerate(x.shape))
'''


def shape_of(w: Writer, x: Expression) -> Expression:
    """Return the shape of x as a rule writes it: that of ``x.data`` is that of x."""
    if m.matches(x, m.Call(m.Attribute(m.Name("tf"), m.Name("stop_gradient")), [m.Arg()])):
        x = cst.ensure_type(x, cst.Call).args[0].value
    if w.to != "tf" or "lengths" not in w.general or w.deciding:
        return w.build("{x}.shape", x=x)
    w.helper("_shape", _SHAPE)
    return w.build("_shape({x})", x=x)


@OF.writes("tf")
def _shape(w: Writer, x: Expression) -> tuple[Expression, Abstract]:
    return shape_of(w, x), replace(SHAPE, traced="lengths" in w.general and not w.deciding)


@SIZE.writes("tf")
def _length(w: Writer, x: Expression, axis: Given = None) -> Made:
    made, kind = _shape(w, x)
    if axis is None:
        return made, kind
    return w.build("{shape}[{axis}]", shape=made, axis=axis), replace(WHOLE, traced=kind.traced)


@SIZE.writes("numpy")
def _size(w: Writer, x: Expression, axis: Given = None) -> Expression:
    return w.build("{x}.shape", x=x) if axis is None else w.build("{x}.shape[{axis}]", x=x, axis=axis)


AS_LIST.form("list({x})", "torch", "numpy")


@AS_SIZE.writes("tf", "numpy")
def _as_tuple(w: Writer, x: Expression) -> Expression:
    return w.pair(*w.parts(x)) if w.is_sequence(x) else w.build("tuple({x})", x=x)


RANK.form("{x}.shape.rank", "tf")
NDIM.form("{x}.shape.rank", "tf")


@RANK.writes("torch", "numpy")
@NDIM.writes("torch", "numpy")
def _ndim(w: Writer, x: Expression) -> Expression:
    if w.kinds["x"].sort is not Sort.SHAPE:
        return w.build("{x}.ndim", x=x)
    text = w.code(x)
    return w.build(text.removesuffix(".shape") + ".ndim") if text.endswith(".shape") else w.build("len({x})", x=x)


_SIZE = '''
def _size(x):
    """The number of elements of x: a tensor where a graph does not know it."""
    return tf.size(x) if x.shape.num_elements() is None else x.shape.num_elements()
'''


@NUMEL.writes("tf")
def _numel(w: Writer, x: Expression) -> Made:
    if "lengths" in w.general and not w.deciding and w.kinds["x"].sort is not Sort.SHAPE:
        w.helper("_size", _SIZE)
        return w.build("_size({x})", x=x), replace(WHOLE, traced=True)
    if w.kinds["x"].sort is Sort.SHAPE:
        return w.build("{x}.num_elements()", x=x)
    return w.build("{x}.shape.num_elements()", x=x)


@NUMEL.writes("torch")
def _numel_torch(w: Writer, x: Expression) -> Expression:
    text = w.code(x)
    return w.build(text.removesuffix(".shape") + ".numel()") if text.endswith(".shape") else w.build("{x}.numel()", x=x)


@TF_SIZE.writes("torch", "numpy")
def _tf_size(w: Writer, x: Expression) -> Expression:
    """Return how many elements a tensor has; a shape has one for each axis."""
    if w.kinds["x"].sort is Sort.SHAPE:
        return _ndim(w, x)
    return w.build("{x}.numel()" if w.to == "torch" else "{x}.size", x=x)


@NUMEL.writes("numpy")
def _numel_numpy(w: Writer, x: Expression) -> Expression:
    if w.kinds["x"].sort is Sort.SHAPE:
        w.imports.add("math")
        return w.build("math.prod({x})", x=x)
    return w.build("{x}.size", x=x)


_COMPATIBLE = '''
def _compatible(shape, other):
    """Whether a shape is another one, in which None fits every length."""
    return len(shape) == len(other) and all(wanted in (None, n) for n, wanted in zip(shape, other))
'''


@COMPATIBLE.writes("torch", "numpy")
def _compatible(w: Writer, x: Expression, y: Expression) -> Expression:
    """Write it with tuples: a tuple equals no list."""
    if not w.is_sequence(y):
        return w.build("{x} == {y}" if w.kinds["y"].sort is Sort.SHAPE else "{x} == tuple({y})", x=x, y=y)
    if any(w.code(part) == "None" for part in w.parts(y)):
        w.helper("_compatible", _COMPATIBLE)
        return w.build("_compatible({x}, {y})", x=x, y=y)
    return w.build(f"{{x}} == ({spread_out(w, y)},)" if len(w.parts(y)) == 1 else f"{{x}} == ({spread_out(w, y)})", x=x)


@ITEM.writes("tf")
def _item(w: Writer, x: Expression) -> Made:
    """Return the number of a tensor; a graph does not know it, so there it stays a tensor."""
    if "lengths" in w.general and not w.deciding and w.kinds["x"].tensor:
        return w.build("tf.reshape({x}, [])", x=x), w.kinds["x"].values()
    return w.build("{x}.numpy().item()", x=x)


ITEM.form("{x}.item()", "numpy")
TO_LIST.form("{x}.numpy().tolist()", "tf")
TO_LIST.form("{x}.tolist()", "numpy")
NUMPY.form("{x}.detach().cpu().numpy()", "torch")


@NUMPY.writes("numpy")
def _same(w: Writer, x: Expression) -> Expression:  # noqa: ARG001 - it is an array already
    return x


NEW_AXIS.form("None", "torch", "numpy")
