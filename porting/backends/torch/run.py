"""Runs one case in PyTorch: forward, backward and the rest of the case, in the use that the case names."""

from __future__ import annotations

import gc
import weakref
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from porting.backends.torch.arrays import lay_out, to_numpy, to_torch
from porting.backends.torch.graph import nodes_of, raw_gradient
from porting.runners.base import NOT_POSSIBLE, SECOND, as_outputs, enter

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from contextlib import AbstractContextManager

    from porting.runners.base import Array, Case

# What is said of a tensor that may not be overwritten: of a leaf only if the op says by `ctx.mark_dirty` that it does.
_LEAF = "leaf Variable that requires grad"
_EXPANDED = "more than one element of the written-to tensor"
_BY_BACKWARD = ("plain", "interleaved", "retained")  # uses in which ``.backward()`` may be asked instead


class TorchRun:
    """One computation; it records its stage, in case it raises.

    Attributes
    ----------
    found : dict
        The fields of an `Outcome` that are known so far.
    stage : str
        The current stage.
    by_backward : bool
        Whether a gradient was there by ``.backward()`` alone.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.twin = case.op.twin("torch")
        self.stage = "forward"
        self.by_backward = False
        self.found: dict[str, Any] = {}
        self.inputs = self._tensors(case, case.watched)
        self.dy: list[Tensor] = []
        self.outputs: tuple[Tensor, ...] = ()

    def answer(self) -> None:
        """Compute all that the case asks for."""
        case, second = self.case, self.case.ddx is not None
        self.stage = enter("forward")
        if case.tx is not None:
            self.found["ty"] = self._jvp(case.tx)
            return
        if case.use == "audited":
            self.found["audit"] = self._audit()
            return
        self.outputs = self._call(list(self.inputs.values()))
        self.found["value"] = tuple(to_numpy(y) for y in self.outputs)
        if case.dy is None:
            return
        if case.use == "interleaved" and case.other:
            self._elsewhere(case.other)
        self.stage = enter("backward")
        used = _with_gradient(self.outputs, case.used)
        outputs = [self.outputs[k] for k in used]
        self.dy = [lay_out(to_torch(v, case.device), case.dy_layout).requires_grad_(second) for v in case.dy]
        dy = [self.dy[k] for k in used]
        leaves = [self.inputs[name] for name in case.watched]
        if _depend_on_nothing(self.outputs):
            self.found["vjp"] = (None,) * len(case.op.wrt)
            if second:
                self.found["second"] = (None,) * (len(case.dy) + len(leaves))
            return
        if case.raw and case.used is None and case.watch is None:
            self.found["raw"] = self._raw(used)
        dx = self._gradients(outputs, leaves, dy, used)
        by_name = self._accumulated(dict(zip(case.watched, dx)), used)
        ordered = [by_name.get(name) for name in case.op.wrt]
        self.found["vjp"] = tuple(None if g is None else to_numpy(g) for g in ordered)
        if case.ddx is not None:
            self.stage = enter(SECOND)
            ddx = [to_torch(v, case.device) for v in case.ddx]
            self.found["second"] = _second(dx, [*self.dy, *leaves], ddx)

    def _gradients(
        self, outputs: list[Tensor], leaves: list[Tensor], dy: list[Tensor], used: Sequence[int]
    ) -> tuple[Tensor | None, ...]:
        """Return the gradients by the leaves, of one that ``.backward()`` alone may call by that."""
        case, second = self.case, self.case.ddx is not None
        if case.use == "shared":  # another branch of the graph that hands on the same cotangent
            self._ensure_autograd_has_all()
            outputs, dy = [*outputs, *(x.clone() for x in leaves)], [*dy, *(dy[0] for _ in leaves)]
        try:
            if case.use == "retained":  # a copy: one that writes into its cotangent is told of elsewhere
                torch.autograd.grad(outputs, leaves, [v.clone() for v in dy], retain_graph=True, allow_unused=True)
            return torch.autograd.grad(outputs, leaves, dy, create_graph=second, allow_unused=True)
        except RuntimeError:
            found = None if second else self._by_backward(used)
            if found is None:
                raise
            self.by_backward = True
            return tuple(found[name] for name in case.watched)

    def _ensure_autograd_has_all(self) -> None:
        """Refuse an op whose gradients arrive by ``.backward()`` alone, where they would be lost among others."""
        plain = TorchRun(replace(self.case, use="plain"))
        with suppress(RuntimeError):
            plain.answer()
        if plain.by_backward:
            self.stage = enter(NOT_POSSIBLE)
            raise RuntimeError("its gradients arrive by .backward() alone")

    def _accumulated(self, by_name: dict[str, Tensor | None], used: Sequence[int]) -> dict[str, Tensor | None]:
        """Add gradients that arrive by ``.backward()`` alone: of a backward that calls it itself, or writes them."""
        lacking = [name for name, g in by_name.items() if g is None]
        found = self._by_backward(used) if lacking and self.case.ddx is None else None
        self.by_backward |= any(found[name] is not None for name in lacking) if found else False
        return {**by_name, **{name: found[name] for name in lacking}} if found else by_name

    def _by_backward(self, used: Sequence[int]) -> dict[str, Tensor | None] | None:
        """Return the gradients that a graph of its own has by ``.backward()``; nothing if that raises too."""
        case = self.case
        if case.use not in _BY_BACKWARD:
            return None
        inputs = self._tensors(case, case.watched)
        with kept(self.twin):
            try:
                outputs = self._call(list(inputs.values()))
                given = [lay_out(to_torch(v, case.device), case.dy_layout) for v in case.dy or ()]  # unchanged ones
                of, dy = [outputs[k] for k in used], [given[k] for k in used]
                if case.use == "interleaved" and case.other:
                    self._elsewhere(case.other)
                if case.use == "retained":
                    torch.autograd.backward(of, [v.clone() for v in dy], retain_graph=True)
                    for x in inputs.values():
                        x.grad = None
                torch.autograd.backward(of, dy)
            except RuntimeError:
                return None
        return {name: inputs[name].grad for name in case.watched}

    def changed(self) -> tuple[str, ...]:
        """Return the names of the inputs, cotangents and outputs that were changed."""
        case = self.case
        before = {**case.inputs, **_numbered("dy", case.dy or ()), **_numbered("y", self.found.get("value", ()))}
        after = {**self.inputs, **_numbered("dy", self.dy), **_numbered("y", self.outputs)}
        return tuple(name for name, x in after.items() if to_numpy(x).tobytes() != before[name].tobytes())

    def _raw(self, used: Sequence[int]) -> tuple[Array | None, ...] | None:
        """Call the op's own backward, in a graph of its own: one that uses up what was saved spoils this one alone.

        Of one that ``.backward()`` alone may call nothing is known.
        """
        inputs = self._tensors(self.case, self.case.watched)
        self.stage = enter("forward")  # it is called once more
        with kept(self.twin):
            outputs = self._call(list(inputs.values()))
            self.stage = enter("backward")
            given = [lay_out(to_torch(v, self.case.device), self.case.dy_layout) for v in self.case.dy or ()]
            dy = [
                v.to(y.dtype) if y.is_floating_point() and v.is_floating_point() else v for v, y in zip(given, outputs)
            ]
            try:
                with torch.no_grad():  # as in a backward that nobody differentiates again
                    return raw_gradient(outputs, dy, [inputs[name] for name in self.case.watched])
            except RuntimeError:
                if self._by_backward(used) is None:
                    raise
        return None

    def _tensors(self, case: Case, watched: Sequence[str]) -> dict[str, Tensor]:
        return {
            name: lay_out(to_torch(x, case.device), case.layout).requires_grad_(name in watched)
            for name, x in case.inputs.items()
        }

    def _call(self, inputs: list[Tensor], other: Case | None = None) -> tuple[Tensor, ...]:
        """Call the op, with copies if it says by `ctx.mark_dirty` that it overwrites an input: a leaf may not be."""
        case = other or self.case
        try:
            return self._called(inputs, case)
        except RuntimeError as error:
            if _LEAF not in str(error) and not (_EXPANDED in str(error) and self._works_in_place(case)):
                raise
            for x, before in zip(inputs, self._tensors(case, ()).values()):
                x.data = before  # it has overwritten it before it raised
            return self._called([x.clone(memory_format=torch.contiguous_format) for x in inputs], case)

    def _works_in_place(self, case: Case) -> bool:
        """Whether the op says that it overwrites an input: what only does so without a word is at fault."""
        inputs = [to_torch(x, case.device).requires_grad_(n in case.watched) for n, x in case.inputs.items()]
        try:
            self._called(inputs, case)
        except RuntimeError as error:
            return _LEAF in str(error)
        return False

    def _called(self, inputs: list[Tensor], case: Case) -> tuple[Tensor, ...]:
        statics = case.statics
        if not case.use.startswith("vmapped"):
            return as_outputs(self.twin(*inputs, **statics), torch.is_tensor, "a tensor")
        axis = -1 if case.use == "vmapped last" else 0
        moved = [x.movedim(0, axis) for x in inputs]
        mapped = torch.func.vmap(lambda *xs: self.twin(*xs, **statics), in_dims=axis, randomness="different")
        return as_outputs(mapped(*moved), torch.is_tensor, "a tensor")

    def _elsewhere(self, other: Case) -> None:
        """Use the op once more, with other numbers, before the first use has had its backward."""
        inputs = self._tensors(other, other.watched)
        with kept(self.twin):
            outputs = self._call(list(inputs.values()), other)
            dy = [to_torch(v, other.device) for v in other.dy or ()]
            used = _with_gradient(outputs)
            leaves = [inputs[name] for name in other.watched]
            if _depend_on_nothing(outputs):
                return
            self.stage = enter("backward")
            asked = [outputs[k] for k in used], [dy[k] for k in used]
            try:
                torch.autograd.grad(asked[0], leaves, asked[1], retain_graph=True, allow_unused=True)
            except RuntimeError:  # one that ``.backward()`` alone may call; what is wrong raises once more
                torch.autograd.backward(*asked)

    def _jvp(self, tx: Sequence[Array]) -> tuple[Array | None, ...]:
        tangents = dict(zip(self.case.op.wrt, tx))
        with forward_ad.dual_level():
            duals = [
                _dual(x.detach(), to_torch(tangents[name], self.case.device)) if name in tangents else x
                for name, x in self.inputs.items()
            ]
            found = [_tangent(y) for y in self._call(duals)]
            return tuple(None if t is None else to_numpy(t) for t in found)

    def _audit(self) -> dict[str, Any]:
        """Look inside: transforms that are promised, bytes saved for backward, tensors on ctx, whether y is freed."""
        saved: dict[int, int] = {}
        masks: set[int] = set()  # no gradient goes through them

        def pack(tensor: Tensor) -> Tensor:
            saved[_pointer(tensor)] = tensor.numel() * tensor.element_size()
            if not _has_gradient(tensor):
                masks.add(_pointer(tensor))
            return tensor.detach()  # the tensor itself would be a cycle

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            outputs = self._call(list(self.inputs.values()))
        held = getattr(self.twin, "state", ())
        own = {_pointer(t) for t in (*self.inputs.values(), *outputs, *held)} | masks
        if not own.issuperset(saved):
            own |= self._saved_again(saved)  # a parameter that is frozen, a constant
        nodes = nodes_of(outputs)
        intermediates = _saved_by_hand(nodes)
        classes = [type(node)._forward_cls for node in nodes]  # noqa: SLF001 - how autograd names the Function
        classes = [c for c in classes if c.__module__.partition(".")[0] != "torch"]  # made by a transform inside
        kept = {name: t for node in nodes for name, t in vars(node).items() if torch.is_tensor(t)}
        intermediates.update({_pointer(t): t for n in nodes for t in _held(n) if _has_gradient(t)})
        made = [t for at, t in intermediates.items() if at not in own]
        bytes_kept = sum(t.numel() * t.element_size() for n in nodes for t in vars(n).values() if torch.is_tensor(t))
        promises = []
        if classes and all(c.generate_vmap_rule or c.vmap is not torch.autograd.Function.vmap for c in classes):
            promises.append("vmap")
        if classes and all(c.jvp is not torch.autograd.Function.jvp for c in classes):
            promises.append("jvp")
        collecting = gc.isenabled()
        gc.disable()
        numbers = tuple(to_numpy(t).tobytes() for t in made if t.layout == torch.strided)
        try:
            watching = [weakref.ref(y) for y in outputs if y.grad_fn is not None]
            count = len(made)
            del outputs, nodes, intermediates, made
            alive = sum(ref() is not None for ref in watching)
        finally:
            if collecting:
                gc.enable()
        return {
            "promises": tuple(promises),
            "saved": sum(saved.values()),
            "on ctx": tuple(sorted(kept)),
            "bytes on ctx": bytes_kept,
            "alive": alive,
            "intermediates": count,
            "their numbers": numbers,
        }

    def _saved_again(self, before: Collection[int]) -> set[int]:
        """Return what another call saves too, while what the first one saved is still there: it was made before."""
        found: set[int] = set()

        def pack(tensor: Tensor) -> Tensor:
            found.add(_pointer(tensor))
            return tensor.detach()

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            self._call(list(self.inputs.values()))
        return found.intersection(before)


def kept(twin: Any) -> AbstractContextManager[None]:
    """Return a context that keeps the parameters that a call has put into a module until the backward is done."""
    manager: AbstractContextManager[None] = getattr(twin, "kept", nullcontext)()
    return manager


def _dual(x: Tensor, tx: Tensor) -> Any:
    return forward_ad.make_dual(x, tx)  # type: ignore[no-untyped-call]  # PyTorch leaves it untyped


def _tangent(y: Tensor) -> Any:
    return forward_ad.unpack_dual(y).tangent  # type: ignore[no-untyped-call]  # PyTorch leaves it untyped


def _has_gradient(tensor: Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def _pointer(tensor: Tensor) -> int:
    """Return where a tensor's numbers are; a sparse one has no one place."""
    return tensor.data_ptr() if tensor.layout == torch.strided else id(tensor)


def _saved_by_hand(nodes: Sequence[Any]) -> dict[int, Tensor]:
    """Return what the Functions have saved that carries no graph: computed inside, where nothing is recorded.

    What autograd's own operations save is differentiated again, and so are a Function's inputs and outputs.
    """
    found: dict[int, Tensor] = {}
    for node in nodes:
        with suppress(RuntimeError):  # overwritten since
            saved = [t for t in node.saved_tensors if t is not None and _has_gradient(t)]
            found.update({_pointer(t): t for t in saved if not t.requires_grad})
    return found


def _held(node: Any) -> list[Tensor]:
    """Return the tensors that stand on ctx, also in lists, tuples and dictionaries there."""
    things = [*vars(node).values()]
    inside = [list(t.values()) if isinstance(t, dict) else t for t in things if isinstance(t, list | tuple | dict)]
    return [t for t in (*things, *(one for several in inside for one in several)) if torch.is_tensor(t)]


def _numbered(name: str, things: Sequence[Any]) -> dict[str, Any]:
    return {f"{name}{k}": thing for k, thing in enumerate(things)}


def _with_gradient(outputs: Sequence[Tensor], used: Sequence[int] | None = None) -> list[int]:
    """Return which of the outputs, or of those that are used, a gradient comes through: not a mask or a count.

    Where none of them all has one, autograd is asked for it, and says so.
    """
    asked = list(range(len(outputs))) if used is None else list(used)
    found = [k for k in asked if outputs[k].requires_grad]
    return found if any(y.requires_grad for y in outputs) else asked


def _depend_on_nothing(outputs: Sequence[Tensor]) -> bool:
    """Whether outputs have no gradient by any input; where an op left gradients off, that is another matter."""
    return torch.is_grad_enabled() and not any(y.requires_grad for y in outputs)


def _second(dx: tuple[Any, ...], by: list[Tensor], ddx: list[Tensor]) -> tuple[Array | None, ...]:
    """Differentiate the gradients once more; a detached one depends on nothing, as far as autograd knows."""
    live = [(g, v) for g, v in zip(dx, ddx) if g is not None and g.requires_grad]
    if not live:
        return tuple(None for _ in by)
    gradients, cotangents = zip(*live)
    second = torch.autograd.grad(gradients, by, cotangents, allow_unused=True)
    if all(g is None for g in second):  # `once_differentiable` raises where no inputs are named
        torch.autograd.backward(gradients, cotangents)
    return tuple(None if g is None else to_numpy(g) for g in second)
