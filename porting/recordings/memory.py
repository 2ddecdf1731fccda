"""The memory of one function: cases as they were drawn, its answers, and the results computed from them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache
from hashlib import blake2b
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from porting.errors import NotRecordedError, NoTruthError
from porting.runners import Case, Outcome, Raised
from porting.spec import Op

T = TypeVar("T")

_FIELDS: Final = fields(Case)
ALIKE: Final = 1e-12  # of the same number as two processors' exp and power compute it


class Memory(Protocol):
    """What an op remembers; `porting.subject.Subject.memory`."""

    def case(self, key: str, inputs: Any, make: Callable[[], Case]) -> Case:
        """Return a case as it was drawn; `inputs` are the inputs that it was made from, if they were given."""

    def once(self, key: str, case: Case, compute: Callable[[Case], T]) -> T:
        """Return a result that needs many answers about a case, such as a tolerance."""


class Recorder:
    """Remembers while a side is asked.

    Parameters
    ----------
    subject : Op, optional
        The op itself, without the recorder: it answers questions that need not be recorded.

    Attributes
    ----------
    cases : dict of str to list of Case
        The cases, by the code that asked for them; `Raised` in place of a case that could not be made.
    answers : dict of str to list of Outcome
        The answers, by the digest of the question; more than one if the side does not always give the same answer.
    computed : dict of str to object
        The results, by their name and the case that they were computed from.
    """

    def __init__(self, subject: Op | None = None) -> None:
        self.subject = subject
        self.cases: dict[str, list[Any]] = {}
        self.answers: dict[str, list[Outcome]] = {}
        self.computed: dict[str, Any] = {}
        self._silent = False

    @contextmanager
    def silent(self) -> Iterator[None]:
        """While this is open, record no answers."""
        before, self._silent = self._silent, True
        try:
            yield
        finally:
            self._silent = before

    def case(self, key: str, inputs: Any, make: Callable[[], Case]) -> Case:  # noqa: ARG002 - see Memory
        """Make a case and remember it."""
        known = self.cases.setdefault(key, [])
        try:
            case = make()
        except NoTruthError as reason:
            if not known:
                known.append(_refused(reason))
            raise
        digests = {digest(other) for other in known if isinstance(other, Case)}
        if digest(case) not in digests:
            known.append(case)
        return case

    def once(self, key: str, case: Case, compute: Callable[[Case], T]) -> T:
        """Compute and remember."""
        if key not in self.computed:
            with self.silent():
                try:
                    self.computed[key] = compute(case if self.subject is None else replace(case, op=self.subject))
                except NoTruthError as reason:
                    self.computed[key] = _refused(reason)
        found: T = _given(self.computed[key])
        return found

    def answer(self, case: Case, ask: Callable[[Case], Outcome], *, again: bool) -> Outcome:
        """Return the answer of a side, and record it; `again` asks the side even if it has answered before."""
        key = digest(case)
        known = self.answers.get(key, [])
        if known and not again:
            return known[0]
        outcome = ask(case)
        if not self._silent and not any(_same(outcome, other) for other in known):
            self.answers[key] = [*known, outcome]
        return outcome


class Recording:
    """Replays a memory, in the same process or another."""

    def __init__(self, recorder: Recorder, made_by: str) -> None:
        self._kept = recorder
        self._made_by = made_by
        self._asked: dict[str, int] = {}

    def case(self, key: str, inputs: Any, make: Callable[[], Case]) -> Case:
        """Return the case that was drawn for the recording, bit by bit: another processor may draw other numbers."""
        for case in self._kept.cases.get(key, []):
            if isinstance(case, Case):
                if inputs is None or _alike(inputs, case.inputs):
                    return case
            elif inputs is None:
                raise NoTruthError(case.message, case.stage)
        return make()

    def once(self, key: str, case: Case, compute: Callable[[Case], T]) -> T:  # noqa: ARG002 - see Memory
        """Return the recorded result."""
        if key not in self._kept.computed:
            raise NotRecordedError(f"the recording ({self._made_by}) has no tolerance for this case")
        found: T = _given(self._kept.computed[key])
        return found

    def answer(self, case: Case) -> Outcome:
        """Return the recorded answer; if there are several different ones, one after the other."""
        key = digest(case)
        known = self._kept.answers.get(key)
        if not known:
            raise NotRecordedError(f"the recording ({self._made_by}) has no answer to this case")
        turn = self._asked.get(key, 0)
        self._asked[key] = turn + 1
        return known[min(turn, len(known) - 1)]


def digest(case: Case) -> str:
    """Return the digest of a question: of everything in a case except its op."""
    found = blake2b(digest_size=16)

    def take(thing: Any) -> None:
        if isinstance(thing, np.ndarray):
            found.update(f"{_name(thing.dtype)}{thing.shape}".encode() + thing.tobytes())
        elif isinstance(thing, Case):
            for f in _FIELDS:
                value = getattr(thing, f.name)
                if f.name != "op" and value != f.default:  # a field that is added later changes no key
                    found.update(f.name.encode())
                    take(value)
        elif isinstance(thing, tuple):
            found.update(b"(")
            for part in thing:
                take(part)
        elif hasattr(thing, "items"):
            for name, value in sorted(thing.items()):
                found.update(name.encode())
                take(value)
        else:
            found.update(_text(thing).encode())

    take(case)
    return found.hexdigest()


def digest_of(arrays: Iterable[np.ndarray[Any, Any]]) -> str:
    """Return what identifies numbers, with their types and shapes."""
    found = blake2b()
    for x in arrays:
        found.update(f"{_name(x.dtype)}{x.shape}".encode() + x.tobytes())
    return found.hexdigest()


_name: Final = cache(str)  # of a type: NumPy makes it up each time


def statics_text(statics: Mapping[str, Any]) -> str:
    """Return statics as text that is the same in every process."""
    return f"[{', '.join(f'({name!r}, {_text(value)})' for name, value in sorted(statics.items()))}]"


def _text(value: Any) -> str:
    """Return a value's text; of a function its name, for the rest is where it lies in memory."""
    named = getattr(value, "__qualname__", None)
    return f"{value.__module__}:{named}" if named else repr(value)


def without_op(case: Case) -> Case:
    """Return a case without op and statics, which may be functions; the caller that reads the case adds them again."""
    return replace(case, op=None, statics={})  # type: ignore[arg-type]  # until then


def _given(kept: Any) -> Any:
    if isinstance(kept, Raised):
        raise NoTruthError(kept.message, kept.stage)
    return kept


def _refused(reason: NoTruthError) -> Raised:
    """Return what is kept where drawing or computing found no truth."""
    return Raised(reason.stage, "NoTruthError", str(reason), "")


def _same(a: Outcome, b: Outcome) -> bool:
    def flat(thing: Any) -> Any:
        if isinstance(thing, np.ndarray):
            return thing.dtype, thing.shape, thing.tobytes()
        if isinstance(thing, tuple | list):
            return [flat(part) for part in thing]
        return {k: flat(v) for k, v in thing.items()} if hasattr(thing, "items") else thing

    return all(flat(getattr(a, f.name)) == flat(getattr(b, f.name)) for f in fields(a))


def _alike(given: Any, kept: Any) -> bool:
    """Whether inputs are the same up to how exactly a processor computes."""
    return list(given) == list(kept) and all(
        x.dtype == kept[name].dtype
        and x.shape == kept[name].shape
        and (
            np.array_equal(x, kept[name], equal_nan=x.dtype.kind in "fc")
            or bool(np.allclose(x.astype(np.complex128), kept[name].astype(np.complex128), ALIKE, 0.0, equal_nan=True))
        )
        for name, x in given.items()
    )
