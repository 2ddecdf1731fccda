"""The gradient that belongs to a side's own forward, or to the function that the contract names."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from porting.diagnosis.example import Array, Arrays
from porting.dtypes import wide
from porting.errors import NoTruthError
from porting.numeric import differences
from porting.numeric.batched import Batched
from porting.recordings.memory import digest_of
from porting.runners import Case, Runner
from porting.spec import Op

_MOST: Final = 200  # elements: each is moved


class OwnForward:
    """Differences of the forward of a side that is alone; the values around a point serve each cotangent.

    Parameters
    ----------
    op : Op
        The op, with the side as its twin.
    runner : Runner
        Who runs it.
    """

    def __init__(self, op: Op, runner: Runner) -> None:
        self._op = op
        self._runner = runner
        self._around: dict[str, differences.Around] = {}
        self._stacks: defaultdict[str, dict[Any, bool]] = defaultdict(dict)  # by statics; see `Batched`

    def gradients(self, case: Case) -> Arrays | None:
        """Return the gradients by input; nothing of a case that is too large."""
        if sum(x.size for x in case.inputs.values()) > _MOST:
            return None
        at = repr(case.statics) + digest_of(case.inputs.values())
        if at not in self._around:
            wrt = [list(case.inputs).index(name) for name in self._op.wrt]
            inputs = [wide(x) for x in case.inputs.values()]
            asked = Batched(lambda xs: differences.as_tuple(self._value(case, xs)), self._stacks[repr(case.statics)])
            self._around[at] = differences.Around(asked, inputs, wrt)
        found = self._around[at].vjp([wide(v) for v in case.dy or ()])
        return dict(zip(self._op.wrt, found.value, strict=True))

    def _value(self, case: Case, xs: Sequence[Array]) -> Any:
        if any(np.iscomplexobj(x) for x in xs):
            raise TypeError("differences in real numbers only")
        if self._op.contract.gradient_of is not None:
            return self._op.gradient_of(*xs, **case.statics)
        inputs = dict(zip(case.inputs, xs, strict=True))
        outcome = self._runner.run(replace(case, inputs=inputs, dy=None))
        if outcome.raised is not None:
            raise NoTruthError(f"raised {outcome.raised}")
        return outcome.value
