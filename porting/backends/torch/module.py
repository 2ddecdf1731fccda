"""An `nn.Module` as a side: its parameters are inputs of the twin, everything else that it holds is state."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from porting.backends.axes import NEW, every_axis
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
    examples : sequence of numpy.ndarray
        Inputs of its forward, for a module whose parameters are made by its first call.

    Attributes
    ----------
    parameters : mapping of str to tuple of int
        The shapes of the trained parameters, by name; a shared parameter occurs once.
    state : mapping of str to tuple of str
        What is not compared: the buffers, and the parameters that are frozen or not real.
    """

    def __init__(self, module: Any, examples: Sequence[Array]) -> None:
        import torch
        from torch.nn.parameter import is_lazy
        from torch.utils._pytree import tree_map

        if any(is_lazy(p) for p in module.parameters()):
            with torch.no_grad():
                module(*tree_map(lambda x: torch.from_numpy(x).to(_default(x)), list(examples)))
        self.module = module
        named = dict(module.named_parameters())
        trained = {name: p for name, p in named.items() if p.requires_grad and p.is_floating_point()}
        self.parameters = {name: tuple(p.shape) for name, p in trained.items()}
        self._rest = [name for name in named if name not in trained] + [name for name, _ in module.named_buffers()]
        training = ", in training mode" if module.training else ", in evaluation mode"
        self.state = {
            f"buffers{training}": tuple(name for name, _ in module.named_buffers()),
            "frozen parameters": tuple(name for name in named if name not in trained),
        }

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

        module, rest = self.module, self._rest
        open_: list[tuple[ExitStack, _Before]] = []
        held: list[Any] = []

        def twin(*xs: Any, **given: Any) -> Any:
            if not open_:
                with _kept(open_, module):
                    return twin(*xs, **given)
            stack, before = open_[-1]
            before.attributes.put_back()
            drawn = {name: _laid_out(x, axes) for (name, axes), x in zip(places, xs[count:], strict=True)}
            like = next((x for x in (*drawn.values(), *xs) if x.is_floating_point()), None)
            state = {name: _in_type(before.tensors[name], like) for name in rest}
            held[:] = state.values()
            stack.enter_context(_reparametrize_module(module, {**state, **drawn}, tie_weights=True))
            return module(*packing(xs[:count]), **statics, **given)

        twin.__wrapped__ = module  # type: ignore[attr-defined]  # where the source is
        twin.state = held  # type: ignore[attr-defined]  # for the runner: what was made before the forward
        twin.kept = partial(_kept, open_, module)  # type: ignore[attr-defined]  # the runner's
        return twin

    def tried(self, examples: Sequence[Array], statics: Mapping[str, Any]) -> None:
        """Call the original module with inputs; it raises if it does not take them."""
        import torch
        from torch.utils._pytree import tree_map

        held = [p.detach() for name, p in self.module.named_parameters() if name in self.parameters]
        xs = tree_map(lambda x: torch.from_numpy(x).to(held[0].dtype if x.dtype.kind == "f" else None), list(examples))
        with torch.no_grad():
            self.twin(len(xs), [(name, None) for name in self.parameters], statics)(*xs, *held)


class _Before(NamedTuple):
    """What a module holds before it is called."""

    attributes: Attributes
    tensors: dict[str, Any]


@contextmanager
def _kept(open_: list[tuple[ExitStack, _Before]], module: Any) -> Iterator[None]:
    """While this is open, what a call has put into the module stays there: a backward may call the module again.

    Each call finds buffers and attributes as the first one did, also those that a first call sets.
    """
    if open_:
        before = open_[0][1]
    else:
        before = _Before(
            Attributes(module.modules()), {**dict(module.named_parameters()), **dict(module.named_buffers())}
        )
    with ExitStack() as stack:
        open_.append((stack, before))
        try:
            yield
        finally:
            open_.pop()
            if not open_:
                before.attributes.put_back()


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
