"""Whatever an op does to its process, the run ends, says what it was, and goes on with the next op."""

import functools
import json
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from once import once

from porting.parity.report import Report
from porting.runners import RUNNERS

HERE = Path(__file__).parent
OPS = HERE / "ops"
PROC = Path("/proc/self/environ").exists()
TIMEOUT = 3

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups")

# One process for each framework: several runs in it, in which a good op follows each hostile one.
RUNS = """
import json, sys
import porting
side, good, timeout, runs = json.loads(sys.argv[1])
reports = []
for targets, options in runs:
    pairs = []
    for target in targets:
        inputs = {"x": porting.array()} if target.endswith("old_style") else {}
        pairs.append(porting.Pair(**{side: target}, name=target, inputs=inputs))
        pairs.append(porting.Pair(**{side: good}, name=f"after {target}"))
    report = porting.check(pairs, dtypes=["float64"], timeout=timeout, memory=3, **options)
    reports.append(report.to_json())
print(json.dumps(reports))
"""

LATE = f"took longer than {TIMEOUT} s, in"

# What ends its process: what the finding says, and the cause.
ENDING = {
    "ending.py:LoopInForward": (f"{LATE} forward", "timed_out"),
    "ending.py:LoopInBackward": (f"{LATE} backward", "timed_out"),
    "ending.py:Sleep": (f"{LATE} forward", "timed_out"),
    "ending.py:Regex": (f"{LATE} backward", "timed_out"),
    "ending.py:Segfault": ("was killed by SIGSEGV, in forward", "process_died"),
    "ending.py:SegfaultInBackward": ("was killed by SIGSEGV, in backward", "process_died"),
    "ending.py:Abort": ("was killed by SIGABRT, in backward", "process_died"),
    "ending.py:LooksLikeSuccess": ("left with exit code 0, in backward", "process_died"),
    "ending.py:SysExit": ("raised SystemExit: 3, in forward", "process_died"),
    "ending.py:SysExitInBackward": ("raised SystemExit, in backward", "process_died"),
    "ending.py:Interrupt": ("raised KeyboardInterrupt, in backward", "process_died"),
    "hangs_on_import.py:op": (f"{LATE} import", "timed_out"),
    "exits_on_import.py:op": ("raised SystemExit: 0, in import", "process_died"),
    "dies_on_import.py:op": ("was killed by SIGSEGV, in import", "process_died"),
}
IN_SECOND_ORDER = {"ending.py:LoopInSecondOrder": (f"{LATE} second order", "timed_out")}
RAISING = {
    "raising.py:HundredGigabytes": ("forward raised RuntimeError", "out_of_memory"),
    "raising.py:TwentyFiveGigabytes": ("backward raised RuntimeError", "out_of_memory"),
    "raising.py:HundredGigabytesOfBytes": ("backward raised MemoryError", "out_of_memory"),
    "raising.py:Growing": ("backward raised RuntimeError", "out_of_memory"),
    "raising.py:Recursion": ("forward raised RecursionError", "raises_in_forward"),
    "raising.py:RaisesInForward": ("forward raised LookupError: no such table", "raises_in_forward"),
    "raising.py:RaisesInBackward": ("backward raised LookupError: no such table", "raises_in_backward"),
    "raising.py:RaisesWhatCannotBeShown": ("backward raised Weird", "raises_in_backward"),
    "raising.py:NamedLikeOurs": ("backward raised PortingError: nothing is wrong", "raises_in_backward"),
    "raising.py:ReturnsString": ("the op returned str where", "raises_in_forward"),
    "raising.py:ReturnsNone": ("the op returned NoneType where", "raises_in_forward"),
    "raising.py:returns_int": ("the op returned int where", "raises_in_forward"),
    "raising.py:returns_nothing": ("the op returned nothing where", "raises_in_forward"),
    "raising.py:ReturnsAnother": ("backward raised TypeError", "raises_in_backward"),
    "raising.py:GradientIsString": ("backward raised RuntimeError", "raises_in_backward"),
    "raising.py:GradientIsNone": ("the gradient is not the derivative", "missing_gradient"),
    "raising.py:TwoGradients": ("backward raised RuntimeError", "wrong_count"),
    "raising.py:NothingForScale": ("backward raised RuntimeError", "wrong_count"),
    "raising.py:NoBackward": ("backward raised NotImplementedError", "raises_in_backward"),
    "raising.py:old_style": ("forward raised RuntimeError: Legacy autograd function", "raises_in_forward"),
    "raising.py:now_and_then": ("forward raised LookupError: not today", "raises_in_forward"),
    "raising.py:more_and_more": ("backward raised", ""),
    "raising.py:longer_and_longer": ("backward raised RuntimeError", ""),
    "raising.py:tired": ("forward raised LookupError: enough", "raises_in_forward"),
}
LEAVING = {
    "leaving.py:grad_mode": ("the op changes PyTorch's grad mode", "global_state"),
    "leaving.py:default_dtype": ("the op changes PyTorch's default type", "global_state"),
    "leaving.py:seed": ("the op changes PyTorch's random state", "global_state"),
    "leaving.py:python_seed": ("the op changes Python's random state", "global_state"),
    "leaving.py:daemon_thread": ("the op changes the number of threads", "global_state"),
    "leaving.py:thread": ("the op changes the number of threads", "global_state"),
    "leaving.py:folder": ("the op changes the working folder", "global_state"),
    "leaving.py:environment": ("the op changes the environment variables", "global_state"),
    "leaving.py:path": ("the op changes the module search path", "global_state"),
    "leaving.py:warnings_are_errors": ("the op changes the warning filters", "global_state"),
    "leaving.py:no_output": ("the op changes the standard streams", "global_state"),
    "leaving.py:recursion_limit": ("the op changes the recursion limit", "global_state"),
}
# Ill-mannered, but right.
RIGHT = [
    "leaving.py:prints", "leaving.py:child", "leaving.py:closed_files",
    "prints_on_import.py:op", "raising.py:OldStyle",
]  # fmt: skip
TF_ENDING = {
    "tf_ops.py:loop": (f"{LATE} forward", "timed_out"),
    "tf_ops.py:loop_in_gradient": (f"{LATE} backward", "timed_out"),
    "tf_ops.py:leaves_in_gradient": ("left with exit code 0, in backward", "process_died"),
    "tf_ops.py:raises_in_py_function": ("forward raised UnknownError", "raises_in_forward"),
    "tf_ops.py:wrong_count": ("backward raised ValueError", "wrong_count"),
    "tf_ops.py:gradient_is_none": ("the gradient is not the derivative", "missing_gradient"),
    "tf_ops.py:returns_string": ("the op returned str where", "raises_in_forward"),
    "tf_ops.py:no_gradient_function": ("forward raised ValueError", "raises_in_forward"),
}
TF_LEAVING = {"tf_ops.py:eagerly": ("the op changes TensorFlow's eager mode of functions", "global_state")}

GRADIENT, STATE = ("adjoint",), ("adjoint", "global_state")
SIDES = {
    "torch": (
        "good.py:sine",
        [
            (ENDING, {"only": GRADIENT, "jobs": 2}),
            (IN_SECOND_ORDER, {"only": ("second_order",)}),
            (RAISING, {"only": GRADIENT}),
            (LEAVING, {"only": STATE}),
            (RIGHT, {"only": GRADIENT}),
        ],
    ),
    "tf": ("tf_ops.py:good", [(TF_ENDING, {"only": GRADIENT}), (TF_LEAVING, {"only": STATE})]),
}
HOSTILE = [
    pytest.param(side, target, *expected, id=target)
    for side, (_, runs) in SIDES.items()
    for targets, _ in runs
    if isinstance(targets, dict)
    for target, expected in targets.items()
]


def answer(side):
    """Carry out the runs of one side, once for all processes of a run of the tests; return what they gave."""

    def carried_out():
        good, runs = SIDES[side]
        named = [([str(OPS / target) for target in targets], options) for targets, options in runs]
        run = alone([sys.executable, "-c", RUNS, json.dumps([side, str(OPS / good), TIMEOUT, named])])
        return json.dumps([run.returncode, run.stdout, run.stderr])

    return json.loads(once(f"hostile_{side}", carried_out))


@functools.cache
def reports(side):
    """Return what the runs of one side report."""
    if RUNNERS[side].missing():
        pytest.skip(RUNNERS[side].missing())
    code, out, error = answer(side)
    assert code == 0, error
    assert error.count("Traceback") == 0, error
    return [Report.from_json(report) for report in json.loads(out)]  # and nothing else is on stdout


def alone(words, **how):
    """Run a command; nothing that it started may live on."""
    mark = f"GRADPORT_TEST={uuid.uuid4()}"
    environment = {**os.environ, **dict([mark.split("=")]), "COLUMNS": "200"}
    run = subprocess.run(words, capture_output=True, text=True, env=environment, check=False, timeout=500, **how)
    end = time.monotonic() + 100  # the server of the workers ends a moment after the command
    while PROC and (left := marked(mark)):
        assert time.monotonic() < end, left
        time.sleep(0.05)
    return run


def marked(mark):
    """Return the commands of the processes that have inherited an environment variable."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and mark.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text(encoding="utf8").replace("\0", " "))
        except OSError:  # another user's, or gone
            continue
    return found


def results(side, name):
    """Return the report of the run that an op was part of, and its results in it."""
    path = name.removeprefix("after ")
    name = name.replace(path, str(OPS / path))
    report = next(report for report in reports(side) if name in {r.op for r in report.results})
    return report, [r for r in report.results if r.op == name]


def line_of(target):
    """Return ``file.py:12``, the marked line of an op; nothing if none is."""
    file, name = target.split(":")
    name = Path(file).stem if name == "op" else name
    lines = (OPS / file).read_text(encoding="utf8").splitlines()
    return next((f"{file}:{n}" for n, line in enumerate(lines, 1) if line.endswith(f"# here: {name}")), "")


@pytest.mark.parametrize(("side", "target", "said", "cause"), HOSTILE)
class TestHostile:
    @pytest.mark.slow
    def test_is_found_with_stage_and_cause(self, side, target, said, cause):
        report, found = results(side, target)
        assert report.exit_code == 1
        message = "\n".join(map(str, found))
        assert said in message
        assert line_of(target) in message
        if cause:
            assert report.causes(found[0])[0].cause == cause

    def test_next_op_agrees(self, side, target, said, cause):
        _, found = results(side, f"after {target}")
        assert [r.status for r in found] == ["agree"] * len(found)
        assert all(r.compared for r in found)


@pytest.mark.parametrize("target", RIGHT)
def test_ill_mannered_op_is_right(target):
    for name in (target, f"after {target}"):
        _, found = results("torch", name)
        assert [r.status for r in found] == ["agree"]


def porting_check(*words):
    return alone([sys.executable, "-m", "porting", "check", *words, "--dtype", "float64"], cwd=HERE)


@pytest.mark.slow
def test_command_gives_up_on_an_op_that_hangs_again():
    if RUNNERS["torch"].missing():
        pytest.skip("PyTorch is not installed")
    begun = time.monotonic()
    porting_check("--torch", "ops/ending.py:LooksLikeSuccess")  # two deaths as well, but nothing to wait for
    usual = time.monotonic() - begun
    run = porting_check("--torch", "ops/ending.py:LoopInBackward", "--timeout", str(TIMEOUT))
    seconds = time.monotonic() - begun - usual
    assert run.returncode == 1, run.stderr
    assert run.stderr == ""
    assert f"the op's process {LATE} backward" in run.stdout
    assert line_of("ending.py:LoopInBackward") in run.stdout
    assert "(timed_out, fault)" in run.stdout
    assert "not tried: the op has ended two processes" in " ".join(run.stdout.split())
    # Two deaths, and what this machine takes for a start; all of the checks would take a minute.
    assert seconds < 2 * (TIMEOUT + 1) + max(25, 3 * usual)
    assert "2 differ" in run.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "code", "said"),
    [
        ("ending.py:LooksLikeSuccess", 1, "the op's process left with exit code 0, in backward"),
        ("exits_on_import.py:op", 1, "the op's process raised SystemExit: 0, in import"),
        ("leaving.py:prints", 0, "1 agree, 0 differ"),
    ],
)
def test_command(target, code, said):
    if RUNNERS["torch"].missing():
        pytest.skip("PyTorch is not installed")
    run = porting_check("--torch", f"ops/{target}", "-k", "adjoint")
    assert (run.returncode, run.stderr) == (code, ""), run.stderr
    assert said in run.stdout
    assert "said by the op" not in run.stdout
    assert "Traceback" not in run.stdout
