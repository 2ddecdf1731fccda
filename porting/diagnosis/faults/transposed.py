"""The other way round."""

from dataclasses import replace

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike


@cause(
    rank=21,
    torch="For y = x @ w: dx = dy @ w.T, dw = x.T @ dy. Let the shapes of a matrix that is not square decide.",
    tf="For y = x @ w: dx = tf.matmul(dy, w, transpose_b=True), dw = tf.matmul(x, dy, transpose_a=True).",
)
def transposed(e: Evidence) -> str | None:
    """The gradient is transposed.

    With square matrices the shape does not give it away.
    """
    for case, raw in e.raws:
        want = e.truth(case)
        for name, g in raw.items():
            if want is None or g.ndim < 2:
                continue
            turned = np.swapaxes(g, -1, -2)
            right = turned.shape == want[name].shape and alike({name: turned}, {name: want[name]})
            if right and not (g.shape == turned.shape and alike({name: g}, {name: want[name]})):
                return f"gradient of {name} is the true one with its last two axes exchanged"
    if e.example is None:
        return None
    for name, x in e.example.case.inputs.items():
        if x.ndim == 2 and x.shape[0] == x.shape[1] and name in e.op.wrt:
            turned_input = replace(e.example.case, inputs={**e.example.case.inputs, name: x.T.copy()})
            want = e.truth(turned_input)
            if want is not None and alike(e.example.got, want):
                return f"{e.example.worst}; it is the true gradient for {name} transposed"
    return None
