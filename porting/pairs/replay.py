"""What a recording says of the pair that it is one side of."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from porting.backends import BACKENDS
from porting.contract import Contract
from porting.errors import PairError
from porting.pairs.parse import parse_input
from porting.pairs.stand_in import standing_in
from porting.pairs.weights import Listed, Parameter
from porting.recordings import contract
from porting.recordings.file import RecordingError, read_header, read_part
from porting.recordings.memory import Recording
from porting.recordings.runner import Bound, RecordingRunner
from porting.runners import RUNNERS, Runner
from porting.runners.side import parameters_of
from porting.runners.tree import unpack
from porting.spec import Op
from porting.subject import Subject

ELSEWHERE = "recording"  # who has the truth where both sides are of one framework


class Replay:
    """One function of a recording.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    name : str
        Which function, if it holds several.
    sides : sequence of str
        The sides that are checked against it.

    Raises
    ------
    RecordingError
        If the file cannot be used, or holds no such function.
    """

    def __init__(self, path: Path, name: str, sides: Sequence[str]) -> None:
        self._path = path
        self._header = read_header(path)
        self._number, self._about = _chosen(path, self._header["parts"], name)
        self.key: str = self._about["side"]["key"]
        self.truth = ELSEWHERE if self.key in sides else self.key
        self.statics: dict[str, Any] = unpack(self._about["statics"], [].__getitem__)
        self.given: dict[str, Any] = unpack(self._about["given"], [].__getitem__)
        self.inputs: tuple[str, ...] = tuple(self._about["inputs"])
        self.dtypes: tuple[str, ...] = tuple(self._about["dtypes"])
        self.seeds: tuple[int, ...] = tuple(self._about["seeds"])

    def taken(self, pair: Any) -> dict[str, Any]:
        """Return what a pair takes from the recording.

        Raises
        ------
        PairError
            If it was given something else.
        """
        about = self._about
        found = {
            "inputs": dict(parse_input(f"{n}={text}") for n, text in about.get("described", {}).items()),
            "statics": self.given,
            "surrogate_of": about.get("surrogate_of"),
        }
        for name, recorded in found.items():
            given = getattr(pair, name)
            if given and given != recorded and not _within(given, recorded):
                raise PairError(f"{self._path} was recorded with {name} {_shown(recorded)}; given is {_shown(given)}")
        if pair.oracle is not None and self.key != "oracle":
            raise PairError(f"the recorded side, {self.key}, is the truth: leave oracle= out")
        if pair.contract != Contract():
            raise PairError(f"{self._path} has a contract of its own: leave contract= out")
        if pair.reference not in (None, self.key):
            raise PairError(f"the recorded side, {self.key}, is the reference: leave reference= out")
        if self.key != "oracle":
            found["contract"] = contract.read(about["contract"])
        if self.truth in BACKENDS:
            found["reference"] = self.key
        return {**found, "name": about["name"]}

    def answers(self, today: Op | None) -> dict[str, Runner]:
        """Return who answers: the recording; for the oracle of the catalogue, today's."""
        if self.key != "oracle":
            return {self.truth: cast("Runner", self._runner)}
        return {} if today is None else {"oracle": cast("Runner", Bound(RUNNERS["oracle"], today))}

    def op(self, today: Op | None, promise: Contract) -> Subject:
        """Return the op whose truth is the recording.

        Raises
        ------
        RecordingError
            If the contract of an op of the catalogue has changed since.
        """
        if self.key == "oracle":
            recorded = self._about["contract"]
            now = contract.written(today.contract) if today else recorded
            changed = sorted(name for name in {*now, *recorded} if repr(now.get(name)) != repr(recorded.get(name)))
            if changed or (today and today.inputs != self.inputs):
                what = ", ".join(changed) or "its inputs"
                raise RecordingError(f"{self._path}: {self._about['name']} has changed since ({what}); record it again")
            promise = promise if today else contract.read(recorded)
        without = {name: inspect.Parameter.empty for name in promise.statics if name not in self.statics}
        op = standing_in(
            self._about["name"], self.truth, cast("Runner", self._runner),
            self.inputs, {**without, **self.statics}, promise, {},
        )  # fmt: skip
        op.memory = self._recording
        op.answers = self.answers(today)
        op.stands_for = today
        op.family = today.family if today else op.family
        return op

    def ensure_order(self, key: str, function: Callable[..., Any]) -> None:
        """Refuse a function that takes the recorded inputs in another order.

        Raises
        ------
        PairError
            If it does.
        """
        try:
            names = [name for name in parameters_of(key, function) if name in self.inputs]
        except PairError:  # no signature to read
            return
        if len(names) == len(self.inputs) and tuple(names) != self.inputs:
            wanted = ", ".join(self.inputs)
            raise PairError(f"{key}: takes ({', '.join(names)}); {self._path} was recorded for ({wanted})")

    @property
    def listed(self) -> Listed:
        """Its inputs, with the shapes that do not vary: some may be a module's parameters."""
        shapes = contract.read(self._about["contract"]).shapes
        fixed = {n: shape for n, shape in shapes.items() if all(isinstance(length, int) for length in shape)}
        return Listed("recording", self._about["name"], tuple(Parameter(n, fixed.get(n)) for n in self.inputs))

    @cached_property
    def _recording(self) -> Recording:
        return Recording(read_part(self._path, self._number), f"gradport {self._header['gradport']}")

    @cached_property
    def _runner(self) -> RecordingRunner:
        return RecordingRunner(self._about["side"], self._recording)


def recorded_oracles(path: Path) -> list[str]:
    """Return the names of the ops of the catalogue whose oracles a recording holds.

    Raises
    ------
    RecordingError
        If it cannot be used, or holds a function of somebody's own.
    """
    parts = read_header(path)["parts"]
    for about in parts:
        if about["side"]["key"] != "oracle":
            name = about["name"]
            raise RecordingError(f"{path}: holds {name}: which function is checked against it? Give --torch or --tf")
    return [about["name"] for about in parts]


def _chosen(path: Path, parts: Sequence[Any], name: str) -> tuple[int, Any]:
    found = [(n, about) for n, about in enumerate(parts) if len(parts) == 1 or about["name"] == name]
    if not found:
        names = ", ".join(about["name"] for about in parts)
        raise RecordingError(f"{path}: holds {len(parts)} functions ({names}); record the one to check against alone")
    return found[0]


def _within(given: Any, recorded: Any) -> bool:
    """Whether what was given is part of what was recorded, as some of the statics are."""
    return isinstance(given, Mapping) and isinstance(recorded, Mapping) and given.items() <= recorded.items()


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={part}" for name, part in value.items()) or "(none)"
    return str(value) if value else "(none)"
