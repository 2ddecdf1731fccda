"""Several tensors as one, and one as several."""

from collections.abc import Mapping, Sequence

import libcst as cst

from porting.translate.abstract_value import SHAPE, TENSOR, Abstract, Sort, joined
from porting.translate.calls import MODULES, call, method, spread_out
from porting.translate.code import Expression, Given
from porting.translate.rule import Made, Rule, Writer


def _one(kinds: Mapping[str, Abstract]) -> Abstract:
    items = kinds["x"].items
    return joined(*items) if items and all(kind.tensor for kind in items) else TENSOR


def _several(kinds: Mapping[str, Abstract]) -> Abstract:
    """Return one kind for all where their number is not known."""
    sizes = kinds.get("sizes", Abstract())
    return Abstract(Sort.TUPLE, items=(kinds["x"],) * max(1, len(sizes.items)))


CAT = Rule(
    torch=[
        "torch.cat(x: tensors, axis: dim=0)",
        "torch.concat(x: tensors, axis: dim=0)",
        "torch.concatenate(x: tensors, axis: dim=0)",
    ],
    tf=["tf.concat(x: values, axis, _name: name=None)"],
    numpy="np.concatenate(x: a, axis=0)",
    kind=_one,
)
STACK = Rule(
    torch="torch.stack(x: tensors, axis: dim=0)",
    tf=["tf.stack(x: values, axis=0, _name: name=None)"],
    numpy="np.stack(x: arrays, axis=0)",
    kind=_one,
)
UNBIND = Rule(
    torch="torch.unbind(x: input, axis: dim=0)",
    tf=["tf.unstack(x: value, _num: num=None, axis=0, _name: name=None)"],
    kind=_several,
)
CHUNK = Rule(torch="torch.chunk(x: input, count: chunks, axis: dim=0)", kind=_several)
SPLIT = Rule(torch="torch.split(x: tensor, sizes: split_size_or_sections, axis: dim=0)", kind=_several)
TF_SPLIT = Rule(
    tf="tf.split(x: value, sizes: num_or_size_splits, axis=0, _num: num=None, _name: name=None)", kind=_several
)
GRID = Rule(
    torch="torch.meshgrid(*x, indexing='ij')", tf="tf.meshgrid(*x, indexing='xy', _name: name=None)", kind=_several
)
_LENGTH = Sort.STATIC, "int"
RULES = [CAT, STACK, UNBIND, CHUNK, SPLIT, TF_SPLIT, GRID]


@CAT.writes("tf")
def _cat(w: Writer, x: Expression, axis: Given = None) -> Expression:
    return w.build("tf.concat({x}, {axis})", x=x, axis=axis if axis is not None else w.build("0"))


@CAT.writes("torch")
def _cat_torch(w: Writer, x: Expression, axis: Expression) -> Made:
    """TensorFlow joins shapes as well: ``tf.concat([tf.shape(x)[:-1], [k]], 0)``."""
    items = w.kinds["x"].items
    if items and all(kind.sort in {Sort.SHAPE, Sort.TUPLE} for kind in items) and w.is_sequence(x):
        return w.build(f"({''.join(_listed(w, part) + ', ' for part in w.parts(x))})"), SHAPE
    _tensors(w, x, "tf.concat")
    return call(w, "torch.cat", x, None if w.code(axis) == "0" else axis)


def _listed(w: Writer, part: Expression) -> str:
    return spread_out(w, part) if w.is_sequence(part) else f"*{w.code(part)}"


def _tensors(w: Writer, x: Expression, what: str) -> None:
    other = next(
        (kind for kind in w.kinds["x"].items if kind.sort in {Sort.SHAPE, Sort.TUPLE, Sort.STATIC}),
        None,
    )
    if other is not None and w.is_sequence(x):
        raise w.refuse(f"{what}: Python's numbers beside tensors, which PyTorch does not join")


@STACK.writes("torch")
def _stack_torch(w: Writer, x: Expression, axis: Given = None) -> Made:
    """TensorFlow stacks whole numbers to a shape as well: ``tf.stack([tf.shape(x)[0], -1])``.

    What stands beside a length is a whole number too, or TensorFlow refuses it.
    """
    items = w.kinds["x"].items
    known = {(kind.sort, kind.number) for kind in items}
    if w.is_sequence(x) and {_LENGTH} <= known <= {_LENGTH, (Sort.STATIC, ""), (Sort.UNKNOWN, "")}:
        return w.pair(*w.parts(x)), SHAPE
    _tensors(w, x, "tf.stack")
    return call(w, "torch.stack", x, axis)


@UNBIND.writes("tf")
def _unbind(w: Writer, x: Expression, axis: Given = None) -> Expression:
    return call(w, "tf.unstack", x, axis=axis)


@UNBIND.writes("torch")
def _unbind_torch(w: Writer, x: Expression, axis: Given = None) -> Expression:
    return method(w, x, "unbind", axis)


@UNBIND.writes("numpy")
def _unbind_numpy(w: Writer, x: Expression, axis: Given = None) -> Expression:
    return w.build("list({x})", x=x) if axis is None else w.build("list(np.moveaxis({x}, {a}, 0))", x=x, a=axis)


@CHUNK.writes("tf", "numpy")
def _chunk(w: Writer, x: Expression, count: Expression, axis: Given = None) -> Expression:
    """Write it: a length that count does not divide raises; PyTorch makes the last part shorter, or fewer parts."""
    return call(w, f"{MODULES[w.to]}.split", x, count, axis)


_PARTS = '''
def _split(x, size, axis=0):
    """Parts of one length; the last one may be shorter."""
    length = x.shape[axis]
    return tf.split(x, [min(size, length - start) for start in range(0, length, size)], axis)
'''


@SPLIT.writes("tf")
def _split(w: Writer, x: Expression, sizes: Expression, axis: Given = None) -> Expression:
    """Write it: tf.split wants the number of parts where PyTorch is given their length."""
    if w.is_sequence(sizes) or w.kinds["sizes"].sort is Sort.TUPLE:
        return call(w, "tf.split", x, sizes, axis)
    if w.kinds["sizes"].sort is not Sort.STATIC:
        raise w.refuse("torch.split: is it given a length, or several? That is not known here")
    w.helper("_split", _PARTS)
    return call(w, "_split", x, sizes, axis)


@TF_SPLIT.writes("torch")
def _tf_split(w: Writer, x: Expression, sizes: Expression, axis: Given = None) -> Expression:
    several = w.is_sequence(sizes)
    if several and any(w.code(part) == "-1" for part in w.parts(sizes)):
        raise w.refuse("tf.split: -1, the rest, has no counterpart in torch.split")
    return method(
        w,
        x,
        "split" if several or w.kinds["sizes"].sort in {Sort.TUPLE, Sort.SHAPE} else "chunk",
        sizes,
        axis,
    )


@GRID.writes("tf", "torch", "numpy")
def _grid(w: Writer, x: Sequence[cst.BaseElement], indexing: Given = None) -> Expression:
    """Say the order: the defaults differ."""
    said = w.text(indexing) if indexing is not None else {"torch": "ij", "tf": "xy"}[w.of]
    if said not in {"ij", "xy"}:
        raise w.refuse("meshgrid: indexing is not known here")
    inside = ", ".join(("*" if w.starred(e) else "") + w.code(e.value) for e in x)
    return w.build(f'{MODULES[w.to]}.meshgrid({inside}, indexing="{said}")')
