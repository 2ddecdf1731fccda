"""The ops that the sides of a pair are checked as."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, TypeAlias, cast

import numpy as np

from porting.backends import BACKENDS
from porting.contract import Contract
from porting.errors import PairError, PortingError
from porting.loading import load
from porting.pairs.absent_arrays import absent_arrays
from porting.pairs.arguments import Arguments, lists_of
from porting.pairs.array import COMPLEX, INTEGERS, Array, array
from porting.pairs.chosen import chosen, texts_wanted
from porting.pairs.constructed import Loaded, constructed, lacking, lengths_of, taken_by
from porting.pairs.either_sign import of_either_sign, signed, solve
from porting.pairs.guess import Guess, Saying
from porting.pairs.guessed import advice, guess
from porting.pairs.keyed import dictionaries, said_of, with_keys
from porting.pairs.lengths import with_inputs_as_said
from porting.pairs.modules import Modules
from porting.pairs.names import takes
from porting.pairs.numbers_in_order import numbers_in_order
from porting.pairs.other_texts import other_texts
from porting.pairs.promise import function_of, promised, promised_by
from porting.pairs.replay import Replay
from porting.pairs.said import called, said_by
from porting.pairs.said_by_keys import Keyed
from porting.pairs.stand_in import standing_in
from porting.pairs.suitable import answers_of, raised_by, refused_by_all, refused_by_one
from porting.pairs.told import told
from porting.pairs.twins import Twins
from porting.pairs.typed import own_types, typed
from porting.pairs.uncompared import uncompared
from porting.pairs.weights import Listed, Parameter
from porting.pairs.where_they_agree import where_they_agree
from porting.runners import RUNNERS, Runner, runner_of
from porting.runners.interpreter import InterpreterRunner
from porting.runners.plain import PlainRunner
from porting.runners.seeded import SeededRunner
from porting.runners.side import behind_apply, left_out_by, parameters_of
from porting.spec import Op
from porting.subject import Subject

_Around: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]
_DRAWS: Final = 6  # of each kind of lengths, which show whose signs are free, and along which axis


class PairOps:
    """Loads the functions of a pair and makes the op of each runner.

    Parameters
    ----------
    pair : porting.Pair
        The pair.
    replay : Replay, optional
        What its recording says, if it is checked against one.
    trying : bool
        Whether the inputs are a guess.
    """

    def __init__(self, pair: Any, replay: Replay | None, *, trying: bool = False) -> None:
        self.pair = pair
        self.replay = replay
        self._trying = trying

    @cached_property
    def oracle(self) -> Op | None:
        """The oracle, loaded if it was named."""
        if not isinstance(self.pair.oracle, str):
            given: Op | None = self.pair.oracle
            return given
        found = load(self.pair.oracle, "oracle")
        if not isinstance(found, Op):
            raise PairError(
                f"oracle {self.pair.oracle} is no op: decorate the NumPy function with @porting.op and give its "
                f"gradient with @{getattr(found, '__name__', 'function')}.defvjp"
            )
        return found

    @cached_property
    def interpreters(self) -> dict[str, InterpreterRunner]:
        """The other interpreters by side."""
        return {key: InterpreterRunner(key, path, self.pair.compared[key]) for key, path in self.pair.python.items()}

    @cached_property
    def _loaded(self) -> dict[str, Loaded]:
        return {key: constructed(key, given, self.pair.statics) for key, given in self._given.items()}

    @cached_property
    def _given(self) -> dict[str, Any]:
        here = {key: side for key, side in self.pair.compared.items() if key not in self.pair.answers}
        return {key: behind_apply(function_of(side, key)) for key, side in here.items()}

    @cached_property
    def _functions(self) -> dict[str, Callable[..., Any]]:
        return {key: loaded.function for key, loaded in self._loaded.items()}

    @cached_property
    def modules(self) -> Modules:
        """What the sides that are modules hold."""
        others = [
            Listed(key, "the function", tuple(Parameter(name, None) for name in runner.parameters()))
            for key, runner in self.interpreters.items()
            if any(loaded.kind for loaded in self._loaded.values())
        ]
        if self.replay is not None and self.oracle is None:
            others.append(self.replay.listed)
        elif self.oracle is not None:
            others.append(Listed("oracle", "the oracle", tuple(Parameter(n, None) for n in self.oracle.inputs)))
        return Modules(self.pair, self._sides, others, self.aside, trying=self._trying)

    @cached_property
    def twins(self) -> Twins:
        """How each side is called."""
        return Twins(self.pair, self._sides, self.modules)

    @property
    def _sides(self) -> dict[str, Loaded]:
        """The sides of this process, and the plain version."""
        return {**self._loaded, **({"like": self._like} if self.pair.like is not None else {})}

    @cached_property
    def types(self) -> Mapping[str, str]:
        """The types of those inputs that have one of their own, unless a side takes them in one type only."""
        types = own_types(self.pair.inputs)
        if not types or self._is_elsewhere:
            return {}
        return types if self._all_answer(types) or not self._all_answer({}) else {}

    @cached_property
    def vectors(self) -> Mapping[int, int]:
        """The outputs that are vectors of either sign, as of an eigenproblem, with the axis along which one lies."""
        alone = len(self.pair.compared) < 2 and self.pair.like is None
        if self._trying or self._is_elsewhere or self.oracle is not None or alone or not solve(self._given.values()):
            return {}
        found = PairOps(self.pair, None)
        found.types, found.vectors = self.types, {}
        return of_either_sign(
            [list(answers_of(self.pair, *one, times=_DRAWS)) for one in found._asked(self.pair).values()]
        )

    @property
    def _is_elsewhere(self) -> bool:
        """Whether a side cannot be wrapped here: it is recorded, or runs in another interpreter."""
        return self.replay is not None or bool(self.pair.python)

    def lines(self) -> list[str]:
        """Return what is said of types, of parameters, and of what is not compared."""
        types, compared = own_types(self.pair.inputs), " and ".join(self.pair.dtypes)
        why = (
            "with a side that is recorded or runs elsewhere" if self._is_elsewhere else "because a side raises for that"
        )
        how = "each side is given them so" if self.types else f"all are given one type, {why}"
        said = ", ".join(f"{name} is {dtype}" for name, dtype in types.items())
        left = {key: left_out_by(op.bound(key)) for key, op in self.by_runner.items()}
        return [
            *([f"{said}: {how}; compared in {compared}"] if types else []),
            *(f"{key}: {', '.join(n)} left out: backward returns no gradient for it" for key, n in left.items() if n),
            *_of_vectors(self.vectors),
            *self.twins.by_default(),
            *self._switched(),
            *other_texts(self._functions.values(), self._left_at, self.pair.statics),
            *self.modules.lines(self.twins.told),
            *(
                f"{name}: left at its default, so no gradient by it is compared; {self._with(name, shape)} compares it"
                for name, shape in self._arguments.arrays_by_default().items()
            ),
            *(
                f"{n}: None alone is compared, the source has a branch for another; an array is given as in"
                f" {self._with(n, (...,))}, anything else by --static {n}=VALUE"
                for n in absent_arrays(self._functions.values(), self._left_at, self.pair.statics)
            ),
        ]

    def _switched(self) -> Iterator[str]:
        """Yield which settings of imported files do not hold in the calls of a side."""
        for key in () if self._is_elsewhere else self.pair.compared:
            if said := BACKENDS[key].tensors.switched():
                yield f"{key}: {said}"

    @property
    def _left_at(self) -> Mapping[str, Any]:
        """The arguments that are no inputs, with what they are by default."""
        return next(iter(self.by_runner.values())).settings({})

    def _with(self, name: str, shape: Sequence[Any]) -> str:
        """Return the options that describe the inputs as they are, and one more."""
        inputs = {n: self.pair.inputs.get(n) or array() for n in self._arguments.called_with()[0]}
        return " ".join(f'--input "{n}={a}"' for n, a in {**inputs, name: array(tuple(shape))}.items())

    def _all_answer(self, types: Mapping[str, str]) -> bool:
        """Whether no side raises for inputs of such types."""
        found = PairOps(self.pair, None, trying=self._trying)
        found.types, found.vectors = types, {}
        asked = ((found.by_runner[key], runner_of(self.pair, key)) for key in self.pair.compared)
        return all(raised_by([got for _, got in answers_of(self.pair, *one)]) is None for one in asked)

    def _twin(self, key: str, inputs: tuple[str, ...], statics: Mapping[str, Any], fixed: Mapping[str, Any]) -> Any:
        """Return the twin of a side, see `Twins.of`, which is given its inputs in the types that they have."""
        backend = self.pair.plain[0] if key == "like" else key
        twin = typed(backend, self.twins.of(key, inputs, statics, fixed), inputs, self.types)
        return signed(backend, twin, self.vectors)

    @cached_property
    def aside(self) -> dict[str, Any]:
        """The statics that the surrogate has and no side takes."""
        if self.pair.surrogate_of is None or self.pair.python:
            return {}
        wanted = inspect.signature(function_of(self.pair.surrogate_of, "surrogate_of")).parameters
        own = {n: v for n, v in self.pair.statics.items() if n in wanted}
        return {n: v for n, v in own.items() if not any(takes(k, f, n) for k, f in self._functions.items())}

    @cached_property
    def by_runner(self) -> dict[str, Subject]:
        """One op per runner."""
        if self.replay is not None:
            return self._replayed(self.replay)
        if self.oracle is not None:
            return self._with_oracle(self.oracle)
        if self.pair.like is not None:
            return {key: self._standing_in("like", self.plain) for key in self.pair.compared}
        ops = {}
        for key in self.pair.compared:
            truth = self._truth_for(key)
            ops[key] = self._standing_in(truth, runner_of(self.pair, truth))
        return ops

    def _truth_for(self, key: str) -> str:
        """Return which side has the truth for one: the other one, unless it is the reference itself."""
        others = [k for k in self.pair.compared if k != key]
        return key if self.pair.reference == key or not others else others[0]

    @cached_property
    def guess(self) -> Guess | None:
        """What the inputs are, where nothing is said of them and a side refuses arrays of any shape: found once.

        Where a module's constructor wants numbers, these are tried too, also with inputs that are said.
        """
        if self._is_said_elsewhere:
            return None
        if self.pair.inputs:
            return with_inputs_as_said(self.pair, self._wanted, self._asked)
        if found := self._told():
            for better in (numbers_in_order, where_they_agree):
                found = better(found, self.names, self._asked) or found
            return found
        if found := self._with_keys():
            return found
        texts = texts_wanted(self._given.values(), self._wanted) if self._wanted else {}
        if texts and (found := chosen(self.pair, texts, self.names, self._asked)):
            return found
        return guess(self.pair, self._wanted, self.names, self._asked, self._in_words)

    @property
    def _wanted(self) -> list[str]:
        """What constructors want, and nobody gave."""
        return [name for given in self._given.values() for name in lacking(given, self.pair.statics)]

    def _in_words(self, names: Sequence[str]) -> Saying:
        """Return what the sources of the sides say of some inputs."""
        functions: list[Callable[..., Any]] = []
        with suppress(PortingError):  # a class that wants numbers cannot be loaded
            functions = list(self._functions.values())
        return said_by(functions, names)

    def _told(self) -> Guess | None:
        """Return what the inputs are, if some are flags or Python's numbers by the source."""
        with suppress(PortingError):  # a class that wants numbers cannot be loaded
            if not any(loaded.kind for loaded in self._loaded.values()):
                return told(self.pair, self._arguments.called_with()[0], list(self._functions.values()))
        return None

    def _with_keys(self) -> Guess | None:
        """Return what the inputs are with dictionaries, if some arguments are such by the source."""
        if found := self._dictionaries:
            return with_keys(self.pair, self._arguments.called_with()[0], found, self._asked)
        return None

    @cached_property
    def _dictionaries(self) -> dict[str, Keyed]:
        """The arguments that nobody gave and that are dictionaries by the source."""
        with suppress(PortingError):  # a class that wants numbers cannot be loaded
            if not any(loaded.kind for loaded in self._loaded.values()):
                names, statics = self._arguments.called_with()
                left = {n: default for n, default in statics.items() if n not in self.pair.statics}
                return dictionaries(names, left, list(self._functions.values()))
        return {}

    @cached_property
    def advice(self) -> str:
        """What to say of the inputs, where nothing is said, a side refuses arrays of any shape, and no guess suits."""
        done = self._is_said_elsewhere or self.guess is not None or (self.pair.inputs and not self.modules)
        said = "" if done else advice(self.pair, self.names, self._asked, self._in_words)
        with suppress(PortingError):
            said = said and (called(list(self._functions.values()), self._arguments.called_with()[0]) or said)
        return "; ".join(filter(None, (said_of(self._dictionaries), said))) if said else ""

    @cached_property
    def uncompared(self) -> list[str]:
        """A line for each number by default of whose gradient nothing is compared; see `uncompared`."""
        with suppress(PortingError):
            if not self._is_said_elsewhere and not any(loaded.kind for loaded in self._loaded.values()):
                return uncompared(self.pair, self._asked)
        return []

    @cached_property
    def refused(self) -> bool:
        """Whether nothing is said of the inputs, all sides refuse arrays of any shape, and no guess suits."""
        return bool(self.advice) and not self.pair.inputs and refused_by_all(self.pair, self._asked)

    def is_silent(self, side: str) -> bool:
        """Whether the signature of a side says nothing of what it takes."""
        function = self._functions.get(side)
        try:
            return function is not None and not parameters_of(side, function)
        except PairError:
            return True

    def statics_of(self, side: str) -> dict[str, Any]:
        """Return the statics without those that constructors of other sides take, and not this one's."""
        taken = {key: taken_by(thing, self.pair.statics) for key, thing in self._given.items()}
        others = {n for key, names in taken.items() if key != side for n in names} - taken.get(side, set())
        return {n: value for n, value in self.pair.statics.items() if n not in others}

    @property
    def refused_by_one(self) -> str:
        """What one side raises for the inputs that are described, if another one takes them; else empty."""
        return refused_by_one(self.pair, self._asked, "them", places=True)

    @property
    def _is_said_elsewhere(self) -> bool:
        pair = self.pair
        said = pair.contract.shapes or pair.contract.domain or pair.oracle is not None
        return bool(said or self.replay is not None or pair.python)

    def _asked(self, tried: Any) -> dict[str, tuple[Subject, Runner]]:
        """Return the op of each side, and who answers for it, if the inputs are what is tried."""
        found = self if tried is self.pair else PairOps(tried, None, trying=True)
        asked = {key: (found.by_runner[key], runner_of(tried, key)) for key in self.pair.compared}
        plain = {"like": (found.alone("like", found.plain), found.plain)} if self.pair.like is not None else {}
        return {**asked, **plain}

    def names(self, statics: Mapping[str, Any]) -> tuple[tuple[str, ...], set[int], dict[str, int]]:
        """Return the inputs that are to be described, with what a constructor may want; lengths of modules; lists."""
        if statics:
            return PairOps(replace(self.pair, statics={**self.pair.statics, **statics}), None).names({})
        modules = [loaded for loaded in self._loaded.values() if loaded.kind]
        if not modules:
            found = lists_of(self._functions, self.pair.statics, self._functions)
            names, lists = found or (self._arguments.called_with()[0], {})
            return names, set(), lists
        given = {n for value in self.pair.statics.values() for n in np.ravel(value).tolist() if isinstance(n, int)}
        lengths = given.union(*map(lengths_of, modules)) - {0, 1}
        of_modules = [key for key, loaded in self._loaded.items() if loaded.kind]
        found = lists_of(self._functions, self.pair.statics, of_modules)
        names, lists = found or (self.modules.forward, {})
        return names, lengths, lists

    def alone(self, key: str, runner: Runner) -> Subject:
        """Return the op of a side that is its own truth, with who answers for it."""
        op = self._standing_in(key, runner)
        op.answers = {**op.answers, key: runner}
        return op

    def in_common(self, runners: Mapping[str, SeededRunner]) -> dict[str, Subject]:
        """Return the ops of two sides that are given the same random numbers, by who answers so."""
        found, around = {}, {key: runner.from_the_start for key, runner in runners.items()}
        for key in runners:
            truth = self._truth_for(key)
            found[key] = self._standing_in(truth, runners[truth], around)
            found[key].answers = {**found[key].answers, **runners}
        return found

    @cached_property
    def plain(self) -> Runner:
        """Who answers with the plain version."""
        key, named = self.pair.plain
        what = f"like {named}" if isinstance(named, str) else "like"
        if missing := RUNNERS[key].missing():
            raise PairError(f"{what}: {missing}")
        inputs, statics = self._arguments.called_with()
        twin = self._twin("like", inputs, statics, self.modules.statics)
        name = named if isinstance(named, str) else getattr(self._like.function, "__name__", "the plain version")
        return cast("Runner", PlainRunner(RUNNERS[key], twin, name.rpartition(":")[2]))

    @cached_property
    def _like(self) -> Loaded:
        key, named = self.pair.plain
        return constructed(key, behind_apply(function_of(named, "like")), self.pair.statics)

    @cached_property
    def _arguments(self) -> Arguments:
        like = self._like if self.pair.like is not None else None
        return Arguments(self.pair, self._functions, self.interpreters, self.modules, like, self._sides)

    def _standing_in(self, truth: str, runner: Runner, around: Mapping[str, _Around] | None = None) -> Subject:
        inputs, statics = self._arguments.called_with()
        contract = self._promise
        data = {name for name, a in self._arrays.items() if not a.differentiated}
        if contract.wrt is None and data - {*contract.integers}:
            contract = replace(contract, wrt=tuple(n for n in inputs if n not in data))
        twins = {k: self._twin(k, inputs, statics, self.modules.statics) for k in self._functions}
        twins |= {k: wrapped(twins[k]) for k, wrapped in (around or {}).items()}
        op = standing_in(self.pair.name, truth, runner, inputs, statics, contract, twins, self.pair.widest)
        return self._answered(op, self.modules.statics)

    def _replayed(self, replay: Replay) -> dict[str, Subject]:
        """Return the op whose truth is recorded, with the given sides as its twins."""
        contract = self.oracle.contract if self.oracle else self._promise
        op = replay.op(self.oracle, contract)
        for key, function in self._functions.items():
            replay.ensure_order(key, function)
        fixed = {} if self.oracle else replay.given
        fixed = {n: v for n, v in fixed.items() if n in self.modules.statics}
        op = op.bind(**{k: self._twin(k, op.inputs, op.statics, fixed) for k in self._functions})
        return dict.fromkeys(("oracle", *self.pair.compared), self._answered(op, fixed))

    def _answered(self, op: Subject, fixed: Mapping[str, Any]) -> Subject:
        """Have an op answered by the other interpreters too."""
        for runner in self.interpreters.values():
            runner.bind(op.inputs, op.wrt, op.settings({}), fixed)
        given = self.pair.inputs.items()
        op.widest = self.pair.widest
        op.complex_inputs = tuple(n for n, a in given if a.dtype in COMPLEX and n in op.inputs)
        op.vectors = tuple(_names_of(self.vectors))
        op.integer_types = {n: a.dtype for n, a in given if a.dtype in INTEGERS and n in op.inputs}
        op.answers = {**self.pair.answers, **({"like": self.plain} if self.pair.like is not None else {})}
        return op

    def _with_oracle(self, oracle: Op) -> dict[str, Subject]:
        if self.pair.contract != Contract():
            raise PairError(f"the oracle {oracle.name} has a contract of its own: say what the pair promises there")
        inputs = self.modules.inputs or tuple(self.pair.inputs)
        if inputs and inputs != oracle.inputs:
            raise PairError(f"the inputs are {', '.join(inputs)}, but the oracle takes {', '.join(oracle.inputs)}")
        for name in self.modules.statics:
            if name not in oracle.statics:
                raise PairError(f"static {name}: the oracle {oracle.name} has no such argument")
        promise = promised_by(oracle, self._arrays, self.modules.statics)
        statics = dict(oracle.statics)
        twins = {k: self._twin(k, oracle.inputs, statics, {}) for k in self._functions}
        bound = Subject(oracle.value, promise, twins)
        bound.rule, bound.name = oracle.rule, self.pair.name
        return dict.fromkeys(("oracle", *self.pair.compared), self._answered(bound, {}))

    @property
    def _arrays(self) -> Mapping[str, Array]:
        """What is said of the inputs, and what shapes parameters have."""
        return self.modules.arrays if self.modules else self.pair.inputs

    @property
    def _promise(self) -> Contract:
        return promised(self.pair.contract, self._arrays, self.pair.surrogate_of, self.aside)


def _names_of(axes: Mapping[int, int]) -> list[str]:
    return [f"y{k}" for k in sorted(axes)]


def _of_vectors(axes: Mapping[int, int]) -> list[str]:
    names = " and ".join(_names_of(axes))
    return [f"{names}: vectors of either sign, as of an eigenproblem; compared with the same signs"] if axes else []
