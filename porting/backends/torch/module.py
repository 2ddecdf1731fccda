"""An `nn.Module` as a side: its parameters are inputs of the twin, everything else that it holds is state."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from porting.backends.axes import NEW, every_axis
from porting.backends.torch.first_call import after_first_call
from porting.backends.torch.hidden import Hidden
from porting.backends.torch.plain_tensors import another, drawn, numbers, plain_tensors
from porting.runners.attributes import Attributes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from porting.runners.base import Array

    Packing = Callable[[Sequence[Any]], Sequence[Any]]
    Places = Sequence[tuple[str, tuple[int, ...] | None]]


class TorchModule:
    """The parameters of a module, and the twin that takes them.

    Parameters
    ----------
    module : torch.nn.Module
        The module. Nothing that it holds is changed.
    examples : sequence of sequence of numpy.ndarray
        Inputs of its forward, for a first call, which may make or set parameters, and for a second one.
    statics : mapping
        The other arguments of these calls.
    again : callable, optional
        Makes another module likewise.

    Attributes
    ----------
    parameters : mapping of str to tuple of int
        The shapes of the trained parameters, by name; a shared parameter occurs once.
    state : mapping of str to tuple of str
        What is not compared: the buffers, the parameters that are frozen or not real, and tensors that were drawn.
    untracked : tuple of str
        The parameters in plain lists, which PyTorch does not find.
    set_first : tuple of str
        The parameters that the first call sets: the module is as it is after that.
    """

    def __init__(
        self,
        module: Any,
        examples: Sequence[Sequence[Array]],
        statics: Mapping[str, Any],
        again: Callable[[], Any] | None = None,
    ) -> None:
        self._again = again
        self.module, self.set_first = after_first_call(_built(module, examples[0], statics), examples, statics)
        module = self.module
        self._hidden = hidden = Hidden(module)
        self._named = {**dict(module.named_parameters()), **hidden.named_parameters()}
        trained = {name: p for name, p in self._named.items() if p.requires_grad and p.is_floating_point()}
        self.parameters = {name: tuple(p.shape) for name, p in trained.items()}
        self._buffers = {**dict(module.named_buffers()), **hidden.named_buffers()}
        frozen = tuple(name for name in self._named if name not in trained)
        self._rest = [*frozen, *self._buffers]
        self._given: dict[str, Any] = {}
        self._drawn = drawn(module, again)
        training = ", in training mode" if module.training else ", in evaluation mode"
        self.state = {f"buffers{training}": tuple(self._buffers), "frozen parameters": frozen}
        self.state["tensors in attributes"] = tuple(self._drawn)
        self.untracked = tuple(hidden.named_parameters())

    def twin(
        self, count: int, places: Places, statics: Mapping[str, Any], packing: Packing = list
    ) -> Callable[..., Any]:
        """Return a function of the forward's inputs, followed by the parameters.

        Parameters
        ----------
        count : int
            How many inputs the forward has.
        places : sequence of (str, tuple of int or None)
            For each further input: the name of its parameter, and the order of axes that turns the input into it.
        statics : mapping
            Arguments that are passed to the forward in every call.
        packing : callable
            Makes the arguments of the inputs: some may be lists of them.
        """
        from torch.nn.utils.stateless import _reparametrize_module  # `functional_call` without the call

        module, hidden, placed = self.module, self._hidden, {name for name, _ in places}
        rest = [*self._rest, *(name for name in self.parameters if name not in placed)]
        open_: list[tuple[ExitStack, _Before]] = []
        held: list[Any] = []

        def twin(*xs: Any, **given: Any) -> Any:
            if not open_:
                with _kept(open_, self):
                    return twin(*xs, **given)
            stack, before = open_[-1]
            before.attributes.put_back()
            drawn = {name: _laid_out(x, axes) for (name, axes), x in zip(places, xs[count:], strict=True)}
            like = next((x for x in (*drawn.values(), *xs) if x.is_floating_point()), None)
            state = {name: _in_type(before.tensors[name], like) for name in rest}
            held[:] = state.values()
            every = {**state, **drawn}
            for path, part in ("", module), *hidden.modules.items():
                own = {n: t for n in _names(part) if (t := every.get(f"{path}.{n}" if path else n)) is not None}
                stack.enter_context(_reparametrize_module(part, own, tie_weights=True))
            for name in self._drawn.keys() & self._given.keys():
                place = self._drawn[name]
                place.put(self._given[name])
                stack.callback(place.put, place.tensor)
            hidden.filled({id(p): every[n] for n, p in self._named.items()}, stack.callback)
            return module(*packing(xs[:count]), **statics, **given)

        twin.__wrapped__ = module  # type: ignore[attr-defined]  # where the source is
        twin.state = held  # type: ignore[attr-defined]  # for the runner: what was made before the forward
        twin.kept = partial(_kept, open_, self)  # type: ignore[attr-defined]  # the runner's
        return twin

    def before(self) -> _Before:
        """Return what it holds now."""
        parts = [*self.module.modules(), *self._hidden.all_modules()]
        return _Before(Attributes(parts), {**self._named, **self._buffers, **self._given})

    def held_state(self) -> dict[str, Array]:
        """Return the real numbers of what is not compared, by name."""
        held = {**self._all(), **self._given}
        return {n: numbers(held[n]) for n in (*self._rest, *self._drawn) if held[n].is_floating_point()}

    def redrawn(self) -> dict[str, Array]:
        """Return the same of another module that is made likewise; nothing if that cannot be had."""
        other = another(self._again)
        if other is None:
            return {}
        tensors = {n: place.tensor for n, place in plain_tensors(other).items()}
        held = {**dict(other.named_parameters()), **dict(other.named_buffers()), **tensors}
        return {n: numbers(held[n]) for n in (*self._rest, *self._drawn) if n in held and held[n].is_floating_point()}

    def give(self, name: str, x: Array) -> None:
        """Have other numbers for something that is not compared, in each call; the module keeps its own."""
        self._given[name] = self._all()[name].detach().new_tensor(x)

    def _all(self) -> dict[str, Any]:
        return {**self._named, **self._buffers, **{n: place.tensor for n, place in self._drawn.items()}}

    def tried(self, examples: Sequence[Array], statics: Mapping[str, Any]) -> None:
        """Call the original module with inputs; it raises if it does not take them."""
        import torch
        from torch.utils._pytree import tree_map

        held = [self._named[name].detach() for name in self.parameters]
        xs = tree_map(lambda x: torch.from_numpy(x).to(held[0].dtype if x.dtype.kind == "f" else None), list(examples))
        with torch.no_grad():
            self.twin(len(xs), [(name, None) for name in self.parameters], statics)(*xs, *held)


class _Before(NamedTuple):
    """What a module holds before it is called."""

    attributes: Attributes
    tensors: dict[str, Any]


@contextmanager
def _kept(open_: list[tuple[ExitStack, _Before]], module: TorchModule) -> Iterator[None]:
    """While this is open, what a call has put into the module stays there: a backward may call the module again.

    Each call finds buffers and attributes as the first one did, also those that a first call sets.
    """
    before = open_[0][1] if open_ else module.before()
    with ExitStack() as stack:
        open_.append((stack, before))
        try:
            yield
        finally:
            open_.pop()
            if not open_:
                before.attributes.put_back()


def _built(module: Any, examples: Sequence[Array], statics: Mapping[str, Any]) -> Any:
    """Return a module that has its parameters: itself, or a copy that was called once, if that makes some.

    A lazy module is called itself. Others are called where an attribute says that something is not there yet.
    """
    import torch
    from torch.nn.parameter import is_lazy
    from torch.utils._pytree import tree_map

    lazy = any(is_lazy(p) for p in module.parameters())
    if not lazy and not any(v is None for part in module.modules() for v in _own(part)):
        return module
    xs = tree_map(lambda x: torch.from_numpy(x).to(_default(x)), list(examples))
    if lazy:
        with torch.no_grad():
            module(*xs, **statics)
        return module
    with suppress(Exception), torch.random.fork_rng(devices=[]), torch.no_grad():  # what it raises is told elsewhere
        copied = deepcopy(module)
        copied(*xs, **statics)
        if len(_parameters(copied)) > len(_parameters(module)):
            return copied
    return module


def _own(part: Any) -> list[Any]:
    """Return what a module of one's own has in its attributes."""
    if type(part).__module__.partition(".")[0] == "torch":
        return []
    return [*(v for n, v in vars(part).items() if not n.startswith("_")), *vars(part)["_parameters"].values()]


def _parameters(module: Any) -> list[Any]:
    return [*module.parameters(), *Hidden(module).named_parameters()]


def _names(module: Any) -> list[str]:
    return [*dict(module.named_parameters()), *dict(module.named_buffers())]


def _laid_out(x: Any, axes: tuple[int, ...] | None) -> Any:
    """Return a parameter as a module has it: in one piece, however the drawn numbers lie."""
    if axes is None:
        return x.contiguous()
    return x.permute(every_axis(axes, x.ndim)).reshape([1 if k == NEW else x.shape[k] for k in axes]).contiguous()


def _in_type(state: Any, like: Any) -> Any:
    """Return a copy of a buffer, in the type and on the device of the numbers that are drawn."""
    copy = state.detach().clone()
    if like is None:
        return copy
    if copy.is_complex():
        return copy.to(device=like.device, dtype=like.dtype.to_complex())
    return copy.to(device=like.device, dtype=like.dtype if copy.is_floating_point() else copy.dtype)


def _default(x: Array) -> Any:
    import torch

    return torch.get_default_dtype() if x.dtype.kind == "f" else None
