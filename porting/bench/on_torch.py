"""Forward and backward in PyTorch, eagerly or compiled, as one call."""

from collections.abc import Callable
from typing import Any, Final

import torch
from torch._dynamo import config
from torch._dynamo.utils import counters

from porting.backends.torch.arrays import to_numpy, to_torch
from porting.backends.torch.graph import nodes_behind
from porting.bench.problem import Problem, nbytes
from porting.runners.base import Array, as_outputs

MODES: Final = ("eager", "compile")


class TorchKit:
    """Copies by PyTorch, on the device that is measured."""

    def __init__(self, device: str) -> None:
        self.device = device

    def empty(self, n: int) -> Any:
        """Return n float32 numbers."""
        return torch.empty(n, device=self.device)

    def copy(self, to: Any, x: Any) -> None:
        """Read one, write one."""
        to.copy_(x)

    def add(self, to: Any, x1: Any, x2: Any) -> None:
        """Read two, write one."""
        torch.add(x1, x2, out=to)

    def read(self, x: Any) -> None:
        """Read one, write nothing."""
        x.sum()

    def fill(self, to: Any) -> None:
        """Write one, read nothing."""
        to.fill_(1.0)


class Place:
    """One problem as PyTorch tensors.

    Parameters
    ----------
    problem : Problem
        What is measured.
    twin : callable
        Says which shapes the outputs have.
    device : {"cpu", "gpu"}
        Where.
    """

    def __init__(self, problem: Problem, twin: Callable[..., Any], device: str = "cpu") -> None:
        torch.compiler.reset()  # or the limit of recompilations of one function is reached after a few problems
        self.problem, self.device = problem, device
        self.kit = TorchKit("cuda" if device == "gpu" else "cpu")
        self.inputs = [to_torch(x, device).requires_grad_(name in problem.op.wrt) for name, x in problem.inputs.items()]
        self.leaves = [x for x in self.inputs if x.requires_grad]
        outputs = self._outputs(twin)
        cotangents = problem.cotangents([tuple(y.shape) for y in outputs])
        self.dy = [to_torch(v, device) for v in cotangents]
        self.moved = nbytes(list(problem.inputs.values())), nbytes(cotangents), sum(x.nbytes for x in self.leaves)

    def step(self, mode: str, function: Callable[..., Any]) -> Callable[[], Any]:
        """Return a call that computes the outputs and the gradients, and waits for them."""
        statics = self.problem.statics

        def call(*inputs: Any) -> Any:
            return function(*inputs, **statics)

        called = torch.compile(call, dynamic=False, fullgraph=True) if mode == "compile" else call

        def run() -> tuple[Any, Any]:
            outputs = called(*self.inputs)
            outputs = tuple(outputs) if isinstance(outputs, tuple | list) else (outputs,)
            gradients = torch.autograd.grad(outputs, self.leaves, self.dy, allow_unused=True)
            if self.device == "gpu":
                torch.cuda.synchronize()
            return outputs, gradients

        return run

    def checkers(self, function: Callable[..., Any]) -> dict[str, Callable[[], Any]]:
        """Return PyTorch's own checks of the gradient and of the gradient's gradient, with their defaults."""
        statics, inputs = self.problem.statics, tuple(self.inputs)

        def call(*inputs: Any) -> Any:
            return function(*inputs, **statics)

        def step(check: Callable[..., Any], *, fast: bool) -> Callable[[], Any]:
            return lambda: check(call, inputs, fast_mode=fast)

        checks: dict[str, Any] = {"gradcheck": torch.autograd.gradcheck, "gradgradcheck": torch.autograd.gradgradcheck}
        slow = {name: step(check, fast=False) for name, check in checks.items()}
        return {**slow, **{f"{name}, fast": step(check, fast=True) for name, check in checks.items()}}

    def prepare(self, mode: str, step: Callable[[], Any]) -> list[Array]:
        """Run a step for the first time, ensure that it runs in the mode of its name, and return all its numbers."""
        before = counters["stats"]["unique_graphs"]
        with config.patch(fail_on_recompile_limit_hit=True):  # else it goes on eagerly, and says nothing
            outputs, gradients = step()
        if mode == "compile" and counters["stats"]["unique_graphs"] == before:
            raise RuntimeError("torch.compile made no graph: this ran eagerly")
        gradients = [torch.zeros_like(x) if g is None else g for g, x in zip(gradients, self.leaves, strict=True)]
        return [to_numpy(t) for t in (*outputs, *gradients)]

    def saved(self, function: Callable[..., Any]) -> int:
        """Return the bytes that autograd keeps for the backward: each storage once."""
        kept: dict[int, int] = {}

        def pack(x: Any) -> Any:
            storage = x.untyped_storage()
            kept[storage.data_ptr()] = storage.nbytes()
            return x.detach()  # the tensor itself would be a cycle

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
            outputs = self._outputs(function)
        on_ctx = {t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in _on_ctx(outputs)}
        return sum({**kept, **on_ctx}.values())

    def _outputs(self, function: Callable[..., Any]) -> tuple[Any, ...]:
        return as_outputs(function(*self.inputs, **self.problem.statics), torch.is_tensor, "a tensor")


def ready(mode: str, function: Callable[..., Any], x: Array) -> Callable[[], Any]:
    """Return a call that computes the gradient of a function of one tensor, after compiling and loading."""
    called = torch.compile(function, dynamic=False, fullgraph=True) if mode == "compile" else function

    def both(x: Any) -> Any:
        y = called(x)
        return torch.autograd.grad(y, x, torch.ones_like(y))

    tensor = torch.from_numpy(x).requires_grad_()
    both(tensor if mode == "compile" else torch.ones(8, requires_grad=True))
    return lambda: both(tensor)


def _on_ctx(outputs: tuple[Any, ...]) -> list[Any]:
    """Return the tensors that a Function keeps as attributes of its ctx, where the hooks do not see them."""
    kept = (value for node in nodes_behind(outputs) for value in getattr(node, "__dict__", {}).values())
    return [value for value in kept if torch.is_tensor(value)]
