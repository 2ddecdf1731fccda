"""Arguments by name."""

from porting.parity.checks import check
from porting.parity.probe import Probe


@check(runners=("tf",), once=True, note=True)
def keyword_call(probe: Probe) -> None:
    """Called with keyword arguments the op gives the same gradient: tf.custom_gradient drops it without a word."""
    for case in probe.ordinary():
        probe.expect_use("keyword", "keyword", case)
