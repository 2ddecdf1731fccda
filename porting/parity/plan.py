"""Works out what to run: which checks of which ops on which runners, devices and types, and what cannot be compared."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, TypeAlias

from porting import registry
from porting.dtypes import FLOATS
from porting.errors import PortingError
from porting.pairs.pair import Pair
from porting.parity.checks import Check, checks
from porting.runners import RUNNERS, Runner, runner_of
from porting.runners.imports import uncollected
from porting.spec import Op

Target: TypeAlias = Op | Pair | str | Iterable[Op | Pair | str] | None
# As `Runner.devices` says; of a framework that cannot be imported, `BROKEN` with the reason.
Devices: TypeAlias = dict[Runner, Mapping[str, str | None]]
BROKEN: Final = ""  # in place of a device
DEVICES: Final = ("cpu", "gpu")
ALIASES: Final = {"cuda": "gpu", "mps": "gpu"}
ALL: Final = "all"  # for every mode of each runner
_IN_EVERY_MODE: Final = ("value", "vjp")
_LONGEST: Final = 300  # characters of why an import failed


class UsageError(PortingError, ValueError):
    """What was asked for does not exist here; the message says what was given, what is wanted, and what to do."""


class BrokenFrameworkError(UsageError):
    """A framework that was asked for is installed, and cannot be imported; `broken` has the reason for each."""

    def __init__(self, broken: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"runner {key}: {why}" for key, why in broken.items()))
        self.broken = broken


@dataclass(frozen=True)
class Task:
    """One check of one op on one runner, device, mode and dtype."""

    op: Op | Pair
    check: str
    runner: str
    device: str
    mode: str
    dtype: str
    quick: bool = False  # one everyday case is enough

    @property
    def group(self) -> tuple[Op | Pair, str, str, str]:
        """What is done in one go, and diagnosed together: one op on one runner, device and mode."""
        return self.op, self.runner, self.device, self.mode

    @property
    def target(self) -> str:
        """What names the op on a command line; empty for one that was made in Python."""
        if isinstance(self.op, Pair):
            return self.op.command
        return self.op.name if self.op.original is self.op else ""

    @property
    def id(self) -> str:
        """``swish-vjp-torch-cpu-float64``, as in test ids; the mode is added when it is not eager."""
        parts = [self.op.name, self.check, self.runner, self.device, self.dtype]
        return "-".join([*parts, *([] if self.mode == "eager" else [self.mode])])


@dataclass(frozen=True)
class Plan:
    """The tasks of a run, and what cannot be compared here with the reasons."""

    tasks: tuple[Task, ...]
    missing: dict[str, str]


def devices_here(runners: Sequence[Runner]) -> Devices:
    """Ask each runner in this process, which imports its framework; one that cannot be imported says why."""
    found: Devices = {}
    for runner in runners:
        try:
            with uncollected():
                found[runner] = runner.devices()
        except (ImportError, OSError, MemoryError) as error:
            said = " ".join(str(error).split())[:_LONGEST] or "out of memory"
            found[runner] = {BROKEN: f"{runner.title} is installed and cannot be imported ({said})"}
    return found


def plan(
    target: Target,
    *,
    runners: Sequence[str],
    devices: Sequence[str],
    modes: Sequence[str],
    dtypes: Sequence[str],
    only: Sequence[str],
    keyword: str,
    quick: bool = False,
    devices_of: Callable[[Sequence[Runner]], Devices] = devices_here,
) -> Plan:
    """Work out the tasks of `porting.check`, which says what the arguments mean and has their defaults.

    `devices_of` tells the devices of all runners at once.
    """
    ops, eager_alone = ops_of(target), set(modes) == {"eager"}
    modes = modes or ("eager",)
    for name in dtypes:
        ensure(name, "dtype", FLOATS)
    types = {op: op.in_types(dtypes) if isinstance(op, Pair) else tuple(dtypes) or FLOATS for op in ops}
    for name in only:
        ensure(name, "check", tuple(checks()))
    for name in modes:
        ensure(name, "mode", (*dict.fromkeys(m for r in RUNNERS.values() for m in r.modes), ALL))
    pairs = [op for op in ops if isinstance(op, Pair)]
    if not runners and len(pairs) == len(ops):
        runners = list(dict.fromkeys(key for pair in pairs for key in pair.runners))
    for key in runners:
        ensure(key, "runner", tuple(RUNNERS))
    places, missing = _places(ops, runners, [ALIASES.get(d, d) for d in devices], modes, devices_of)
    tasks = tuple(
        task
        for op in ops
        for runner, device in places[op]
        if runner in op.runners
        for mode in modes_on(runner_of(op, runner), modes)
        for there in [[dtype for dtype in types[op] if f"{runner} {device} {dtype}" not in missing]]
        for dtype in there
        for name, c in checks().items()
        if _concerns(c, op, runner) and (not only or name in only)
        if name in _IN_EVERY_MODE or mode in runner_of(op, runner).whole
        if not (c.graph and eager_alone) or name in only
        if not c.once or dtype == max(there, key=FLOATS.index)
        for task in [Task(op, name, runner, device, mode, dtype, quick)]
        if keyword in task.id
    )
    if keyword and not tasks:
        raise UsageError(f"no check matches -k {keyword!r}; ids look like my_elementwise-vjp-torch-cpu-float64")
    return Plan(tasks, missing)


def ops_of(target: Target) -> list[Op | Pair]:
    """Return the ops and pairs that are meant; all of the catalogue when nothing is said."""
    items = [] if target is None else [target] if isinstance(target, Op | Pair | str) else list(target)
    names, own = [i for i in items if isinstance(i, str)], [i for i in items if isinstance(i, Op | Pair)]
    if len(names) + len(own) < len(items):
        raise UsageError(f"check wants ops, pairs, or names of ops and families; got {target!r}")
    return [*(registry.select(names) if names or not own else []), *own]


def modes_on(runner: Runner, modes: Sequence[str]) -> tuple[str, ...]:
    """Return which of the modes that are asked for a runner has."""
    return runner.modes if ALL in modes else tuple(mode for mode in modes if mode in runner.modes)


def seed_for(ops: Iterable[Op | Pair], given: int | None) -> int:
    """Return the seed to check with: the given one, that of the recordings, or 0.

    Raises
    ------
    UsageError
        If a recording was made with other seeds.
    """
    recorded = {op: op.seeds for op in ops if isinstance(op, Pair) and op.against is not None}
    seed = next((seeds[0] for seeds in recorded.values()), 0) if given is None else given
    for pair, seeds in recorded.items():
        if seed not in seeds:
            known = ", ".join(map(str, seeds))
            raise UsageError(f"{pair.against}: {pair.name} was recorded with seed {known}, not with {seed}; say --seed")
    return seed


def _concerns(check: Check, op: Op | Pair, runner: str) -> bool:
    """Tell whether a runner has a check; today's oracle, beside its recording, is compared with it."""
    if runner == "oracle" and isinstance(op, Pair) and op.against is not None:
        return check.name in {"value", "vjp"}
    return runner in check.runners


def ensure(name: str, what: str, choices: Sequence[str]) -> None:
    """Raise a `UsageError` if a name is none of the choices; it says which there are."""
    if name not in choices:
        near = get_close_matches(name, choices, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f"no {what} is called {name!r}; {hint}there are: {', '.join(choices)}")


def installed(runners: Sequence[str] = ()) -> tuple[list[str], dict[str, str]]:
    """Return the runners to use, the given ones or all, and the reason for each that cannot run here.

    Raises
    ------
    UsageError
        If a given one is unknown or cannot run.
    """
    for key in runners:
        ensure(key, "runner", tuple(RUNNERS))
    return _usable({key: RUNNERS[key] for key in runners or RUNNERS}, named=bool(runners))


def _usable(who: Mapping[str, Runner], *, named: bool) -> tuple[list[str], dict[str, str]]:
    reasons = {key: runner.missing() for key, runner in who.items()}
    missing = {key: reason for key, reason in reasons.items() if reason}
    if named and missing:
        raise UsageError("; ".join(f"runner {key}: {reason}" for key, reason in missing.items()))
    return [key for key, reason in reasons.items() if not reason], missing


def _places(
    ops: Sequence[Op | Pair],
    runners: Sequence[str],
    devices: Sequence[str],
    modes: Sequence[str],
    devices_of: Callable[[Sequence[Runner]], Devices],
) -> tuple[dict[Op | Pair, list[tuple[str, str]]], dict[str, str]]:
    """Return where each op runs, and the reason for each runner, device or mode that is not there."""
    for device in devices:
        ensure(device, "device", DEVICES)
    who: dict[Op | Pair, dict[str, Runner]] = {}
    usable: dict[tuple[Runner, ...], tuple[list[str], dict[str, str]]] = {}  # asked once of those who answer for many
    for op in ops:
        keys = [key for key in runners or RUNNERS if key in op.runners] or list(runners)
        who[op] = {key: runner_of(op, key) for key in keys}
        answering = tuple(who[op].values())
        if answering not in usable:
            usable[answering] = _usable(who[op], named=bool(runners))
    asked = {who[op][key]: None for op in ops for key in usable[tuple(who[op].values())][0]}
    there = devices_of(list(asked))
    broken = {runner.key: why for runner, known in there.items() if (why := known.get(BROKEN))}
    if runners and broken:
        raise BrokenFrameworkError(broken)
    missing: dict[str, str] = {}
    found: dict[tuple[Runner, ...], list[tuple[str, str]]] = {}
    for op in ops:
        answering = tuple(who[op].values())
        if answering not in found:
            keys, absent = usable[answering]
            found[answering], elsewhere = _devices({key: there[who[op][key]] for key in keys}, absent, devices)
            missing |= absent | elsewhere
        for key in dict.fromkeys(key for key, _ in found[answering] if key != "oracle"):
            if not modes_on(who[op][key], modes):
                missing[key] = f"{who[op][key].title} has no mode {' or '.join(modes)}"
    return {op: found[tuple(who[op].values())] for op in ops}, missing


def _devices(
    there: Mapping[str, Mapping[str, str | None]], absent: Mapping[str, str], devices: Sequence[str]
) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Return the (runner, device) pairs to run on, and the reason for each device that is not there."""
    places: list[tuple[str, str]] = []
    missing: dict[str, str] = {}
    for key, known in there.items():
        for device, reason in known.items():
            if devices and device.partition(" ")[0] not in {*devices, BROKEN} and key != "oracle":
                continue
            if reason:
                missing[f"{key} {device}".strip()] = reason
            else:
                places.append((key, device))
    oracle_only = {*there, *absent} == {"oracle"}
    for device in devices:
        if not any(place == device for key, place in places if key != "oracle" or oracle_only):
            all_missing = {**absent, **missing}
            reasons = [f"{k}: {reason}" for k, reason in all_missing.items() if k.endswith(device) or " " not in k]
            raise UsageError(f"no device {device} here ({'; '.join(reasons) or 'no runner has it'})")
    return places, missing
