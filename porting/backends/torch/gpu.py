"""The GPU of PyTorch, CUDA's or Apple's: its name, the types that it lacks, and the settings of a check on it."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_TYPES = ("float16", "bfloat16", "float32", "float64")


def name_of(device: str) -> str:
    """Return what PyTorch calls a device of ours."""
    import torch

    if device != "gpu":
        return device
    return "mps" if has_mps() and not torch.cuda.is_available() else "cuda"


def has_mps() -> bool:
    """Tell whether there is Apple's Metal."""
    import torch

    mps = getattr(torch.backends, "mps", None)  # since PyTorch 1.12
    return mps is not None and bool(mps.is_available())


def lacking_on_mps() -> dict[str, str]:
    """Return the floating types that Metal does not have, such as float64, with PyTorch's reason."""
    import torch

    found = {}
    for name in _TYPES:
        try:
            torch.zeros(1, dtype=getattr(torch, name), device="mps")
        except (TypeError, RuntimeError) as error:
            found[name] = "Apple's MPS has no {}: {}".format(name, " ".join(str(error).split())[:200])
    return found


@contextmanager
def exact(device: str) -> Iterator[None]:
    """Compute float32 in float32 on a GPU, and the same way each time; put all settings back.

    TensorFloat-32 keeps 10 bits of a number, as float16 does, and nobody asked for float16. A setting that cannot be
    asked, because the program mixes PyTorch's old and new ones, is left alone: its newer form is set too.
    """
    if device != "gpu":
        yield
        return
    before = []
    for put, get, wanted in _settings():  # all are asked before one is set: the older ones change the newer ones
        with suppress(RuntimeError):
            before.append((put, get(), wanted))
    try:
        for put, _, wanted in before:
            put(wanted)
        yield
    finally:
        for put, value, _ in before:
            put(value)


def _settings() -> list[tuple[Any, Any, Any]]:
    """Return how each setting is set and got, and what is wanted; the older ones first."""
    import torch

    cudnn, matmul = torch.backends.cudnn, torch.backends.cuda.matmul
    found = [_of(cudnn, "deterministic", True), _of(cudnn, "benchmark", False), _of(cudnn, "allow_tf32", False)]
    if hasattr(torch, "get_float32_matmul_precision"):  # sets allow_tf32 too, which cannot say "medium"
        found.append((torch.set_float32_matmul_precision, torch.get_float32_matmul_precision, "highest"))
    else:
        found.append(_of(matmul, "allow_tf32", False))
    newer = [matmul, *(getattr(cudnn, name, None) for name in ("conv", "rnn"))]
    found += [_of(owner, "fp32_precision", "ieee") for owner in newer if hasattr(owner, "fp32_precision")]
    mkldnn = getattr(getattr(torch.backends, "mkldnn", None), "matmul", None)  # the older one for matmul sets it too
    return [*found, *([_of(mkldnn, "fp32_precision", "ieee")] if hasattr(mkldnn, "fp32_precision") else [])]


def _of(owner: Any, name: str, wanted: Any) -> tuple[Any, Any, Any]:
    return (lambda value: setattr(owner, name, value)), (lambda: getattr(owner, name)), wanted
