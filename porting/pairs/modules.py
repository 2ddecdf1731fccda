"""Modules and layers among the sides of a pair: their parameters are inputs behind those of the forward."""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Final, TypeAlias

from porting.backends import BACKENDS
from porting.backends.tf.module import TensorFlowModule
from porting.backends.torch.module import TorchModule
from porting.errors import PairError
from porting.pairs.array import Array
from porting.pairs.constructed import MODE, Loaded, held_by
from porting.pairs.detached import detached
from porting.pairs.examples import Call
from porting.pairs.names import names_of, order_of, order_told, otherwise, renamed
from porting.pairs.packed import Place, arguments, gathered, packed, places_of
from porting.pairs.parts import parted
from porting.pairs.symmetric import symmetric
from porting.pairs.turned import examples_in_order, lines_of, turned
from porting.pairs.weights import Listed, Parameter, Weight, described, identifier, weights_of
from porting.runners.side import as_twin, given, parameters_of

_UNTRACKED: Final = {
    "torch": "in a plain list or dictionary, so that PyTorch does not train it",
    "keras": "made with tf.Variable, so that Keras does not train it",
}

Module: TypeAlias = TorchModule | TensorFlowModule


class Modules:
    """What the sides that are modules hold.

    Parameters
    ----------
    pair : porting.Pair
        The pair.
    loaded : mapping of str to Loaded
        The sides of this process, and the plain version as ``like``.
    others : sequence of Listed
        Who else names the inputs, all of them: the oracle, a recording, a function in another interpreter.
    aside : collection of str
        Statics that are not the sides': the surrogate's.
    trying : bool
        Whether the inputs are a guess: then a module that refuses them is an error.
    """

    def __init__(
        self,
        pair: Any,
        loaded: Mapping[str, Loaded],
        others: Sequence[Listed],
        aside: Collection[str],
        *,
        trying: bool = False,
    ) -> None:
        self._pair = pair
        self._loaded = loaded
        self._others = others
        self._aside = aside
        self._trying = trying
        self._told: dict[str, str] = {}
        self.otherwise: dict[tuple[str, str], str] = {}  # what a side calls a static, and what it is there

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.by_side)

    @cached_property
    def by_side(self) -> dict[str, Module]:
        """The modules that hold anything, by side."""
        found = {}
        for key, side in self._loaded.items():
            if side.kind and (held := self._held_by(key, side)) is not None:
                found[key] = held
        return found

    @cached_property
    def statics(self) -> dict[str, Any]:
        """The statics that neither a constructor nor the surrogate has taken: a call is given them."""
        taken = {*self._aside, *(name for side in self._loaded.values() for name in side.taken)}
        return {name: value for name, value in self._pair.statics.items() if name not in taken}

    @cached_property
    def forward(self) -> tuple[str, ...]:
        """The names of the inputs of the forward, as the first module has them."""
        key, side = next((key, side) for key, side in self._loaded.items() if side.kind)
        inputs, statics = tuple(self._pair.inputs), self.statics
        groups = self._groups(key, inputs)
        try:
            named = parameters_of(key, side.function, more=True)
        except PairError:
            if not inputs:
                raise
            return inputs
        wanted = [n for n, default in named.items() if default is inspect.Parameter.empty and n not in statics]
        chosen = [n for n in groups if n in named]
        if not inputs:
            return tuple(wanted)
        chosen = chosen if len(chosen) >= len(wanted) else list(groups)[: len(wanted)]
        return tuple(inputs[k] for n in chosen for k in places_of(groups[n]))

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The inputs of the forward, then the parameters; none without a module."""
        if not self and self._pair.weights:
            raise PairError("weights: no side is a module or a layer with parameters; leave --weights out")
        if not self:
            return ()
        names = (*self.forward, *(weight.name for weight in self.weights))
        if unknown := [name for name in self._pair.inputs if name not in names]:
            held = ", ".join(weight.name for weight in self.weights) or "none"
            what = f"{unknown[0]} is neither an input of the forward ({', '.join(self.forward)})"
            raise PairError(f"inputs: {what} nor a parameter ({held})")
        return names

    @cached_property
    def weights(self) -> tuple[Weight, ...]:
        """The parameters as inputs; none where one side alone holds any, single numbers."""
        first = [side for side in self._others if side.key in {"oracle", "recording"}]
        rest = {side.key: side for side in self._others if side not in first}
        for key, side in self._loaded.items():
            rest[key] = self._listed(key, side)
        ordered = [rest[key] for key in (*BACKENDS, "like") if key in rest]
        listed = [Listed(s.key, s.title, _behind(s.parameters, self.forward)) for s in first] + ordered
        if self._holds_numbers_alone(listed):
            return ()
        return weights_of(listed, self._pair.weights, self.forward)

    def _holds_numbers_alone(self, listed: Sequence[Listed]) -> bool:
        """Whether one side alone has parameters, and all are single numbers: a strength, say, that is not learned.

        Arrays are learned, and want their counterparts.
        """
        sides = [side for side in listed if side.parameters]
        if len(sides) != 1 or len(listed) == 1 or self._pair.weights:
            return False
        return all(p.shape == () for p in sides[0].parameters)

    @property
    def arrays(self) -> dict[str, Array]:
        """The description of each input that was described, or is a parameter; those have a shape of their own."""
        found = {name: self._pair.inputs[name] for name in self.forward if name in self._pair.inputs}
        for weight in self.weights:
            said = self._pair.inputs.get(weight.name)
            said = said or Array((...,), "float64", None)
            found[weight.name] = replace(said, shape=(...,) if weight.shape is None else weight.shape)
        return found

    def twin(self, key: str, inputs: tuple[str, ...], statics: Mapping[str, Any], fixed: Mapping[str, Any]) -> Any:
        """Return the twin of a side: takes the inputs by place and the statics by name; `fixed` are always given.

        Raises
        ------
        PairError
            If the function does not take them.
        """
        said = {} if self._pair.oracle is not None else self._pair.inputs
        places = [k for k, name in enumerate(inputs) if name in said and said[name].is_symmetric]
        groups = {n: k for k, n in enumerate(inputs)} if key in self.by_side else self._groups(key, inputs)
        twin = packed(self._twin(key, tuple(groups), statics, fixed), groups, inputs)
        backend = self._pair.plain[0] if key == "like" else key
        if self._pair.oracle is None:  # which takes real inputs for complex ones with no imaginary part
            twin = parted(backend, twin)
        twin = detached(backend, twin, self._pair.contract.nondiff)
        return turned(backend, symmetric(backend, twin, places), inputs, self._pair.axes.get(key, {}))

    def _twin(self, key: str, inputs: tuple[str, ...], statics: Mapping[str, Any], fixed: Mapping[str, Any]) -> Any:
        function = self._loaded[key].function
        if key in self.by_side:
            named = _signature(key, function)
            fixed = self._in_one_mode(key, named or {}, fixed)
            if named is not None and (unknown := [name for name in fixed if name not in named]):
                name = type(function).__name__
                raise PairError(f"{key}: neither {name}(…) nor its forward has an argument {', '.join(unknown)}")
            places = [weight.own[key] for weight in self.weights]
            return self.by_side[key].twin(len(self.forward), places, fixed, self._packing(key))
        named = _signature(key, function) or {}
        if not self._loaded[key].kind:  # a constructor of the other side may have taken it too
            fixed = {**fixed, **{n: v for n, v in self._pair.statics.items() if n in named and n not in self.statics}}
        elif self._pair.oracle is None:
            fixed = self._in_one_mode(key, named, {**statics, **fixed})
            statics = {n: v for n, v in statics.items() if n in fixed}
        own, others = self._pair.rename.get(key, {}), {**statics, **fixed}
        order = self._order(key, inputs, list(named)) if self else order_of(key, inputs, named, others, own)
        if not self and (said := order_told(key, inputs, order, named)):
            self._told[key] = said
        wanted = {n for n, default in named.items() if default is inspect.Parameter.empty} - {*order}
        fixed = {**{n: d for n, d in self._defaults.items() if n in wanted}, **fixed}
        every = {**statics, **fixed}
        names = names_of(key, function, order, every, own, self._defaults, order=self._first)
        fixed = {**{n: d for n, d in self._defaults.items() if names.get(n) in wanted}, **fixed}
        others = {n: v for n, v in every.items() if n not in self._pair.statics}
        self.otherwise |= {(key, n): said for n, said in otherwise(key, function, every, names, others).items()}
        twin = renamed(as_twin(key, function, order, {names.get(n, n): v for n, v in every.items()}), names)
        return given(_reordered(twin, [inputs.index(name) for name in order]) if order != inputs else twin, fixed)

    def _in_one_mode(self, key: str, named: Mapping[str, Any], fixed: Mapping[str, Any]) -> Mapping[str, Any]:
        """Have the modules of all sides train, or none: as is said, else as PyTorch's is, which has it as a state.

        Keras' layers take it as an argument, and infer by default.
        """
        side: Any = self._loaded[key]
        if side.kind == "torch" and MODE in fixed and MODE not in named:  # it is in that mode already
            return {n: v for n, v in fixed.items() if n != MODE}
        states = [bool(getattr(other.function, MODE)) for other in self._loaded.values() if other.kind == "torch"]
        if side.kind == "keras" and MODE in named and MODE not in fixed and states:
            as_it_is = f"{MODE}={states[0]}, as PyTorch's module is"
            self._told[key] = f"{key}: called with {as_it_is}; --static {MODE}=True or False says it of both"
            return {**fixed, MODE: states[0]}
        return fixed

    @cached_property
    def _first(self) -> list[str]:
        """The arguments of the side that names the inputs and statics, in their order."""
        key = self._pair.first
        return list(_signature(key, self._loaded[key].function) or {}) if key in self._loaded else []

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        """The defaults that the sides' arguments have: what one leaves to its caller, another one may not."""
        named = [_signature(key, side.function) or {} for key, side in self._loaded.items() if not side.kind]
        return {n: d for one in named for n, d in one.items() if d is not inspect.Parameter.empty}

    def lines(self) -> list[str]:
        """Return what is said of the parameters and of what is not compared."""
        belongs = described(self.weights) if self else []
        found = [f"parameters: {', '.join(belongs)}"] if belongs else []
        found += lines_of(self._pair.axes)
        alone = {} if self and self.weights else {key: [*module.parameters] for key, module in self.by_side.items()}
        for key, names in alone.items():
            found += (
                [f"{key} parameters that no other side has: {', '.join(names)} (kept, not compared)"] if names else []
            )
        found += [told for key, told in self._told.items() if key not in self.by_side and not self._is_keras_own(key)]
        for key, module in self.by_side.items():
            found += [
                f"{key} {what}: {', '.join(names)} (state, not compared)"
                for what, names in module.state.items()
                if names
            ]
            theirs = any(module.state.values()) or not self._is_keras_own(key)
            found += [self._told[key]] if key in self._told and theirs else []
            if module.untracked:
                found.append(f"{key}: {_UNTRACKED[self._loaded[key].kind]}: {', '.join(module.untracked)}")
        return found

    def _is_keras_own(self, key: str) -> bool:
        return type(self._loaded[key].function).__module__.startswith("keras.")

    def _held_by(self, key: str, side: Loaded) -> Module | None:
        said = any(name in self._pair.inputs or name in self._pair.contract.shapes for name in self.forward)
        pack, orders = self._packing(key), self._pair.axes.get(key, {})

        def packing(xs: Sequence[Any]) -> list[Any]:
            return pack(examples_in_order(xs, self.forward, orders))

        call = Call(self.forward, self._pair, self.statics, self._trying or not said, packing)
        return held_by(key, side, call)

    def _groups(self, key: str, names: Sequence[str]) -> dict[str, Place]:
        """Return the arguments of a side with the places of their parts: a list, or each part by itself."""
        groups = gathered(names, self._pair.inputs)
        lists = {*groups} - {*names}
        named: Mapping[str, Any] = {}
        with suppress(PairError):
            named = parameters_of(key, self._loaded[key].function, more=True)
        wanted = [n for n, d in named.items() if d is inspect.Parameter.empty and n not in self.statics]
        apart = lists.isdisjoint(named) and len(wanted) > len(groups)
        return {n: k for k, n in enumerate(names)} if lists and apart else groups

    def _packing(self, key: str) -> Callable[[Sequence[Any]], list[Any]]:
        groups = self._groups(key, self.forward)
        return list if [*groups] == [*self.forward] else partial(arguments, groups)

    def _listed(self, key: str, side: Loaded) -> Listed:
        if key in self.by_side:
            held = self.by_side[key].parameters.items()
            return Listed(key, type(side.function).__name__, tuple(Parameter(n, shape) for n, shape in held))
        title = getattr(side.function, "__name__", type(side.function).__name__)
        named = _signature(key, side.function) or {}
        known = {identifier(name) for held in self.by_side.values() for name in held.parameters}
        known |= {*self._pair.weights, *self._pair.weights.values(), *self._pair.inputs}
        taken = [
            n for n, d in named.items() if n in known or (d is inspect.Parameter.empty and n not in self._pair.statics)
        ]
        return Listed(key, title, _behind([Parameter(n, None) for n in taken], [*self._groups(key, self.forward)]))

    def _order(self, key: str, inputs: tuple[str, ...], named: list[str]) -> tuple[str, ...]:
        """Return the inputs in the order in which a function takes them."""
        own = {weight.own[key][0]: weight.name for weight in self.weights}
        others, forward = [n for n in named if n not in own], list(self._groups(key, self.forward))
        first = dict(zip(forward, forward, strict=True)) if {*others}.issuperset(forward) else {}
        first = first or dict(zip(others, forward, strict=False))
        found = tuple({**own, **first}[n] for n in named if n in own or n in first)
        return found if len(found) == len(inputs) else inputs


def _behind(named: Sequence[Parameter], forward: Sequence[str]) -> tuple[Parameter, ...]:
    """Return what is left without the inputs of the forward: by name, or else the first ones."""
    names = {p.name for p in named}
    by_name = names.issuperset(forward)
    return tuple(p for k, p in enumerate(named) if (p.name not in forward if by_name else k >= len(forward)))


def _signature(key: str, function: Callable[..., Any]) -> dict[str, Any] | None:
    with suppress(PairError):
        return parameters_of(key, function)
    return None


def _reordered(twin: Callable[..., Any], places: Sequence[int]) -> Callable[..., Any]:
    """Return a function that hands its inputs on in another order."""

    def reordered(*xs: Any, **statics: Any) -> Any:
        return twin(*(xs[k] for k in places), **statics) if xs else twin(**statics)  # everything by name

    reordered.__wrapped__ = twin  # type: ignore[attr-defined]  # where the source is
    return reordered
