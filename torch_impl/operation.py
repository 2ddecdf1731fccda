"""One operation of PyTorch, made of an ``autograd.Function`` and the kinds of its arguments."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch import Tensor
from torch._functorch.utils import enable_single_level_autograd_function
from torch._guards import detect_fake_mode
from torch.autograd import Function, forward_ad
from torch.autograd.function import _SingleLevelFunction
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_flatten, tree_unflatten

_KINDS = (  # what PyTorch calls the type of an argument
    (Tensor, "Tensor"),
    (type(None), "Tensor?"),
    ((bool, torch.SymBool), "bool"),
    ((int, torch.SymInt), "SymInt"),
    ((float, torch.SymFloat), "float"),
    (str, "str"),
    (torch.dtype, "ScalarType"),
    (torch.device, "Device"),
)
_TUPLE = "tuple "
_NAMES: set[str] = set()
_LIBRARY = torch.library.Library("gradport", "FRAGMENT")


def kind_of(arg: Any) -> str:
    """Return what PyTorch calls the type of an argument; nothing if it has no name for it."""
    if isinstance(arg, (list, tuple)):
        inner = {kind_of(each) for each in arg} or {"SymInt"}
        listed = inner.pop() + "[]" if len(inner) == 1 and inner <= {"bool", "SymInt", "float"} else ""
        return _TUPLE + listed if listed and isinstance(arg, tuple) else listed
    return next((name for kind, name in _KINDS if isinstance(arg, kind)), "")


class Operation:
    """The operation for one Function and arguments of some kinds.

    A forward that has a ctx, the old form, may save what it has computed: these tensors are further outputs.
    """

    def __init__(
        self, function: type[Function], backward: Callable[..., Any], kinds: tuple[str, ...], args: tuple[Any, ...]
    ) -> None:
        self.function, self.kinds = function, kinds
        self.old = function.setup_context is Function.setup_context
        self.backward = backward
        self.left = threading.local()  # what an old forward has put on its ctx: PyTorch asks for it right afterwards
        with _unrecorded(args):
            outputs, extras, self.single = self._run(self._restored(args))
            if not self.old:
                function.setup_context(_Recorder(args), args, outputs[0] if self.single else tuple(outputs))
        self.outputs, self.extras = len(outputs), len(extras)
        given = ", ".join(f"{kind.removeprefix(_TUPLE)} a{k}" for k, kind in enumerate(kinds))
        schema = f"({given}) -> ({', '.join(['Tensor'] * (self.outputs + self.extras))})"
        name = _unused_name(function, kinds)
        _LIBRARY.define(name + schema, tags=torch.Tag.pt2_compliant_tag)
        self.op = getattr(torch.ops.gradport, name).default
        _LIBRARY.impl(name, self.forward, "CompositeExplicitAutograd")
        _LIBRARY.impl(name, self.recorded, "Autograd", with_keyset=True)
        torch.library.register_fake(self.op, self.faked, lib=_LIBRARY)
        torch.library.register_vmap(self.op, self.map, lib=_LIBRARY)
        own = {"forward": staticmethod(self.below), "backward": staticmethod(self.pull)}
        self.node = type(name, (_SingleLevelFunction,), own)

    def own(self, returned: Any) -> Any:
        """Return the outputs of the Function, of those of the operation."""
        if self.outputs + self.extras == 1:
            return returned if self.single else (returned,)
        return returned[0] if self.single else tuple(returned[: self.outputs])

    def forward(self, *args: Any) -> Any:
        """Return the outputs: none is a view of an input, or of another one."""
        with torch.no_grad():
            outputs, extras, single = self._run(self._restored(args))
            if (len(outputs), len(extras), single) != (self.outputs, self.extras, self.single):
                raise NotImplementedError(
                    f"{self.function.__qualname__}: it returned or saved {self.outputs + self.extras} tensors when it"
                    f" was first called, and now {len(outputs) + len(extras)}; an operation has as many each time"
                )
            taken = [arg.untyped_storage() for arg in args if isinstance(arg, Tensor) and arg.layout == torch.strided]
            found = []
            for y in (*outputs, *extras):
                storage = y.untyped_storage() if y.layout == torch.strided else None
                found.append(y.clone() if any(storage is each for each in taken) else y)
                taken += [] if storage is None else [storage]
        return tuple(found) if len(found) > 1 else found[0]

    def recorded(self, keys: Any, *args: Any) -> Any:
        """Call the operation, and record its backward if anybody asks for it.

        What `torch.library.register_autograd` does is refused inside `torch.func.grad`; this is allowed there.
        """
        asked = torch.is_grad_enabled() and any(isinstance(arg, Tensor) and arg.requires_grad for arg in args)
        if asked or forward_ad._current_level >= 0:  # noqa: SLF001 - forward mode, which the node refuses
            with enable_single_level_autograd_function():
                return self.node.apply(*args, keys)
        return self.below(None, *args, keys)

    def below(self, ctx: Any, *given: Any) -> Any:
        """Call the operation below autograd, and fill the ctx, if there is one."""
        *args, keys = given
        with torch._C._AutoDispatchBelowAutograd():  # noqa: SLF001 - as `register_autograd` does
            output = self.op.redispatch(keys & torch._C._after_autograd_keyset, *args)  # noqa: SLF001 - likewise
            if ctx is not None:
                self.set_up(ctx, tuple(args), output)
        return output

    def faked(self, *args: Any) -> Any:
        """Return outputs without numbers; a length that depends on numbers, as that of ``x[x > 0]``, stays inside."""
        with _lengths_inside(detect_fake_mode(args)):
            return self.forward(*args)

    def set_up(self, ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Put on the ctx what the Function puts there."""
        inputs = self._restored(inputs)
        if not self.old:
            self.function.setup_context(ctx, inputs, self.own(output))
            return
        tensors = (*inputs, *(output if isinstance(output, tuple) else (output,)))
        leaves, spec = self.left.found
        left = tree_unflatten([tensors[leaf.at] if isinstance(leaf, _Tensor) else leaf for leaf in leaves], spec)
        ctx.save_for_backward(*left.pop("saved for backward"))
        ctx.set_materialize_grads(left.pop("materialize"))
        ctx.mark_non_differentiable(*left.pop("not differentiable"), *tensors[len(inputs) + self.outputs :])
        for name, value in left.items():
            setattr(ctx, name, value)

    def pull(self, ctx: Any, *dy: Any) -> Any:
        """Return the gradients; of the keys there is none."""
        dx = self.backward(ctx, *dy[: self.outputs])
        return (*dx, None) if isinstance(dx, tuple) else (dx, None)

    def map(self, info: Any, in_dims: tuple[int | None, ...], *args: Any) -> Any:
        """Call the operation for one sample after the other: each has its gradient, whoever asks for it."""
        if self.old:
            raise NotImplementedError(
                f"{self.function.__qualname__}: a forward with ctx cannot be mapped; write forward without ctx, and"
                " setup_context"
            )
        called = [
            self.op(*(arg if axis is None else arg.select(axis, k) for arg, axis in zip(args, in_dims, strict=True)))
            for k in range(info.batch_size)
        ]
        if self.outputs == 1:
            return torch.stack(called), 0
        return tuple(map(torch.stack, zip(*called, strict=True))), (0,) * self.outputs

    def _restored(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments as they were given: PyTorch has lists only."""
        return tuple(tuple(a) if k.startswith(_TUPLE) else a for k, a in zip(self.kinds, args, strict=True))

    def _run(self, args: tuple[Any, ...]) -> tuple[list[Tensor], list[Tensor], bool]:
        """Return the outputs, the further tensors that are saved, and whether the output is one alone."""
        ctx, before = _Recorder(args), _versions(args)
        y = self.function.forward(ctx, *args) if self.old else self.function.forward(*args)
        if _versions(args) != before:
            ctx.mark_dirty()
        outputs = list(y) if isinstance(y, tuple) else [y]
        if not all(isinstance(each, Tensor) for each in outputs) or not outputs:
            raise NotImplementedError(
                f"{self.function.__qualname__}: an operation returns one tensor or a tuple of them, got {y!r}"
            )
        tensors, extras = [*args, *outputs], []
        leaves, spec = tree_flatten(ctx.left)
        for k, leaf in enumerate(leaves):
            if isinstance(leaf, Tensor):
                at = next((at for at, each in enumerate(tensors) if each is leaf), len(tensors))
                if at == len(tensors):
                    tensors.append(leaf)
                    extras.append(leaf)
                leaves[k] = _Tensor(at)
        self.left.found = leaves, spec
        return outputs, extras, not isinstance(y, tuple)


@contextmanager
def _unrecorded(args: tuple[Any, ...]) -> Iterator[None]:
    """Let a forward be tried: nothing that traces sees it, and no random number is used up."""
    fake = detect_fake_mode(args)
    gpus = [arg.device.index for arg in args if isinstance(arg, Tensor) and arg.is_cuda]
    with torch._C.DisableTorchFunction(), _disable_current_modes(), torch.no_grad():  # noqa: SLF001 - its only name
        if fake is None:
            with torch.random.fork_rng(gpus):
                yield
        else:
            with fake, _lengths_inside(fake):
                yield


def _lengths_inside(fake: Any) -> Any:
    """Return a context in which tensors may have lengths that depend on numbers, which are not those of an output."""
    shapes = getattr(fake, "shape_env", None)
    return shapes.ignore_fresh_unbacked_symbols() if shapes else nullcontext()


def _versions(args: tuple[Any, ...]) -> list[int]:
    """Return how often each tensor was overwritten."""
    tensors = [arg for arg in args if isinstance(arg, Tensor) and not arg.is_inference()]
    return [tensor._version for tensor in tensors]  # noqa: SLF001 - as PyTorch's own notes do


class _Tensor:
    """Stands for an input, an output or a further tensor, by its number."""

    def __init__(self, at: int) -> None:
        self.at = at


class _Recorder:
    """Stands for a ctx, and holds what a Function puts there."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        left = {"saved for backward": (), "not differentiable": (), "materialize": True}
        self.__dict__.update(left=left, needs_input_grad=tuple(isinstance(arg, Tensor) for arg in args))

    def __setattr__(self, name: str, value: Any) -> None:
        self.left[name] = value

    def __getattr__(self, name: str) -> Any:
        try:
            return self.left[name]
        except KeyError:
            raise AttributeError(name) from None

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Hold what the backward needs."""
        self.left["saved for backward"] = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Hold nothing: an operation has no forward mode."""

    def mark_non_differentiable(self, *outputs: Tensor) -> None:
        """Hold which outputs have no gradient."""
        self.left["not differentiable"] = outputs

    def set_materialize_grads(self, value: bool) -> None:
        """Hold whether the backward gets zeros or None."""
        self.left["materialize"] = value

    def mark_dirty(self, *inputs: Tensor) -> None:
        """Refuse what overwrites an input."""
        raise NotImplementedError(
            "a Function that overwrites an input cannot be an operation with a gradient; let it return a new tensor"
        )


def _unused_name(function: type[Function], kinds: tuple[str, ...]) -> str:
    """Return the same name for the same Function in each process; one of a namesake gets a number."""
    said = "_".join(kinds).replace("?", "Optional").replace("[]", "List")
    name = found = re.sub(r"\W+", "_", f"{function.__module__}_{function.__qualname__}_{said}")
    number = 1
    while found in _NAMES:
        number += 1
        found = f"{name}_{number}"
    _NAMES.add(found)
    return found
