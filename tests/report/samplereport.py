"""A result, a finding and a cause that the tests of reports are about."""

import dataclasses
import math

from porting.parity.finding import Diagnosis, Finding, Result, Worst

WHERE = "tf_impl/activation/swish.py:14"
WORST = Worst("dx", (3, 17), math.nan, 1.0, {"x": 88.73, "dy": 1.0}, 4096.0, 16.0, math.inf)
SAID = {"what": "gradient of x differs from the oracle", "details": ("100% of, line\nsecond",)}
FINDING = Finding("told", SAID, "precision", WORST, 3, 128)


def result(status="differ", **changes):
    base = Result("swish", "vjp", "tf", "cpu", "eager", "float32", 7, status, where=WHERE, target="swish")
    findings = (FINDING,) if status == "differ" else ()
    return dataclasses.replace(base, **{"findings": findings, "compared": 128, **changes})


CAUSE = Diagnosis(
    "swish", "tf", "cpu", "eager", "overflow", "precision", "It overflows.", "dx = nan", "Use tf.sigmoid."
)
