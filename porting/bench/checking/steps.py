"""What is timed in one framework: the op itself, a check of it, the framework's own checkers on the same numbers."""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final

from porting.bench.measure import adapter
from porting.bench.problem import layout, problem
from porting.errors import PortingError
from porting.parity.probe import Probe
from porting.runners import RUNNERS
from porting.spec import Op

UNIT: Final = "forward and backward"
CHECK: Final = "check"
DTYPE: Final = "float64"  # the only type that differences have digits enough in
SUBJECTS: Final = {  # as `checkers` of the frameworks' places calls them
    "torch": (UNIT, CHECK, "gradcheck, fast", "gradcheck", "gradgradcheck, fast", "gradgradcheck"),
    "tf": (UNIT, CHECK, "compute_gradient"),
}


class NotPassedError(PortingError):
    """A checker does not pass the op, so its time is that of something else."""


def steps(backend: str, op: Op, size: int) -> Mapping[str, Callable[[], Any]]:
    """Return a call for each subject of a framework, which is imported here.

    Parameters
    ----------
    backend : {"torch", "tf"}
        The framework.
    op : Op
        What is checked.
    size : int
        Elements of the largest input.
    """
    asked = problem(op, size, DTYPE)
    twin = op.twin(backend)
    place = adapter(backend, asked, twin)
    return {UNIT: place.step("eager", twin), CHECK: _check(backend, op, size), **place.checkers(twin)}


def _check(backend: str, op: Op, size: int) -> Callable[[], None]:
    """Return the check of value and gradient of one case; its numbers are others each time, or the truth is known."""
    shape, lengths = layout(op, size)
    seeds = count()

    def check() -> None:
        probe = Probe(op, DTYPE, seed=next(seeds), label="vjp", runner=RUNNERS[backend])
        case = probe.case("cost", shape=shape, lengths=lengths)
        outcome = probe.run(case)
        if outcome is not None:
            probe.expect_value(case, outcome)
            probe.expect_vjp(case, outcome)
        if probe.findings or not probe.compared:
            raise NotPassedError("; ".join(map(str, probe.findings.values())) or "nothing was compared")

    return check
