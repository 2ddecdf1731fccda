"""What a notebook shows of a report, an op and a pair; without jinja2 it falls back to the text."""

from types import SimpleNamespace

import pytest
from pagefacts import Document
from samplereport import result

import porting
from porting import notebook
from porting.parity.report import Report
from porting.registry import ops

REPORT = Report((result(), result("agree", runner="torch")))
PAIR = porting.Pair(torch="a.py:<Gate>", tf="b.py:gate", inputs={"x": porting.array((3,))}, statics={"beta": 2.0})
THINGS = {"report": REPORT, "op": ops()["sin_squared"], "pair": PAIR}


@pytest.mark.parametrize("thing", THINGS.values(), ids=THINGS)
def test_a_part_of_a_page_in_its_own_style(thing):
    text = thing._repr_html_()
    part = Document(text)
    (outer,) = part.root.children
    assert (outer.tag, outer.has("gradport")) == ("div", True)
    assert not part.all("html", "body", "script", "link", "img")
    (style,) = part.all("style")
    rules = [line for line in style.text.splitlines() if line and not line.startswith((" ", "}", "/*"))]
    assert all(".gradport" in rule for rule in rules), "a notebook has a style of its own"


def test_a_report_shows_its_matrix_and_its_findings():
    part = Document(REPORT._repr_html_())
    assert [table.has("matrix") for table in part.all("table")] == [True]
    assert "gradient of x differs from the oracle" in part.root.text
    assert REPORT.summary in part.root.text


def test_an_op_shows_its_contract_and_its_three_sources():
    text = Document(ops()["sin_squared"]._repr_html_()).root.text
    for words in (
        "sin_squared(x)",
        "exact",
        "2 * np.sin(x) * np.cos(x) * dy",
        "ctx.saved_tensors",
        "tf.custom_gradient",
    ):
        assert words in text
    assert "straight-through" in ops()["ste_round"]._repr_html_()


def test_an_op_of_no_file_is_shown_without_sources():
    space = {"op": porting.op, "__name__": "nowhere"}
    exec("@op\ndef lost(x):\n    return x\n@lost.defvjp\ndef lost_vjp(dy, y, x):\n    return dy", space)  # noqa: S102
    assert "lost(x)" in space["lost"]._repr_html_()


def test_a_pair_is_shown_as_it_was_given_and_not_loaded():
    text = Document(PAIR._repr_html_()).root.text
    for words in ("PyTorch", "a.py:<Gate>", "b.py:gate", "x=float64[3]", "beta=2.0"):
        assert words in text
    assert "contract" not in text


@pytest.mark.parametrize("thing", THINGS.values(), ids=THINGS)
def test_without_jinja2_there_is_none(thing, monkeypatch):
    monkeypatch.setattr(notebook, "find_spec", lambda _: None)
    assert thing._repr_html_() is None


def test_the_text_of_a_report_is_that_of_the_command():
    said = []
    REPORT._repr_pretty_(SimpleNamespace(text=said.append), cycle=False)
    assert said == [str(REPORT)]
