"""The shape."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, Arrays, Example, alike
from porting.diagnosis.experiments import same_in_another_shape
from porting.diagnosis.shapes import RAISED, exchanged_by_shape, found_in_shapes, wrong_numbers
from porting.numeric.compare import same_but_ones, sum_to
from porting.parity.finding import Finding


def _right_where_reshaped(e: Evidence, example: Example) -> Arrays:
    """What PyTorch expanded or summed is explained; other inputs' shape mends no number, nor do axes of length 1.

    What is larger than its input, and has the shape of an output or the right sum, was not summed by the op, and
    rightly by PyTorch.
    """
    raw, case = e.raw(example.case), example.case
    outputs = {v.shape for v in case.dy or ()}
    larger = {n: g for n, g in raw.items() if g.size > case.inputs[n].size}
    unsummed = {n for n, g in larger.items() if g.shape in outputs or _sums_to(g, example.want[n])}
    kept = {n for n, g in raw.items() if same_but_ones(g.shape, case.inputs[n].shape)}
    reshaped = {n for n, g in raw.items() if g.shape != case.inputs[n].shape} - unsummed - kept
    return {n: example.want[n] if n in reshaped else g for n, g in example.got.items()}


def _mends(e: Evidence) -> bool:
    """Whether it makes a wrong number of the example right."""
    example = e.example
    mended = _right_where_reshaped(e, example) if example else {}
    return example is not None and any(mended[n] is not example.got[n] for n in example.wrong)


def _sums_to(g: Array, want: Array) -> bool:
    """Whether the sum over the axes that an input lacks is right, but for digits."""
    summed = sum_to(g, want.shape)
    return summed is not None and alike({"": summed}, {"": want})


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
    if e.raised and (e.raised.stage == "forward" or not any(words in e.raised.message for words in RAISED)):
        return None  # what everyday inputs raise is no matter of shapes that other inputs have
    if exchanged_by_shape(e):  # each has the shape of the other one
        return None
    if same_in_another_shape(e):  # a number, say: the cotangent would have given it its shape
        return None
    at = e.example.case if e.example else None
    apart = not _mends(e)
    if apart:
        e.looked_at = found_in_shapes(e)
        if not e.looked_at:
            return None  # what is wrong elsewhere, second derivatives say, is no matter of shapes
    right = at is not None and all(g.shape == at.inputs[n].shape for n, g in e.raw(at).items())
    for case, raw in () if right else e.raws:  # of other lengths or axes, which explain nothing there
        for name, g in raw.items():
            if g.shape != case.inputs[name].shape:
                e.told_of = name if apart and wrong_numbers(e) else ""
                return f"gradient of {name} has shape {list(g.shape)}, the input {list(case.inputs[name].shape)}"
    found = _finding(e)
    if found is not None and apart and wrong_numbers(e):  # in a graph, say: it explains no number elsewhere
        e.told_of = str(found.fields.get("name", ""))
    return found.what if found else None


def _finding(e: Evidence) -> Finding | None:
    """Return what a check found of a shape, or the exception of an engine that refuses one."""
    found = e.said("shape_differs", quantity="gradient") or e.said("raw_shape") or e.raising(RAISED[0])
    if found is None and (raised := e.raising(RAISED[1])) and raised.fields.get("stage") != "forward":
        return raised
    return found
