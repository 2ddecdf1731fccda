"""Repeated numbers: broadcasting, its gradient, tiles."""

import re
from collections.abc import Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import Sort
from porting.translate.calls import MODULES, one_or_several, spread_out
from porting.translate.code import Expression, Given, source
from porting.translate.rule import Rule, Writer
from porting.translate.rules.shape import shape_of
from porting.translate.summed import HELPER

EXPAND = Rule(torch=["Tensor.expand(x, *size)"])
EXPAND_AS = Rule(torch=["Tensor.expand_as(x, other)"])
BROADCAST = Rule(
    torch="torch.broadcast_to(x: input, size)",
    tf=["tf.broadcast_to(x: input, size: shape, _name: name=None)"],
    numpy="np.broadcast_to(x: array, size: shape)",
)
SUM_TO = Rule(torch=["Tensor.sum_to_size(x, *size)"])
REPEAT = Rule(torch=["Tensor.repeat(x, *repeats)", "Tensor.tile(x, *repeats)"])
TILE = Rule(
    tf=["tf.tile(x: input, times: multiples, _name: name=None)"],
    torch="torch.tile(x: input, times: dims)",
    numpy="np.tile(x: A, times: reps)",
)
REPEAT_EACH = Rule(
    torch="torch.repeat_interleave(x: input, times: repeats, axis: dim=None, *, _output_size: output_size=None)",
    tf=["tf.repeat(x: input, times: repeats, axis=None, _name: name=None)"],
    numpy="np.repeat(x: a, times: repeats, axis=None)",
)
RULES = [EXPAND, EXPAND_AS, BROADCAST, SUM_TO, REPEAT, TILE, REPEAT_EACH]


def _broadcast(w: Writer, x: Expression, size: Any) -> Expression:
    """-1 is the length that there is: counted from the end, where the axes of both meet."""
    if w.is_sequence(size):
        count = len(w.parts(size))
        texts = [w.code(part) for part in w.parts(size)]
        if "-1" in texts:
            if any(w.starred(element) for element in size.elements):
                raise w.refuse(".expand(): -1 beside *axes")
            parts = [
                w.build(f"{{shape}}[{n - count}]", shape=shape_of(w, x)) if text == "-1" else part
                for n, (text, part) in enumerate(zip(texts, w.parts(size), strict=True))
            ]
            size = w.build(
                f"[{', '.join(f'{{p{n}}}' for n in range(count))}]", **{f"p{n}": p for n, p in enumerate(parts)}
            )
    return w.build(f"{MODULES[w.to]}.broadcast_to({{x}}, {{size}})", x=x, size=size)


@EXPAND.writes("tf", "numpy")
def _expand(w: Writer, x: Expression, size: Sequence[cst.BaseElement]) -> Expression:
    return _broadcast(w, x, one_or_several(w, size, "size"))


@BROADCAST.writes("tf", "numpy")
def _broadcast_to(w: Writer, x: Expression, size: Expression) -> Expression:
    return _broadcast(w, x, size)


@BROADCAST.writes("torch")
def _broadcast_torch(w: Writer, x: Expression, size: Expression) -> Expression:
    return w.build(f"{{x}}.expand({spread_out(w, size)})", x=x)


@EXPAND_AS.writes("tf", "numpy")
def _expand_as(w: Writer, x: Expression, other: Expression) -> Expression:
    shape = "tf.shape({other})" if w.to == "tf" else "{other}.shape"
    return w.build(f"{MODULES[w.to]}.broadcast_to({{x}}, {shape})", x=x, other=other)


_SUM_TO = {
    "tf": HELPER,
    "numpy": '''
def _sum_to(x, shape):
    """x summed over the axes that a shape lacks, or has once."""
    x = np.sum(x, tuple(range(x.ndim - len(shape))))
    return np.sum(x, tuple(k for k, n in enumerate(shape) if n == 1 != x.shape[k]), keepdims=True)
''',
}


@SUM_TO.writes("tf", "numpy")
def _sum_to(w: Writer, x: Expression, size: Sequence[cst.BaseElement]) -> Expression:
    w.helper("_sum_to", _SUM_TO[w.to])
    shape = one_or_several(w, size, "size")
    known = re.fullmatch(r"_shape\((\w+)\)|(\w+)\.shape", w.code(shape)) if w.to == "tf" else None
    shape = w.build(f"tf.shape({known[1] or known[2]})") if known else shape
    return w.build("_sum_to({x}, {shape})", x=x, shape=shape)


def _rank(x: Expression) -> int:
    """Return how many axes a tensor of TensorFlow has that is made, or given a shape, just here; 0 if not seen."""
    if not isinstance(x, cst.Call):
        return 0
    match source(x.func), [argument.value for argument in x.args]:
        case "tf.range", _:
            return 1
        case "tf.eye", [*_] if not any(m.matches(a.keyword, m.Name("batch_shape")) for a in x.args if a.keyword):
            return 2
        case "tf.cast", [made, *_]:
            return _rank(made)
        case "tf.reshape", [_, cst.List(elements=shape)] if not any(isinstance(e, cst.StarredElement) for e in shape):
            return len(shape)
    return 0


@REPEAT.writes("tf", "numpy")
def _repeat(w: Writer, x: Expression, repeats: Sequence[cst.BaseElement]) -> Expression:
    """More numbers than axes add axes in PyTorch; ``tf.tile`` raises, and ``np.tile`` does as PyTorch."""
    times = one_or_several(w, repeats, "repeats")
    rank = _rank(x)
    if w.to == "tf" and w.is_sequence(times) and rank and len(w.parts(times)) > rank:
        more = ["None"] * (len(w.parts(times)) - rank)
        x = w.build(f"{{x}}[{', '.join([*more, *[':'] * (rank == 1)])}]", x=x)
    return w.build(f"{MODULES[w.to]}.tile({{x}}, {{times}})", x=x, times=times)


@REPEAT_EACH.writes("torch")
def _repeat_each(w: Writer, x: Expression, times: Expression, axis: Given = None) -> Expression:
    if w.is_sequence(times) or w.kinds["times"].sort is Sort.TUPLE:
        times = w.build("torch.tensor({times})", times=times)
    if axis is None:
        return w.build("{x}.repeat_interleave({times})", x=x, times=times)
    return w.build("{x}.repeat_interleave({times}, {axis})", x=x, times=times, axis=axis)
