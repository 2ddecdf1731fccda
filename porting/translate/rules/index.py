"""Elements by index. PyTorch counts negative indices from the end; ``tf.gather`` raises for them."""

from porting.translate.abstract_value import Sort
from porting.translate.calls import whole
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.narrow import subscript

SELECT = Rule(torch="torch.index_select(x: input, axis: dim, at: index)")
TF_GATHER = Rule(
    tf="tf.gather(x: params, at: indices, _validate: validate_indices=None, axis=None, batch_dims=0, _name: name=None)"
)
GATHER = Rule(
    torch=["torch.gather(x: input, axis: dim, at: index)", "torch.take_along_dim(x: input, at: indices, axis: dim)"]
)
ALONG = Rule(tf="tf.experimental.numpy.take_along_axis(x: arr, at: indices, axis)")
TAKE = Rule(torch="torch.take(x: input, at: index)", numpy="np.take(x: a, at: indices)")
GATHER_ND = Rule(tf="tf.gather_nd(x: params, at: indices, batch_dims=0, _name: name=None)")
MASKED = Rule(torch="torch.masked_select(x: input, mask)")
TF_MASKED = Rule(tf="tf.boolean_mask(x: tensor, mask, axis=None, _name: name=None)")
EMBEDDING = Rule(
    torch="torch.nn.functional.embedding(at: input, x: weight)",
    tf="tf.nn.embedding_lookup(x: params, at: ids, _name: name=None)",
    kind="x",
)
RULES = [SELECT, TF_GATHER, GATHER, ALONG, TAKE, GATHER_ND, MASKED, TF_MASKED, EMBEDDING]


@SELECT.writes("tf")
def _select(w: Writer, x: Expression, axis: Expression, at: Expression) -> Expression:
    if w.code(axis) == "0":
        return w.build("tf.gather({x}, {at})", x=x, at=at)
    return w.build("tf.gather({x}, {at}, axis={axis})", x=x, at=at, axis=axis)


SELECT.form("np.take({x}, {at}, {axis})", "numpy")


@TF_GATHER.writes("torch", "numpy")
def _tf_gather(w: Writer, x: Expression, at: Expression, axis: Given = None, batch_dims: Given = None) -> Expression:
    if batch_dims is not None and w.code(batch_dims) != "0":
        return _batched(w, x, at, axis, batch_dims)
    if w.kinds["at"].sort in {Sort.TUPLE, Sort.SHAPE}:  # as a tuple it would be one number for each axis
        at = w.build(f"[{', '.join(w.code(p) for p in w.parts(at))}]" if w.is_sequence(at) else "list({at})", at=at)
    place = 0 if axis is None else whole(w, axis)
    if place is not None:
        return w.build(f"{{x}}[{subscript(place, '{at}')}]", x=x, at=at)
    if w.to == "numpy":
        return w.build("np.take({x}, {at}, {axis})", x=x, at=at, axis=axis)
    return w.build("{x}.index_select({axis}, {at})", x=x, at=at, axis=axis)


_BATCHED = '''
def _gather(x, at, axis, batch_dims):
    """The elements of an axis by number, where x and the numbers have their first axes in common."""
    batch_dims = batch_dims + at.ndim if batch_dims < 0 else batch_dims
    axis = batch_dims if axis is None else axis % x.ndim
    moved = x.movedim(axis, batch_dims)
    inner = at.long().reshape(*at.shape[:batch_dims], at.shape[batch_dims:].numel())
    rest = moved.shape[batch_dims + 1 :]
    places = inner.reshape(*inner.shape, *[1] * len(rest)).expand(*inner.shape, *rest)
    y = moved.gather(batch_dims, places).reshape(*at.shape, *rest)
    own = range(batch_dims, at.ndim)
    return y.movedim(tuple(own), tuple(n + axis - batch_dims for n in own))
'''


def _batched(w: Writer, x: Expression, at: Expression, axis: Given, batch_dims: Expression) -> Expression:
    if w.to == "numpy" or w.kinds["at"].sort in {Sort.TUPLE, Sort.SHAPE}:
        raise w.refuse("tf.gather: batch_dims has a rule for PyTorch and numbers in a tensor alone")
    w.helper("_gather", _BATCHED)
    axis = w.build("None") if axis is None else axis
    return w.build("_gather({x}, {at}, {axis}, {batch_dims})", x=x, at=at, axis=axis, batch_dims=batch_dims)


# Of index and input, torch.gather takes the smaller length along the other axes; here both have the same
GATHER.form("tf.experimental.numpy.take_along_axis({x}, {at}, {axis})", "tf")
GATHER.form("np.take_along_axis({x}, {at}, {axis})", "numpy")
ALONG.form("np.take_along_axis({x}, {at}, {axis})", "numpy")
ALONG.form("{x}.take_along_dim({at}.long(), {axis})", "torch")
TAKE.form("tf.gather(tf.reshape({x}, [-1]), {at})", "tf")


_BATCHED_ND = '''
def _gather_nd(x, at, batch_dims):
    """x at numbers, each element of the first axes by itself."""
    first = torch.meshgrid(*(torch.arange(n, device=x.device) for n in x.shape[:batch_dims]), indexing="ij")
    more = [1] * (at.ndim - 1 - batch_dims)
    return x[(*(n.reshape(*n.shape, *more) for n in first), *at.unbind(-1))]
'''


@GATHER_ND.writes("torch")
def _gather_nd(w: Writer, x: Expression, at: Expression, batch_dims: Given = None) -> Expression:
    """Write it: the last axis of the numbers has one number for each axis of x."""
    if w.kinds["at"].sort is not Sort.TENSOR:
        at = w.build("torch.tensor({at})", at=at)
    if batch_dims is not None:
        w.helper("_gather_nd", _BATCHED_ND)
        return w.build("_gather_nd({x}, {at}, {batch_dims})", x=x, at=at, batch_dims=batch_dims)
    return w.build("{x}[{at}.unbind(-1)]", x=x, at=at)


_MASKED = '''
def _masked(x, mask):
    """x[mask], where the mask may be a single truth value."""
    return tf.boolean_mask(x[None], mask[None]) if mask.shape.rank == 0 else tf.boolean_mask(x, mask)
'''


@MASKED.writes("tf")
def _masked(w: Writer, x: Expression, mask: Expression) -> Expression:
    """Write it: PyTorch broadcasts the mask; here it has the shape of x."""
    if "rest" not in w.general:
        return w.build("tf.boolean_mask({x}, {mask})", x=x, mask=mask)
    w.helper("_masked", _MASKED)
    return w.build("_masked({x}, {mask})", x=x, mask=mask)


@MASKED.writes("numpy")
@TF_MASKED.writes("torch", "numpy")
def _tf_masked(w: Writer, x: Expression, mask: Expression, axis: Given = None) -> Expression:
    place = 0 if axis is None else whole(w, axis)
    if place is None or (place < 0):
        raise w.refuse("tf.boolean_mask: a rule for an axis that is written out, from the front")
    return w.build(f"{{x}}[{subscript(place, '{mask}')}]", x=x, mask=mask)


EMBEDDING.form("tf.gather({x}, {at})", "tf")
EMBEDDING.form("{x}[{at}]", "numpy")
