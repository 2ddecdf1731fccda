"""tf.function: the same op in a graph, called again, with another shape, with shapes that are not known."""

from dataclasses import replace

from porting.parity.checks import check
from porting.parity.probe import Probe


@check(runners=("tf",), once=True)
def traced(probe: Probe) -> None:
    """In a tf.function the op gives the same as the oracle: at the second call, after another shape, for any shape."""
    probe.expect_use("traced before", " in a tf.function", probe.case(), mode="function")
    case = probe.case("second call")
    probe.expect_use(
        "traced before", " at the second call of a tf.function", case, mode="function", other=probe.case("first call")
    )
    if not probe.findings:
        smaller = probe.case("retrace", shape=(2, 5), lengths=(3, 2, 6, 4, 5))
        how = " in a tf.function that was called with another shape"
        probe.expect_use("traced before", how, case, mode="function", other=replace(smaller, mode="function"))
        probe.expect_use("any shape", " in a tf.function for unknown shapes", case, mode="function")
