"""The other way round."""

from dataclasses import replace

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Example, alike, size


@cause(
    rank=21,
    of_gradients=True,
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
    return _of_a_turned_input(e, e.example) if e.example else None


def _of_a_turned_input(e: Evidence, example: Example) -> str | None:
    """Say that a wrong gradient is the true one for an input the other way round, as of a solve with A for A^T."""
    for name, x in example.case.inputs.items():
        if x.ndim < 2 or x.shape[-1] != x.shape[-2] or name not in e.op.wrt:
            continue
        turned = np.swapaxes(x, -1, -2).copy()
        want = e.truth(replace(example.case, inputs={**example.case.inputs, name: turned}))
        for wrong in example.wrong if want else ():
            right = alike({wrong: example.got[wrong]}, {wrong: want[wrong]}) if want else False
            as_it_is = alike({wrong: example.got[wrong]}, {wrong: example.want[wrong]})
            if right and not as_it_is and want and size(want[wrong]):
                return f"{example.worst_of(wrong)}; gradient of {wrong} is the true one for {name} transposed"
    return None
