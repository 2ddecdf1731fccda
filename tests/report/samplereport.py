"""A result, a finding, a cause and whole reports that the tests of reports are about."""

import dataclasses
import math

from porting.parity.finding import Around, Diagnosis, Finding, Result, Worst
from porting.parity.report import Report

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

NEAR = Around(10, (4, 8), (1.0, 2.0, 3.0), (1.0, 1.5, 3.0), (0.1, 0.1, 0.1))
SEEN = Worst("dx", (1, 3), 2.0, 1.5, {"x": 0.25, "dy": 1.0}, 4096.0, 16.0, 5.0, NEAR)
DIFFERS = Finding("differs", {"quantity": "gradient", "name": "x", "truth": "oracle"}, worst=SEEN, bad=3, total=32)
SOURCE = {"tf_impl/activation/swish.py:14": ("def before():", "def grad(dy):", "    return dy")}
SENT = Report(  # with all that a page can show
    (
        result(findings=(DIFFERS,)),
        result(check="value", status="agree"),
        result(check="large", findings=(DIFFERS,)),
        result("agree", runner="torch"),
        result("known", check="kinks", note="accepted, as the text has it"),
        result("no verdict", check="linear", note="time was over", compared=0),
        result("not applicable", check="vmap", note="no batch", compared=0),
        result("note", check="adjoint", findings=(FINDING,), op="your own"),
    ),
    {"torch gpu": "no CUDA"}, {"python": "3.11"}, diagnoses=(CAUSE,), described=("swish(x[...])",),
    pairs=("your own",), sources=SOURCE,
)  # fmt: skip
