"""Other people's pairs: two functions that should be the same, with an oracle or without one."""

import inspect
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

from porting.contract import Contract
from porting.dtypes import FLOATS
from porting.errors import PairError
from porting.loading import load
from porting.pairs.array import COMPLEX, Array, ensure_arguments
from porting.pairs.replay import Replay
from porting.pairs.stand_in import standing_in
from porting.runners import Runner, runner_of
from porting.runners.interpreter import InterpreterRunner
from porting.runners.side import WANTED, as_twin, given, parameters_of
from porting.spec import BACKENDS, Op

_NAME = '"package.module:function" or "path/to/file.py:function"'


@dataclass(frozen=True)
class Pair:
    """Two implementations of one function, to be compared with each other.

    Parameters
    ----------
    torch, tf : callable or str, optional
        The two sides: a function of tensors, a subclass of ``torch.autograd.Function``, or the name of one,
        ``package.module:function`` or ``path/to/file.py:function``. One side alone is compared with differences of its
        own forward.
    oracle : Op or str, optional
        The truth: an op, see `porting.op`. Without one, each side's float64 run is the other's truth, and each side is
        compared with differences of its own forward too.
    inputs : mapping of name to array
        What to check with, in the order of the arguments, see `porting.array`. Read off the signature when not given:
        each argument without a default is an array of any shape.
    contract : Contract, optional
        What the pair promises; the op's own with an oracle.
    statics : mapping
        Python arguments with their values, passed by name.
    surrogate_of : callable or str, optional
        A NumPy function whose derivative the gradient is meant to be.
    reference : {"torch", "tf"}, optional
        The side that is being ported from: it is right, so only the other one is compared with it.
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

    torch: Callable[..., Any] | str | None = None
    tf: Callable[..., Any] | str | None = None
    oracle: Op | str | None = None
    inputs: Mapping[str, Array] = field(default_factory=dict)
    contract: Contract = field(default_factory=Contract)
    statics: Mapping[str, Any] = field(default_factory=dict)
    surrogate_of: Callable[..., Any] | str | None = None
    reference: str | None = None
    python: Mapping[str, str] = field(default_factory=dict)
    against: Path | str | None = None
    name: str = ""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant, and find a name."""
        given = {key: side for key in BACKENDS if (side := getattr(self, key)) is not None}
        if not given:
            raise PairError("a pair wants a side at least: torch=function or tf=function")
        for key, side in given.items():
            if not callable(side) and not (isinstance(side, str) and ":" in side):
                raise PairError(f"{key}={side!r} is neither a function nor {_NAME}")
        if self.against is not None:
            for name, value in self._replay.taken(self).items():
                object.__setattr__(self, name, value)
        if self.reference is not None and self.reference not in self.sides:
            raise PairError(f"reference={self.reference!r} is not a side of this pair ({', '.join(self.sides)})")
        if self.reference is not None and self.oracle is not None:
            raise PairError("with an oracle no side is the reference: give reference= or oracle=")
        self._ensure_elsewhere()
        ensure_arguments(self.inputs, self.statics)
        if not self.name:
            side = next(iter(given.values()))
            named = side.rpartition(":")[2] if isinstance(side, str) else getattr(side, "__name__", "pair")
            object.__setattr__(self, "name", named)

    def _ensure_elsewhere(self) -> None:
        for key in self.python:
            if not isinstance(getattr(self, key, None), str):
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
    def sides(self) -> dict[str, Any]:
        """The sides by backend; a recorded one is the name of the file."""
        given = {key: getattr(self, key) for key in BACKENDS if getattr(self, key) is not None}
        if self.against is None or self._replay.truth not in BACKENDS:
            return given
        return {key: given.get(key, str(self.against)) for key in BACKENDS if key in {*given, self._replay.truth}}

    @property
    def runners(self) -> tuple[str, ...]:
        """Who is asked: the oracle, if there is one, and the given sides."""
        return (*(["oracle"] if self.oracle is not None else []), *self.sides)

    @property
    def command(self) -> str:
        """The options that name this pair on a command line; empty if functions or a contract were given in Python."""
        if self.in_catalogue:
            return f"{self.name} --against {shlex.quote(str(self.against))}"
        if not self.by_name or (self.contract != Contract() and self.against is None):
            return ""
        if self.against is not None:
            named = {key: getattr(self, key) for key in BACKENDS} | {"against": self.against}
            named |= {f"{key}-python": path for key, path in self.python.items()}
            return shlex.join(word for option, value in named.items() if value for word in (f"--{option}", str(value)))
        named = {**self.sides, "oracle": self.oracle, "surrogate-of": self.surrogate_of, "reference": self.reference}
        named |= {f"{key}-python": path for key, path in self.python.items()}
        words = [word for option, value in named.items() if value for word in (f"--{option}", str(value))]
        words += [word for name, a in self.inputs.items() for word in ("--input", f"{name}={a}")]
        words += [word for name, value in self.statics.items() for word in ("--static", f"{name}={value!r}")]
        return shlex.join(words)

    @property
    def by_name(self) -> bool:
        """Whether all functions are given by name, so that a worker process can load them itself."""
        parts = (*self.sides.values(), self.oracle, self.surrogate_of)
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
        given = {a.dtype for a in self.inputs.values() if a.dtype in FLOATS}
        return ("float32", "float64") if not given or "float64" in given else tuple(sorted(given, key=FLOATS.index))

    def on(self, runner: str) -> Op:
        """Return the op to check on a runner: its truth is the oracle, the other side, or the side itself.

        Raises
        ------
        PairError, LoadError, SpecError
            If a function cannot be loaded, or does not take what it is given.
        """
        return self._ops[runner]

    def described(self) -> str:
        """Return the signature with the inputs as they were given or inferred, for people."""
        op = next(iter(self._ops.values()))
        shapes = op.contract.shapes
        parts = [f"{name}[{', '.join(_written(n) for n in shapes.get(name, (...,)))}]" for name in op.inputs]
        parts += [f"{name}={value!r}" for name, value in op.settings(self.statics).items()]
        how = (
            ""
            if self.inputs or self.against is not None or isinstance(self._oracle, Op)
            else "   (read off the signature; --input says otherwise)"
        )
        return f"{self.name}({', '.join(parts)}){how}"

    @cached_property
    def _oracle(self) -> Op | None:
        if not isinstance(self.oracle, str):
            return self.oracle
        found = load(self.oracle, "oracle")
        if not isinstance(found, Op):
            raise PairError(
                f"oracle {self.oracle} is no op: decorate the NumPy function with @porting.op and give its gradient "
                f"with @{getattr(found, '__name__', 'function')}.defvjp"
            )
        return found

    @cached_property
    def answers(self) -> Mapping[str, Runner]:
        """Who answers for this pair alone: the other interpreters, and the recording."""
        return {**self._interpreters, **(self._replay.answers(self._oracle) if self.against is not None else {})}

    @cached_property
    def _interpreters(self) -> dict[str, InterpreterRunner]:
        return {key: InterpreterRunner(key, path, self.sides[key]) for key, path in self.python.items()}

    @cached_property
    def _replay(self) -> Replay:
        return Replay(Path(str(self.against)), self.name, [key for key in BACKENDS if getattr(self, key) is not None])

    @cached_property
    def _functions(self) -> dict[str, Callable[..., Any]]:
        return {key: _function(side, key) for key, side in self.sides.items() if key not in self.answers}

    @cached_property
    def _ops(self) -> dict[str, Op]:
        """One op per runner."""
        if self.against is not None:
            return self._replayed(self._replay)
        if self._oracle is not None:
            return self._with_oracle(self._oracle)
        inputs, statics = self._arguments(self.reference or next(iter(self.sides)))
        contract = self._promise()
        twins = {k: given(as_twin(k, f, inputs, statics), self.statics) for k, f in self._functions.items()}
        ops = {}
        for key in self.sides:
            others = [k for k in self.sides if k != key]
            truth = key if self.reference == key or not others else others[0]
            op = standing_in(self.name, truth, runner_of(self, truth), inputs, statics, contract, twins)
            ops[key] = self._answered(op, self.statics)
        return ops

    def _replayed(self, replay: Replay) -> dict[str, Op]:
        """Return the op whose truth is recorded, with the given sides as its twins."""
        contract = self._oracle.contract if self._oracle else self._promise()
        op = replay.op(self._oracle, contract)
        for key, function in self._functions.items():
            replay.ensure_order(key, function)
        fixed = {} if self._oracle else replay.statics
        twins = {k: as_twin(k, f, op.inputs, op.statics) for k, f in self._functions.items()}
        op = op.bind(**{k: given(twin, fixed) for k, twin in twins.items()})
        return dict.fromkeys(("oracle", *self.sides), self._answered(op, fixed))

    def _answered(self, op: Op, fixed: Mapping[str, Any]) -> Op:
        """Have an op answered by the other interpreters too."""
        for runner in self._interpreters.values():
            runner.bind(op.inputs, op.wrt, op.settings({}), fixed)
        op.answers = self.answers
        return op

    def _with_oracle(self, oracle: Op) -> dict[str, Op]:
        if self.contract != Contract():
            raise PairError(f"the oracle {oracle.name} has a contract of its own: say what the pair promises there")
        if self.inputs and tuple(self.inputs) != oracle.inputs:
            raise PairError(f"the inputs are {', '.join(self.inputs)}, but the oracle takes {', '.join(oracle.inputs)}")
        for name in self.statics:
            if name not in oracle.statics:
                raise PairError(f"static {name}: the oracle {oracle.name} has no such argument")
        promise = replace(oracle.contract, **_claims(oracle.contract, self.inputs), **_examples(oracle, self.statics))
        statics = dict(oracle.statics)
        twins = {k: as_twin(k, f, oracle.inputs, statics) for k, f in self._functions.items()}
        bound = Op(oracle.value, promise, twins)
        bound.rule, bound.name = oracle.rule, self.name
        return dict.fromkeys(("oracle", *self.sides), self._answered(bound, {}))

    def _arguments(self, key: str) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Return the inputs and statics: those given, else what the signature says."""
        try:
            elsewhere = self._interpreters.get(key)
            named = elsewhere.parameters() if elsewhere else parameters_of(key, self._functions[key])
        except PairError:
            if not self.inputs:
                raise
            named = {}
        inputs = tuple(self.inputs) or tuple(n for n, d in named.items() if d is inspect.Parameter.empty)
        named = {name: default for name, default in named.items() if name not in inputs}
        inputs = tuple(name for name in inputs if name not in self.statics)
        if not inputs:
            raise PairError(f"{key}: no input can be read off the signature; {WANTED}")
        defaults = {n: d for n, d in named.items() if d is not inspect.Parameter.empty and _is_plain(d)}
        return inputs, {**defaults, **self.statics}

    def _promise(self) -> Contract:
        contract = replace(self.contract, **_claims(self.contract, self.inputs))
        if self.surrogate_of is None:
            return contract
        if contract.gradient_of is not None:
            raise PairError("surrogate_of and contract.gradient_of say the same: give one of the two")
        return replace(contract, gradient_of=_function(self.surrogate_of, "surrogate_of"))


def _function(given: Any, what: str) -> Callable[..., Any]:
    """Return a function that was given, or load the one that was named."""
    found: Callable[..., Any] = load(given, what) if isinstance(given, str) else given
    if not callable(found):
        raise PairError(f"{what} {given} is of type {type(found).__name__}: a function is wanted")
    return found


def _claims(contract: Contract, inputs: Mapping[str, Array]) -> dict[str, Any]:
    """Return what the described inputs add to a contract."""
    domains = {name: a.domain for name, a in inputs.items() if a.domain is not None}
    shapes = {name: a.shape for name, a in inputs.items() if a.shape != (...,)}
    complexes = any(a.dtype in COMPLEX for a in inputs.values())
    return {
        "domain": {**contract.domain, **domains},
        "shapes": {**contract.shapes, **shapes},
        "complex": contract.complex or complexes,
    }


def _examples(oracle: Op, statics: Mapping[str, Any]) -> dict[str, Any]:
    return {"statics": {**oracle.contract.statics, **{name: (value,) for name, value in statics.items()}}}


def _is_plain(default: Any) -> bool:
    """Tell whether a default is a Python value that a static can have."""
    return default is None or isinstance(default, bool | int | float | str | tuple | FunctionType)


def _written(length: Any) -> str:
    return "..." if length is ... else str(length)
