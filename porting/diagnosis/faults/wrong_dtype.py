"""The type."""

from typing import Final

import numpy as np

from porting.backends import BACKENDS
from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence, exception
from porting.diagnosis.example import Arrays, Example, size
from porting.diagnosis.experiments import same_in_another_shape
from porting.dtypes import FLOATS, unit_roundoff
from porting.parity.finding import Finding

_CODES: Final = ("dtype_differs", "raw_repaired")
_ROUNDOFFS: Final = 1000  # of the narrower type, that the numbers on the way may have lost
_NARROWEST: Final = "bfloat16"
_OF_PARTS: Final = {"complex64": "float32", "complex128": "float64"}


def _cast(e: Evidence, example: Example) -> Arrays | None:
    """Put right what another type does to the widest one: it takes digits, and what overflows has another cause."""
    said = [f for r in e.results if r.dtype == e.dtype for f in r.findings if f.code in _CODES]
    if not said:
        return example.got
    got = [str(f.fields.get("got_dtype")) for f in said]
    types = [t for t in (_OF_PARTS.get(t, t) for t in got) if t in FLOATS] or [_NARROWEST]
    lost = min(1e-2, _ROUNDOFFS * max(map(unit_roundoff, types)))
    with np.errstate(invalid="ignore"):
        near = {n: ~(np.abs(g - example.want[n]) > lost * size(example.want[n])) for n, g in example.got.items()}
    return {n: np.where(near[n], example.want[n], g) for n, g in example.got.items()}


def _in_a_graph(e: Evidence, f: Finding) -> bool:
    """Whether only a graph refuses the types: a Python number has another type there.

    A backward whose eager gradient has another type than its input is refused for that.
    """
    if not f.fields.get("how", "").startswith(("function", "xla")):
        return False
    if f.has(stage="forward"):
        return True
    return e.raised is None and all(g.dtype == case.inputs[n].dtype for case, raw in e.raws for n, g in raw.items())


@cause(
    rank=23,
    alone=True,
    repair=_cast,
    of_digits=True,
)
def wrong_dtype(e: Evidence) -> str | None:
    """An output, a gradient or a number on the way has another type than the input.

    PyTorch casts a gradient back in silence, digits lost; TensorFlow hands it out as it is in eager mode and fails in
    graphs. A type that is fixed in the code (float32) is the usual reason.
    """
    found = e.said("dtype_differs")
    if found and found.has(quantity="gradient") and same_in_another_shape(e):  # and its type
        return None
    if found:
        return found.what
    if rounded := e.said("differs", rounded=True):  # where the check that compares types was not asked
        return rounded.seen
    for found in e.findings("raw_gradient", "raw_repaired"):
        f = found.fields
        if f["got_dtype"] != f["want_dtype"]:
            return f"gradient of {f['name']} is {f['got_dtype']}, the input {f['want_dtype']}"
    raised = e.raising(which=lambda f: BACKENDS[e.runner].says_types(exception(f)) and not _in_a_graph(e, f))
    return raised.seen if raised else None
