"""The modes in which ops are measured, and which of them exist here."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from porting.backends.torch.gpu import name_of
from porting.dtypes import FLOATS
from porting.parity.plan import DEVICES, UsageError, installed
from porting.runners import RUNNERS

MODES: Final = ("torch-eager", "torch-compile", "tf-eager", "tf-function", "tf-xla")


def backend_of(mode: str) -> str:
    """Return ``torch`` for ``torch-eager``."""
    return mode.partition("-")[0]


def available(wanted: Sequence[str], dtype: str, device: str) -> tuple[list[str], dict[str, str]]:
    """Return the modes to measure (all if none is given), and why a framework is left out.

    Raises
    ------
    UsageError
        If a mode, type or device does not exist, or what was asked for by name is not here.
    """
    for name, what, choices in (
        (dtype, "dtype", FLOATS),
        (device, "device", DEVICES),
        *((m, "mode", MODES) for m in wanted),
    ):
        if name not in choices:
            near = get_close_matches(name, choices, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}? " if near else ""
            raise UsageError(f"no {what} is called {name!r}; {hint}there are: {', '.join(choices)}")
    there, missing = installed(sorted({backend_of(mode) for mode in wanted}))
    if device == "gpu":
        missing["tf"] = "TensorFlow is measured on the cpu only"
        there = [key for key in there if key == "torch"]
        absent = _without_cuda() if there else "that is measured with PyTorch"
        if absent or any(backend_of(mode) == "tf" for mode in wanted):
            raise UsageError(f"--device gpu: {absent or missing['tf']}")
    return [mode for mode in MODES if (not wanted or mode in wanted) and backend_of(mode) in there], missing


def _without_cuda() -> str | None:
    """Return why nothing can be measured on a GPU: the clock is that of CUDA."""
    absent = RUNNERS["torch"].devices()["gpu"]
    return absent or (None if name_of("gpu") == "cuda" else "that is measured with CUDA, and PyTorch has MPS here")
