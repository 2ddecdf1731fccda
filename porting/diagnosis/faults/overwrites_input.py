"""An input in place."""

from contextlib import suppress
from dataclasses import replace

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike
from porting.errors import NotRecordedError


def _at_the_overwritten(e: Evidence, name: str) -> bool:
    """Whether the gradient is that at the output's numbers: the input has become the output before the backward."""
    with suppress(NotRecordedError):
        for case in e.ordinary[:1]:
            outcome = e.probe(case.dtype).runner.run(replace(case, dy=None))
            if outcome.raised or outcome.value[0].shape != case.inputs[name].shape:
                return False
            got, want = e.ask(case), e.truth(replace(case, inputs={**case.inputs, name: outcome.value[0]}))
            return got is not None and want is not None and alike(got, want)
    return False


@cause(
    rank=15,
    alone=True,
)
def overwrites_input(e: Evidence) -> str | None:
    """An input is overwritten in place.

    The caller's tensor changes, and every other use of it with it; autograd notices only if the tensor was saved and
    the change went past .data or NumPy.
    """
    for name in e.op.inputs:
        found = e.finding("inputs_unchanged", "overwritten", name=name)
        if found:
            if _at_the_overwritten(e, name):
                e.explains_numbers()
            return found.what
    return None
