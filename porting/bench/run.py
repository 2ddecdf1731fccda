"""Runs the whole benchmark: every op at every size, one measuring process per framework; Ctrl-C ends it early."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Final

from porting.bench.machine import machine
from porting.bench.memory import STACKED, keeps, named, stack, stack_modes
from porting.bench.modes import backend_of
from porting.bench.process import MEMORY, TIMING, NoAnswerError, Process
from porting.bench.ratio import NOISY
from porting.bench.result import Bench, Kept, Peak, Row, family_of, rows
from porting.bench.subjects import SUBJECTS, TWIN
from porting.pairs.pair import Pair
from porting.spec import Op

_LONGEST: Final = 1.0  # seconds that one call may take; larger sizes of such an op are left out
_UNSURE: Final = 8.0  # the same where only one size is known, so that what a call costs by itself counts as work
# Roughly, of all subjects of one op at one size, on a quiet machine; what is compiled is compiled for each of them.
_SECONDS: Final = {"torch-eager": 0.5, "torch-compile": 4.5, "tf-eager": 0.8, "tf-function": 1.0, "tf-xla": 1.6}


@dataclass(frozen=True)
class Asked:
    """What to measure.

    Attributes
    ----------
    ops : sequence of Op and Pair
        What; of a pair, each side by itself.
    sizes : sequence of int
        Elements of the largest input, ascending.
    modes : sequence of str
        Of `porting.bench.modes.MODES`.
    dtype, device : str
        Of all inputs; where.
    rounds : int
        How often each thing that is compared is timed.
    memory : bool
        Whether memory is measured too.
    noisy : float
        The spread beyond which a ratio says nothing.
    """

    ops: Sequence[Op | Pair]
    sizes: Sequence[int]
    modes: Sequence[str]
    dtype: str = "float32"
    device: str = "cpu"
    rounds: int = 15
    memory: bool = True
    noisy: float = NOISY

    def modes_at(self, backend: str, size: int) -> list[str]:
        """Return a framework's modes at a size: torch.compile, which takes seconds, only at the largest."""
        return [mode for mode in self.backends[backend] if mode != "compile" or size == max(self.sizes)]

    @property
    def backends(self) -> dict[str, list[str]]:
        """The modes by framework, without its name."""
        found: dict[str, list[str]] = {}
        for mode in self.modes:
            found.setdefault(backend_of(mode), []).append(mode.partition("-")[2])
        return found

    @property
    def stacked(self) -> list[tuple[Op, str]]:
        """The stacks whose peak is measured."""
        ops = [op for op in self.ops if isinstance(op, Op) and op.name == STACKED and self.memory]
        return [(op, mode) for op in ops for mode in stack_modes(self.modes)]

    @property
    def steps(self) -> int:
        """The number of measurements."""
        timings = sum(len(self.modes_at(backend, size)) for backend in self.backends for size in self.sizes)
        return (
            len(self.ops) * timings
            + self.memory * len(self.ops) * len(self.backends)
            + len(self.stacked) * len(SUBJECTS)
        )

    @property
    def minutes(self) -> float:
        """A rough estimate of the duration; most of it is compiling."""
        places = [(key, size) for key in self.backends for size in self.sizes]
        each = sum(_SECONDS[f"{key}-{mode}"] for key, size in places for mode in self.modes_at(key, size))
        seconds = each * len(self.ops)
        return (seconds + self.memory * len(self.ops) + 9 * len(self.stacked)) / 60


def bench(
    asked: Asked,
    *,
    command: str = "",
    missing: Mapping[str, str] = {},
    on_start: Callable[[int], None] = lambda _: None,
    on_result: Callable[[], None] = lambda: None,
) -> Bench:
    """Measure; Ctrl-C ends it with the results so far.

    Parameters
    ----------
    asked : Asked
        What.
    command, missing : str, mapping
        Kept in the result.
    on_start, on_result : callable
        Told how many measurements there will be, and when one is ready.
    """
    on_start(asked.steps)
    found: list[Row] = []
    kept: list[Kept] = []
    peaks: list[Peak] = []
    interrupted = False
    with ExitStack() as processes:
        timing = {key: processes.enter_context(Process(TIMING)) for key in asked.backends}
        memory = {key: processes.enter_context(Process(MEMORY)) for key in asked.backends}
        try:
            for stacked, mode in asked.stacked:  # first: a process that has measured cannot fork any more
                peaks.append(stack(memory[backend_of(mode)], stacked, mode, on_result=on_result))
            for op in asked.ops:
                for backend in asked.backends:
                    found += _sizes(timing[backend], op, backend, asked, on_result)
                    if asked.memory:
                        process = memory[backend] if backend == "tf" else timing[backend]  # PyTorch's hooks tell bytes
                        kept += filter(None, [keeps(process, op, backend, asked.dtype)])
                        on_result()
        except KeyboardInterrupt:
            interrupted = True
    facts = machine(list(asked.backends))
    return Bench(tuple(found), facts, command, asked.dtype, tuple(kept), tuple(peaks), missing, interrupted)


def timed(process: Process, op: Op | Pair, size: int, modes: Sequence[str], asked: Asked) -> list[Row]:
    """Time one op at one size in some modes of one framework.

    Raises
    ------
    NoAnswerError
        If the process gave no times.
    """
    backend = backend_of(modes[0])
    ask: dict[str, Any] = {"task": "time", "op": named(op), "backend": backend, "size": size}
    ask |= {"modes": [mode.partition("-")[2] for mode in modes]}
    ask |= {"dtype": asked.dtype, "rounds": asked.rounds, "device": asked.device}
    return rows(op, backend, size, process.ask(ask), asked.noisy)


def _sizes(process: Process, op: Op | Pair, backend: str, asked: Asked, on_result: Callable[[], None]) -> list[Row]:
    """Measure one op in one framework at each size, as long as one call does not take too long."""
    made: list[Row] = []
    known: list[tuple[int, float]] = []
    for size in asked.sizes:
        modes = asked.modes_at(backend, size)
        expected = expected_seconds(known, size)
        empty = [Row(op.name, family_of(op), f"{backend}-{mode}", size) for mode in modes]
        if expected > (_LONGEST if len(known) > 1 else _UNSURE):
            reason = f"left out: one call would take {'about' if len(known) > 1 else 'up to'} {expected:.0f} s"
            made += [replace(row, errors={TWIN: reason}) for row in empty]
        else:
            try:
                new = timed(process, op, size, [f"{backend}-{mode}" for mode in modes], asked)
                known.append((size, max((s for row in new for s in row.seconds.values()), default=0.0)))
                made += new
            except NoAnswerError as error:
                made += [replace(row, errors={TWIN: str(error)}) for row in empty]
        for _ in modes:
            on_result()
    return sorted(made, key=lambda row: asked.modes.index(row.mode))  # stable: the sizes stay in order


def expected_seconds(known: Sequence[tuple[int, float]], size: int) -> float:
    """Return the seconds of the slowest call at a size, on the line through the last two known sizes."""
    if not known:
        return 0.0
    (n1, t1), (n2, t2) = known[-2] if len(known) > 1 else (0, 0.0), known[-1]
    return t2 + (t2 - t1) / (n2 - n1) * (size - n2)
