"""torch.func.vmap, where the op promises it."""

import inspect
from dataclasses import replace
from typing import Final

import numpy as np

from porting.dtypes import is_float
from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe, output_name
from porting.runners import Case

# What torch.func.vmap says of a branch on numbers, of .item(), of a checkpoint.
_CANNOT: Final = ("data-dependent control flow", ".item()", "escaped from inside a function being vmapped")


@check(needs="vmap", once=True)
def vmap(probe: Probe) -> None:
    """Mapped over the first axis and over the last, value and gradient equal a loop over the samples."""
    ensure_promised(probe, "vmap")
    samples = [probe.case(f"sample {k}") for k in range(3)]
    stacked = Case(
        probe.op,
        probe.dtype,
        {n: np.stack([s.inputs[n] for s in samples]) for n in probe.op.inputs},
        tuple(np.stack(parts) for parts in zip(*(s.dy or () for s in samples), strict=True)),
        statics=samples[0].statics,
        device=probe.device,
    )
    if not probe.independent:
        raise NotApplicableError("there is nothing to compare with")
    truths = [probe.truth(s) for s in samples]
    mapped = replace(stacked, use="vmapped"), replace(stacked, use="vmapped last")
    for case, axis in zip(mapped, ("first", "last"), strict=True):
        _ensure_mapped(probe, case)
        outcome = probe.run(case, "vmap", axis=axis)
        if outcome is None:
            continue
        for k, y in enumerate(outcome.value):
            tol = np.stack([probe.value_tolerance(s)[k] for s in samples])
            want = np.stack([t.value[k] for t in truths])
            said = {"quantity": "value", "name": output_name(k, len(outcome.value))}
            probe.expect("differs", {**said, "truth": "loop", "how": "vmap", "axis": axis}, y, want, tol, stacked)
        for j, (name, dx) in enumerate(zip(probe.op.wrt, outcome.vjp, strict=True)):
            tol = np.stack([probe.vjp_tolerance(s)[j] for s in samples])
            want = np.stack([np.asarray(t.vjp[j]) for t in truths])
            said = {"quantity": "gradient", "name": name, "truth": "loop", "how": "vmap", "axis": axis}
            probe.expect("differs", said, np.zeros_like(want) if dx is None else dx, want, tol, stacked)


def _ensure_mapped(probe: Probe, case: Case) -> None:
    """Leave the check if it is a function around the Function that cannot be mapped: that one promises nothing."""
    raised = probe.runner.run(case).raised
    if raised is None or not any(words in raised.message for words in _CANNOT):
        return
    twin = inspect.unwrap(probe.op.twin(probe.runner.key))
    if not inspect.isclass(twin) and getattr(twin, "__name__", "") != "apply":
        raise NotApplicableError("the function around the op's Function cannot be mapped, and promises nothing")


def ensure_promised(probe: Probe, transform: str) -> None:
    """Leave the check if the op's Function does not say that it has the transform."""
    probe.ensure_use("audited")
    seen = probe.runner.run(replace(probe.case(), use="audited"))
    if transform not in seen.audit.get("promises", ()):
        raise NotApplicableError(f"the op's Function does not promise {transform}")
    if not all(is_float(x) for x in probe.case().inputs.values()):
        raise NotApplicableError("integer inputs are not mapped")
