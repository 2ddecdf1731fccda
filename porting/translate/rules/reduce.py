"""Sums, products, largest numbers: ``dim`` and ``axis``, ``keepdim`` and ``keepdims``.

An empty tuple of axes, ``()``, means all axes in PyTorch, and no axis in TensorFlow and NumPy. The largest of no
numbers is minus infinity in TensorFlow; PyTorch raises.
"""

from collections.abc import Mapping
from typing import Any

from porting.translate.abstract_value import MASK, STATIC, WHOLE, Abstract, Sort
from porting.translate.calls import call, method
from porting.translate.code import Expression, Given
from porting.translate.rule import Made, Rule, Writer

_RAW = {"All", "Any", "Max", "Mean", "Min", "Prod", "Sum"}


def reduced(kinds: Mapping[str, Abstract]) -> Abstract:
    """Return the kind of a sum: a mask is counted."""
    if "dtype" in kinds:
        return kinds["dtype"].values()
    x = kinds["x"]
    return Abstract(Sort.TENSOR, "int") if x.mask else x.values()


def _rule(torch: str, tf: str, numpy: str, kind: Any = "x", paths: tuple[str, ...] = ()) -> Rule:
    dtype = ", *, dtype=None" if torch in {"sum", "mean", "prod", "nansum"} else ""
    paths = (f"torch.{torch}", *paths)
    raw = {"amax": "Max", "amin": "Min"}.get(torch, torch.title())
    return Rule(
        torch=[f"{path}(x: input, axis: dim=None, keepdims: keepdim=False{dtype})" for path in paths],
        tf=[f"{p}{tf}(x: input_tensor, axis=None, keepdims=False, _name: name=None)" for p in ("tf.", "tf.math.") if tf]
        + [f"tf.raw_ops.{raw}(x: input, axis, keepdims: keep_dims=False, _name: name=None)"] * (raw in _RAW),
        numpy=f"np.{numpy}(x: a, axis=None, keepdims=False, *, dtype=None)" if numpy else [],
        kind=kind,
    )


SUM = _rule("sum", "reduce_sum", "sum", reduced)
MEAN = _rule("mean", "reduce_mean", "mean", reduced)
PROD = _rule("prod", "reduce_prod", "prod", reduced)
AMAX = _rule("amax", "reduce_max", "max")
AMIN = _rule("amin", "reduce_min", "min")
ANY = _rule("any", "reduce_any", "any", MASK)
ALL = _rule("all", "reduce_all", "all", MASK)
LOGSUMEXP = _rule("logsumexp", "reduce_logsumexp", "logaddexp.reduce", "x", ("torch.special.logsumexp",))
NANSUM = _rule("nansum", "", "nansum", reduced)
COUNT = Rule(
    torch="torch.count_nonzero(x: input, axis: dim=None)",
    tf=["tf.math.count_nonzero(x: input, axis=None, keepdims=False, dtype=None, _name: name=None)"],
    numpy="np.count_nonzero(x: a, axis=None, *, keepdims=False)",
    kind=Abstract(Sort.TENSOR, "int"),
)
RULES = [SUM, MEAN, PROD, AMAX, AMIN, ANY, ALL, LOGSUMEXP, NANSUM, COUNT]


def none_is_all(w: Writer, axis: Given) -> Given:
    """Return PyTorch's axes for the others: ``()`` is left out, and so it is where a variable may be ``()``."""
    if axis is None or w.code(axis) == "None":
        return None
    if w.is_sequence(axis):
        return axis if w.parts(axis) else None
    kind = w.kinds["axis"]
    return (
        w.build("None if {axis} == () else {axis}", axis=axis) if kind.sort is Sort.TUPLE and not kind.items else axis
    )


def one_axis(w: Writer, axis: Any) -> Any:
    """Return ``0`` for ``[0]``."""
    if axis is not None and w.is_sequence(axis) and len(w.parts(axis)) == 1 and not w.starred(axis.elements[0]):
        return w.parts(axis)[0]
    return axis


def as_tuple(w: Writer, axis: Given) -> Given:
    """Return axes for NumPy, which takes no list."""
    axis = one_axis(w, axis)
    if axis is not None and not w.is_sequence(axis) and w.kinds.get("axis", STATIC).sort is Sort.TENSOR:
        return w.build("tuple({axis})", axis=axis)
    return w.pair(*w.parts(axis)) if axis is not None and w.is_sequence(axis) else axis


def _write(rule: Rule, torch: str, tf: str, numpy: str) -> None:
    @rule.writes("tf")
    def _(
        w: Writer,
        x: Expression,
        axis: Given = None,
        keepdims: Given = None,
        dtype: Given = None,
    ) -> Expression:
        if dtype is not None:
            x = w.build("tf.cast({x}, {dtype})", x=x, dtype=dtype)
        elif torch in {"sum", "prod", "any", "all"}:
            x = _taken(w, x, torch)
        return call(w, f"tf.{tf}", x, _axes(w, axis, torch), keepdims=keepdims)

    @rule.writes("numpy")
    def _(
        w: Writer,
        x: Expression,
        axis: Given = None,
        keepdims: Given = None,
        dtype: Given = None,
    ) -> Expression:
        axis = as_tuple(w, _axes(w, axis, torch) if w.of == "torch" else axis)
        if torch == "logsumexp" and axis is None:  # a ufunc sums over the first axis unless told
            axis = w.build("None")
        return call(w, f"np.{numpy}", x, axis, keepdims=keepdims, dtype=dtype)


def _write_torch(rule: Rule, torch: str) -> None:
    @rule.writes("torch")
    def _(w: Writer, x: Expression, axis: Given = None, keepdims: Given = None) -> Made:
        if axis is not None and w.is_sequence(axis) and not w.parts(axis):
            return x  # over no axis
        if w.kinds["x"].sort is Sort.SHAPE and torch == "sum":
            return w.build("sum({x})", x=x), WHOLE
        if w.kinds["x"].sort is Sort.SHAPE and torch == "prod":
            w.imports.add("math")
            return w.build("math.prod({x})", x=x), WHOLE
        axis = one_axis(w, axis)
        if axis is not None and w.kinds["axis"].tensor:
            made = method(w, x, torch, w.build("{axis}.tolist()", axis=axis), keepdim=keepdims)
            return w.build("{made} if len({axis}) else {x}", made=made, axis=axis, x=x)  # [] are all axes in PyTorch
        if torch == "logsumexp":
            axis = w.build("tuple(range({x}.ndim))", x=x) if axis is None else axis
        if torch == "prod":
            _one_alone(w, axis, keepdims)
        if axis is None and keepdims is not None and torch in {"sum", "mean"}:
            return method(w, x, torch, dim=w.build("None"), keepdim=keepdims)
        return method(w, x, torch, axis, keepdim=keepdims)


def _taken(w: Writer, x: Expression, function: str) -> Expression:
    """Return what TensorFlow sums, where PyTorch takes a mask, or finds true, where it takes numbers."""
    kind = w.kinds["x"]
    if function in {"any", "all"}:
        return x if kind.mask else w.build("{x} != 0" if kind.number else "tf.cast({x}, tf.bool)", x=x)
    return w.build("tf.cast({x}, tf.int64)", x=x) if kind.mask else x


def _one_alone(w: Writer, axis: Given, keepdims: Given) -> None:
    if (axis is None and keepdims is not None) or (axis is not None and w.is_sequence(axis)):
        raise w.refuse("tf.reduce_prod: several axes have no counterpart in torch.prod")


def _axes(w: Writer, axis: Given, function: str) -> Given:
    if function in {"any", "all"} and axis is not None and w.is_sequence(axis) and not w.parts(axis):
        raise w.refuse(f"torch.{function}: over no axis")  # here () are none of them
    return none_is_all(w, axis)


for _row in (
    (SUM, "sum", "reduce_sum", "sum"), (MEAN, "mean", "reduce_mean", "mean"), (PROD, "prod", "reduce_prod", "prod"),
    (AMAX, "amax", "reduce_max", "max"), (AMIN, "amin", "reduce_min", "min"), (ANY, "any", "reduce_any", "any"),
    (ALL, "all", "reduce_all", "all"), (LOGSUMEXP, "logsumexp", "reduce_logsumexp", "logaddexp.reduce"),
):  # fmt: skip
    _write(*_row)
    _write_torch(*_row[:2])


@NANSUM.writes("tf")
def _nansum(w: Writer, x: Expression, axis: Given = None, keepdims: Given = None, dtype: Given = None) -> Expression:
    if dtype is not None:
        x = w.build("tf.cast({x}, {dtype})", x=x, dtype=dtype)
    kept = w.build("tf.where(tf.math.is_nan({x}), tf.zeros_like({x}), {x})", x=x)
    return call(w, "tf.reduce_sum", kept, none_is_all(w, axis), keepdims=keepdims)


@NANSUM.writes("numpy")
def _nansum_numpy(
    w: Writer, x: Expression, axis: Given = None, keepdims: Given = None, dtype: Given = None
) -> Expression:
    return call(w, "np.nansum", x, as_tuple(w, none_is_all(w, axis)), keepdims=keepdims, dtype=dtype)


@COUNT.writes("tf", "numpy")
def _count(w: Writer, x: Expression, axis: Given = None) -> Expression:
    axis = none_is_all(w, axis)
    if w.to == "numpy":
        return call(w, "np.count_nonzero", x, as_tuple(w, axis))
    return call(w, "tf.math.count_nonzero", x, axis)


@COUNT.writes("torch")
def _count_torch(
    w: Writer, x: Expression, axis: Given = None, keepdims: Given = None, dtype: Given = None
) -> Expression:
    axis = one_axis(w, axis)
    made = method(w, x, "count_nonzero", axis)
    if keepdims is not None:
        made = method(
            w, w.build("{x} != 0", x=x), "sum", dim=w.build("None") if axis is None else axis, keepdim=keepdims
        )
    return made if dtype is None else w.build("{made}.to({dtype})", made=made, dtype=dtype)
