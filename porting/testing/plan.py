"""Plans the checks of a test: which can run here, why the others cannot, and which are known to differ."""

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from porting import registry
from porting.dtypes import FLOATS
from porting.pairs.pair import Pair
from porting.parity import known
from porting.parity.checks import checks
from porting.parity.plan import ALIASES, DEVICES, Task, UsageError, modes_on, plan, seed_for
from porting.runners import RUNNERS
from porting.spec import Op
from porting.testing.answer import absent
from porting.testing.asked import Asked
from porting.testing.check import Check


def planned(own: Asked, given: Asked) -> tuple[list[Check], list[str]]:
    """Return the checks that a test asks for, and the reasons why others cannot run here.

    Parameters
    ----------
    own, given : Asked
        What the test says, and what the options and the ini file say; they are used where the test says nothing.

    Raises
    ------
    porting.errors.PortingError
        If the request makes no sense.
    """
    ops = _ops(own.target)
    open_ = {name: getattr(given, name) for name in ("runners", "devices", "dtypes") if not getattr(own, name)}
    tasks, missing = _tasks(replace(own, **open_), ops)
    _ensure_meant(own, ops, tasks)
    seed = seed_for(ops, own.seed if own.seed is not None else given.seed)
    accepted = {task: _accepted(task, own.expected_failures) for task in tasks}
    sides: dict[tuple[object, ...], list[Task]] = {}
    for task in tasks:
        sides.setdefault(task.group, []).extend([] if accepted[task] else [task])
    return [Check(task, tuple(sides[task.group]), seed, accepted[task]) for task in tasks], missing


def _ops(target: Any) -> list[Op | Pair]:
    items = list(target) if isinstance(target, Iterable) and not isinstance(target, str | Op | Pair) else [target]
    if not items or not all(isinstance(item, str | Op | Pair) for item in items):
        raise UsageError(f"an op, a pair, a name of the catalogue or a list of them is wanted; got {target!r}")
    ops = [op for item in items for op in (registry.select([item]) if isinstance(item, str) else [item])]
    twice = [name for name, count in Counter(op.name for op in ops).items() if count > 1]
    if twice:
        raise UsageError(f"two targets are called {twice[0]!r}, and so would be their tests; say Pair(..., name=...)")
    return ops


def _tasks(asked: Asked, ops: Sequence[Op | Pair]) -> tuple[list[Task], list[str]]:
    wanted = list(asked.runners) or [k for k in RUNNERS if any(k in op.runners for op in ops)]
    here = [key for key in wanted if not all(key in op.answers for op in ops if key in op.runners)]
    missing = absent(here)
    there = [key for key in wanted if key not in here or not absent([key])]
    devices = {ALIASES.get(name, name) for name in asked.devices}
    for name in sorted(devices - set(DEVICES)):
        raise UsageError(f"no device is called {name!r}; there are: {', '.join(DEVICES)}")
    if not there:
        return [], missing
    usable = [_without_absent_sides(op) if isinstance(op, Pair) else op for op in ops]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of importing a framework are not the tests'
        found = plan(
            usable, runners=there, devices=(), modes=asked.modes, dtypes=asked.dtypes, only=asked.only, keyword=""
        )
    missing += [why for place, why in found.missing.items() if " " not in place or place.split()[1] in devices]
    return [t for t in found.tasks if not devices or t.runner == "oracle" or t.device in devices], missing


def _without_absent_sides(pair: Pair) -> Pair:
    """Let one side of a pair with an oracle be checked where the other one's framework is missing."""
    there = [key for key in pair.compared if key in pair.answers or not absent([key])]
    return pair.only(*there) if pair.oracle is not None and there and len(there) < len(pair.compared) else pair


def _ensure_meant(own: Asked, ops: Sequence[Op | Pair], tasks: Sequence[Task]) -> None:
    """Refuse an expected failure without a reason, or of a test that is neither here nor where everything is there."""
    for key, reason in own.expected_failures.items():
        if not isinstance(reason, str) or not reason.strip() or not key:
            raise UsageError(f"expected_failures[{key!r}]: a part of a test id and a reason are wanted; got {reason!r}")
        if not any(key in task.id for task in (*tasks, *_everywhere(own, ops))):
            like = next((task.id for task in (*tasks, *_everywhere(own, ops))), "none")
            raise UsageError(f"expected_failures[{key!r}] matches no test id; ids look like {like}")


def _everywhere(own: Asked, ops: Sequence[Op | Pair]) -> Iterator[Task]:
    """Yield the tasks that there would be if every framework and device were there."""
    for op in ops:
        dtypes = op.in_types(own.dtypes) if isinstance(op, Pair) else own.dtypes or FLOATS
        for name in own.only or checks():
            for runner in checks()[name].runners:
                if runner in (own.runners or RUNNERS) and runner in op.runners:
                    modes = modes_on(RUNNERS[runner], own.modes or ("eager",))
                    places = [(d, m, t) for d in own.devices or DEVICES for m in modes for t in dtypes]
                    yield from (Task(op, name, runner, *place) for place in places)


def _accepted(task: Task, expected: Mapping[str, str]) -> str:
    """Return why a task is known to differ, or nothing."""
    reasons = [reason for key, reason in expected.items() if key in task.id]
    if task.op.in_catalogue:
        today = datetime.now(UTC).date()
        valid = [entry for entry in known.load() if entry.expiry is None or entry.expiry >= today]
        reasons += [e.reason for e in valid if e.key == (task.op.name, task.check, task.runner)]
    return "; ".join(reasons)
