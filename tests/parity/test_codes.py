"""Findings are codes with fields; sentences are made of them, and decide nothing."""

import ast
from pathlib import Path

import pytest
from judged import with_codes_for_sentences

from porting import check
from porting.parity import sentences
from porting.parity.codes import CODES, FIELDS, NUMBERS, USES
from porting.parity.finding import Finding, Result
from porting.parity.report import Report
from porting.runners import RUNNERS
from porting.selftest.planted import planted_faults

ROOT = Path(__file__).parents[2] / "porting"
TEXTS = {"quantity": "gradient", "truth": "oracle", "claim": "linear", "source": "x", "stage": "backward"}


def fields_of(code, use=""):
    """Return every field of a code, and of a use, with something in it."""
    names = [*CODES[code].replace("|", " ").split(), *USES[use].split()]
    return {
        n: use if n == "how" else 2.5 if n in NUMBERS else TEXTS.get(n, ("a",) if n == "details" else n) for n in names
    }


def test_there_is_a_sentence_for_each_code_and_each_use():
    assert set(sentences._SENTENCES) == set(CODES)
    assert set(sentences._USES) == set(USES)


def test_each_field_is_described_and_belongs_to_a_code():
    used = {name for text in (*CODES.values(), *USES.values()) for name in text.replace("|", " ").split()}
    assert used == set(FIELDS)
    assert used >= NUMBERS


@pytest.mark.parametrize("code", CODES)
def test_a_sentence_is_one_line_and_names_its_fields(code):
    finding = Finding(code, fields_of(code))
    assert finding.what
    assert "\n" not in finding.what
    assert "{name" not in "".join([finding.what, *finding.details])


@pytest.mark.parametrize("use", [use for use in USES if use])
def test_a_use_is_said_behind_the_sentence(use):
    plain, used = Finding("differs", fields_of("differs")), Finding("differs", fields_of("differs", use))
    assert used.what.startswith(f"{plain.what} ")
    assert used.key != plain.key


def test_what_a_report_of_json_says_is_what_was_said():
    found = tuple(Finding(code, fields_of(code)) for code in CODES)
    report = Report((Result("op", "vjp", "torch", "cpu", "eager", "float64", 0, "differ", findings=found),))
    assert Report.from_json(report.to_json()) == report


@pytest.mark.parametrize("part", ["real", "imaginary"])
def test_whatever_is_compared_element_by_element_has_parts_where_it_is_complex(part):
    trees = [ast.parse(p.read_text()) for p in (ROOT / "parity" / "checks").glob("*.py")]
    comparing = {"probe.expect", "probe.expect_as_first"}
    calls = [
        n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) in comparing
    ]
    codes = {call.args[0].value for call in calls}
    assert {"differs", "not_linear", "changes"} <= codes
    for code in codes:
        assert f"{part} part of " in Finding(code, {**fields_of(code), "part": part}).what


@pytest.mark.slow
def test_every_code_is_found_somewhere():
    trees = [ast.parse(p.read_text()) for p in ROOT.rglob("*.py") if p.stem not in {"codes", "sentences"}]
    texts = {
        n.value for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }
    assert set(CODES) <= texts
    assert set(USES) - {""} <= texts


@pytest.mark.parametrize(
    ("code", "fields", "words"), [("differ", {}, "code 'differ'"), ("differs", {"nam": 1}, "field nam")]
)
def test_a_code_or_a_field_that_is_not_in_the_list_is_refused(code, fields, words):
    with pytest.raises(ValueError, match=words):
        Finding(code, fields)


@pytest.mark.parametrize(("backend", "name"), [("torch", "formula.NoThree"), ("tf", "formula.hard_forward")])
def test_with_every_sentence_replaced_by_its_code_the_verdicts_are_the_same(backend, name, monkeypatch):
    if RUNNERS[backend].missing():
        pytest.skip(RUNNERS[backend].missing())
    (fault,) = [f for f in planted_faults(backend) if f.name == f"{backend}.{name}"]

    def verdicts():
        report = check(fault.op, runners=[backend])
        return [(r.check, r.dtype, r.status, r.compared, len(r.findings)) for r in report.results], report.exit_code

    before = verdicts()
    with_codes_for_sentences(monkeypatch)
    assert verdicts() == before


@pytest.mark.parametrize(
    ("got", "want", "shown"),
    [(1.0, 2.0, ("1", "2")), (1 / 3, 1 / 3 + 1e-13, ("0.3333333333333", "0.3333333333334")), (2.0, 2.0, ("2", "2"))],
)
def test_numbers_are_shown_with_the_digits_in_which_they_differ(got, want, shown):
    assert sentences.apart(got, want, 6) == shown


PROSE = {
    "what",
    "details",
    "seen",
    "said",
    "note",
    "notes",
    "message",
    "claim",
    "advice",
    "title",
    "limits",
    "how_ended",
}
READS = {"startswith", "endswith", "partition", "rpartition", "removeprefix", "removesuffix", "search", "match"}
# The words of a framework: what it says is all that it gives.
OF_A_FRAMEWORK = {"diagnosis/faults/wrong_count.py", "parity/checks/keyword_call.py", "pairs/suitable.py"}


def is_prose(node):
    """Whether an expression is made of what is said to people."""
    parts = list(ast.walk(node))
    return any(isinstance(n, ast.Attribute) and n.attr in PROSE for n in parts) or any(
        isinstance(n, ast.Call) and ast.unparse(n) in {"str(error)", "str(finding)", "str(result)"} for n in parts
    )


def has_words(node):
    texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return any(text.strip() for text in texts)


def decides_by_words(node):
    """Whether a comparison, or a search in a text, reads what is said to people."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return any(map(is_prose, sides)) and any(has_words(side) for side in sides if not is_prose(side))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READS:
        return is_prose(node.func.value) or any(map(is_prose, node.args))
    return False


def test_nothing_is_decided_by_the_words_of_a_message():
    """But in `report`, which makes them; `translate` and `selftest` read the source of functions."""
    found = set()
    for path in ROOT.rglob("*.py"):
        place = path.relative_to(ROOT)
        if place.parts[0] not in {"report", "translate", "selftest"}:
            nodes = filter(decides_by_words, ast.walk(ast.parse(path.read_text())))
            found |= {f"{place}: {ast.unparse(node)}" for node in nodes if str(place) not in OF_A_FRAMEWORK}
    assert found == set()


@pytest.mark.parametrize(
    "text", ["'took longer' in finding.what", "limit.said.partition(':')", "re.search('x', str(error))"]
)
def test_a_decision_by_words_would_be_seen(text):
    assert decides_by_words(ast.parse(text).body[0].value)
