"""Rows that belong together by a number: what they come to, each of them once, and how often.

Rows with a negative number are nobody's in TensorFlow. Numbers that nobody has come to 0, to 1 as a product, and to
the smallest number that there is as the largest one.
"""

from collections.abc import Mapping
from typing import Final

from porting.translate.abstract_value import INT, Abstract, Sort
from porting.translate.calls import whole
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

# TensorFlow's name; PyTorch's; what a number comes to that nobody has
_REDUCTIONS: Final = (
    ("mean", "mean", "0"),
    ("prod", "prod", "1"),
    ("max", "amax", "torch.finfo({y}.dtype).min"),
    ("min", "amin", "torch.finfo({y}.dtype).max"),
)
SEGMENT_SUM = Rule(
    tf="tf.math.unsorted_segment_sum(y: data, at: segment_ids, count: num_segments, _name: name=None)", kind="y"
)
UNSORTED = {
    name: Rule(
        tf=f"tf.math.unsorted_segment_{name}(y: data, at: segment_ids, count: num_segments, _name: name=None)", kind="y"
    )
    for name, *_ in _REDUCTIONS
}
SORTED = {
    name: Rule(tf=f"tf.math.segment_{name}(y: data, at: segment_ids, _name: name=None)", kind="y")
    for name in ("sum", "mean", "prod")
}


def _with_numbers(kinds: Mapping[str, Abstract]) -> Abstract:
    return Abstract(Sort.TUPLE, items=(kinds["x"], INT))


def _with_counts(kinds: Mapping[str, Abstract]) -> Abstract:
    return Abstract(Sort.TUPLE, items=(kinds["x"], INT, INT))


UNIQUE = Rule(tf="tf.unique(x, _out_idx: out_idx=None, _name: name=None)", kind=_with_numbers)
COUNTED = Rule(tf="tf.unique_with_counts(x, _out_idx: out_idx=None, _name: name=None)", kind=_with_counts)
BINCOUNT = Rule(tf="tf.math.bincount(x: arr, weights=None, least: minlength=None, _name: name=None)", kind=INT)
PARTITION = Rule(
    tf="tf.dynamic_partition(x: data, at: partitions, count: num_partitions, _name: name=None)",
    kind=lambda kinds: Abstract(Sort.TUPLE, items=(kinds["x"],)),
)
RULES = [SEGMENT_SUM, *UNSORTED.values(), *SORTED.values(), UNIQUE, COUNTED, BINCOUNT, PARTITION]
_SEGMENTS: Final = '''
def _segments(x, at, count, reduce, empty):
    """What the rows of x with each number come to; rows with a negative number are left out, as in TensorFlow."""
    rows = x.reshape(-1, *x.shape[at.ndim :])
    at = torch.where(at < 0, count, at).long().reshape(-1, *[1] * (rows.ndim - 1)).expand_as(rows)
    made = rows.new_full((count + 1, *rows.shape[1:]), empty)
    return made.scatter_reduce(0, at, rows, reduce, include_self=False)[:-1]
'''
_UNIQUE: Final = '''
def _unique(x):
    """The numbers of x in the order in which they come, which of them each number is, and how often each comes."""
    values, which, counts = torch.unique(x, return_inverse=True, return_counts=True)
    places = torch.arange(len(x), device=x.device)
    first = torch.full_like(counts, len(x)).scatter_reduce(0, which, places, "amin")
    order = first.argsort()
    return values[order], order.argsort()[which], counts[order]
'''

_PARTITION: Final = '''
def _partition(x, at, count):
    """The rows of x with each number."""
    return [x[at == number] for number in range(count)]
'''


def _tensor(w: Writer, at: Expression) -> Expression:
    return w.build("torch.tensor({at})", at=at) if w.kinds["at"].sort is Sort.TUPLE else at


def _unsorted(name: str, reduce: str, empty: str) -> None:
    @UNSORTED[name].writes("torch")
    def _(w: Writer, y: Expression, at: Expression, count: Expression) -> Expression:
        if w.kinds["y"].number in {"int", "bool"} and name != "prod":
            raise w.refuse(f"tf.math.unsorted_segment_{name}: a rule for floating numbers alone")
        made = f'_segments({{y}}, {{at}}, {{count}}, "{reduce}", {empty})'
        w.helper("_segments", _SEGMENTS)
        return w.build(made, y=y, at=_tensor(w, at), count=count)


for _row in _REDUCTIONS:
    _unsorted(*_row)


def _sorted(name: str) -> None:
    @SORTED[name].writes("torch")
    def _(w: Writer, y: Expression, at: Expression) -> Expression:
        """Write it: the last number is the largest."""
        if w.kinds["y"].number in {"int", "bool"} and name == "mean":
            raise w.refuse("tf.math.segment_mean: a rule for floating numbers alone")
        at = _tensor(w, at)
        w.helper("_segments", _SEGMENTS)
        made = f'_segments({{y}}, {{at}}, int({{at}}[-1]) + 1, "{name}", {int(name == "prod")})'
        return w.build(made, y=y, at=at)


for _name in SORTED:
    _sorted(_name)


@UNIQUE.writes("torch")
def _unique(w: Writer, x: Expression) -> Expression:
    w.helper("_unique", _UNIQUE)
    return w.build("_unique({x})[:2]", x=x)


@COUNTED.writes("torch")
def _counted(w: Writer, x: Expression) -> Expression:
    w.helper("_unique", _UNIQUE)
    return w.build("_unique({x})", x=x)


@BINCOUNT.writes("torch", "numpy")
def _bincount(w: Writer, x: Expression, weights: Given = None, least: Given = None) -> Expression:
    if weights is not None:
        raise w.refuse("tf.math.bincount: weights have no rule")
    if whole(w, least) is None and least is not None and w.kinds["least"].sort is not Sort.STATIC:
        raise w.refuse("tf.math.bincount: minlength is not known here to be a number of Python")
    library = "torch" if w.to == "torch" else "np"
    made = f"{library}.bincount({{x}}.reshape(-1){'' if least is None else ', minlength={least}'})"
    return w.build(made, **({"x": x} if least is None else {"x": x, "least": least}))


@PARTITION.writes("torch", "numpy")
def _partition(w: Writer, x: Expression, at: Expression, count: Expression) -> Expression:
    w.helper("_partition", _PARTITION)
    return w.build("_partition({x}, {at}, {count})", x=x, at=_tensor(w, at) if w.to == "torch" else at, count=count)


_SEGMENT_SUM = '''
def _segment_sum(x, at, count):
    """The sums of the rows of x with each number; rows with a negative number are left out, as in TensorFlow."""
    rows = x.reshape(-1, *x.shape[at.ndim :])
    at = torch.where(at < 0, count, at).reshape(-1)
    return rows.new_zeros(count + 1, *rows.shape[1:]).index_add(0, at, rows)[:-1]
'''


@SEGMENT_SUM.writes("torch")
def _segment_sum(w: Writer, y: Expression, at: Expression, count: Expression) -> Expression:
    w.helper("_segment_sum", _SEGMENT_SUM)
    at = _tensor(w, at)
    return w.build("_segment_sum({y}, {at}, {count})", y=y, at=at, count=count)


SEGMENT_SUM_NUMPY = '''
def _segment_sum(x, at, count):
    """The sums of the rows of x with each number; rows with a negative number are left out."""
    rows = x.reshape(-1, *x.shape[at.ndim :])
    made = np.zeros((count + 1, *rows.shape[1:]), x.dtype)
    np.add.at(made, np.where(at < 0, count, at).reshape(-1), rows)
    return made[:-1]
'''


@SEGMENT_SUM.writes("numpy")
def _segment_sum_numpy(w: Writer, y: Expression, at: Expression, count: Expression) -> Expression:
    w.helper("_segment_sum", SEGMENT_SUM_NUMPY)
    return w.build("_segment_sum({y}, {at}, {count})", y=y, at=at, count=count)
