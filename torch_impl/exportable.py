"""A function whose custom gradients survive ``torch.export``, ``make_fx`` and ``torch.compile`` of ``torch.func.grad``.

There PyTorch records an ``autograd.Function`` as the operations of its forward. A ``torch.library.custom_op`` stays one
operation, with the backward that is registered with it.
"""

from collections.abc import Callable
from inspect import Signature, signature
from typing import Any, TypeVar

import torch
from torch.autograd import Function

from torch_impl.operation import Operation, kind_of
from torch_impl.stand_ins import StandIns

_LATE = "its operation is made at the first call: call the function once before"

F = TypeVar("F", bound=Callable[..., Any])


def exportable(op: F) -> F:
    """Return a function that is the same, in which each ``autograd.Function`` is a ``torch.library.custom_op``.

    Such an operation, in the namespace ``gradport``, is made at the first call with arguments of its kinds. So call the
    function once before ``torch.compile(fullgraph=True)``, and before you load a program that ``torch.export.save``
    wrote. Under ``torch.func.vmap`` the operation is called for one sample after the other.

    Parameters
    ----------
    op : callable
        A function that calls Functions, or other functions that do.

    Returns
    -------
    callable
        A function of the same signature, values and gradients.

    Raises
    ------
    TypeError
        If it calls no Function. When it is called: if an argument of a Function is neither a tensor, number, text,
        type, device or `None`, nor a list of numbers of one type.
    NotImplementedError
        When it is called: if a Function overwrites an input, or returns something that is no tensor.

    Example
    -------
    >>> import torch
    >>> from torch_impl.exportable import exportable
    >>> from torch_impl.straight_through.ste_round import ste_round
    >>> exported = exportable(ste_round)
    >>> x = torch.tensor([0.4, 1.7], requires_grad=True)
    >>> exported(x).sum().backward()
    >>> x.grad
    tensor([1., 1.])
    """
    return _STAND_INS.copy(op)


class _AsOperations:
    """Stands in for a Function: its ``apply`` calls the operation that was made for arguments of these kinds."""

    stands_in = True

    def __init__(self, function: type[Function]) -> None:
        self.function = function
        self.made: dict[tuple[str, ...], Operation] = {}
        old = function.setup_context is Function.setup_context
        self.named = list(signature(function.forward).parameters.values())[old:]  # the first one is the ctx
        self.wanted = 0 if old or any(p.kind is p.VAR_POSITIONAL for p in self.named) else len(self.named)
        # Not as a decorator: it imports the compiler, which takes as long as all of torch.
        self._made = torch.compiler.disable(self._operation, reason=_LATE)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)

    def apply(self, *args: Any, **keywords: Any) -> Any:
        """Call the operation."""
        if keywords or len(args) < self.wanted:
            args = self._in_order(args, keywords)
        kinds = tuple([kind_of(arg) for arg in args])
        made = self.made.get(kinds)
        if made is None:
            made = self._made(kinds, args)
        return made.own(made.op(*args))

    def _in_order(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        """Return the arguments by their places, with the forward's defaults."""
        bound = Signature(self.named).bind(*args, **keywords)
        bound.apply_defaults()
        if bound.kwargs:
            raise NotImplementedError(
                f"{self.function.__qualname__}: {', '.join(bound.kwargs)} can be given by name only, which an operation"
                " does not have; let it be given by its place"
            )
        return bound.args

    def _operation(self, kinds: tuple[str, ...], args: tuple[Any, ...]) -> "Operation":
        for kind, arg in zip(kinds, args, strict=True):
            if not kind:
                raise TypeError(
                    f"{self.function.__qualname__}.apply: an operation of PyTorch takes tensors, numbers, texts, types,"
                    f" devices, None and lists of numbers of one type, got {arg!r}; let the Function make that itself"
                )
        backward = _STAND_INS.instead_of(self.function.backward)  # it may call Functions too
        self.made[kinds] = Operation(self.function, backward, kinds, args)
        return self.made[kinds]


_STAND_INS = StandIns("exportable", _AsOperations)
