"""Other people's pairs: two functions that should be the same, with an oracle or without one."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeAlias

from porting.backends import BACKENDS
from porting.contract import Contract
from porting.dtypes import FLOATS
from porting.errors import PairError
from porting.notebook import html_of
from porting.pairs.array import COMPLEX, INTEGERS, Array, ensure_arguments, without_dots
from porting.pairs.guess import Guess
from porting.pairs.ops import PairOps
from porting.pairs.replay import Replay
from porting.pairs.turned import Order, ensure_orders
from porting.pairs.typed import narrowest, types_of
from porting.pairs.written import written_pair
from porting.runners import Runner
from porting.runners.seeded import SeededRunner
from porting.spec import Op
from porting.subject import Subject

Side: TypeAlias = Callable[..., Any] | str
_NAME: Final = '"package.module:function" or "path/to/file.py:function"'
_UNSAID: Final = "unsaid"


@dataclass(frozen=True)
class Pair:
    """Two implementations of one function, to be compared with each other.

    Parameters
    ----------
    torch, tf : callable or str, optional
        The two sides: a function of tensors, a subclass of ``torch.autograd.Function``, a module or layer, or the name
        of one, ``package.module:function`` or ``path/to/file.py:function``. One side alone is compared with differences
        of its own forward. The parameters of a module are inputs behind those of its forward.
    sides : mapping of str to callable or str
        The same by the names of the frameworks, ``{"torch": f, "tf": g}``, which other packages may add to, see
        `porting.backends`. Afterwards it holds all sides, whichever way they were given.
    oracle : Op or str, optional
        The truth: an op, see `porting.op`. Without one, each side's float64 run is the other's truth, and each side is
        compared with differences of its own forward too.
    inputs : mapping of name to array
        What to check with, in the order of the arguments, see `porting.array`. Read off the signature when not given:
        each argument without a default is an array of any shape. ``xs.0`` and ``xs.1`` are parts of an argument that is
        a list of tensors, ``state.h`` of one that is a dictionary.
    contract : Contract, optional
        What the pair promises; the op's own with an oracle.
    statics : mapping
        Python arguments with their values, passed by name; to the constructor, if a class of modules is given.
    weights : mapping of str to str
        Which parameter of the TensorFlow side, the value, is which of the PyTorch side, where names, order and shapes
        do not tell.
    surrogate_of : callable or str, optional
        A NumPy function whose derivative the gradient is meant to be.
    like : callable or str, optional
        The plain version that a side replaces, differentiated by its framework: the truth in float64. That is the
        framework of the side, or of the first one; of a name ``tf:…`` or ``torch:…`` the one that it begins with.
    reference : {"torch", "tf"}, optional
        The side that is being ported from: it is right, so only the other one is compared with it.
    rename : mapping of str to mapping
        For ``torch`` or ``tf``, what that side calls a static or an input that the pair, and the first side, call
        otherwise: ``{"tf": {"dim": "axis"}}``. Such as ``dim`` and ``axis``, ``eps`` and ``epsilon`` are known.
    axes : mapping of str to mapping
        For ``torch`` or ``tf``, the order in which that side has the axes of an input, or of ``output``, where it is
        another one than the pair's, and the first side's: ``{"tf": {"x": (0, 2, 3, 1), "output": (0, 2, 3, 1)}}``.
    python : mapping of str to str
        For ``torch`` or ``tf``, another interpreter, in which that side runs: a path, or a command of the search path.
        The side is given by name then; gradport need not be installed there.
    against : path, optional
        A recording of the other side, or of the oracle, see `porting.record`: it is the truth, and says what the
        inputs, the statics and the contract are.
    name : str
        What reports call it; the name of the first side when not given.

    Raises
    ------
    PairError
        If both sides are missing, or the arguments contradict each other.
    """

    torch: Side | None = _UNSAID  # so that `dataclasses.replace` can take a side away, torch=None
    tf: Side | None = _UNSAID
    oracle: Op | str | None = None
    inputs: Mapping[str, Array] = field(default_factory=dict)
    contract: Contract = field(default_factory=Contract)
    statics: Mapping[str, Any] = field(default_factory=dict)
    weights: Mapping[str, str] = field(default_factory=dict)
    surrogate_of: Callable[..., Any] | str | None = None
    like: Callable[..., Any] | str | None = None
    reference: str | None = None
    rename: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    axes: Mapping[str, Mapping[str, Order]] = field(default_factory=dict)
    python: Mapping[str, str] = field(default_factory=dict)
    against: Path | str | None = None
    name: str = ""
    sides: Mapping[str, Side] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what cannot be meant, and find a name."""
        given = self._given()
        for key, side in given.items():
            if not callable(side) and not (isinstance(side, str) and ":" in side):
                raise PairError(f"{key}={side!r} is neither a function nor {_NAME}")
        if self.against is not None:
            for name, value in self._replay.taken(self).items():
                object.__setattr__(self, name, value)
        if self.reference is not None and self.reference not in self.compared:
            raise PairError(f"reference={self.reference!r} is not a side of this pair ({', '.join(self.compared)})")
        if self.reference is not None and self.oracle is not None:
            raise PairError("with an oracle no side is the reference: give reference= or oracle=")
        self._ensure_alone()
        self._ensure_elsewhere()
        object.__setattr__(self, "inputs", without_dots(self.inputs))
        ensure_arguments(self.inputs, self.statics)
        ensure_orders(self.axes, self.inputs, [key for key in self.sides if key not in self.python])
        if not self.name:
            object.__setattr__(self, "name", _name_of(next(iter(given.values()))))

    def _given(self) -> Mapping[str, Side]:
        """Settle what the sides are: ``torch=`` and ``tf=`` say so, and ``sides=`` does, by the frameworks' names."""
        for key in self.sides:
            if key not in BACKENDS:
                raise PairError(f"sides={{{key!r}: …}}: no framework is called so; there are {', '.join(BACKENDS)}")
        said = {**self.sides, **{k: v for k, v in (("torch", self.torch), ("tf", self.tf)) if v is not _UNSAID}}
        given = {key: side for key in BACKENDS if (side := said.get(key)) is not None}
        if not given:
            raise PairError("a pair wants a side at least: torch=function or tf=function")
        for name, value in (("sides", given), ("torch", given.get("torch")), ("tf", given.get("tf"))):
            object.__setattr__(self, name, value)
        return given

    def _ensure_alone(self) -> None:
        """Refuse a second truth beside the plain version."""
        if self.like is None:
            return
        other = next((n for n in ("oracle", "against", "reference") if getattr(self, n) is not None), None)
        if other:
            raise PairError(f"like= says what is true, and so does {other}=: give one of the two")
        if not callable(self.like) and not (isinstance(self.like, str) and ":" in self.plain[1]):
            raise PairError(f"like={self.like!r} is neither a function nor {_NAME}, after tf: or torch: if it is there")

    def _ensure_elsewhere(self) -> None:
        for key in self.rename:
            if key not in self.sides or key in self.python:
                raise PairError(f"rename={{{key!r}: …}}: {key} is no side of this pair, or runs in another interpreter")
        for key in self.python:
            if not isinstance(self.sides.get(key), str):
                raise PairError(f"python={{{key!r}: …}}: give that side by name, {key}={_NAME}")

    def __hash__(self) -> int:
        """By identity: two pairs that look alike may load different functions."""
        return id(self)

    def __eq__(self, other: object) -> bool:
        """By identity."""
        return self is other

    def __getstate__(self) -> dict[str, Any]:
        """Travel without what was loaded here."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @property
    def in_catalogue(self) -> bool:
        """Whether this is an op of ours, with today's twins against its recorded oracle."""
        return self.against is not None and self.oracle is not None

    @property
    def compared(self) -> dict[str, Any]:
        """The sides that are compared, by backend: the given ones, and the recorded one as the name of the file."""
        if self.against is None or self._replay.truth not in BACKENDS:
            return dict(self.sides)
        both = {self._replay.truth: str(self.against), **self.sides}
        return {key: both[key] for key in BACKENDS if key in both}

    @property
    def first(self) -> str:
        """The side that names the inputs and statics, and says in which order they come."""
        return self.reference or next(iter(self.compared))

    @property
    def plain(self) -> tuple[str, Any]:
        """The backend of the plain version, and the function or its name."""
        if isinstance(self.like, str):
            key, _, name = self.like.partition(":")
            if key in BACKENDS and ":" in name:
                return key, name
        return next(iter(self.compared)), self.like

    @property
    def runners(self) -> tuple[str, ...]:
        """Who is asked: the oracle, if there is one, and the given sides."""
        return (*(["oracle"] if self.oracle is not None else []), *self.compared)

    @property
    def command(self) -> str:
        """The options that name this pair on a command line; empty if functions or a contract were given in Python."""
        return written_pair(self)

    @property
    def by_name(self) -> bool:
        """Whether all functions are given by name, so that a worker process can load them itself."""
        parts = (*self.compared.values(), self.oracle, self.surrogate_of, self.like)
        return all(part is None or isinstance(part, str) for part in parts)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that its recording was made with; none without a recording."""
        return () if self.against is None else self._replay.seeds

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The floating types to check in when none are asked for."""
        if self.against is not None:
            return self._replay.dtypes
        given = types_of(self.inputs)
        if len(given) > 1:
            return (narrowest(given),)
        return ("float32", "float64") if not given or "float64" in given else given

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        return html_of(self)

    def in_types(self, dtypes: Sequence[str]) -> tuple[str, ...]:
        """Return the floating types to check in: those that are asked for, unless inputs have several types.

        These can be compared in one type only, whatever is asked for; `described` says which.
        """
        several = len(types_of(self.inputs)) > 1
        return self.dtypes if several or not dtypes else tuple(dtypes)

    @property
    def widest(self) -> str:
        """The widest of these types."""
        return max(self.dtypes, key=FLOATS.index)

    @property
    def parameters(self) -> bool:
        """Whether a side is a module that holds parameters."""
        return bool(self._ops.modules)

    @property
    def apart(self) -> Mapping[str, Sequence[str]]:
        """By side, the frozen numbers that it draws for itself, where no other side could be given the same."""
        return self._ops.modules.apart

    def redrawn(self, side: str) -> AbstractContextManager[None]:
        """Have other numbers in the place of those while this is open."""
        return self._ops.modules.redrawn(side)

    @property
    def aside(self) -> Mapping[str, Any]:
        """The statics that the surrogate has and no side takes."""
        return self._ops.aside

    def only(self, *keys: str, **changes: Any) -> "Pair":
        """Return a pair of some of the given sides, with changes in what else is said, as of `dataclasses.replace`."""
        left = {key: side for key, side in self.sides.items() if key in keys}
        changes = {"axes": {key: orders for key, orders in self.axes.items() if key in keys}, **changes}
        return replace(self, sides=left, torch=left.get("torch"), tf=left.get("tf"), **changes)

    def guess(self) -> Guess | None:
        """Return what the inputs are, where nothing is said of them and a side refuses arrays of any shape."""
        return self._ops.guess

    @property
    def advice(self) -> str:
        """What to say of the inputs, where a side refuses what they are taken for, and no guess suits; else empty."""
        return self._ops.advice

    @property
    def refused(self) -> bool:
        """Whether all sides refuse what the inputs are taken for, and no guess suits: what raises is no fault then."""
        return self._ops.refused

    @property
    def refused_by_one(self) -> str:
        """What one side raises for the inputs that are described, if another one takes them; else empty."""
        return self._ops.refused_by_one

    def is_silent(self, side: str) -> bool:
        """Whether the signature of a side says nothing of what it takes: ``forward(ctx, *args)``."""
        return self._ops.is_silent(side)

    def statics_of(self, side: str) -> Mapping[str, Any]:
        """Return the statics without those that constructors of other sides take, and not this one's."""
        return self._ops.statics_of(side)

    @property
    def uncompared(self) -> list[str]:
        """A line for each number by default of whose gradient nothing is compared, with what compares it."""
        return self._ops.uncompared

    def on(self, runner: str) -> Subject:
        """Return the op to check on a runner: its truth is the oracle, the other side, or the side itself.

        Raises
        ------
        PairError, LoadError, SpecError
            If a function cannot be loaded, or does not take what it is given.
        """
        return self._ops.by_runner[runner]

    def alone(self, key: str, runner: Runner) -> Subject:
        """Return the op of one side with itself as the truth; the runner answers for it. For errors see `on`."""
        return self._ops.alone(key, runner)

    def in_common(self, runners: Mapping[str, SeededRunner]) -> dict[str, Subject]:
        """Return the ops of two sides that draw, by who gives them the same random numbers. For errors see `on`."""
        return self._ops.in_common(runners)

    def described(self, guessed: str = "") -> str:
        """Return the signature with the inputs as they were given, inferred or guessed, for people."""
        op = next(iter(self._ops.by_runner.values()))
        shapes = op.contract.shapes
        types = {name: a.dtype if (a := self.inputs.get(name)) else _TYPE for name in op.inputs}
        told = len({*types.values()} - {*INTEGERS}) > 1 or any(dtype in COMPLEX for dtype in types.values())
        titles = {name: f"{name} {types[name]}" if told else name for name in op.inputs}
        parts = [f"{titles[name]}[{', '.join(_written(n) for n in shapes.get(name, (...,)))}]" for name in op.inputs]
        parts += [f"{name}={value!r}{self._elsewhere(name)}" for name, value in op.settings(self.statics).items()]
        said = self.inputs or self.against is not None or self.oracle is not None
        how = "" if said else "   (read off the signature; --input says otherwise)"
        silent = [f"output {k}: compared as a value, without a gradient" for k in op.contract.nondiff]
        return "\n  ".join([f"{self.name}({', '.join(parts)}){how}{guessed}", *self._ops.lines(), *silent])

    def _elsewhere(self, name: str) -> str:
        """Return what the sides call a static, if they do not call it this, and another default that it has there."""
        found = [f"{key}: {said}" for (key, mine), said in self._ops.twins.otherwise.items() if mine == name]
        return f" ({', '.join(found)})" if found else ""

    @cached_property
    def answers(self) -> Mapping[str, Runner]:
        """Who answers for this pair alone: the other interpreters, and the recording."""
        recorded = self._replay.answers(self._ops.oracle) if self.against is not None else {}
        return {**self._ops.interpreters, **recorded}

    @cached_property
    def _replay(self) -> Replay:
        return Replay(Path(str(self.against)), self.name, list(self.sides))

    @cached_property
    def _ops(self) -> PairOps:
        return PairOps(self, self._replay if self.against is not None else None)


_TYPE = "float64"  # of an input of which nothing is said


def _name_of(side: Any) -> str:
    """Return the name of a function; of a lambda its place, of an object its class."""
    if isinstance(side, str):
        return side.rpartition(":")[2]
    name: str = getattr(side, "__name__", type(side).__name__)
    code = getattr(side, "__code__", None)
    return f"lambda at {Path(code.co_filename).name}:{code.co_firstlineno}" if name == "<lambda>" and code else name


def _written(length: Any) -> str:
    return "..." if length is ... else str(length)
