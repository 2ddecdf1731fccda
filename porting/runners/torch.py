"""PyTorch as a runner."""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from porting.runners.base import LAYOUTS, Array, Case, Outcome, as_outputs, raised_by, source_of
from porting.spec import Op

if TYPE_CHECKING:
    import torch


class TorchRunner:
    """Runs an op's PyTorch twin under autograd, eagerly."""

    key = "torch"
    module = "torch"
    title = "PyTorch"
    modes: tuple[str, ...] = ("eager",)
    layouts: tuple[str, ...] = LAYOUTS
    mutable = True

    def missing(self) -> str | None:
        """Say that PyTorch is not installed, without importing it."""
        return None if find_spec("torch") else 'PyTorch is not installed: pip install "gradport[torch]"'

    def version(self) -> str:
        """Return the installed version, or nothing."""
        try:
            return version("torch")
        except PackageNotFoundError:
            return ""

    def devices(self) -> dict[str, str | None]:
        """Return cpu, and gpu or the reason why CUDA is not there."""
        import torch

        if torch.cuda.is_available():
            return {"cpu": None, "gpu": None}
        reason = "PyTorch sees no CUDA device" if torch.version.cuda else "this build of PyTorch has no CUDA"
        return {"cpu": None, "gpu": reason}

    def where(self, op: Op) -> str:
        """Return where the twin stands."""
        return source_of(op.twin(self.key))

    def run(self, case: Case) -> Outcome:
        """Run forward, the op's own backward, autograd's gradient and that gradient's gradient, as far as asked."""
        import torch

        twin = case.op.twin(self.key)
        found: dict[str, Any] = {}
        stage = "forward"
        inputs = {
            name: _lay_out(to_torch(x, case.device), case.layout).requires_grad_(name in case.op.wrt)
            for name, x in case.inputs.items()
        }
        dy: list[torch.Tensor] = []
        raised = None
        try:
            outputs = as_outputs(twin(*inputs.values(), **case.statics), torch.is_tensor, "a tensor")
            found["value"] = tuple(to_numpy(y) for y in outputs)
            if case.dy is not None:
                stage = "backward"
                dy = [
                    _lay_out(to_torch(v, case.device), case.dy_layout).requires_grad_(case.ddx is not None)
                    for v in case.dy
                ]
                leaves = [inputs[name] for name in case.op.wrt]
                found["raw"] = _raw(outputs, [v.detach().clone() for v in dy], leaves)
                dx = torch.autograd.grad(outputs, leaves, dy, create_graph=case.ddx is not None, allow_unused=True)
                found["vjp"] = tuple(None if g is None else to_numpy(g) for g in dx)
                if case.ddx is not None:
                    stage = "second order"
                    found["second"] = _second(dx, [*dy, *leaves], [to_torch(v, case.device) for v in case.ddx])
        except Exception as error:  # noqa: BLE001 - whatever an op raises is part of the answer
            raised = raised_by(error, stage, twin)
        before = {**case.inputs, **{f"dy{k}": v for k, v in enumerate(case.dy or ())}}
        after = {**inputs, **{f"dy{k}": v for k, v in enumerate(dy)}}
        changed = tuple(name for name, x in after.items() if to_numpy(x).tobytes() != before[name].tobytes())
        return Outcome(**found, changed=changed, raised=raised)


def to_torch(x: Array, device: str = "cpu") -> "torch.Tensor":
    """Copy an array to a tensor; bfloat16, which `torch.from_numpy` refuses, crosses as the same bits in int16."""
    import torch

    if x.dtype == ml_dtypes.bfloat16:
        tensor = torch.from_numpy(x.view(np.int16).copy()).view(torch.bfloat16)
    else:
        tensor = torch.from_numpy(np.array(x))
    return tensor.to("cuda" if device == "gpu" else device)


def to_numpy(tensor: "torch.Tensor") -> Array:
    """Copy a tensor to an array."""
    import torch

    tensor = tensor.detach().cpu().contiguous()
    if tensor.dtype == torch.bfloat16:
        return np.array(tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16))
    return np.array(tensor.numpy())


def _lay_out(tensor: "torch.Tensor", layout: str) -> "torch.Tensor":
    """Return the same numbers in another memory layout; a tensor without axes stays as it is."""
    import torch

    if tensor.dim() == 0 or layout == "contiguous":
        return tensor
    match layout:
        case "transposed":
            return tensor.transpose(0, -1).contiguous().transpose(0, -1)
        case "strided":
            wide = torch.zeros((*tensor.shape[:-1], 2 * tensor.shape[-1]), dtype=tensor.dtype, device=tensor.device)
            view = wide[..., ::2]
        case "offset":
            flat = torch.zeros(tensor.numel() + 3, dtype=tensor.dtype, device=tensor.device)
            view = flat[3:].view(tensor.shape)
        case "expanded":
            return tensor[:1].clone().expand(tensor.shape)
    return view.copy_(tensor)


def _raw(
    outputs: tuple[Any, ...], dy: list["torch.Tensor"], leaves: list["torch.Tensor"]
) -> tuple[Array | None, ...] | None:
    """Call the op's own backward, which the engine would repair: sum to the input's shape, cast to its dtype.

    Returns one gradient per leaf, or `None` if the outputs do not come straight from one `autograd.Function`.
    """
    import torch

    node = outputs[0].grad_fn
    if not hasattr(node, "needs_input_grad") or any(y.grad_fn is not node for y in outputs):
        return None
    returned = node.apply(*dy)
    returned = returned if isinstance(returned, tuple) else (returned,)
    wanted = [g for g, needed in zip(returned, node.needs_input_grad, strict=False) if needed]
    edges = [edge for edge, _ in node.next_functions if edge is not None]
    slots = {id(getattr(edge, "variable", None)): g for edge, g in zip(edges, wanted, strict=False)}
    if any(id(leaf) not in slots for leaf in leaves):
        return None
    found = [slots[id(leaf)] for leaf in leaves]
    return tuple(to_numpy(g) if torch.is_tensor(g) else None for g in found)


def _second(dx: tuple[Any, ...], by: list["torch.Tensor"], ddx: list["torch.Tensor"]) -> tuple[Array | None, ...]:
    """Differentiate the gradients once more; a detached one depends on nothing, as far as autograd knows."""
    import torch

    live = [(g, v) for g, v in zip(dx, ddx, strict=True) if g is not None and g.requires_grad]
    if not live:
        return tuple(None for _ in by)
    gradients, cotangents = zip(*live, strict=True)
    second = torch.autograd.grad(gradients, by, cotangents, allow_unused=True)
    return tuple(None if g is None else to_numpy(g) for g in second)
