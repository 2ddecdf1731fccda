"""Writing elements to given indices: PyTorch has an index along one axis, TensorFlow an index for each axis."""

from porting.translate.abstract_value import Sort
from porting.translate.calls import flag
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.segments import SEGMENT_SUM_NUMPY

SCATTER = Rule(torch="torch.scatter(x: input, axis: dim, at: index, y: src=None, *, value=None, reduce=None)")
SCATTER_ADD = Rule(torch="torch.scatter_add(x: input, axis: dim, at: index, y: src)")
INDEX_ADD = Rule(torch="torch.index_add(x: input, axis: dim, at: index, y: source, *, alpha=1)")
INDEX_COPY = Rule(torch="torch.index_copy(x: input, axis: dim, at: index, y: source)")
UPDATE = Rule(tf="tf.tensor_scatter_nd_update(x: tensor, at: indices, y: updates, _name: name=None)")
ADD = Rule(tf="tf.tensor_scatter_nd_add(x: tensor, at: indices, y: updates, _name: name=None)")
SUB, MIN, MAX = (
    Rule(tf=f"tf.tensor_scatter_nd_{name}(x: tensor, at: indices, y: updates, _name: name=None)")
    for name in ("sub", "min", "max")
)
NEW = Rule(tf="tf.scatter_nd(at: indices, y: updates, shape, _name: name=None)", kind="y")
EMBEDDING_BACK = Rule(
    torch="torch.ops.aten.embedding_dense_backward"
    "(dy: grad_output, at: indices, count: num_weights, padding: padding_idx, scaled: scale_grad_by_freq)",
    kind="dy",
)
SLICES = Rule(tf="tf.IndexedSlices(y: values, at: indices, shape: dense_shape=None)", kind="y")
RULES = [
    SCATTER,
    SCATTER_ADD,
    INDEX_ADD,
    INDEX_COPY,
    UPDATE,
    ADD,
    SUB,
    MIN,
    MAX,
    NEW,
    EMBEDDING_BACK,
    SLICES,
]
_PLACES = '''
def _places(at, axis):
    """For each number along an axis, the place that it stands for: one number for each axis."""
    grid = list(tf.meshgrid(*(tf.range(n) for n in tf.unstack(tf.shape(at, at.dtype))), indexing="ij"))
    grid[axis] = at
    return tf.stack(grid, -1)
'''


def _scattered(w: Writer, what: str, x: Expression, axis: Expression, at: Expression, y: Expression) -> Expression:
    w.helper("_places", _PLACES)
    return w.build(f"tf.tensor_scatter_nd_{what}({{x}}, _places({{at}}, {{axis}}), {{y}})", x=x, at=at, axis=axis, y=y)


@SCATTER.writes("tf")
def _scatter(
    w: Writer,
    x: Expression,
    axis: Expression,
    at: Expression,
    y: Given = None,
    value: Given = None,
    reduce: Given = None,
) -> Expression:
    """Write it for a source of the shape of the index; PyTorch reads a part of a larger one."""
    if reduce is not None:
        raise w.refuse(".scatter(): reduce has no rule")
    number = y if value is None else value
    if number is None:
        raise w.refuse(".scatter(): src is not given")
    kind = w.kinds["y" if value is None else "value"]
    if not kind.tensor:
        number = w.in_type(number, kind, w.build("{x}.dtype", x=x))
        number = w.build("tf.fill(tf.shape({at}), {number})", at=at, number=number)
    return _scattered(w, "update", x, axis, at, number)


@SCATTER_ADD.writes("tf")
def _scatter_add(w: Writer, x: Expression, axis: Expression, at: Expression, y: Expression) -> Expression:
    return _scattered(w, "add", x, axis, at, y)


@INDEX_ADD.writes("tf")
def _index_add(
    w: Writer, x: Expression, axis: Expression, at: Expression, y: Expression, alpha: Given = None
) -> Expression:
    if w.code(axis) != "0":
        raise w.refuse(".index_add(): a rule for the first axis alone")
    if alpha is not None:
        y = w.build("{alpha} * {y}", alpha=alpha, y=y)
    return w.build("tf.tensor_scatter_nd_add({x}, {at}[:, None], {y})", x=x, at=at, y=y)


@INDEX_COPY.writes("tf")
def _index_copy(w: Writer, x: Expression, axis: Expression, at: Expression, y: Expression) -> Expression:
    if w.code(axis) != "0":
        raise w.refuse(".index_copy(): a rule for the first axis alone")
    return w.build("tf.tensor_scatter_nd_update({x}, {at}[:, None], {y})", x=x, at=at, y=y)


@UPDATE.writes("torch")
def _update(w: Writer, x: Expression, at: Expression, y: Expression) -> Expression:
    return w.build("{x}.index_put({at}.unbind(-1), {y})", x=x, at=_tensor(w, at, "at"), y=_tensor(w, y, "y"))


@ADD.writes("torch")
def _add(w: Writer, x: Expression, at: Expression, y: Expression) -> Expression:
    at, y = _tensor(w, at, "at"), _tensor(w, y, "y")
    return w.build("{x}.index_put({at}.unbind(-1), {y}, accumulate=True)", x=x, at=at, y=y)


@SUB.writes("torch")
def _sub(w: Writer, x: Expression, at: Expression, y: Expression) -> Expression:
    at, y = _tensor(w, at, "at"), _tensor(w, y, "y")
    return w.build("{x}.index_put({at}.unbind(-1), -{y}, accumulate=True)", x=x, at=at, y=y)


_AT_PLACES = '''
def _at_places(x, at, y, reduce):
    """x with the largest, or the smallest, of what it has at some places and of what is given for them."""
    depth = at.shape[-1]
    rows = x.reshape(-1, *x.shape[depth:])
    numbers = torch.arange(len(rows), device=x.device).reshape(x.shape[:depth])[at.unbind(-1)]
    numbers = numbers.reshape(-1, *[1] * (rows.ndim - 1)).expand(-1, *rows.shape[1:])
    return rows.scatter_reduce(0, numbers, y.reshape(numbers.shape), reduce).reshape(x.shape)
'''


def _extreme(rule: Rule, reduce: str) -> None:
    @rule.writes("torch")
    def _(w: Writer, x: Expression, at: Expression, y: Expression) -> Expression:
        at, y = _tensor(w, at, "at"), _tensor(w, y, "y")
        w.helper("_at_places", _AT_PLACES)
        return w.build(f'_at_places({{x}}, {{at}}, {{y}}, "{reduce}")', x=x, at=at, y=y)


_extreme(MIN, "amin")
_extreme(MAX, "amax")


@NEW.writes("torch")
def _new(w: Writer, at: Expression, y: Expression, shape: Expression) -> Expression:
    at, y = _tensor(w, at, "at"), _tensor(w, y, "y")
    made = "{y}.new_zeros({shape}).index_put({at}.unbind(-1), {y}, accumulate=True)"
    return w.build(made, at=at, y=y, shape=shape)


def _tensor(w: Writer, x: Expression, name: str) -> Expression:
    return w.build("torch.tensor({x})", x=x) if w.kinds[name].sort is Sort.TUPLE else x


@EMBEDDING_BACK.writes("tf")
def _embedding_back(
    w: Writer, dy: Expression, at: Expression, count: Expression, padding: Expression, scaled: Expression
) -> Expression:
    """Leave out what has the number of the padding: a negative number is nobody's."""
    if flag(w, scaled, "embedding_dense_backward"):
        raise w.refuse("embedding_dense_backward: scale_grad_by_freq has no rule")
    if w.code(padding) != "-1":
        at = w.build("tf.where({at} == {padding}, tf.cast(-1, {at}.dtype), {at})", at=at, padding=padding)
    return w.build("tf.math.unsorted_segment_sum({dy}, {at}, {count})", dy=dy, at=at, count=count)


_PUT_NUMPY = '''
def _put(x, axis, at, y):
    """A copy of x with numbers put along an axis."""
    made = x.copy()
    np.put_along_axis(made, at, y, axis)
    return made
'''
_ADDED = '''
def _added(x, at, y):
    """A copy of x with rows added to those at some places; a place may occur several times."""
    made = x.copy()
    np.add.at(made, at, y)
    return made
'''


@SCATTER.writes("numpy")
def _scatter_numpy(
    w: Writer,
    x: Expression,
    axis: Expression,
    at: Expression,
    y: Given = None,
    value: Given = None,
    reduce: Given = None,
) -> Expression:
    number = y if value is None else value
    if reduce is not None or number is None:
        raise w.refuse(".scatter(): a rule for numbers that are put alone")
    w.helper("_put", _PUT_NUMPY)
    return w.build("_put({x}, {axis}, {at}, {y})", x=x, axis=axis, at=at, y=number)


@INDEX_ADD.writes("numpy")
def _index_add_numpy(
    w: Writer, x: Expression, axis: Expression, at: Expression, y: Expression, alpha: Given = None
) -> Expression:
    if w.code(axis) != "0":
        raise w.refuse(".index_add(): a rule for the first axis alone")
    if alpha is not None:
        y = w.build("{alpha} * {y}", alpha=alpha, y=y)
    w.helper("_added", _ADDED)
    return w.build("_added({x}, {at}, {y})", x=x, at=at, y=y)


@EMBEDDING_BACK.writes("numpy")
def _embedding_back_numpy(
    w: Writer, dy: Expression, at: Expression, count: Expression, padding: Expression, scaled: Expression
) -> Expression:
    if flag(w, scaled, "embedding_dense_backward"):
        raise w.refuse("embedding_dense_backward: scale_grad_by_freq has no rule")
    w.helper("_segment_sum", SEGMENT_SUM_NUMPY)
    if w.code(padding) != "-1":
        at = w.build("np.where({at} == {padding}, -1, {at})", at=at, padding=padding)
    return w.build("_segment_sum({dy}, {at}, {count})", dy=dy, at=at, count=count)


@SLICES.writes("torch")
def _slices(w: Writer, y: Expression, at: Expression, shape: Given = None) -> Expression:
    """Write it: PyTorch has the sum of such slices as a whole tensor."""
    if shape is None:
        raise w.refuse("tf.IndexedSlices: how large is the whole? dense_shape is not given")
    return w.build("{y}.new_zeros({shape}).index_add(0, {at}, {y})", y=y, at=at, shape=shape)
