"""tf.function: the same op in a graph, called again, with another shape, with shapes that are not known."""

from dataclasses import replace

from porting.parity.checks import check
from porting.parity.probe import Probe, near
from porting.runners import Case, Outcome

_HOW, _AGAIN, _SHAPE = "function", "function again", "function reshaped"


@check(needs="tracing", once=True, graph=True)
def traced(probe: Probe) -> None:
    """In a tf.function the op gives the same as the oracle: at the second call, after another shape, for any shape."""
    probe.ensure_use("traced before")
    first, second = probe.case(), probe.case("second call")
    twice = replace(second, use="traced before", mode="function", other=first)
    smaller = probe.case("retrace", shape=(2, 5), lengths=(3, 2, 6, 4, 5))
    reshaped = replace(smaller, use="traced before", mode="function", other=twice)
    outcome = probe.runner.run(reshaped)  # one function, three calls
    if outcome.raised:
        before = probe.run(twice, _HOW)
        if before is None:
            return
        _compare(probe, [(first, before.audit["before"][0], _HOW), (second, before, _AGAIN)])
        _compare_with_eager(probe, first)
        if not probe.findings:
            probe.run(reshaped, _SHAPE)
        return
    seen = outcome.audit["before"]
    _compare(probe, [(first, seen[0], _HOW), (second, seen[1], _AGAIN)])
    _compare_with_eager(probe, first)
    if not probe.findings:
        _compare(probe, [(smaller, outcome, _SHAPE)])
        if any(a.shape != b.shape for a, b in zip(first.inputs.values(), smaller.inputs.values(), strict=True)):
            probe.expect_use("any shape", "function any shape", second, mode="function")


def _compare(probe: Probe, seen: list[tuple[Case, Outcome, str]]) -> None:
    for case, outcome, how in seen:
        probe.expect_value(case, outcome, how=how)
        probe.expect_vjp(case, outcome, how=how)


def _compare_with_eager(probe: Probe, case: Case) -> None:
    """Compare a gradient that no truth says is right with that of the op as a tf.function: some act in graphs only."""
    eager = probe.runner.run(case) if probe.independent else None
    if eager is None or eager.raised is not None:
        return
    want = probe.truth(case).vjp
    if near(eager.vjp, want, probe.vjp_tolerance(case, (want, eager.vjp))):
        return
    graph = probe.runner.run(replace(case, use="as a function"))
    if graph.raised is None:
        probe.expect_as_first("differs", case, eager, graph, truth="plain", how=_HOW)
