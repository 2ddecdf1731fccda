"""Findings and reports: frozen, printable, the same after JSON; JUnit and annotations say the same as the text."""

import dataclasses
import json
from datetime import date
from xml.etree import ElementTree

import jsonschema
import pytest
from samplereport import CAUSE, FINDING, WHERE, WORST, result

from porting.parity import known
from porting.parity.finding import STATUSES, Result
from porting.parity.report import Report
from porting.report.annotations import github
from porting.report.junit import junit
from porting.report.step_summary import summarize

OTHER = dataclasses.replace(CAUSE, cause="not_linear", title="It is not linear.")
REPORT = Report(
    (result(), result("agree", runner="torch"), result("not applicable", check="kinks", note="none", compared=0)),
    {"torch gpu": "no CUDA"},
    {"python": "3.11"},
    diagnoses=(CAUSE, OTHER),
    described=("swish(x[...])",),
)


def test_json_both_ways():
    assert repr(Report.from_json(REPORT.to_json())) == repr(REPORT)  # by text: NaN is not equal to NaN
    json.loads(REPORT.to_json(), parse_constant=pytest.fail)  # no NaN, no Infinity


def test_json_of_the_schema_before_is_read():
    content = json.loads(REPORT.to_json())
    content["schema"] = 2
    for row in content["results"]:
        for finding in row["findings"]:
            del finding["code"], finding["fields"]
    assert repr(Report.from_json(json.dumps(content))) == repr(REPORT)


def test_json_has_its_schema():
    words = {"type": "string"}
    properties = {"op": words, "check": words, "status": {"enum": list(STATUSES)}}
    required = [field.name for field in dataclasses.fields(Result)]
    row = {"type": "object", "required": required, "properties": properties}
    schema = {
        "type": "object",
        "required": ["schema", "results", "missing", "exit_code"],
        "properties": {"results": {"type": "array", "items": row}},
    }
    jsonschema.validate(json.loads(REPORT.to_json()), schema)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema": 99}', '{"schema": 1}', '{"schema": 1, "results": [{}]}', "nonsense"]
)
def test_foreign_json_is_refused(text):
    with pytest.raises(ValueError, match=r"Expecting|not a porting report"):
        Report.from_json(text)


def test_message_form():
    assert str(result()).splitlines() == [
        "swish  tf cpu float32 · gradient of x differs from the oracle  (precision)",
        "  worst: dx[3,17] = nan, should be 1   x = 88.73, dy = 1   (4096 ulp, 16 allowed); 3 of 128 elements",
        "  100% of, line",
        "second",
        f"  {WHERE}",
        "  again: porting check swish --runner tf --dtype float32 -k vjp --seed 7",
    ]
    twice = Report((*REPORT.results, result(dtype="float16")))
    (message,) = twice.messages
    assert "  also in float16\n  torch agrees there." in message
    assert "1 agree, 1 differ" in str(REPORT)
    assert "not compared: torch gpu: no CUDA" in str(REPORT)


def test_one_message_per_side_with_its_cause():
    several = Report((result(), result(check="large"), result(check="linear")), diagnoses=(CAUSE, OTHER))
    (message,) = several.messages
    assert message.splitlines()[4:9] == [
        "  Likely cause: It overflows. (overflow, precision)",
        "    seen: dx = nan",
        "    fix: Use tf.sigmoid.",
        "    or: not_linear",
        "  found by large, linear too, perhaps of the same cause",
    ]
    assert len(several.all_messages) == 3
    assert several.causes(result(runner="torch")) == []


def test_an_op_made_in_python_is_repeated_in_python():
    assert result(target="").again == "check(…, runners=['tf'], dtypes=['float32'], only=['vjp'], seed=7)"
    own = result(target="--torch a.py:f --input 'x=float64[3]'")
    assert own.again.startswith("porting check --torch a.py:f --input 'x=float64[3]' --runner tf --dtype float32")


def test_step_summary_is_appended_where_github_says(tmp_path, monkeypatch):
    path = tmp_path / "summary.md"
    path.write_text("what other steps wrote\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    summarize(REPORT)
    text = path.read_text()
    assert text.startswith("what other steps wrote\n### porting check\n")
    assert "| swish | tf | vjp | It overflows. (`overflow`) |" in text
    assert "- not compared: torch gpu: no CUDA" in text
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    summarize(REPORT)
    assert path.read_text() == text


def test_frozen():
    for thing in (FINDING, WORST, REPORT, REPORT.results[0]):
        with pytest.raises(dataclasses.FrozenInstanceError):
            thing.kind = "fault"


@pytest.mark.parametrize(
    ("results", "missing", "interrupted", "code"),
    [
        ([result("agree")], {}, False, 0),
        ([result("agree"), result()], {}, False, 1),
        ([result("agree", runner="oracle")], {"torch": "gone", "tf": "gone"}, False, 5),
        ([result("agree", runner="oracle")], {}, False, 0),
        ([], {}, False, 5),
        ([result("no verdict", compared=0)], {}, False, 5),
        ([result("not applicable", compared=0)], {}, False, 5),
        ([result("agree")], {}, True, 130),
    ],
)
def test_exit_codes(results, missing, interrupted, code):
    assert Report(tuple(results), missing, interrupted=interrupted).exit_code == code


def test_junit_counts_and_escapes():
    suite = ElementTree.fromstring(junit(REPORT).encode()).find("testsuite")
    assert {k: suite.get(k) for k in ("tests", "failures", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "skipped": "1",
    }
    failure = suite.find("testcase/failure")
    assert failure.get("message") == FINDING.what
    assert failure.get("type") == "precision"
    assert "--seed 7" in failure.text
    assert suite.find("testcase").get("file") == "tf_impl/activation/swish.py"


def test_github_annotations_show_the_worst_ten():
    many = Report(
        tuple(
            result(
                op=f"op{n}", findings=(dataclasses.replace(FINDING, worst=dataclasses.replace(WORST, ratio=float(n))),)
            )
            for n in range(15)
        )
    )
    lines = github(many).splitlines()
    assert lines[0].startswith("::error file=tf_impl/activation/swish.py,line=14,title=op14 tf float32::gradient of x")
    assert "100%25 of, line%0Asecond" in lines[0]
    assert len([line for line in lines if line.startswith("::error")]) == 10
    assert lines[-1] == "::notice title=porting::5 more findings are in the log"


ENTRY = {"op": "swish", "check": "vjp", "runner": "tf", "reason": "why", "link": "docs", "expiry": "never"}


def toml(**changes):
    entry = {**ENTRY, **changes}
    rows = [
        f"{k} = {v.isoformat() if isinstance(v, date) else json.dumps(v)}" for k, v in entry.items() if v is not None
    ]
    return "\n".join(["[[difference]]", *rows, ""])


def written(tmp_path, text):
    path = tmp_path / "known.toml"
    path.write_text(text)
    return path


def everywhere(status):
    return [result(status, dtype=dtype) for dtype in ("float16", "bfloat16", "float32", "float64")]


class TestKnownDifferences:
    def test_accepted(self, tmp_path):
        entries = known.load(written(tmp_path, toml()))
        results, problems = known.apply(entries, everywhere("differ"))
        assert {r.status for r in results} == {"known"}
        assert {r.note for r in results} == {"why"}
        assert not problems

    def test_dead_entry_fails_the_run(self, tmp_path):
        entries = known.load(written(tmp_path, toml()))
        results, problems = known.apply(entries, everywhere("agree"))
        assert "swish vjp tf is dead" in problems[0]
        assert Report(results, problems=problems).exit_code == 1

    def test_entry_is_not_dead_where_it_was_not_tried_in_full(self, tmp_path):
        entries = known.load(written(tmp_path, toml()))
        assert known.apply(entries, everywhere("agree")[:2], whole=False)[1] == ()
        assert known.apply(entries, [])[1] == ()

    def test_expired_entry_accepts_nothing(self, tmp_path):
        entries = known.load(written(tmp_path, toml(expiry=date(2026, 1, 1))))
        results, problems = known.apply(entries, everywhere("differ"), today=date(2026, 1, 2))
        assert {r.status for r in results} == {"differ"}
        assert problems == ("known difference swish vjp tf expired on 2026-01-01",)
        assert known.apply(entries, everywhere("differ"), today=date(2026, 1, 1))[1] == ()

    def test_an_entry_for_the_check_of_a_mode_holds_for_all_in_that_mode(self, tmp_path):
        entries = known.load(written(tmp_path, toml(check="xla")))
        results, problems = known.apply(entries, [result("differ", mode="xla"), result("differ", mode="function")])
        assert [r.status for r in results] == ["known", "differ"]
        assert not problems
        results, problems = known.apply(
            known.load(written(tmp_path, toml(check="xla", expiry=date(2026, 1, 1)))),
            [result("differ", mode="xla")],
            today=date(2026, 1, 2),
        )
        assert [r.status for r in results] == ["differ"]
        assert problems == ("known difference swish xla tf expired on 2026-01-01",)

    def test_a_table_may_name_several_ops_and_checks_and_each_is_an_entry(self, tmp_path):
        entries = known.load(written(tmp_path, toml(op=["swish", "mish"], check=["vjp", "xla"])))
        assert [entry.key for entry in entries] == [
            (op, check, "tf") for op in ("swish", "mish") for check in ("vjp", "xla")
        ]
        found = [result("differ", op="swish"), result("agree", op="mish")]
        results, problems = known.apply(entries, found)
        assert [r.status for r in results] == ["known", "agree"]
        assert [problem.partition(" is dead")[0] for problem in problems] == ["known difference mish vjp tf"]

    def test_an_entry_that_depends_on_the_numbers_is_not_dead_where_they_agree(self, tmp_path):
        entries = known.load(written(tmp_path, toml(sometimes=True)))
        assert known.apply(entries, everywhere("agree"))[1] == ()
        results, _ = known.apply(entries, everywhere("differ"))
        assert {r.status for r in results} == {"known"}

    @pytest.mark.parametrize(("codes", "status"), [([FINDING.code], "known"), (["detached"], "differ"), ([], "known")])
    def test_only_the_named_kinds_of_findings_are_accepted(self, codes, status, tmp_path):
        entries = known.load(written(tmp_path, toml(codes=codes)))
        results, problems = known.apply(entries, [result("differ", findings=(FINDING,))])
        assert [r.status for r in results] == [status]
        assert not problems

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            (toml(codes=["wrong"]), "codes must be a list of these: raised, "),
            (toml(codes="differs"), "codes must be a list"),
            (toml(reason=""), "reason must be a text that is not empty"),
            (toml(reason=None), "must have exactly the keys"),
            (toml(why="x"), "must have exactly the keys"),
            (toml(expiry="soon"), "expiry must be a date"),
            (toml() + toml(), "two entries for swish vjp tf"),
            (toml() + toml(op=["mish", "swish"]), "two entries for swish vjp tf"),
            (toml(op=[]), "a list of ops or checks must not be empty"),
            (toml(op=["mish", ""]), "op must be a text that is not empty"),
            (toml(sometimes="yes"), "sometimes must be true or false"),
            ("[[diff]]\n", "only .*difference.* tables"),
            ("difference = [", "known.toml"),
        ],
    )
    def test_strict(self, text, words, tmp_path):
        with pytest.raises(known.KnownDifferencesError, match=words):
            known.load(written(tmp_path, text))

    def test_the_catalogues_entries_name_what_exists(self):
        from porting.backends import BACKENDS
        from porting.parity.checks import checks
        from porting.registry import ops

        for entry in known.load():
            assert entry.op in ops()
            modes = BACKENDS[entry.runner].modes
            assert entry.check in modes or entry.runner in checks()[entry.check].runners
            assert (known.CATALOGUE.parents[1] / entry.link).is_file(), f"{entry.link} does not exist"
