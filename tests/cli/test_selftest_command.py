"""``porting selftest`` as its users meet it: in a process of its own, from another folder."""

import json
import os
import re
import subprocess
import sys

import pytest
from interrupts import interrupted

from porting.runners import RUNNERS

pytestmark = [
    pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch"),
    pytest.mark.skipif(sys.platform == "win32", reason="sends signals"),
]
BOTH = pytest.mark.skipif(bool(RUNNERS["tf"].missing()), reason="needs both frameworks")


@pytest.fixture
def selftest(tmp_path, warm):
    """Run the command in an empty folder; `without` is a package that is then not installed, in a real process."""

    def run(*words, without=""):
        env = {**os.environ, "COLUMNS": "200"}
        if not without:
            return warm.run("porting", "selftest", *words, cwd=tmp_path, env=env, timeout=3000)
        site = tmp_path.parent / f"{tmp_path.name}-site"
        site.mkdir(exist_ok=True)
        (site / "sitecustomize.py").write_text(f"import sys\nsys.modules[{without!r}] = None\n")
        command = [sys.executable, "-m", "porting", "selftest", *words]
        env["PYTHONPATH"] = str(site)
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env, check=False)

    return run


@pytest.mark.slow
def test_planted_faults(selftest, tmp_path):
    run = selftest("--runner", "torch", "--seeds", "2", "-k", "formula.N", "--json", "a.json")
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stderr == ""
    row = next(line.split() for line in run.stdout.splitlines() if "formula.NoThree" in line)
    assert row[-6:] == ["2/2", "constant_factor", "2/2", "2/2", "2/2", "0/2"]
    assert "porting          finds planted faults in 100.0% of 4 runs; 2 of 2 with every seed" in run.stdout
    content = json.loads((tmp_path / "a.json").read_text())
    assert content["exit_code"] == 0
    assert [(t["name"], t["seed"], t["causes"][0]) for t in content["trials"]] == [
        ("torch.formula.NegativeCosine", 0, "wrong_sign"),
        ("torch.formula.NoThree", 0, "constant_factor"),
        ("torch.formula.NegativeCosine", 1, "wrong_sign"),
        ("torch.formula.NoThree", 1, "constant_factor"),
    ]
    assert content["sums"]["torch"]["detection"]["porting"] == {"hits": 4, "runs": 4, "whole": 2, "names": 2}


@pytest.mark.slow
def test_workers_say_the_same(selftest, tmp_path):
    words = ["--runner", "torch", "--seeds", "2", "-k", "NoThree", "-q"]
    one, two = selftest(*words, "--json", "a.json"), selftest(*words, "--jobs", "2", "--json", "b.json")
    assert (one.returncode, two.returncode, one.stderr, two.stderr) == (0, 0, "", "")
    assert one.stdout == two.stdout
    assert len(one.stdout.splitlines()) == 7  # the framework, six sums
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()


@pytest.mark.slow
def test_mutants_of_one_op(selftest, tmp_path):
    words = ["--mutants", "-k", "torch.custom_exp", "--runner", "torch", "--json", "a.json"]
    run = selftest(*words, without="tensorflow")  # so not as a pair
    assert run.returncode == 0, run.stdout + run.stderr
    content = json.loads((tmp_path / "a.json").read_text())
    assert set(content["killed"]) == {"oracle", "alone"}
    assert content["killed"]["oracle"] == 1
    assert {v["op"] for v in content["verdicts"]} == {"custom_exp"}
    count = len(content["verdicts"]) // 2
    assert f"with the oracle       {count} of {count} mutants killed, 100.0%, 99% wanted" in run.stdout
    left = [v for v in content["verdicts"] if not v["killer"]]
    for v in left:
        assert f"{v['file']}:{v['line']}  {v['label']}  alone" in run.stdout


def test_right_ops(selftest):
    run = selftest("--correct", "2", "--runner", "torch", "-k", "toys.s")
    assert run.returncode == 0, run.stdout
    assert run.stdout.startswith("PyTorch: 2 op-runs of 2 right ops, ")
    assert ": 0 differ, in 0 op-runs; " in run.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--toys"], "--toys goes with --mutants"),
        (["--mutants", "--seeds", "3"], "--seeds is for planted faults"),
        (["--mutants", "--correct"], "not allowed with"),
        (["--correct", "0"], "'0' is not a whole number from 1 up"),
        (["--runner", "jax"], "invalid choice: 'jax'"),
        (["--runner", "oracle"], "invalid choice: 'oracle'"),
        (["--runner", "torch", "-k", "no_such"], "no planted fault matches -k 'no_such'"),
        (["--runner", "torch", "--correct", "-k", "no_such"], "no right op matches"),
        (["--json", "no/such.json"], "the folder no does not exist"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(selftest, words, said):
    run = selftest(*words)
    assert run.returncode == 2, run.stdout
    assert said in run.stderr
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.slow
def test_ctrl_c_leaves_the_partial_sums(tmp_path):
    words = ["selftest", "--runner", "torch", "--seeds", "9", "--json", "a.json"]
    code, out, error = interrupted(*words, cwd=tmp_path)
    assert code == 130, out + error
    assert "Traceback" not in error
    assert "interrupted:" in out
    assert json.loads((tmp_path / "a.json").read_text())["interrupted"] is True


@pytest.mark.slow
@BOTH
def test_pairs_and_what_is_right_in_worker_processes(selftest):
    run = selftest("--seeds", "1", "--jobs", "2", "-k", "reversal")  # all in tests/selftest/test_all_that_is_planted.py
    assert run.returncode == 0, run.stdout
    assert "porting          finds planted faults in 100.0% of 2 runs" in run.stdout
    assert "porting          accuses what is right in 0 of 1 runs" in run.stdout


@pytest.mark.slow
@pytest.mark.timeout(3000)
@BOTH
def test_no_right_toy_is_accused(selftest):
    # The right ops of the catalogue are all in tests/parity/test_registry_ops.py, each with a seed of its own.
    run = selftest("--correct", "20", "--jobs", "2", "-k", "toys.")
    assert run.returncode == 0, run.stdout
    assert re.search(r"PyTorch: 20 op-runs of \d\d right ops", run.stdout)
