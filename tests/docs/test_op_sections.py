"""The page of an op has what was measured of it: its cost, and its row in a saved result of `porting survive`."""

import json
import re
from importlib import import_module

import pytest
from sitebuild import DOCS, MISSING

from porting.registry import ops
from porting.survive.cell import Cell
from porting.survive.matrix import Matrix

pytestmark = pytest.mark.skipif(bool(MISSING), reason="the extra docs is not installed")
BENCH = (DOCS / "bench.md").read_text()


@pytest.fixture
def extension(monkeypatch):
    monkeypatch.syspath_prepend(DOCS / "_ext")
    return import_module


def test_the_cost_of_an_op_is_that_of_the_bench_page(extension):
    measured = set(re.findall(r"\]\(ops/\w+/(\w+)\.md\) \| torch-eager", BENCH))
    assert len(measured) > 50
    for op in ops().values():
        text = extension("op_cost").section(op)
        assert bool(text) == (op.name in measured), op.name
        rows = re.findall(r"(?m)^\| (?:torch|tf)-.*$", text)
        block = BENCH.partition(f"| [{op.name}](ops/{op.family}/{op.name}.md) | torch-eager |")[2]
        for row in rows:
            mode, *_, growth, kept = row.strip("| ").split(" | ")
            floor = row.split(" | ")[2 if "/ limit" in text else 1]
            line = next(line for line in f"| torch-eager |{block}".splitlines() if f"| {mode} |" in line)
            assert f"| {mode} | {floor} |" in line
            assert line.endswith(f"| {growth} | {kept} |")


def test_the_limit_stands_with_its_mode(extension):
    text = extension("op_cost").section(ops()["swish"])
    block = BENCH.partition("| [swish](ops/activation/swish.md) ")[2].split("| [", 1)[0]
    rows = dict(re.findall(r"\| ((?:torch|tf)-\w+) \| [\d.]+ \| ([\d.]+) \|", block))
    assert len(rows) == 5
    assert dict(re.findall(r"\| ((?:torch|tf)-\w+) \| ([\d.]+) \|", text)) == rows
    assert "| mode | / limit | / floor |" in text


def test_the_row_of_an_op_has_a_mark_for_each_mode(extension, tmp_path):
    cells = [
        Cell("swish", "torch", "export", "lost silently", "float64", 0),
        Cell("swish", "torch", "func", "kept", "float64", 0),
        Cell("swish", "tf", "forward", "lost silently", "float64", 0, accepted="known"),
        Cell("swish", "tf", "mirrored", "refused", "float64", 0),
        Cell("mish", "tf", "jacobian", "not applicable", "float64", 0),
    ]
    file = tmp_path / "survival.json"
    file.write_text(json.dumps(Matrix(tuple(cells)).to_json()))
    row = extension("op_survival").row
    text = row(ops()["swish"], str(file))
    words = ["lost silently", "kept", "accepted loss", "refused"]
    assert re.findall(r'title="([^"]*)"', text) == words
    assert re.findall(r"</span> ([\w-]+)</li>", text) == ["export", "func", "forward", "mirrored"]
    assert "≈ accepted loss" in text
    assert "not applicable" in row(ops()["mish"], str(file))
    assert not row(ops()["softsign"], str(file))
    assert not row(ops()["swish"], "")


@pytest.mark.parametrize(
    "text", [None, "{", "[]", '{"schema": 9, "cells": []}', '{"schema": 1, "cells": [{"fate": 2}]}']
)
def test_a_file_that_is_no_such_result_is_refused_by_name(extension, tmp_path, text):
    module, file = extension("op_survival"), tmp_path / "survival.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(module.SurvivalError, match=r"survival_result=.*survival\.json: .*porting survive --json"):
        module.row(ops()["swish"], str(file))
