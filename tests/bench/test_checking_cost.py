"""``porting bench checking``: what a proof costs, beside the frameworks' own checkers."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from porting.bench.checking.page import page
from porting.bench.checking.result import Checking, place_of
from porting.bench.checking.run import OPS, _late
from porting.bench.checking.steps import CHECK, SUBJECTS, UNIT, NotPassedError, steps
from porting.bench.checking.text import cell
from porting.cli.bench_checking import NAME as CHECKING
from porting.cli.main import main, parser
from porting.registry import ops
from porting.runners import RUNNERS

PAGE = Path(__file__).parents[2] / "docs" / "checking.md"
FRAMEWORKS = [key for key in SUBJECTS if RUNNERS[key].missing() is None]


@pytest.mark.parametrize("backend", FRAMEWORKS)
@pytest.mark.parametrize("op", ["sin_squared", "logsumexp"])
def test_each_checker_passes_a_right_op(backend, op):
    made = steps(backend, ops()[op], 12)
    assert set(made) == set(SUBJECTS[backend])
    for _ in range(2):  # the numbers of a check are others each time
        for step in made.values():
            step()


@pytest.mark.parametrize("backend", FRAMEWORKS)
def test_no_checker_passes_a_wrong_gradient(backend):
    wrong = ops()["ste_round"].bind(**{backend: ops()["swish"].twin(backend)})  # another function
    made = steps(backend, wrong, 12)
    with pytest.raises(NotPassedError):
        made[CHECK]()
    surrogate = steps(backend, ops()["scale_gradient"], 12)  # right, but not the derivative of its forward
    surrogate[CHECK]()
    for name in set(SUBJECTS[backend]) - {UNIT, CHECK} - {"gradgradcheck", "gradgradcheck, fast"}:
        with pytest.raises(Exception, match=r"Jacobian mismatch|is off by|not equal"):
            surrogate[name]()


def test_what_would_take_too_long_is_left_out_and_said():
    before = place_of("swish", "torch", 100, {UNIT: [1e-4], CHECK: [1e-3], "gradcheck": [0.01]}, {})
    assert _late(before, 1_000) == {}
    late = _late(before, 10_000)
    assert late == {"gradcheck": "left out: one call may take 100 s"}
    after = place_of("swish", "torch", 10_000, {UNIT: [1e-4], CHECK: [1e-3]}, late)
    assert _late(after, 10_001) == late


def test_what_has_no_unit_has_seconds_only():
    found = place_of("swish", "torch", 10, {CHECK: [1e-3]}, {UNIT: "raised"})
    assert (found.seconds, found.units) == ({CHECK: 1e-3}, {})
    assert cell(found, UNIT) == cell(found, CHECK) == "-"


def test_growth_is_fitted_up_to_ten_thousand_elements():
    times = {10: 1e-3, 100: 2e-3, 10_000: 8e-3, 100_000: 10.0}
    places = tuple(place_of("swish", "torch", n, {UNIT: [1e-4], CHECK: [t]}, {}) for n, t in times.items())
    found = Checking(places, {}, {}, {})
    assert found.growth("swish", "torch") == pytest.approx(0.3, abs=0.01)
    assert found.growth("swish", "tf") is None


@pytest.mark.slow
def test_the_command_measures_and_writes_everything(tmp_path):
    pytest.importorskip("matplotlib")
    words = ["bench", CHECKING, "sin_squared", "--size", "10,20", "--rounds", "5"]
    files = ["--json", "a.json", "--markdown", "a.md", "--plot", "a.png"]
    env = {**os.environ, "COLUMNS": "200"}
    command = [sys.executable, "-m", "porting", *words, *files]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    found = json.loads((tmp_path / "a.json").read_text())
    assert [(p["backend"], p["size"]) for p in found["places"]] == [(key, n) for key in FRAMEWORKS for n in (10, 20)]
    for p in found["places"]:
        assert set(p["seconds"]) == set(SUBJECTS[p["backend"]]), p["errors"]
        assert min(p["seconds"].values()) > 0
        assert set(p["units"]) == set(p["seconds"]) - {UNIT}
        for units in p["units"].values():
            assert 0 < units["low"] <= units["median"] <= units["high"]
    assert set(found["imports"]) == set(found["whole"]) == set(FRAMEWORKS)
    assert min(found["imports"].values()) > 0.05, "a framework takes longer than Python itself"
    assert f"\n{' '.join(['porting', *words, *files])}\n" in (tmp_path / "a.md").read_text()
    assert "(a.png)" in (tmp_path / "a.md").read_text()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "compute_gradient" in run.stdout or "tf" not in FRAMEWORKS


def test_the_page_is_of_the_real_command_and_of_a_cost_that_hardly_grows():
    text = PAGE.read_text(encoding="utf-8")
    (command,) = re.findall(r"^porting (.*)$", text, re.MULTILINE)
    args = parser().parse_args(command.split())
    assert args.names == [CHECKING]
    assert (args.markdown, args.plot) == (Path("docs/checking.md"), Path("docs/checking.png"))
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == list(OPS)  # each once, both frameworks in it
    growth = re.findall(r"grows with n\^(-?[\d.]+)", text)
    assert len(growth) == 2 * len(OPS)
    assert max(map(float, growth)) <= 0.3
    assert text.startswith(page(Checking((), {}, {}, {}), "checking.png").partition("```bash")[0])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--device", "gpu"], "porting bench checking has no --device"),
        (["--check"], "porting bench checking has no --check"),
        (["--no-memory"], "porting bench checking has no --no-memory"),
        (["--static", "a=1"], "porting bench checking has no --static"),
        (["--size", "2^40"], "--size 2^40: about"),
        (["no_such_op"], "no_such_op"),
    ],
)
def test_what_it_does_not_take_is_one_line(words, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["bench", CHECKING, *words]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())
