"""How each side is called: the inputs in its order, statics by its own names, modules in one mode."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from porting.errors import PairError
from porting.pairs.constructed import MODE, Loaded, left_at_defaults, lent_to
from porting.pairs.detached import detached
from porting.pairs.modules import Modules, signature_of
from porting.pairs.names import names_of, order_of, order_told, otherwise, renamed
from porting.pairs.one_sided import one_sided, without_place
from porting.pairs.packed import packed
from porting.pairs.parts import parted
from porting.pairs.referred import Referred
from porting.pairs.symmetric import symmetric
from porting.pairs.turned import turned
from porting.runners.side import as_twin, given


class Twins:
    """Makes the twins of a pair.

    Parameters
    ----------
    pair : porting.Pair
        The pair.
    loaded : mapping of str to Loaded
        The sides of this process, and the plain version as ``like``.
    modules : Modules
        What the sides that are modules hold.

    Attributes
    ----------
    told : dict of str to str
        What is to be said of how a side is called; it is known once its twin was made.
    otherwise : dict
        What a side calls a static, and what it is there.
    """

    def __init__(self, pair: Any, loaded: Mapping[str, Loaded], modules: Modules) -> None:
        self._pair = pair
        self._loaded = loaded
        self._modules = modules
        self.told: dict[str, str] = {}
        self.otherwise: dict[tuple[str, str], str] = {}

    def by_default(self) -> list[str]:
        """Return what the sides are made with, where nobody said it."""
        return left_at_defaults(self._loaded)

    def of(self, key: str, inputs: tuple[str, ...], statics: Mapping[str, Any], fixed: Mapping[str, Any]) -> Any:
        """Return the twin of a side: takes the inputs by place and the statics by name; `fixed` are always given.

        Raises
        ------
        PairError
            If the function does not take them.
        """
        for name, value in {**statics, **fixed}.items():
            if isinstance(value, Referred):
                value.ensure_function(name)
        said = {} if self._pair.oracle is not None else self._pair.inputs
        places = [k for k, name in enumerate(inputs) if name in said and said[name].is_symmetric]
        apart = key in self._modules.by_side
        groups = {n: k for k, n in enumerate(inputs)} if apart else self._modules.groups(key, inputs)
        twin = packed(self._twin(key, tuple(groups), statics, fixed), groups, inputs)
        backend = self._pair.plain[0] if key == "like" else key
        if self._pair.oracle is None:  # which takes real inputs for complex ones with no imaginary part
            twin = parted(backend, twin)
        twin = detached(backend, twin, self._pair.contract.nondiff)
        return turned(backend, symmetric(backend, twin, places), inputs, self._pair.axes.get(key, {}))

    def _twin(self, key: str, inputs: tuple[str, ...], statics: Mapping[str, Any], fixed: Mapping[str, Any]) -> Any:
        modules, function = self._modules, self._loaded[key].function
        if key in modules.by_side:
            return self._of_module(key, fixed)
        named = signature_of(key, function) or {}
        if not self._loaded[key].kind:  # a constructor of the other side may have taken it too
            taken = {n: v for n, v in self._pair.statics.items() if n in named and n not in modules.statics}
            fixed = {**fixed, **taken}
        elif self._pair.oracle is None:
            fixed = self._in_one_mode(key, named, {**statics, **fixed})
            statics = {n: v for n, v in statics.items() if n in fixed}
        theirs = {n for side in self._loaded if side != key for n in self._alone(side)}
        statics, fixed = ({n: v for n, v in of.items() if n not in theirs} for of in (statics, fixed))
        own, others = self._pair.rename.get(key, {}), {**statics, **fixed}
        order = self._order(key, inputs, list(named)) if modules else order_of(key, inputs, named, others, own)
        if not modules and (said := order_told(key, inputs, order, named)):
            self.told[key] = said
        wanted = {n for n, default in named.items() if default is inspect.Parameter.empty} - {*order}
        defaults = self._defaults(key)
        lent = {n: d for n, d in defaults.items() if n in wanted and n not in fixed}
        places = order if {*order} <= {*named} else tuple(named)[: len(order)]
        absent = set() if modules else self._absent(key, places, {**statics, **fixed})
        statics, fixed = ({n: v for n, v in of.items() if n not in absent} for of in (statics, fixed))
        left = wanted - {*places, *lent, *fixed, *statics, *own.values()}
        others = {n: d for n, d in defaults.items() if n not in {*named, *inputs, *fixed, *statics}}
        alone = self._lent_alone(key, left, others)
        fixed = {**alone, **lent, **fixed}
        every = {**statics, **fixed}
        names = names_of(key, function, order, every, own, defaults, order=self._first)
        lent |= {n: d for n, d in defaults.items() if names.get(n) in wanted and n not in fixed}
        fixed = {**lent, **fixed}
        self._tell_what_is_lent(key, lent)
        self._tell_what_is_left(key, named, {*order, *every, *self._pair.statics, *own.values(), *names})
        others = {n: v for n, v in every.items() if n not in self._pair.statics}
        self.otherwise |= {(key, n): said for n, said in otherwise(key, function, every, names, others).items()}
        twin = renamed(as_twin(key, function, order, {names.get(n, n): v for n, v in every.items()}), names)
        return given(_reordered(twin, [inputs.index(name) for name in order]) if order != inputs else twin, fixed)

    def _absent(self, key: str, places: Sequence[str], given: Mapping[str, Any]) -> set[str]:
        """Return the statics that a user gives for another side and that this one has no place for, and tell it."""
        functions = {side: each.function for side, each in self._loaded.items()}
        absent = without_place(key, functions, {*self._pair.statics} - {*self._pair.rename.get(key, {})}, places, given)
        if absent:
            taking = [
                side for side, f in functions.items() if side != key and absent & {*(signature_of(side, f) or {})}
            ]
            lacking, one = ", ".join(sorted(absent)), len(absent) == 1
            given_to = f"{'it is' if one else 'they are'} given to {' and '.join(taking)} alone"
            self.told[key] = f"{key}: called without {lacking}, for which it has no place; {given_to}"
        return absent

    def _tell_what_is_lent(self, key: str, lent: Mapping[str, Any]) -> None:
        made = ", ".join(f"{n}={lent[n]!r}" for n in lent_to(key, self._loaded) if n in lent)
        if made:
            self.told[key] = f"{key}: called with {made}, as another side is made by default"

    def _tell_what_is_left(self, key: str, named: Mapping[str, Any], known: set[str]) -> None:
        """Tell the flags and texts that only this side takes: a branch of it is not compared."""
        others = [signature_of(side, each.function) or {} for side, each in self._loaded.items() if side != key]
        elsewhere = set().union(*others) | known
        left = {n: d for n, d in named.items() if isinstance(d, bool | str) and n not in elsewhere}
        if left and others and key not in self.told:
            made = ", ".join(f"{n}={default!r}" for n, default in left.items())
            self.told[key] = f"{key}: left at {made}, which no other side takes; --static says others"

    def _alone(self, key: str) -> dict[str, Any]:
        """Return what a side has to be given and no other side takes; nothing beside modules."""
        functions = {side: each.function for side, each in self._loaded.items()}
        return {} if any(each.kind for each in self._loaded.values()) else one_sided(key, functions)

    def _lent_alone(self, key: str, left: set[str], others: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a side is called with where nobody says it, and tell it.

        Parameters
        ----------
        key : str
            The side.
        left : set of str
            The arguments that it has to be given and nobody gives.
        others : mapping
            The defaults that other sides have for arguments which this one lacks.
        """
        alone = {n: d for n, d in self._alone(key).items() if n in left}
        if alone:
            made = ", ".join(f"{n}={value!r}" for n, value in alone.items())
            self.told[key] = f"{key}: called with {made}, which no other side takes; --static says others"
        numbers = {n: d for n, d in others.items() if isinstance(d, int | float) and not isinstance(d, bool)}
        if len(left - {*alone}) == len(numbers) == 1:  # the one argument that is left is the one default that is left
            ((name, (known_as, value)),) = zip(left - {*alone}, numbers.items(), strict=True)
            self.told[key] = f"{key}: called with {name}={value!r}, as {known_as} is by default; --static says another"
            return {**alone, name: value}
        return alone

    def _of_module(self, key: str, fixed: Mapping[str, Any]) -> Any:
        modules, function = self._modules, self._loaded[key].function
        named = signature_of(key, function)
        fixed = self._in_one_mode(key, named or {}, fixed)
        if named is not None and (unknown := [name for name in fixed if name not in named]):
            name = type(function).__name__
            raise PairError(f"{key}: neither {name}(…) nor its forward has an argument {', '.join(unknown)}")
        places = [weight.own[key] for weight in modules.weights]
        return modules.by_side[key].twin(len(modules.forward), places, fixed, modules.packing(key))

    def _in_one_mode(self, key: str, named: Mapping[str, Any], fixed: Mapping[str, Any]) -> Mapping[str, Any]:
        """Have the modules of all sides train, or none: as is said, else as PyTorch's is, which has it as a state.

        Keras' layers take it as an argument, and infer by default.
        """
        side = self._loaded[key]
        if side.mode is not None and MODE in fixed and MODE not in named:  # it is in that mode already
            return {n: v for n, v in fixed.items() if n != MODE}
        states = [other.mode for other in self._loaded.values() if other.mode is not None]
        if side.mode is None and MODE in named and MODE not in fixed and states:
            as_it_is = f"{MODE}={states[0]}, as PyTorch's module is"
            self.told[key] = f"{key}: called with {as_it_is}; --static {MODE}=True or False says it of both"
            return {**fixed, MODE: states[0]}
        return fixed

    @cached_property
    def _first(self) -> list[str]:
        """The arguments of the side that names the inputs and statics, in their order."""
        key = self._pair.first
        return list(signature_of(key, self._loaded[key].function) or {}) if key in self._loaded else []

    def _defaults(self, key: str) -> dict[str, Any]:
        """Return the defaults of arguments: what a side leaves to its caller, or maker, another one may not."""
        called = [signature_of(side, each.function) or {} for side, each in self._loaded.items() if not each.kind]
        named = [lent_to(key, self._loaded), *called]
        return {n: d for one in named for n, d in one.items() if d is not inspect.Parameter.empty}

    def _order(self, key: str, inputs: tuple[str, ...], named: list[str]) -> tuple[str, ...]:
        """Return the inputs in the order in which a function takes them."""
        own = {weight.own[key][0]: weight.name for weight in self._modules.weights}
        others, forward = [n for n in named if n not in own], list(self._modules.groups(key, self._modules.forward))
        first = dict(zip(forward, forward, strict=True)) if {*others}.issuperset(forward) else {}
        first = first or dict(zip(others, forward, strict=False))
        found = tuple({**own, **first}[n] for n in named if n in own or n in first)
        return found if len(found) == len(inputs) else inputs


def _reordered(twin: Callable[..., Any], places: Sequence[int]) -> Callable[..., Any]:
    """Return a function that hands its inputs on in another order."""

    def reordered(*xs: Any, **statics: Any) -> Any:
        return twin(*(xs[k] for k in places), **statics) if xs else twin(**statics)  # everything by name

    reordered.__wrapped__ = twin  # type: ignore[attr-defined]  # where the source is
    return reordered
