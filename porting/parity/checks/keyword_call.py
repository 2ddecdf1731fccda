"""Arguments by name."""

from dataclasses import replace

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe


@check(needs="calls by keyword", once=True, note=True)
def keyword_call(probe: Probe) -> None:
    """Called with keyword arguments the op gives the same gradient: tf.custom_gradient drops it without a word."""
    refused = probe.runner.run(replace(probe.case(), use="keyword")).raised
    if refused and refused.type == "TypeError" and "keyword argument" in refused.message:
        raise NotApplicableError("it refuses its inputs as keyword arguments, and says so")
    for case in probe.ordinary():
        probe.expect_change("keyword", "keyword", case)
