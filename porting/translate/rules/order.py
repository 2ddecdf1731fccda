"""Sorting, and elements by their rank. NaN counts as the largest in PyTorch; TensorFlow puts it anywhere.

So what may hold one is sorted by a function of our own there. Equal numbers keep their order; in ``torch.sort`` only if
that is asked for.
"""

from collections.abc import Mapping
from typing import Any, Final

from porting.translate.abstract_value import INT, Abstract, Sort, joined
from porting.translate.calls import call, flag
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer


def _pair(kinds: Mapping[str, Abstract]) -> Abstract:
    return Abstract(Sort.TUPLE, items=(kinds["x"], INT))


def _sorted(kinds: Mapping[str, Abstract]) -> Abstract:
    x = kinds["x"]
    return Abstract(Sort.TENSOR, joined(*x.items).number) if x.sort is Sort.TUPLE else x


SORT = Rule(torch="torch.sort(x: input, axis: dim=-1, descending=False, *, stable=False)", kind=_pair)
TF_SORT = Rule(
    tf="tf.sort(x: values, axis=-1, direction='ASCENDING', _name: name=None)",
    numpy="np.sort(x: a, axis=-1)",
    kind=_sorted,
)
ARGSORT = Rule(torch="torch.argsort(x: input, axis: dim=-1, descending=False, *, stable=False)", kind=INT)
TF_ARGSORT = Rule(
    tf="tf.argsort(x: values, axis=-1, direction='ASCENDING', stable=False, _name: name=None)",
    numpy="np.argsort(x: a, axis=-1)",
    kind=INT,
)
TOPK = Rule(torch="torch.topk(x: input, k, axis: dim=-1, largest=True, _sorted: sorted=True)", kind=_pair)
TF_TOPK = Rule(
    tf=[f"{p}(x: input, k=1, _sorted: sorted=True, _name: name=None)" for p in ("tf.math.top_k", "tf.nn.top_k")],
    kind=_pair,
)
KTH = Rule(torch="torch.kthvalue(x: input, k, axis: dim=-1, keepdims: keepdim=False)", kind=_pair)
MEDIAN = Rule(
    torch="torch.median(x: input, axis: dim=None, keepdims: keepdim=False)",
    kind=lambda kinds: _pair(kinds) if "axis" in kinds else kinds["x"],
)
SEARCH = Rule(
    tf="tf.searchsorted(x: sorted_sequence, y: values, side='left', _out_type: out_type=None, _name: name=None)",
    kind=INT,
)
RULES = [SEARCH, SORT, TF_SORT, ARGSORT, TF_ARGSORT, TOPK, TF_TOPK, KTH, MEDIAN]


def _direction(w: Writer, descending: Given, what: str) -> Given:
    return w.build('"DESCENDING"') if flag(w, descending, what) else None


def _descending(w: Writer, direction: Given, what: str) -> bool:
    said = "ASCENDING" if direction is None else w.text(direction)
    if said not in {"ASCENDING", "DESCENDING"}:
        raise w.refuse(f"{what}: direction is not known here")
    return said == "DESCENDING"


_SORT: Final = '''
def _sort(x, axis=-1, descending=False):
    """The numbers in their order, and where they were; NaN is the largest, as in PyTorch."""
    direction = "DESCENDING" if descending else "ASCENDING"
    take = tf.experimental.numpy.take_along_axis
    nan = x != x
    places = tf.argsort(tf.where(nan, tf.zeros_like(x), x), axis, direction, stable=True)
    moved = tf.argsort(tf.cast(take(nan, places, axis), tf.int32), axis, direction, stable=True)
    places = take(places, moved, axis)
    return take(x, places, axis), places
'''


def _ranked(w: Writer, name: str, helper: str, *places: Any, **options: Any) -> Expression:
    """Call a helper that sorts as PyTorch does."""
    w.helper("_sort", _SORT)
    w.helper(name, helper)
    return call(w, name, *places, **options)


@SORT.writes("tf")
def _sort(w: Writer, x: Expression, axis: Given = None, descending: Given = None, stable: Given = None) -> Expression:  # noqa: ARG001 - it is
    falling = _direction(w, descending, "torch.sort")
    if w.kinds["x"].number != "int":
        return _ranked(w, "_sort", _SORT, x, axis, descending=falling and w.build("True"))
    places = call(w, "tf.argsort", x, axis=axis, direction=falling, stable=w.build("True"))
    return w.pair(call(w, "tf.sort", x, axis=axis, direction=falling), places)


@SORT.writes("numpy")
def _sort_numpy(
    w: Writer,
    x: Expression,
    axis: Given = None,
    descending: Given = None,
    stable: Given = None,  # noqa: ARG001 - it is
) -> Expression:
    if flag(w, descending, "torch.sort"):
        return w.pair(_falling(w, call(w, "np.sort", x, axis), axis), _falling_places(w, x, axis))
    return w.pair(call(w, "np.sort", x, axis), call(w, "np.argsort", x, axis, kind=w.build('"stable"')))


@TF_SORT.writes("torch")
def _tf_sort(w: Writer, x: Expression, axis: Given = None, direction: Given = None) -> Expression:
    if w.kinds["x"].sort in {Sort.TUPLE, Sort.SHAPE, Sort.STATIC}:
        x = w.build("torch.tensor({x})", x=x)
    falling = w.build("True") if _descending(w, direction, "tf.sort") else None
    parts = {"dim": axis, "descending": falling}
    given = {name: value for name, value in parts.items() if value is not None}
    inside = ", ".join(f"{name}={{{name}}}" for name in given)
    return w.build(f"{{x}}.sort({inside}).values", x=x, **given)


_FALLING: Final = '''
def _falling(x, axis=-1):
    """The places of the numbers along an axis from the largest on, NaN first; equal ones in their order."""
    rising = np.argsort(np.flip(x, axis), axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(rising, axis)
'''


def _falling(w: Writer, rising: Expression, axis: Given) -> Expression:
    return call(w, "np.flip", rising, w.build("-1") if axis is None else axis)


def _falling_places(w: Writer, x: Expression, axis: Given) -> Expression:
    w.helper("_falling", _FALLING)
    return call(w, "_falling", x, axis)


@TF_SORT.writes("numpy")
def _tf_sort_numpy(w: Writer, x: Expression, axis: Given = None, direction: Given = None) -> Expression:
    rising = call(w, "np.sort", x, axis)
    return _falling(w, rising, axis) if _descending(w, direction, "tf.sort") else rising


@TF_ARGSORT.writes("numpy")
def _tf_argsort_numpy(
    w: Writer, x: Expression, axis: Given = None, direction: Given = None, stable: Any = None
) -> Expression:
    if _descending(w, direction, "tf.argsort"):
        return _falling_places(w, x, axis)
    return call(w, "np.argsort", x, axis, kind=None if stable is None else w.build('"stable"'))


_TOPK_NUMPY: Final = '''
def _topk(x, k, axis=-1, largest=True):
    """The k largest or smallest numbers along an axis, and where they are."""
    at = _falling(x, axis) if largest else np.argsort(x, axis, kind="stable")
    at = np.take(at, range(k), axis)
    return np.take_along_axis(x, at, axis), at
'''


@TOPK.writes("numpy")
def _topk_numpy(w: Writer, x: Expression, k: Expression, axis: Given = None, largest: Given = None) -> Expression:
    w.helper("_falling", _FALLING)
    w.helper("_topk", _TOPK_NUMPY)
    return call(w, "_topk", x, k, axis, largest=largest)


@TF_TOPK.writes("numpy")
def _tf_topk_numpy(w: Writer, x: Expression, k: Given = None) -> Expression:
    w.helper("_falling", _FALLING)
    w.helper("_topk", _TOPK_NUMPY)
    return call(w, "_topk", x, k if k is not None else w.build("1"))


@ARGSORT.writes("tf")
def _argsort(w: Writer, x: Expression, axis: Given = None, descending: Given = None, stable: Any = None) -> Expression:
    falling = _direction(w, descending, "torch.argsort")
    if w.kinds["x"].number != "int":
        both = _ranked(w, "_sort", _SORT, x, axis, descending=falling and w.build("True"))
        return w.build("{both}[1]", both=both)
    return call(w, "tf.argsort", x, axis=axis, direction=falling, stable=stable)


@ARGSORT.writes("numpy")
def _argsort_numpy(
    w: Writer, x: Expression, axis: Given = None, descending: Given = None, stable: Any = None
) -> Expression:
    if flag(w, descending, "torch.argsort"):
        return _falling_places(w, x, axis)
    return call(w, "np.argsort", x, axis, kind=None if stable is None else w.build('"stable"'))


@TF_ARGSORT.writes("torch")
def _tf_argsort(
    w: Writer, x: Expression, axis: Given = None, direction: Given = None, stable: Any = None
) -> Expression:
    falling = w.build("True") if _descending(w, direction, "tf.argsort") else None
    given = {"dim": axis, "descending": falling, "stable": stable}
    given = {name: value for name, value in given.items() if value is not None}
    return w.build(f"{{x}}.argsort({', '.join(f'{name}={{{name}}}' for name in given)})", x=x, **given)


_TOPK: Final = '''
def _topk(x, k, axis=-1, largest=True):
    """The k largest or smallest numbers along an axis, and where they are; NaN is the largest, as in PyTorch."""
    values, places = _sort(x, axis, descending=largest)
    return tf.gather(values, tf.range(k), axis=axis), tf.gather(places, tf.range(k), axis=axis)
'''


@TOPK.writes("tf")
def _topk(w: Writer, x: Expression, k: Expression, axis: Given = None, largest: Given = None) -> Expression:
    axis = None if axis is None or w.code(axis) == "-1" else axis
    if axis is None and largest is None and w.kinds["x"].number == "int":
        return w.build("tf.math.top_k({x}, {k})", x=x, k=k)
    return _ranked(w, "_topk", _TOPK, x, k, axis, largest=largest)


@TF_TOPK.writes("torch")
def _tf_topk(w: Writer, x: Expression, k: Given = None) -> Expression:
    return w.build("{x}.topk({k})", x=x, k=k if k is not None else w.build("1"))


_KTH: Final = '''
def _kthvalue(x, k, axis=-1, keepdims=False):
    """The k-th smallest number along an axis, and where it is; NaN is the largest, as in PyTorch."""
    found = [tf.gather(part, k - 1, axis=axis) for part in _sort(x, axis)]
    return tuple(tf.expand_dims(part, axis) if keepdims else part for part in found)
'''


@KTH.writes("tf")
def _kth(w: Writer, x: Expression, k: Expression, axis: Given = None, keepdims: Given = None) -> Expression:
    return _ranked(w, "_kthvalue", _KTH, x, k, axis, keepdims=keepdims)


_MEDIAN: Final = '''
def _median(x, axis=-1, keepdims=False):
    """The lower one of two in the middle along an axis, and where it is; the first NaN, if there is one."""
    nans, n = tf.reduce_sum(tf.cast(x != x, tf.int32), axis, keepdims=True), tf.shape(x)[axis]
    at = tf.where(nans > 0, n - nans, (n - 1) // 2)
    found = [tf.experimental.numpy.take_along_axis(part, at, axis) for part in _sort(x, axis)]
    return tuple(part if keepdims else tf.squeeze(part, axis) for part in found)
'''


@MEDIAN.writes("tf")
def _median(w: Writer, x: Expression, axis: Given = None, keepdims: Given = None) -> Expression:
    if axis is None:
        flat = w.build("tf.reshape({x}, [-1])", x=x)
        return w.build("{both}[0]", both=_ranked(w, "_median", _MEDIAN, flat))
    return _ranked(w, "_median", _MEDIAN, x, axis, keepdims=keepdims)


@SEARCH.writes("torch")
def _search(w: Writer, x: Expression, y: Expression, side: Given = None) -> Expression:
    said = "left" if side is None else w.text(side)
    if said not in {"left", "right"}:
        raise w.refuse("tf.searchsorted: side is not known here")
    return w.build(f"torch.searchsorted({{x}}, {{y}}{', right=True' if said == 'right' else ''})", x=x, y=y)
