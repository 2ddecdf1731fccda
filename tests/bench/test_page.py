"""The docs page: made of a run, and the one that is there is of every op."""

import re
from pathlib import Path

import pytest

from porting.bench.bounds import Excepted
from porting.bench.markdown import page
from porting.bench.ratio import Spread
from porting.bench.result import Bench, Kept, Peak, Row
from porting.cli.main import parser
from porting.registry import ops

PAGE = Path(__file__).parents[2] / "docs" / "bench.md"
LAG = 4  # ops that are newer than the page
OURS = [op for op in ops().values() if op.in_catalogue]


def test_a_page_says_what_was_measured():
    same = Spread(1.234, 1.2, 1.3)
    made = Bench(
        rows=(
            Row(
                "sin_squared", "activation", "torch-eager", 1024, 1024,
                ratios={"floor": same, "composition": same}, seconds={"twin": 1.0},
            ),
            Row("sin_squared", "activation", "tf-xla", 1024, 1024, ratios={"floor": same}, seconds={"twin": 1.0}),
            Row(
                "sin_squared", "activation", "torch-eager", 65536, 65536, seconds={"twin": 8.0},
                ratios={"floor": same, "limit": Spread(1.1, 1, 1.2), "composition": same},
                noisy={"composition": "noisy"},
                errors={"built-in": "ValueError: a | b"},
            ),
        ),
        machine={"cores": "2"},
        command="porting bench sin_squared",
        dtype="float32",
        kept=(Kept("sin_squared", "torch", {"twin": 1, "composition": 2}, {"twin": 0.0}),),
        peaks=(Peak("swish", "tf-xla", {"twin": 20.5, "composition": 41}),),
    )  # fmt: skip
    exceptions = [
        Excepted("floor", ("tf-xla",), (1024,), (name,), 2.5, "why not", best)
        for name, best in (("swish", 2.0), ("mish", 1.5))
    ]
    exceptions += [Excepted("limit", (mode,), (1024,), ("mish",), 2.5, "why", 2.0) for mode in ("tf-xla", "tf-eager")]
    text = page(made, OURS, exceptions)
    assert "- limit (2^10): mish 2.00 (tf-xla), mish 2.00 (tf-eager). Why." in text
    assert "- floor (tf-xla, 2^10): swish 2.00, mish 1.50. Why not." in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert {
        line.count("|")
        for line in tables[: tables.index("| mode | twin | composition | built-in | twin / composition |")]
    } == {9}
    link = "[sin_squared](ops/activation/sin_squared.md)"
    assert f"| {link} | torch-eager | 1.23 | 1.10 | 1.23 · ? 1.23 | - | 0.50 | 1.00 / 2.00 |" in text
    assert "|  | tf-xla | - | - | - | - | - | - |" in text  # the largest size is missing there
    assert "- sin_squared, built-in: ValueError: a / b (torch-eager 2^16)" in text
    assert "\nporting bench sin_squared\n" in text
    assert "| tf-xla | 20.5 | 41.0 | - | 0.50 |" in text
    assert "| sin_squared | torch | 0.00 | - |" in text
    assert "cores 2" in text
    for op in OURS:
        assert f"[{op.name}](ops/{op.family}/{op.name}.md)" in text


def test_the_page_says_of_when_it_is_and_lists_all_but_a_few_ops():
    text = PAGE.read_text(encoding="utf-8")
    missing = [op.name for op in OURS if f"| [{op.name}](ops/{op.family}/{op.name}.md) | torch-eager |" not in text]
    assert len(missing) <= LAG, f"remake {PAGE.name}: {missing}"
    assert re.search(r"^Measured on .*date \d{4}-\d\d-\d\d", text, re.MULTILINE)


def test_the_command_on_the_page_is_the_real_one():
    (command,) = re.findall(r"^porting (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    args = parser().parse_args(command.split())
    assert args.markdown == Path("docs/bench.md")
    assert not args.names


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\((.*?)\)", PAGE.read_text())) if PAGE.exists() else []))
def test_links_lead_somewhere(link):
    assert (PAGE.parent / link).is_file()
