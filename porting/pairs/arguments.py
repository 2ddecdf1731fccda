"""What the sides of a pair are called with: inputs and statics, given or read off signatures."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeAlias

from porting.errors import PairError
from porting.pairs.constructed import Loaded, lent_to
from porting.pairs.modules import Modules
from porting.pairs.names import mean_the_same, names_of, takes
from porting.pairs.one_sided import one_sided
from porting.pairs.unpacked import parts_of
from porting.runners.interpreter import InterpreterRunner
from porting.runners.side import WANTED, parameters_of

Called: TypeAlias = tuple[tuple[str, ...], dict[str, Any]]  # the inputs' names; the statics


@dataclass(frozen=True)
class Arguments:
    """Reads the arguments of a pair's sides.

    Attributes
    ----------
    pair : porting.Pair
        The pair.
    functions : mapping
        The functions that are called here, by side.
    interpreters : mapping
        The other interpreters, by side.
    modules : Modules
        What the sides that are modules hold.
    like : Loaded, optional
        The plain version.
    sides : mapping of str to Loaded
        All sides of this process: what one is made with, another one may be called with.
    """

    pair: Any
    functions: Mapping[str, Callable[..., Any]]
    interpreters: Mapping[str, InterpreterRunner]
    modules: Modules
    like: Loaded | None
    sides: Mapping[str, Loaded]

    def called_with(self) -> Called:
        """Return the inputs and statics of all sides.

        Raises
        ------
        PairError
            If no side says what its inputs are.
        """
        first, *others = dict.fromkeys((self.pair.first, *self.pair.compared))
        others += ["like"] if self.like is not None else []
        try:
            inputs, statics = self._read_off(first)
        except PairError:  # where one takes *xs, another one may say what they are
            said = next((said for key in others if (said := self._said_by(key)) is not None), None)
            if said is None:
                raise
            inputs, statics = said
        return inputs, {n: v for n, v in statics.items() if n in self.modules.statics or self._all_take(n, statics)}

    def arrays_by_default(self) -> dict[str, tuple[int, ...]]:
        """Return the arguments that are arrays by default, with their shapes: no side is given others."""
        with suppress(PairError):
            named = self._named(self.pair.first)
            arrays = {n: tuple(d.shape) for n, d in named.items() if hasattr(d, "shape") and n not in self.pair.inputs}
            return {n: shape for n, shape in arrays.items() if self._all_take(n, {}) and n not in self.pair.statics}
        return {}

    def _all_take(self, name: str, defaults: Mapping[str, Any]) -> bool:
        """Whether all sides have an argument; what one alone has keeps its default."""
        plain = {"like": self.like.function} if self.like and not self.like.kind else {}
        return all(takes(key, function, name, defaults) for key, function in {**self.functions, **plain}.items())

    def _said_by(self, key: str) -> Called | None:
        with suppress(PairError):
            return self._read_off(key)
        return None

    def _read_off(self, key: str) -> Called:
        """Return the inputs and statics of a side: those given, else what its signature says."""
        named = self._named(key)
        statics = self.modules.statics
        wanted = self.modules.inputs or tuple(self.pair.inputs)
        if not wanted:
            alone = one_sided(key, self.functions) if key in self.functions else {}
            named = {n: self._made_with(key, n) if d is inspect.Parameter.empty else d for n, d in named.items()}
            named = {n: d for n, d in named.items() if n not in alone}
        tried = self.pair.contract.statics  # with these values, whether there is a default or not
        inputs = wanted or tuple(n for n, d in named.items() if n not in tried and self._is_input(key, n, d))
        named = {name: default for name, default in named.items() if name not in inputs}
        taken = {*self.pair.statics} - {*statics}  # by a constructor: of another side it may be an argument
        inputs = tuple(n for n in inputs if n not in statics and not any(mean_the_same(n, static) for static in taken))
        if not inputs:
            raise PairError(f"{key}: no input can be read off the signature; {WANTED}")
        defaults = {n: d for n, d in named.items() if (d is inspect.Parameter.empty and n in tried) or _is_plain(d)}
        return inputs, {**defaults, **statics}

    def _made_with(self, key: str, name: str) -> Any:
        """Return what the constructor of another side has by default for an argument; an empty one if none has it."""
        made = lent_to(key, self.sides)
        numbers = (d for n, d in made.items() if mean_the_same(n, name) and isinstance(d, bool | int | float | str))
        return next(numbers, inspect.Parameter.empty)

    def _is_input(self, key: str, name: str, default: Any) -> bool:
        """Whether an argument has no default; None is none where another side has to be given one."""
        if default is None:
            return any(_wants(other, f, name) for other, f in self.functions.items() if other != key)
        return default is inspect.Parameter.empty

    def _named(self, key: str) -> dict[str, Any]:
        """Return the parameters of a side with their defaults, none where a signature does not say them."""
        try:
            elsewhere = self.interpreters.get(key)
            function: Any = self.like.function if key == "like" and self.like else self.functions.get(key)
            named = elsewhere.parameters() if elsewhere else parameters_of(key, function, more=True)
        except PairError:
            if not self.pair.inputs:
                raise
            named = {}
        if key in self.functions:  # what is given under another name is no input, and has no default
            mine, rename = self.functions[key], self.pair.rename.get(key, {})
            others = names_of(key, mine, self.pair.inputs, self.modules.statics, rename, by_place=False).values()
            named = {n: d for n, d in named.items() if n not in others}
        return named


def lists_of(
    functions: Mapping[str, Callable[..., Any]], statics: Mapping[str, Any], keys: Iterable[str]
) -> tuple[tuple[str, ...], dict[str, int]] | None:
    """Return the inputs of the first of some sides that takes lists, and of how many arrays each one is."""
    for key in keys:
        with suppress(PairError):
            named = parameters_of(key, functions[key], more=True)
            names = tuple(n for n, d in named.items() if d is inspect.Parameter.empty and n not in statics)
            if lists := parts_of(functions[key], names):
                return names, lists
    return None


def _wants(key: str, function: Callable[..., Any], name: str) -> bool:
    """Whether a side has to be given an argument."""
    with suppress(PairError):
        named = parameters_of(key, function)
        return any(mean_the_same(name, n) and d is inspect.Parameter.empty for n, d in named.items())
    return False


def _is_plain(default: Any) -> bool:
    """Tell whether a default is a Python value that a static can have."""
    return default is None or isinstance(default, bool | int | float | str | tuple | FunctionType)
