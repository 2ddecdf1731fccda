"""The page of a check: whole, accessible, self-contained; the same from the run and from its JSON; small."""

import dataclasses
import json
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pagefacts import Document
from samplereport import CAUSE, SEEN, SENT, result

from porting import check
from porting.cli.main import main
from porting.dtypes import FLOATS
from porting.parity.checks import checks
from porting.parity.excerpts import excerpts
from porting.parity.finding import STATUSES, Around, Finding, Result, Worst
from porting.parity.probe import _around
from porting.parity.report import SCHEMA, Report
from porting.registry import ops
from porting.report.html import check as html
from porting.report.html import environment
from porting.report.html.ids import Ids
from porting.report.html.plot import plot
from porting.report.html.verdicts import MARKS
from porting.spec import op


@op
def twice(x):
    """2 x."""
    return 2 * x


@twice.defvjp
def twice_vjp(dy, y, x):
    """Three times too much."""
    return 6 * dy


@pytest.fixture(scope="module")
def wrong():
    """Return the report of an op whose gradient is wrong, as it comes from the checks."""
    return check(twice, runners=["oracle"], dtypes=["float64", "float32"])


def damaged(text, *names):
    """Return JSON without some keys, wherever they are."""

    def without(thing):
        if isinstance(thing, dict):
            return {key: without(value) for key, value in thing.items() if key not in names}
        return [without(value) for value in thing] if isinstance(thing, list) else thing

    return json.dumps(without(json.loads(text)))


PAGES = {"mixed": SENT, "empty": Report(()), "agree": Report((result("agree"),))}


@pytest.mark.parametrize("report", PAGES.values(), ids=PAGES)
def test_the_page_is_whole_and_accessible(report):
    page = Document(html.page(report))
    assert len(page.ids) == len(set(page.ids))
    links = [a.attributes["href"] for a in page.all("a")]
    assert {link[1:] for link in links} <= set(page.ids)
    assert page.all("html")[0].attributes["lang"] == "en"
    assert (page.all("a")[0].has("skip"), links[0]) == (True, "#results")  # the first stop of the Tab key
    assert len(page.all("h1")) == len(page.all("main")) == 1
    levels = [int(head.tag[1]) for head in page.all("h1", "h2", "h3", "h4")]
    assert all(b <= a + 1 for a, b in pairwise(levels)), levels
    assert all(th.attributes.get("scope") in {"row", "col", "rowgroup", "colgroup"} for th in page.all("th"))
    assert all(table.children[0].tag == "caption" for table in page.all("table"))
    assert all(details.children[0].tag == "summary" for details in page.all("details"))
    assert all(svg.attributes["role"] == "img" and svg.children[0].text for svg in page.all("svg"))
    assert all(a.text.strip() or a.attributes.get("aria-label") for a in page.all("a"))
    boxes = [e for e in page.all() if e.has("box")]
    assert all({"role", "aria-label", "tabindex"} <= set(box.attributes) for box in boxes)
    assert all(
        any(e.has("box") for e in table.parents) for table in page.all("table")
    )  # no sideways scroll of the page


def test_it_asks_nothing_of_a_network():
    text = html.page(SENT)
    page = Document(text)
    assert not page.all("link", "img", "iframe", "object", "base", "form")
    assert not [e for e in page.all() if {"src", "srcset", "data", "action", "background"} & set(e.attributes)]
    assert "url(" not in text
    assert "@import" not in text
    (policy,) = [m.attributes["content"] for m in page.all("meta") if "http-equiv" in m.attributes]
    assert "default-src 'none'" in policy  # so a browser refuses what this test has overlooked


def test_each_finding_has_all_that_is_known_of_it():
    page = Document(html.page(SENT))
    article = page.all("article")[0]
    for words in (
        "gradient of x differs from the oracle", "check vjp, float32, PyTorch agrees there",
        "Likely cause: It overflows. (overflow, precision)", "seen: dx = nan", "fix: Use tf.sigmoid.",
        "dx[1,3]", "4096 ulp off, 16 allowed; 3 of 32 elements", "tf_impl/activation/swish.py:14",
        "   13  def before():\n   14  def grad(dy):\n   15      return dy", "Found too (1): large",
    ):  # fmt: skip
        assert words in article.text, article.text
    assert (
        dict(zip([e.text for e in article.all("dt")], [e.text for e in article.all("dd")], strict=True))["x"] == "0.25"
    )
    assert len(article.all("svg")) == 2
    again = [e for e in article.all() if e.has("again")]
    assert again[0].text.strip() == "porting check swish --runner tf --dtype float32 -k vjp --seed 7"
    assert article.attributes["id"] == "op-swish.vjp.tf.differs.gradient.x.oracle"  # as in each run: a link stays good


def test_what_is_not_compared_and_every_reason_is_told():
    text = Document(html.page(SENT)).root.text
    for words in (
        "Not compared: torch gpu: no CUDA", "swish kinks (TensorFlow): accepted, as the text has it",
        "swish linear (TensorFlow): time was over", "Not applicable: vmap: no batch", "python 3.11", SENT.summary,
    ):  # fmt: skip
        assert words in re.sub(r"\s+", " ", text)


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (SENT, "differs"),
        (Report((result("agree"),)), "agrees"),
        (Report((result("agree", runner="oracle"),), {"torch": "not installed"}), "no verdict"),
        (Report(()), "no verdict"),
        (Report((result("agree"),), problems=("a dead entry",)), "differs"),
    ],
)
def test_the_title_says_what_the_exit_code_says(report, words):
    assert Document(html.page(report)).all("title")[0].text.endswith(f": {words}")


def test_marks_stand_with_words():
    page = Document(html.page(SENT))
    (table,) = [t for t in page.all("table") if t.has("matrix")]
    rows = {row.children[0].text: [cell.text for cell in row.children[1:]] for row in table.all("tr")[2:]}
    assert rows["swish"] == ["✗differs", "✓agrees"]
    assert rows["your own"] == ["✓ⁿagrees, with a note", "not asked"]
    legend = next(e for e in page.all("ul") if e.has("legend")).text
    assert all(MARKS[status][1] in legend for status in ("differ", "agree", "note"))
    assert "#op-swish.vjp.tf.differs.gradient.x.oracle" in [
        a.attributes["href"] for td in table.all("td") for a in td.all("a")
    ]


def test_texts_are_escaped():
    evil = (
        "<img/src=x/onerror=alert(1)></script></style>\"'&amp;{{7*7}}"  # no blank: each word of a command is an element
    )

    def page(text):
        cause = dataclasses.replace(CAUSE, op=text, title=text, seen=text, fix=text)
        worst = dataclasses.replace(SEEN, name=text, at={text: 1.0})
        found = Finding("told", {"what": text, "details": (text,)}, worst=worst)
        results = [result(op=text, findings=(found,), where=f"{text}:14", target=text)]
        results += [
            result(status, op=text, check=f"{text}{status}", note=text) for status in STATUSES if status != "note"
        ]
        return Document(
            html.page(
                Report(
                    tuple(results), {text: text}, {text: text}, (text,), diagnoses=(cause,), described=(text,),
                    pairs=(text,), sources={f"{text}:14": (text, text)},
                )
            )
        )  # fmt: skip

    harmless, harmful = page("harmless"), page(evil)
    assert [e.tag for e in harmful.all()] == [e.tag for e in harmless.all()]
    assert [sorted(e.attributes) for e in harmful.all()] == [sorted(e.attributes) for e in harmless.all()]
    assert harmful.root.text.count(evil) >= harmless.root.text.count("harmless") - 5  # the ids have no odd letters


def test_the_run_and_its_json_give_the_same_bytes(wrong, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert wrong.exit_code == 1
    assert html.page(Report.from_json(wrong.to_json())) == html.page(wrong)
    words = ["check", "my_elementwise", "--runner", "oracle", "--dtype", "float64", "-q"]
    assert main([*words, "--json", "a.json", "--html", "a.html"]) == 0
    assert main(["report", "a.json", "-o", "b.html"]) == 0
    assert Path("a.html").read_bytes() == Path("b.html").read_bytes()


def test_a_wrong_gradient_is_drawn_with_its_source(wrong):
    page = Document(html.page(wrong))
    assert "def twice_vjp(dy, y, x):" in page.root.text
    assert page.all("svg")
    around = next(f.worst.around for r in wrong.results for f in r.findings if f.worst)
    assert around.got != around.want


def test_a_result_without_what_came_later_is_shown_without_it(wrong):
    before = Report.from_json(damaged(wrong.to_json(), "around", "sources"))
    page = Document(html.page(before))
    assert not page.all("svg")
    assert "No picture: this result does not hold the elements beside it." in page.root.text
    assert wrong.messages == before.messages


def test_the_page_of_the_whole_catalogue_is_below_a_megabyte():
    reason = "the contract says nothing of that, and no case of this op has it; so nobody is asked "
    statuses = ["agree", "agree", "not applicable", "waived", "known"]
    results = tuple(
        Result(
            name, check, runner, "cpu", "eager", dtype, 0, status := statuses[(n * 7 + k) % 5 if k % 4 else 0],
            "" if status == "agree" else f"{reason}{k % 9}", compared=99, target=name,
        )
        for n, name in enumerate(ops())
        for k, check in enumerate(checks())
        for runner in ("oracle", "torch", "tf")
        for dtype in FLOATS
    )  # fmt: skip
    page = html.page(Report(results))
    assert len(results) > 30_000
    assert len(page.encode()) < 1_000_000


def luminance(colour):
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_colours_can_be_read_on_each_ground():
    css = Path(html.__file__).with_name("style.css").read_text()
    schemes = [dict(re.findall(r"--(\w+): (#\w+)", part)) for part in css.split("@media (prefers-color-scheme: dark)")]
    assert len(schemes) == 2
    for scheme in schemes:
        full = {name: c if len(c) == 7 else "#" + "".join(2 * x for x in c[1:]) for name, c in scheme.items()}
        for ground in ("back", "code"):
            for ink in ("ink", "dim", "good", "doubt", "bad", "worse", "word", "text"):
                assert contrast(full[ink], full[ground]) >= 4.5, (ink, ground, full)


numbers = st.floats(allow_nan=True, allow_infinity=True) | st.sampled_from([0.0, -0.0, 1e308, -1e308, 5e-324])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(numbers, numbers, st.floats(min_value=0)), min_size=1, max_size=25), st.data())
def test_any_numbers_are_drawn_inside_the_picture(rows, data):
    got, want, allowed = zip(*rows, strict=True)
    at = data.draw(st.integers(0, len(rows) - 1))
    around = Around(7, (100,), got, want, allowed)
    svg = plot(Worst("d<x>", (7 + at,), got[at], want[at], {}, 1.0, 1.0, 2.0, around))
    if len(rows) < 2 or not np.isfinite([*got, *want]).any():
        assert svg == ""
        return
    picture = Document(svg)
    assert "nan" not in svg.replace("NaN", "")
    assert "inf" not in svg
    for element in picture.all():
        for name, most in (("x", 440), ("cx", 440), ("y", 278), ("cy", 278), ("width", 440), ("height", 278)):
            assert 0 <= float(element.attributes.get(name, 0)) <= most, (element, svg)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 9), max_size=3), st.data())
def test_the_elements_around_one_are_those_beside_it(shape, data):
    place = tuple(data.draw(st.integers(0, n - 1)) for n in shape)
    want = np.arange(np.prod(shape, dtype=int), dtype=np.float64).reshape(shape)
    around = _around(place, np.asfortranarray(-want), want, np.full(shape, 0.5))
    flat = int(want[place])
    assert around.want == tuple(range(max(0, flat - 12), min(want.size, flat + 13)))
    assert around.want[flat - around.first] == flat
    assert around.got == tuple(-x for x in around.want)
    assert around.shape == tuple(shape)


def test_excerpts_have_the_lines_beside_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(f"one\ntwo\n{'3' * 999}\n")
    places = ["a.py:1", "a.py:2", "a.py:3", "a.py:4", "a.py:0", "gone.py:1", "a.py", "", "a.py:²"]
    found = excerpts([result(where=place) for place in places])
    assert found == {"a.py:1": ("one", "two"), "a.py:2": ("one", "two", "3" * 200), "a.py:3": ("two", "3" * 200)}
    raised = Finding("raised", {"stage": "forward", "type": "E", "message": "m", "how": "", "where": "a.py:2"})
    assert list(excerpts([result(findings=(raised,))])) == ["a.py:2"]


def test_ids_are_apart_and_stay():
    ids = Ids()
    assert ids.of("a b", "vjp") == ids.of("a b", "vjp") == "op-a-b.vjp"
    assert ids.of("a-b", "vjp") == "op-a-b.vjp-2"
    assert ids.new("a b", "vjp") == "op-a-b.vjp-3"


GOOD = SENT.to_json()


@pytest.mark.parametrize(
    ("content", "output", "words"),
    [
        ("nonsense", "out.html", "is no result of `porting check --json FILE`"),
        ("\x00\udcff", "out.html", "is no result"),
        ("[1]", "out.html", "not a porting report of schema 3 or 2)"),
        (GOOD.replace(f'"schema": {SCHEMA}', '"schema": 4'), "out.html", "but 4: a newer gradport wrote it"),
        (GOOD.replace('"differ"', '"shrug"'), "out.html", "is no result"),
        (GOOD.replace('"op": "swish"', '"op": 5'), "out.html", "op is 5"),
        (damaged(GOOD, "missing"), "out.html", "missing"),
        (damaged(GOOD, "quantity"), "out.html", "quantity"),
        (GOOD.replace('"first": 10', '"first": "x"'), "out.html", "is no result"),
        (damaged(GOOD, "got"), "out.html", "got"),
        ("[" * 100_000, "out.html", "is no result"),
        (None, "out.html", "No such file"),
        (GOOD, ".", "is a folder; give a file in it"),
        (GOOD, "no/such/out.html", "folder no/such does not exist"),
        (GOOD, "/proc/out.html", "cannot be written"),
        (GOOD, "result.json", "is the result itself"),
    ],
)
def test_what_cannot_be_reported_is_refused_in_one_line(content, output, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("out.html").write_text("precious")
    if content is not None:
        Path("result.json").write_text(content, errors="surrogateescape")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert main(["report", "result.json", "-o", output]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("porting: ")
    assert words in line
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("words", [["check", "swish", "--html", "out.html"], ["report", "a.json", "-o", "out.html"]])
def test_without_jinja2_it_is_refused_before_the_work(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(environment, "find_spec", lambda _: None)
    monkeypatch.setattr("porting.engine.check.check", pytest.fail)
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith('needs jinja2: pip install "gradport[report]"')
    assert not list(tmp_path.iterdir())
