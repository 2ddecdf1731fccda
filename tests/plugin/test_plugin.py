"""The pytest plugin, as its users meet it: in a project of their own, in a process of its own."""

import os
import subprocess
import sys
from importlib.util import find_spec
from xml.etree import ElementTree as ET

import pytest

pytest_plugins = ["pytester"]

OPS = """
import numpy as np
from porting import Pair, op, parametrize_checks

@op
def cube(x):
    return x**3

@cube.defvjp
def cube_vjp(dy, y, x):
    return 3 * x**2 * dy

@op
def turned(x):
    return x**3

@turned.defvjp
def turned_vjp(dy, y, x):
    return -3 * x**2 * dy
"""
ORACLE = "runners=['oracle'], dtypes=['float64']"
TORCH = """
import torch

class Right(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, dy):
        return 3 * ctx.saved_tensors[0] ** 2 * dy

class Turned(Right):
    @staticmethod
    def backward(ctx, dy):
        return -3 * ctx.saved_tensors[0] ** 2 * dy
"""
HIDDEN = """
from importlib.machinery import PathFinder
found = PathFinder.find_spec
def find_spec(cls, name, path=None, target=None):
    return None if name in {names} else found(name, path, target)
PathFinder.find_spec = classmethod(find_spec)
"""
# Not importorskip: pytester forgets what a test imports, and PyTorch does not survive being imported twice.
needs_torch = pytest.mark.skipif(not find_spec("torch"), reason="PyTorch is not installed")
needs_both = pytest.mark.skipif(not (find_spec("torch") and find_spec("tensorflow")), reason="a framework is missing")
NO_GPU = """
from porting.runners import RUNNERS
for key in ("torch", "tf"):
    RUNNERS[key].devices = lambda: {"cpu": None, "gpu": "there is no CUDA"}
"""


@pytest.fixture(autouse=True)
def _terminal(monkeypatch):
    """Have pytest shorten its summary, which it does not on a CI system."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("BUILD_NUMBER", raising=False)


@pytest.fixture
def run(pytester, monkeypatch):
    """Run pytest on a test file, with the ops above in it, in a process of its own."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def run_on(body, *arguments):
        if body:
            pytester.makepyfile(OPS + body)
        lean = ("-p", "no:hypothesispytest")  # imports for a second what no test here uses
        return pytester.runpytest_subprocess(*lean, "--strict-markers", "--strict-config", *arguments)

    return run_on


def decorated(target, *rest):
    """Return a decorated test."""
    return f"\n@parametrize_checks({', '.join([target, *rest])})\ndef test_it(check):\n    check()\n"


def ids(result):
    """Return the ids in the brackets of what ``--collect-only -q`` lists."""
    return [line.partition("[")[2].rstrip("]") for line in result.outlines if "::" in line]


def properties(path):
    """Return the properties of each test case of a JUnit file, by its name."""
    cases = ET.parse(path).iter("testcase")
    return {case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")} for case in cases}


@pytest.mark.slow
@needs_torch
def test_a_right_pair_passes_and_a_wrong_one_names_its_cause(run):
    only = "only=['vjp', 'value']"
    wrong = decorated("Pair(torch=Turned, oracle=cube, name='wrong')", only).replace("test_it", "test_wrong")
    result = run(TORCH + decorated("Pair(torch=Right, oracle=cube)", only) + wrong, "-rA", "--junitxml=it.xml")
    result.assert_outcomes(passed=4 + 2, failed=2)
    lines = [line for line in result.outlines if line.startswith("FAILED ")]
    assert [line.partition("[")[2].partition("]")[0] for line in lines] == [
        "wrong-vjp-torch-cpu-float32",
        "wrong-vjp-torch-cpu-float64",
    ]
    text = result.stdout.str()
    assert text.count("likely cause: The gradient has the wrong sign. (wrong_sign, fault)") == 2
    assert "pytest_plugin.py" not in text
    assert "testing/" not in text  # no frame of ours
    result.stdout.fnmatch_lines(["Right: 4 agree", "wrong: 2 agree, 2 differ; likely: wrong_sign (2 checks)"])
    assert properties("it.xml")["test_wrong[wrong-vjp-torch-cpu-float64]"]["porting_cause"] == "wrong_sign"


def test_expected_failures_are_strict(run):
    reason = "expected_failures={'gradient_of-oracle': 'the sign is meant'}"
    body = decorated("turned", ORACLE, "only=['gradient_of', 'linear']", reason)
    result = run(body + decorated("cube", ORACLE, reason).replace("test_it", "test_right"), "-rxX", "-k", "not shapes")
    assert result.ret == 1
    outcomes = result.parseoutcomes()
    assert outcomes["xfailed"] == 1
    assert outcomes["failed"] == 1
    text = result.stdout.str()
    assert "XPASS(strict)" in text
    assert "turned: 1 agree, 1 known" in text  # accepted, so neither agreeing nor differing
    assert "the sign is meant" in text


BAD = {
    "cube, expected_failures={'vjpp': 'why'}": "'vjpp'] matches no test id; ids look like cube-gradient_of-oracle-cpu-",
    "cube, expected_failures={'vjp-torch': 'why'}, only=['linear']": "'vjp-torch'] matches no test id; ids look like",
    "cube, expected_failures={'gradient_of': ' '}": "a part of a test id and a reason are wanted; got ' '",
    "cube, expected_failures={'': 'all of them'}": "a part of a test id and a reason are wanted",
    "cube, only=['vpj']": "no check is called 'vpj'",
    "cube, modes=['eger']": "no mode is called 'eger'",
    "'sin_squard'": "did you mean sin_squared",
    "[]": "a list of them is wanted; got []",
    "np.sin": "a list of them is wanted; got <ufunc 'sin'>",
    "[cube, Pair(torch='a:b', name='cube')]": "two targets are called 'cube'",
}


def test_what_cannot_be_meant_is_one_line_at_collection(run, pytester):
    files = {f"test_{n}": OPS + decorated(given, "runners=['oracle']") for n, given in enumerate(BAD)}
    pytester.makepyfile(**files)
    result = run("", "--collect-only")
    assert result.ret == 2
    lines = [line for line in result.outlines if line.startswith("parametrize_checks: ")]
    for line, said in zip(lines, BAD.values(), strict=True):
        assert said in line
    assert "Traceback" not in result.stdout.str()
    assert "plan.py" not in result.stdout.str()


def test_expected_failures_may_name_what_is_not_here(run, pytester):
    pytester.makeconftest(HIDDEN.format(names=("torch", "tensorflow")))
    keys = "expected_failures={'vjp-torch': 'a', 'vjp-tf-gpu': 'b', 'gradient_of-oracle-cpu-float16': 'c'}"
    result = run(decorated("cube", keys), "--porting-dtype", "float64", "--collect-only", "-q")
    assert result.ret == 0, result.stdout.str()


@pytest.mark.slow
def test_a_test_is_read_from_its_reports_under_xdist(run, pytester):
    body = decorated("[cube, turned]", ORACLE)
    alone, spread = (run(body, "--junitxml", f"{n}.xml", *words) for n, words in enumerate([(), ("-n2",)]))
    assert properties(pytester.path / "0.xml") == properties(pytester.path / "1.xml")
    found = properties(pytester.path / "1.xml")
    assert found["test_it[cube-linear-oracle-cpu-float64]"].items() >= {
        ("porting_status", "agree"),
        ("porting_op", "cube"),
        ("porting_check", "linear"),
    }
    assert float(found["test_it[cube-gradient_of-oracle-cpu-float64]"]["porting_largest"]) < 1
    wrong = found["test_it[turned-gradient_of-oracle-cpu-float64]"]
    assert wrong["porting_status"] == "differ"
    assert float(wrong["porting_largest"]) > 1
    summaries = [[x for x in r.outlines if x.startswith(("cube: ", "turned: "))] for r in (alone, spread)]
    assert summaries[0] == summaries[1]
    assert len(summaries[0]) == 2
    assert "1 differ" in summaries[0][1]


def test_no_section_without_our_tests(run):
    result = run("\ndef test_other(): pass\n")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*= porting =*")


def test_the_marker_selects(run):
    body = decorated("cube", ORACLE) + "\ndef test_other(): pass\n"
    ours = run(body, "-m", "porting", "--collect-only", "-q").outlines
    others = run("", "-m", "not porting", "--collect-only", "-q").outlines
    assert [line for line in others if "::" in line] == ["test_the_marker_selects.py::test_other"]
    assert "test_the_marker_selects.py::test_it[cube-linear-oracle-cpu-float64]" in ours
    assert "test_the_marker_selects.py::test_other" not in ours


@pytest.mark.slow
def test_the_decorator_beats_options_which_beat_the_ini_file(run, pytester):
    def types(rest, *arguments):
        return {name.split("-")[4] for name in ids(run(decorated("cube", *rest), "--collect-only", "-q", *arguments))}

    pytester.makeini("[pytest]\nporting_dtypes = float16 bfloat16\nporting_runners = oracle")
    assert types([]) == {"float16", "bfloat16"}
    assert types([], "--porting-dtype=float32") == {"float32"}
    assert types(["dtypes=['float64']"], "--porting-dtype=float32") == {"float64"}
    assert {name.split("-")[2] for name in ids(run("", "--collect-only", "-q"))} == {"oracle"}


@pytest.mark.slow
def test_seeds(run, pytester):
    def seed(rest, *arguments):
        body = f"\n@parametrize_checks(cube, {ORACLE}, only=['linear']{rest})\ndef test_it(check):\n"
        result = run(body + "    print('seed', check.seed)", "-s", *arguments)
        return next(line.split("seed ")[1].rstrip(".") for line in result.outlines if "seed " in line)

    assert seed("") == "0"
    pytester.makeini("[pytest]\nporting_seed = 5")
    assert seed("") == "5"
    assert seed(", seed=0", "--porting-seed=6") == "0"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--porting-runner=tourch"], "no runner is called 'tourch'; there are: oracle, torch, tf"),
        (["--porting-dtype=float46"], "no dtype is called 'float46'; there are: float16, bfloat16, float32, float64"),
        (["--porting-device=tpu"], "no device is called 'tpu'; there are: cpu, gpu, cuda"),
        (["--porting-device=cuda"], "no device gpu here (torch: there is no CUDA"),
        (["--porting-seed=-1"], "seed '-1' is not a whole number from 0 up"),
        (["--porting-seed=x"], "seed 'x' is not a whole number from 0 up"),
        (["-o", "porting_runners=tourch"], "no runner is called 'tourch'"),
        (["-o", "porting_seed=x"], "seed 'x' is not"),
        (["--porting"], "no installed package has ops (entry points of the group porting.ops)"),
    ],
)
def test_bad_values_are_one_line_and_exit_4(run, pytester, arguments, said):
    pytester.makeconftest(NO_GPU)
    result = run(decorated("cube", ORACLE), *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (line,) = filter(None, result.errlines)
    assert line.startswith("ERROR: ")
    assert said in line


def test_a_missing_framework_is_asked_for_in_vain(run, pytester):
    pytester.makeconftest(HIDDEN.format(names=("torch", "tensorflow")))
    result = run(decorated("cube", ORACLE), "--porting-runner=torch")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "PyTorch is not installed" in result.stderr.str()


def test_without_a_framework_tests_are_skipped_with_the_reason(run, pytester):
    pytester.makeconftest(HIDDEN.format(names=("torch", "tensorflow")))
    body = decorated("Pair(torch='mine:f', tf='yours:f')") + decorated("cube", "dtypes=['float64']").replace(
        "_it", "_op"
    )
    asked = decorated("cube", "runners=['torch', 'oracle']", "only=['linear']").replace("_it", "_asked")
    result = run(body + asked, "-v", "-rs")
    assert result.ret == 0, result.stdout.str()
    lines = result.outlines
    names = [line.split()[0] for line in lines if "test_it[" in line]
    assert [name.partition("[")[2] for name in names] == ["not-compared]"]
    assert sum("not-compared] SKIPPED" in line for line in lines) == 3
    result.stdout.fnmatch_lines_random(
        ["*test_op[[]cube-linear-oracle-cpu-float64] PASSED*", "*test_asked[[]cube-linear-oracle-cpu-float64] PASSED*"],
    )
    (both,) = {line.partition("not compared: ")[2] for line in lines if "PyTorch" in line and "TensorFlow" in line}
    assert "PyTorch is not installed: pip install" in both
    assert "TensorFlow is not installed: pip install" in both


def test_a_device_of_the_decorator_that_is_not_there_is_a_skip(run, pytester):
    pytester.makeconftest(NO_GPU)
    result = run(decorated("Pair(torch='mine:f')", "devices=['cuda']"), "-rs")
    result.assert_outcomes(skipped=1)
    assert "not compared: there is no CUDA" in result.stdout.str()


@needs_torch
def test_a_pair_that_cannot_be_loaded_fails_even_where_a_failure_is_expected(run):
    rest = [ORACLE, "only=['linear']", "expected_failures={'linear': 'it differs'}"]
    result = run(decorated("Pair(torch='nowhere:f', oracle=cube)", *rest))
    result.assert_outcomes(failed=1)
    assert "there is no module nowhere" in result.stdout.str()


@pytest.fixture
def theirs(pytester, monkeypatch):
    """Install a package with two ops, one of them wrong."""
    pytester.makepyfile(theirs=OPS)
    info = pytester.mkdir("theirs-1.0.dist-info")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[porting.ops]\nmine = theirs\n")
    monkeypatch.setenv("PYTHONPATH", str(pytester.path), prepend=os.pathsep)
    return ["--porting", "--porting-runner=oracle", "--porting-dtype=float64"]


@pytest.mark.slow
def test_ops_of_other_packages_are_collected_without_a_test_file(run, theirs, pytester):
    listed = [line for line in run("", *theirs, "--collect-only", "-q").outlines if "::" in line]
    assert "porting::cube-linear-oracle-cpu-float64" in listed
    assert {name.split("-")[0] for name in listed} == {"porting::cube", "porting::turned"}
    for words in ((), ("-n2",)):
        result = run("", *theirs, *words, "--junitxml=it.xml")
        assert result.ret == 1
        assert result.parseoutcomes()["failed"] == 1
        text = result.stdout.str()
        assert "FAILED porting::turned-gradient_of-oracle-cpu-float64" in text
        assert "turned  oracle cpu float64 · the oracle's gradient of x is not the derivative" in text
        assert "pytest_plugin.py" not in text
        assert properties("it.xml")["turned-gradient_of-oracle-cpu-float64"]["porting_status"] == "differ"
    again = run("", *theirs, "--lf")
    assert again.parseoutcomes()["failed"] == 1
    assert "passed" not in again.parseoutcomes()


def test_ops_of_other_packages_are_selected(run, theirs):
    result = run("\ndef test_other(): pass\n", *theirs, "-k", "turned", "-x")
    assert result.parseoutcomes()["failed"] == 1
    assert not {
        line for line in run("", *theirs, "-m", "not porting", "--collect-only", "-q").outlines if "::" in line
    } - {"test_ops_of_other_packages_are_selected.py::test_other"}
    result.stdout.fnmatch_lines(["turned: *1 differ*"])
    result.stdout.no_fnmatch_line("cube: *")


def test_an_entry_point_that_does_not_load_is_an_error(run, theirs, pytester):
    pytester.makepyfile(theirs="import nowhere_to_be_found")
    result = run("", *theirs)
    assert result.ret == 2
    assert "--porting: the porting.ops entry point mine = theirs does not load" in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


def test_loading_the_plugin_loads_nothing_heavy():
    heavy = "{'numpy', 'torch', 'tensorflow', 'porting.engine', 'porting.parity'} & set(sys.modules)"
    code = f"import porting.pytest_plugin, sys; porting.parametrize_checks; sys.exit(str({heavy} or ''))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.stderr.strip() == ""


def test_a_run_without_our_tests_loads_nothing_heavy(pytester):
    pytester.makepyfile(
        "import sys\ndef test_other(): assert not {'numpy', 'torch', 'tensorflow', 'porting.spec'} & set(sys.modules)"
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


@pytest.mark.slow
@needs_torch
def test_known_differences_of_the_catalogue_are_strict_expected_failures(run):
    rest = ["runners=['torch']", "only=['special_values', 'vjp']", "dtypes=['float32', 'float64']"]
    result = run(decorated("'my_activation'", *rest), "-rx")
    result.assert_outcomes(passed=2, xfailed=2)
    assert "as printed, e^x overflows for large x" in result.stdout.str()
    assert "my_activation: 2 agree, 2 known" in result.stdout.str()


@pytest.mark.slow
@needs_both
def test_without_an_oracle_two_sides_that_differ_disagree(run):
    right = "\ndef right(x):\n    return x**3\n"
    result = run(TORCH + right + decorated("Pair(torch=Turned, tf=right)", "only=['adjoint', 'vjp']"), "-rs")
    result.assert_outcomes(failed=4, passed=2, warnings=1)
    text = result.stdout.str()
    assert "Turned  torch cpu float64 · gradient of x differs from TensorFlow in float64  (disagreement)" in text
    assert "if TensorFlow is right: The gradient has the wrong sign. (wrong_sign, disagreement)" in text
    assert "UserWarning: Turned  torch cpu float64 · the gradient is not the derivative of the op's own forward" in text
    assert "Turned: 1 agree, 1 note, 4 differ" in text


@pytest.mark.slow
@needs_torch
def test_half_a_pair_is_no_verdict_unless_it_has_an_oracle(run, pytester):
    pytester.makeconftest(HIDDEN.format(names=("tensorflow",)))
    pair = "Pair(torch=Right, tf='yours:f'{})"
    one = decorated(pair.format(""), "dtypes=['float64']", "only=['vjp']")
    two = decorated(pair.format(", oracle=cube"), "dtypes=['float64']", "only=['vjp']").replace("test_it", "test_two")
    result = run(TORCH + one + two, "-v", "-rs")
    lines = result.outlines
    assert any("test_two[Right-vjp-torch-cpu-float64] PASSED" in line for line in lines)
    assert any("test_it[Right-vjp-torch-cpu-float64] SKIPPED" in line for line in lines)
    assert any("no verdict: TensorFlow is not installed" in line for line in lines)
    result.assert_outcomes(passed=1, skipped=3)


@needs_torch
@pytest.mark.slow
def test_the_pairs_of_a_file_are_tests(pytester):
    pytester.makepyfile(sides=TORCH)
    table = "[pair.{0}]\ntorch = 'sides.py:{1}'\ninput = ['x=float64[...]']\n"
    pytester.makefile(".toml", pairs=table.format("right", "Right") + table.format("wrong", "Turned"))
    asked = ("--porting-pairs", "pairs.toml", "--porting-dtype", "float64", "-q", "-k", "adjoint", "-rA")
    result = pytester.runpytest_subprocess(*asked)
    shown = result.stdout.str()
    assert "PASSED porting::right-adjoint-torch-cpu-float64" in shown
    assert "wrong-adjoint-torch-cpu-float64" in shown
    broken = pytester.runpytest_subprocess("--porting-pairs", "none.toml")
    assert "--porting-pairs: none.toml: cannot be read" in broken.stdout.str()
