"""PyTorch as a runner: it answers cases with the engine of autograd, eagerly."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from porting.runners.base import LAYOUTS, Outcome, installed_version, raised_by, source_of
from porting.runners.imports import beside, modes_of
from porting.runners.state import changed_settings, process_state, restore_process

if TYPE_CHECKING:
    from collections.abc import Mapping

    from porting.runners.base import Case
    from porting.runners.uses import Use
    from porting.spec import Op


REFUSAL = "marked with @once_differentiable"  # what is said where a second derivative is refused on purpose


class TorchRunner:
    """Runs an op's PyTorch twin under autograd, eagerly."""

    key = "torch"
    module = "torch"
    title = "PyTorch"
    whole: tuple[str, ...] = ("eager",)
    layouts: tuple[str, ...] = LAYOUTS
    uses: tuple[Use, ...] = (
        "interleaved", "retained", "shared", "vmapped", "vmapped last", "audited", "settings",
    )  # fmt: skip
    mutable = True
    oldest = 1, 8  # version that answers in another interpreter

    @property
    def modes(self) -> tuple[str, ...]:
        """All modes that it has here."""
        return modes_of(__name__, self.whole)

    def missing(self) -> str | None:
        """Say that PyTorch is not installed, without importing it."""
        return None if find_spec("torch") else 'PyTorch is not installed: pip install "gradport[torch]"'

    def version(self) -> str:
        """Return the installed version, or nothing."""
        return installed_version("torch")

    def lacking(self) -> set[Use]:
        """Return the uses that this version of PyTorch does not have."""
        import torch

        found: set[Use] = set() if hasattr(torch, "func") else {"vmapped", "vmapped last"}
        seen = hasattr(torch.autograd, "graph") and hasattr(torch.autograd.graph, "saved_tensors_hooks")
        return found if seen else {*found, "audited"}

    def devices(self) -> dict[str, str | None]:
        """Return cpu, and gpu or the reason why neither CUDA nor MPS is there; the latter lacks some types."""
        import torch

        from porting.backends.torch.gpu import has_mps, lacking_on_mps

        if torch.cuda.is_available():
            return {"cpu": None, "gpu": None}
        if has_mps():
            lacking: dict[str, str | None] = {f"gpu {name}": why for name, why in lacking_on_mps().items()}
            return {"cpu": None, "gpu": None, **lacking}
        reason = "PyTorch sees no CUDA device" if torch.version.cuda else "this build of PyTorch has no CUDA"
        return {"cpu": None, "gpu": reason}

    def where(self, op: Op) -> str:
        """Return where the twin stands."""
        return source_of(op.twin(self.key))

    def state(self) -> dict[str, Any]:
        """Return PyTorch's settings and the process's."""
        import torch

        return {
            **process_state(),
            "PyTorch's default type": torch.get_default_dtype(),
            "PyTorch's grad mode": torch.is_grad_enabled(),
            "PyTorch's random state": torch.get_rng_state().numpy().tobytes(),
            "PyTorch's number of threads": torch.get_num_threads(),
            "PyTorch's deterministic mode": torch.are_deterministic_algorithms_enabled(),
            "PyTorch's anomaly mode": torch.is_anomaly_enabled() if hasattr(torch, "is_anomaly_enabled") else False,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Put back what can be put back."""
        import numpy as np
        import torch

        restore_process(state)
        torch.set_default_dtype(state["PyTorch's default type"])
        torch.set_grad_enabled(state["PyTorch's grad mode"])
        torch.set_rng_state(torch.from_numpy(np.frombuffer(bytearray(state["PyTorch's random state"]), np.uint8)))
        torch.set_num_threads(state["PyTorch's number of threads"])
        if torch.are_deterministic_algorithms_enabled() != state["PyTorch's deterministic mode"]:  # imports a compiler
            torch.use_deterministic_algorithms(state["PyTorch's deterministic mode"])
        if hasattr(torch, "set_anomaly_enabled"):
            torch.set_anomaly_enabled(state["PyTorch's anomaly mode"])

    def run(self, case: Case) -> Outcome:
        """Run forward, the op's own backward, autograd's gradient and its gradient, as far as the case asks."""
        from porting.backends.torch.gpu import exact

        with exact(case.device):
            return self._run(case)

    def _run(self, case: Case) -> Outcome:
        if case.mode not in self.whole:
            return cast("Outcome", beside(__name__, "in_mode").run_in_mode(case))
        from porting.backends.torch.run import TorchRun, kept

        if case.use == "settings":
            return Outcome(audit={"changed": changed_settings(self, replace(case, use="plain"))})
        run = TorchRun(case)
        raised = None
        try:
            with kept(run.twin):
                run.answer()
        except Exception as error:  # noqa: BLE001 - whatever an op raises is part of the answer
            raised = raised_by(error, run.stage, run.twin, REFUSAL)
        return Outcome(**run.found, changed=run.changed(), raised=raised)
