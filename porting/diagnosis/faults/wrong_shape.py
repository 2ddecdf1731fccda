"""The shape."""

from typing import Final

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence, exception
from porting.diagnosis.example import Arrays, Example
from porting.diagnosis.experiments import same_in_another_shape
from porting.numeric.compare import same_but_ones

_CODES: Final = frozenset({"shape_differs", "raw_shape", "raw_repaired"})
_RAISED: Final = (
    "invalid gradient at index",
    "Incompatible shapes between op input",
)  # the engines look at what came back


def _right_where_reshaped(e: Evidence, example: Example) -> Arrays:
    """What PyTorch expanded or summed is explained; other inputs' shape mends no number, nor do axes of length 1.

    What has the shape of an output and is larger than its input was not summed by the op, and rightly by PyTorch.
    """
    raw, case = e.raw(example.case), example.case
    outputs = {v.shape for v in case.dy or ()}
    unsummed = {n for n, g in raw.items() if g.size > case.inputs[n].size and g.shape in outputs}
    kept = {n for n, g in raw.items() if same_but_ones(g.shape, case.inputs[n].shape)}
    reshaped = {n for n, g in raw.items() if g.shape != case.inputs[n].shape} - unsummed - kept
    return {n: example.want[n] if n in reshaped else g for n, g in example.got.items()}


def _found_in(e: Evidence) -> bool:
    """Whether checks found a shape, or an engine that refuses one; the cause is of these, where numbers are right."""
    wrong = [(r.check, f) for r in e.results if r.status == "differ" for f in r.findings]
    e.looked_at = {
        check
        for check, f in wrong
        if f.code in _CODES or (f.code == "raised" and any(words in exception(f) for words in _RAISED))
    }
    return bool(e.looked_at)


@cause(
    rank=22,
    alone=True,
    repair=_right_where_reshaped,
    of_gradients=True,
)
def wrong_shape(e: Evidence) -> str | None:
    """The backward returns a gradient of another shape than its input.

    PyTorch's engine expands or sums it where it can; TensorFlow hands it out as it is in eager mode, so that an
    optimizer fails later without naming the op, and raises in tf.function.
    """
    if e.raised and (e.raised.stage == "forward" or not any(words in e.raised.message for words in _RAISED)):
        return None  # what everyday inputs raise is no matter of shapes that other inputs have
    if same_in_another_shape(e):  # a number, say: the cotangent would have given it its shape
        return None
    if e.example is None and not _found_in(e):
        return None  # what is wrong elsewhere, second derivatives say, is no matter of shapes
    at = e.example.case if e.example else None
    right = at is not None and all(g.shape == at.inputs[n].shape for n, g in e.raw(at).items())
    for case, raw in () if right else e.raws:  # of other lengths or axes, which explain nothing there
        for name, g in raw.items():
            if g.shape != case.inputs[name].shape:
                return f"gradient of {name} has shape {list(g.shape)}, the input {list(case.inputs[name].shape)}"
    found = e.said("shape_differs", quantity="gradient") or e.said("raw_shape") or e.raising(_RAISED[0])
    if found is None and (raised := e.raising(_RAISED[1])) and raised.fields.get("stage") != "forward":
        found = raised
    return found.what if found else None
