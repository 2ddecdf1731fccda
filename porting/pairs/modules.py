"""Modules and layers among the sides of a pair: their parameters are inputs behind those of the forward."""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Final, TypeAlias

from porting.backends import BACKENDS
from porting.backends.tf.module import TensorFlowModule
from porting.backends.torch.module import TorchModule
from porting.errors import PairError
from porting.pairs.array import Array
from porting.pairs.constructed import Loaded, held_by
from porting.pairs.examples import Call
from porting.pairs.first_calls import first_calls
from porting.pairs.one_state import Shared, of_parameters, one_state, redrawn
from porting.pairs.packed import Place, arguments, gathered, places_of
from porting.pairs.turned import examples_in_order, lines_of
from porting.pairs.weights import Listed, Parameter, Weight, described, identifier, weights_of
from porting.runners.side import parameters_of

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
        self._shared = Shared([], {})  # numbers that all sides get

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
        self._shared = one_state(found, self._pair.weights)
        return found

    @property
    def apart(self) -> dict[str, list[str]]:
        """The frozen numbers that a side draws for itself, and that no other side was given."""
        return self._shared.apart if self else {}

    def redrawn(self, key: str) -> AbstractContextManager[None]:
        """Have other numbers in the place of those while this is open."""
        return redrawn(self.by_side[key], self.apart[key])

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
        groups = self.groups(key, inputs)
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
        try:
            return weights_of(listed, of_parameters(self._pair.weights, self.by_side), self.forward)
        except PairError as error:  # it may be that what one side learns another one only holds
            state = [
                f"{key} {what}: {', '.join(names)} (state, and no parameter)"
                for key, module in self.by_side.items()
                for what, names in module.state.items()
                if names
            ]
            raise PairError("\n".join([str(error), *state])) from None

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

    def lines(self, told: Mapping[str, str]) -> list[str]:
        """Return what is said of parameters, of what is not compared, and what is `told` of how sides are called."""
        belongs = described(self.weights) if self else []
        found = [f"parameters: {', '.join(belongs)}"] if belongs else []
        found += lines_of(self._pair.axes)
        alone = {} if self and self.weights else {key: [*module.parameters] for key, module in self.by_side.items()}
        for key, names in alone.items():
            found += (
                [f"{key} parameters that no other side has: {', '.join(names)} (kept, not compared)"] if names else []
            )
        found += [said for key, said in told.items() if key not in self.by_side and not self._is_keras_own(key)]
        found += [*self._shared.told, *first_calls(self.by_side, self._loaded)]
        for key, module in self.by_side.items():
            found += [
                f"{key} {what}: {', '.join(names)} (state, not compared)"
                for what, names in module.state.items()
                if names
            ]
            theirs = any(module.state.values()) or not self._is_keras_own(key)
            found += [told[key]] if key in told and theirs else []
            if module.untracked:
                found.append(f"{key}: {_UNTRACKED[self._loaded[key].kind]}: {', '.join(module.untracked)}")
        return found

    def _is_keras_own(self, key: str) -> bool:
        return type(self._loaded[key].function).__module__.startswith("keras.")

    def _held_by(self, key: str, side: Loaded) -> Module | None:
        said = any(name in self._pair.inputs or name in self._pair.contract.shapes for name in self.forward)
        pack, orders = self.packing(key), self._pair.axes.get(key, {})

        def in_lists(xs: Sequence[Any]) -> list[Any]:
            return pack(examples_in_order(xs, self.forward, orders))

        call = Call(self.forward, self._pair, self.statics, self._trying or not said, in_lists)
        return held_by(key, side, call, next((o.mode for o in self._loaded.values() if o.mode is not None), None))

    def groups(self, key: str, names: Sequence[str]) -> dict[str, Place]:
        """Return the arguments of a side with the places of their parts: a list, or each part by itself."""
        groups = gathered(names, self._pair.inputs)
        lists = {*groups} - {*names}
        named: Mapping[str, Any] = {}
        with suppress(PairError):
            named = parameters_of(key, self._loaded[key].function, more=True)
        wanted = [n for n, d in named.items() if d is inspect.Parameter.empty and n not in self.statics]
        apart = lists.isdisjoint(named) and len(wanted) > len(groups)
        return {n: k for k, n in enumerate(names)} if lists and apart else groups

    def packing(self, key: str) -> Callable[[Sequence[Any]], list[Any]]:
        """Return what makes the arguments of a side's forward of the inputs: some may be lists."""
        groups = self.groups(key, self.forward)
        return list if [*groups] == [*self.forward] else partial(arguments, groups)

    def _listed(self, key: str, side: Loaded) -> Listed:
        if key in self.by_side:
            held = self.by_side[key].parameters.items()
            return Listed(key, type(side.function).__name__, tuple(Parameter(n, shape) for n, shape in held))
        title = getattr(side.function, "__name__", type(side.function).__name__)
        named = signature_of(key, side.function) or {}
        known = {identifier(name) for held in self.by_side.values() for name in held.parameters}
        known |= {*self._pair.weights, *self._pair.weights.values(), *self._pair.inputs}
        taken = [
            n for n, d in named.items() if n in known or (d is inspect.Parameter.empty and n not in self._pair.statics)
        ]
        return Listed(key, title, _behind([Parameter(n, None) for n in taken], [*self.groups(key, self.forward)]))


def _behind(named: Sequence[Parameter], forward: Sequence[str]) -> tuple[Parameter, ...]:
    """Return what is left without the inputs of the forward: by name, or else the first ones."""
    names = {p.name for p in named}
    by_name = names.issuperset(forward)
    return tuple(p for k, p in enumerate(named) if (p.name not in forward if by_name else k >= len(forward)))


def signature_of(key: str, function: Callable[..., Any]) -> dict[str, Any] | None:
    """Return the arguments of a side with their defaults; nothing if it does not say what they are."""
    with suppress(PairError):
        return parameters_of(key, function)
    return None
