"""XLA."""

from dataclasses import replace

from porting.parity.checks import check
from porting.parity.probe import Probe


@check(needs="XLA", once=True, graph=True)
def xla(probe: Probe) -> None:
    """Compiled by XLA the op gives the same as the oracle."""
    probe.kind = "portability"
    probe.expect_use("traced before", "xla", mode="xla")
    if probe.findings and probe.runner.run(replace(probe.case(), mode="function")).raised:
        probe.findings = {what: replace(found, kind="fault") for what, found in probe.findings.items()}
    late = [what for what, found in probe.findings.items() if found.has(stage="backward")]
    if late and probe.runner.run(replace(probe.case(), mode="xla", dy=None)).raised:  # both are compiled as one
        for found in [probe.findings.pop(what) for what in late]:
            probe.find(replace(found, fields={**found.fields, "stage": "forward"}))
