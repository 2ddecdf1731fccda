"""A function that has forward mode: the tangent of each ``autograd.Function`` is derived from its backward.

A backward is linear in the cotangent. Its transpose, which `torch.func.vjp` of it gives, takes the tangents of the
inputs to those of the outputs.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.forward_ad import _set_fwd_grad_enabled

from torch_impl.stand_ins import StandIns

F = TypeVar("F", bound=Callable[..., Any])


def forward_mode(op: F) -> F:
    """Return a function that is the same, in which each ``autograd.Function`` without a ``jvp`` has one.

    Functions themselves are left as they are: where one has a ``jvp``, ``torch.compile`` leaves it out of its graph.

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
        If it calls no Function.
    NotImplementedError
        When a tangent is asked for: if a backward is not linear in the cotangent, as that of a clipped gradient; and in
        forward mode of forward mode.

    Example
    -------
    >>> import torch
    >>> from torch_impl.forward_mode import forward_mode
    >>> from torch_impl.gradient.scale_gradient import scale_gradient
    >>> x, tx = torch.tensor([0.5, 2.0]), torch.tensor([1.0, -1.0])
    >>> y, ty = torch.func.jvp(lambda x: forward_mode(scale_gradient)(x, scale=3.0), (x,), (tx,))
    >>> ty
    tensor([ 3., -3.])
    """
    return _STAND_INS.copy(op)


def _with_jvp(function: type[Function]) -> type[Function]:
    """Return a subclass that has a ``jvp``; the Function itself, if it has one."""
    if function.jvp is not Function.jvp:
        return function
    old = function.setup_context is Function.setup_context  # ``forward(ctx, ...)``

    @functools.cache
    def pull() -> Callable[..., Any]:
        found: Callable[..., Any] = _STAND_INS.instead_of(function.backward)  # it may call this Function again
        return found

    @functools.wraps(function.forward)  # `apply` asks for its signature
    def forward(*args: Any, **keywords: Any) -> Any:
        if not old:
            return _no_views(function.forward(*args, **keywords))
        output = _no_views(function.forward(_Both(args[0]), *args[1:], **keywords))
        args[0].forward_mode_output = _sizes(output)
        return output

    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        function.setup_context(_Both(ctx), inputs, output)
        ctx.forward_mode_output = _sizes(output)

    def jvp(ctx: Any, *tangents: Any) -> Any:
        _ensure_one_level(function.__qualname__)
        return _transposed(function.__qualname__, pull(), ctx, tangents)

    def backward(ctx: Any, *dy: Any) -> Any:
        return pull()(ctx, *dy)

    own = {"forward": forward, "backward": backward, "jvp": jvp}
    own |= {} if old else {"setup_context": setup_context}
    named = {"__module__": function.__module__, "__qualname__": function.__qualname__}
    return type(function.__name__, (function,), {name: staticmethod(f) for name, f in own.items()} | named)


class _Both:
    """A ctx that saves for forward mode too what is saved for the backward."""

    def __init__(self, ctx: Any) -> None:
        self.__dict__["ctx"] = ctx

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ctx, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.ctx, name, value)

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Save for both."""
        self.ctx.save_for_backward(*tensors)
        self.ctx.save_for_forward(*tensors)


class _Needing:
    """A ctx that says which gradients are needed: those by the inputs that have a tangent; what is saved has none."""

    def __init__(self, ctx: Any, needed: tuple[bool, ...]) -> None:
        self.ctx, self.needs_input_grad = ctx, needed
        with _set_fwd_grad_enabled(False):  # without tangents, which `unpack_dual` could not map
            self.saved_tensors = tuple(t if t is None else t.clone() for t in ctx.saved_tensors)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ctx, name)


def _no_views(output: Any) -> Any:
    """Copy what is a view: PyTorch wants its tangent to be the view of a tangent."""
    if isinstance(output, tuple):
        return tuple(map(_no_views, output))
    return output.clone() if isinstance(output, Tensor) and output._is_view() else output  # noqa: SLF001 - no other way


def _sizes(output: Any) -> list[tuple[Any, ...]]:
    outputs = output if isinstance(output, tuple) else (output,)
    return [(isinstance(output, tuple), y.shape, y.dtype, y.device) for y in outputs]


def _transposed(name: str, pull: Callable[..., Any], ctx: Any, tangents: tuple[Any, ...]) -> Any:
    """Return the tangents of the outputs: the transpose of the backward, applied to those of the inputs."""
    sizes = ctx.forward_mode_output
    zeros = [torch.zeros(shape, dtype=dtype, device=device) for _, shape, dtype, device in sizes]
    live = [k for k, zero in enumerate(zeros) if zero.is_floating_point() or zero.is_complex()]
    moving = [k for k, tangent in enumerate(tangents) if isinstance(tangent, Tensor)]
    given = _Needing(ctx, tuple(isinstance(tangent, Tensor) for tangent in tangents))

    def backward(*dy: Tensor) -> tuple[Tensor, ...]:
        at = dict(zip(live, dy, strict=True))
        found = pull(given, *(at.get(k, zero) for k, zero in enumerate(zeros)))
        dx = found if isinstance(found, tuple) else (found,)
        return tuple(torch.zeros_like(tangents[k]) if dx[k] is None else dx[k] for k in moving)

    tx = tuple(tangents[k] for k in moving)
    _, transpose = torch.func.vjp(backward, *(zeros[k] for k in live))
    ty = transpose(tx)
    _ensure_linear(name, backward, tx, ty)
    at = dict(zip(live, ty, strict=True))
    return tuple(at.get(k) for k in range(len(zeros))) if sizes[0][0] else at.get(0)


def _ensure_one_level(name: str) -> None:
    """Refuse forward mode of forward mode: PyTorch takes the tangent of a Function for a constant there.

    See https://github.com/pytorch/pytorch/issues/197867.
    """
    levels = torch._C._functorch.get_interpreter_stack() or []  # noqa: SLF001 - nothing else says so
    if sum(level.key() == torch._C._functorch.TransformType.Jvp for level in levels) > 1:  # noqa: SLF001 - its name
        raise NotImplementedError(
            f"{name}: forward mode of forward mode, of which PyTorch makes 0 in silence; take torch.func.hessian, or"
            " jacfwd of jacrev"
        )


def _ensure_linear(
    name: str, backward: Callable[..., tuple[Tensor, ...]], tx: tuple[Tensor, ...], ty: tuple[Tensor, ...]
) -> None:
    """Refuse a backward b that is not linear, or is not differentiated: <tx, b(dy)> is <ty, dy> for its transpose."""
    if torch.compiler.is_compiling():  # the numbers are not there
        return
    dy = [_any_numbers(each) for each in ty]
    with torch.no_grad():
        left, least = _product(tx, backward(*dy))
        right, size = _product(ty, dy)
    near = torch.finfo(left.dtype).eps ** 0.5 * (least + size)
    same = ((left - right).abs() <= near) | ~torch.isfinite(left) | ~torch.isfinite(right)
    if not torch.func.debug_unwrap(same).all():
        raise NotImplementedError(
            f"{name}: its backward is not linear in the cotangent, or detaches it, so that it has no transpose and no"
            " forward mode; write a staticmethod jvp"
        )


def _any_numbers(like: Tensor) -> Tensor:
    """Return numbers of both signs, of a size at which a clipped gradient is clipped."""
    size = 16.0 if like.dtype.itemsize == 2 else 1024.0
    numbers = torch.arange(1, like.numel() + 1, device=like.device, dtype=torch.float32).cos() * size
    return numbers.reshape(like.shape).to(like.dtype)


def _product(one: Sequence[Tensor], other: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Return the sum of the products, and of their sizes."""
    terms = [(a.conj() * b).real if a.is_complex() else a * b for a, b in zip(one, other, strict=True)]
    terms = [term.to(torch.promote_types(term.dtype, torch.float32)) for term in terms]
    return sum(term.sum() for term in terms), sum(term.abs().sum() for term in terms)


_STAND_INS = StandIns("forward_mode", _with_jvp)
