"""The command as its users meet it: in a process of its own, from another folder."""

import json
import os
import pty
import signal
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from interrupts import interrupted

from porting.runners import RUNNERS

BOTH = all(RUNNERS[key].missing() is None for key in ("torch", "tf"))

# Stands in for an environment in which a package is not installed.
BLOCKER = """
import sys
from importlib.machinery import PathFinder
class Blocked:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return None if name.split(".")[0] in {names!r} else PathFinder.find_spec(name, path, target)
sys.meta_path = [Blocked if finder is PathFinder else finder for finder in sys.meta_path]
"""


@pytest.fixture
def porting(tmp_path, warm):
    """Run the command in an empty folder; `without` names packages that are then not installed.

    It is a `real` process, which imports what it needs, where that is asked for or something is not installed.
    """

    def run(*words, without=(), environment=(), real=False):
        env = {**os.environ, "COLUMNS": "100", **dict(environment)}
        if not (real or without):
            return warm.run("porting", *words, cwd=tmp_path, env=env)
        site = tmp_path.parent / f"{tmp_path.name}-site"
        site.mkdir(exist_ok=True)
        (site / "sitecustomize.py").write_text(BLOCKER.format(names=set(without)) if without else "")
        path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
        return subprocess.run(
            [sys.executable, "-m", "porting", *words],
            capture_output=True, text=True, cwd=tmp_path, env={**env, "PYTHONPATH": path}, check=False,
        )  # fmt: skip

    return run


def refused(run, *words):
    """One clear line on stderr, exit code 2, no traceback."""
    assert run.returncode == 2, run.stdout + run.stderr
    lines = run.stderr.strip().splitlines()
    assert len(lines) == 1, run.stderr
    assert lines[0].startswith("porting")
    for word in words:
        assert word in lines[0]


class TestBadInput:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["check", "my_activatoin"], ["no op or family is called 'my_activatoin'", "my_activation"]),
            (["check", "publishd"], ["'publishd'", "published"]),
            (["check", "qqqq"], ["`porting list` shows all"]),
            (["list", "qqqq"], ["'qqqq'"]),
            (["show", "sin_square"], ["did you mean", "sin_squared"]),
            (["show", "published"], ["is a family", "porting list published"]),
            (["check", "--runner", "jax"], ["no runner is called 'jax'", "oracle, torch, tf"]),
            (["check", "--dtype", "float23"], ["no dtype is called 'float23'", "did you mean float32?"]),
            (["check", "--device", "tpu", "--runner", "oracle"], ["no device is called 'tpu'", "cpu, gpu"]),
            (["check", "--mode", "jit"], ["no mode is called 'jit'", "there are: eager, "]),
            (["check", "-k", "nothing_like_it"], ["no check matches -k 'nothing_like_it'"]),
            (["check", "--seed", "-1"], ["--seed", "'-1' is not a whole number from 0 up"]),
            (["check", "--jobs", "none"], ["--jobs", "'none' is not a whole number from 1 up"]),
            (["check", "--jsn", "x"], ["unrecognized arguments: --jsn", "porting --help"]),
            (["chekc"], ["no command is called 'chekc'", "did you mean check?", "porting --help"]),
            (["chek"], ["no command is called 'chek'", "did you mean check?"]),
            (["qqq"], ["no command is called 'qqq'", "there are list, show, check"]),
            (["check", "--json", "-", "--junitxml", "-"], ["--json and --junitxml", "one document fits"]),
            (["train", "mnist"], ["invalid choice: 'mnist'"]),
            (["check", "--json", "no/such/out.json"], ["--json no/such/out.json", "folder no/such does not exist"]),
            (["check", "--junitxml", "."], ["is a folder; give a file in it"]),
            (["check", "--svg", "/proc/out.svg"], ["cannot be written"]),
            (["--svg", "no/such/out.svg"], ["folder no/such does not exist"]),
            (["train", "legendre", "--plot", "no/such/out.png"], ["folder no/such does not exist"]),
            (["train", "legendre", "--runner", "jax"], ["no runner is called 'jax'"]),
        ],
    )
    def test_one_line_and_exit_2(self, porting, tmp_path, words, said):
        refused(porting(*words), *said)
        assert list(tmp_path.iterdir()) == []

    def test_absent_device_has_its_reason(self, porting):
        if RUNNERS["torch"].missing() or RUNNERS["torch"].devices()["gpu"] is None:
            pytest.skip("there is a GPU, or no PyTorch")
        refused(porting("check", "--device", "gpu", "--runner", "torch"), "no device gpu here (torch gpu: ", "CUDA")
        refused(porting("check", "--device", "cuda", "--runner", "torch"), "no device gpu here")

    def test_existing_file_survives_a_refusal(self, porting, tmp_path):
        (tmp_path / "out.json").write_text("precious")
        refused(porting("check", "qqqq", "--json", "out.json"))
        assert (tmp_path / "out.json").read_text() == "precious"


class TestMissingFrameworks:
    def test_no_backend_at_all_is_exit_5(self, porting):
        for words in (["check", "my_elementwise"], []):
            run = porting(*words, without=("torch", "tensorflow"))
            assert run.returncode == 5, run.stdout + run.stderr
            assert 'pip install "gradport[torch]"' in run.stdout
            assert 'pip install "gradport[tensorflow]"' in run.stdout
            assert "Traceback" not in run.stderr

    @pytest.mark.parametrize(("key", "package"), [("torch", "torch"), ("tf", "tensorflow")])
    def test_asked_for_and_not_installed(self, porting, key, package):
        refused(
            porting("check", "--runner", key, without=(package,)),
            f"runner {key}:",
            f'pip install "gradport[{package}]"',
        )
        refused(porting("train", "legendre", "--runner", key, without=(package,)), f'pip install "gradport[{package}]"')

    @pytest.mark.skipif(not BOTH, reason="needs both frameworks to take one away")
    @pytest.mark.parametrize(("gone", "key", "other"), [("torch", "torch", "tf"), ("tensorflow", "tf", "torch")])
    @pytest.mark.slow
    def test_the_other_half_still_runs(self, porting, tmp_path, gone, key, other):
        run = porting("check", "sin_squared", "my_elementwise", "--json", "out.json", without=(gone,))
        assert run.returncode == 0, run.stdout + run.stderr
        report = json.loads((tmp_path / "out.json").read_text())
        assert {r["runner"] for r in report["results"]} == {"oracle", other}
        assert "is not installed" in report["missing"][key]
        assert f"{key}: " in run.stdout
        assert f'pip install "gradport[{gone}]"' in run.stdout


class TestCheck:
    def test_files_and_streams(self, porting, tmp_path):
        run = porting(
            "check", "sin_squared", "--runner", "oracle", "--json", "a.json", "--junitxml", "a.xml", "--svg", "a.svg",
            real=True,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr
        assert run.stderr == ""
        assert json.loads((tmp_path / "a.json").read_text())["exit_code"] == 0
        assert ElementTree.parse(tmp_path / "a.xml").getroot().tag == "testsuites"
        svg = (tmp_path / "a.svg").read_text()
        assert "sin_squared" in svg
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "").replace("https://www.textualize.io", "")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "a.svg", "a.xml"]

    @pytest.mark.parametrize("option", ["--json", "--junitxml", "--svg"])
    def test_a_document_on_standard_output_stands_there_alone(self, porting, tmp_path, option):
        words = ["check", "sin_squared", "--runner", "oracle", "--dtype", "float64"]
        run = porting(*words, option, "-")
        assert run.returncode == 0, run.stderr
        assert "1 op, " in run.stderr
        assert porting(*words, option, "file").returncode == 0
        assert run.stdout == (tmp_path / "file").read_text()
        assert not (tmp_path / "-").exists()

    def test_faulty_examples_print_their_waivers(self, porting):
        run = porting(
            "check", "published", "--runner", "oracle", "--dtype", "float64", environment={"COLUMNS": "300"}.items()
        )
        assert run.returncode == 0
        for name, reason in {
            "my_activation": "the backward is not the derivative of the forward",
            "my_complex_op": "the backward takes cos(sin(x)) for cos(x)",
            "custom_relu": "the backward puts -0.5 in place of the cotangent",
            "custom_squared_loss": "the backward puts 1 in place of the cotangent",
        }.items():
            assert f"{name} gradient_of (oracle): gradient_of unstated: as printed, {reason}" in run.stdout
        assert "custom_relu linear (oracle): not linear in the cotangent, as declared" in run.stdout

    def test_quiet_and_verbose(self, porting):
        quiet = porting("check", "sin_squared", "--runner", "oracle", "-q").stdout
        assert len(quiet.strip().splitlines()) == 1
        verbose = porting("check", "sin_squared", "--runner", "oracle", "--dtype", "float64", "-v").stdout
        assert "✓ sin_squared gradient_of oracle cpu float64: agree" in verbose

    def test_jobs_give_the_same_report(self, porting, tmp_path):
        words = ["check", "sin_squared", "conditional_op", "--runner", "oracle"]
        assert porting(*words, "--json", "one.json").returncode == 0
        assert porting(*words, "--json", "two.json", "--jobs", "2").returncode == 0
        assert (tmp_path / "one.json").read_text() == (tmp_path / "two.json").read_text()

    def test_plain_terminal(self, porting):
        run = porting(
            "check",
            "sin_squared",
            "--runner",
            "oracle",
            environment={"PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}.items(),
            real=True,
        )
        assert run.returncode == 0, run.stderr
        assert "\x1b[" not in run.stdout

    @pytest.mark.parametrize(
        ("words", "code"),
        [
            (["list"], 0),
            (["check", "my_elementwise", "--runner", "oracle", "--dtype", "float64", "--json", "out.json"], 0),
            (["check", "--torch", "absent.py:f", "--json", "-"], 2),
            (["check", "my_elementwise", "--runner", "oracle", "--dtype", "float64", "--json", "-"], 0),
        ],
    )
    def test_a_reader_that_goes_away_changes_no_exit_code(self, tmp_path, words, code):
        command = [sys.executable, "-m", "porting", *words]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path)
        run.stdout.close()
        said = run.stderr.read().decode()
        assert "Traceback" not in said
        assert "Broken pipe" not in said
        assert run.wait() == code
        run.stderr.close()
        if "out.json" in words:  # what comes after the report is done as well
            assert json.loads((tmp_path / "out.json").read_text())["exit_code"] == code

    @pytest.mark.slow
    @pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch")
    @pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])  # the other one is what `timeout` sends
    def test_interrupt_leaves_a_partial_report(self, tmp_path, by):
        words = ["check", "--runner=torch", "--runner=oracle", "--json=part.json"]
        code, out, error = interrupted(*words, cwd=tmp_path, by=by)
        assert code == 130, out + error
        assert "Traceback" not in error
        assert "interrupted:" in out
        assert json.loads((tmp_path / "part.json").read_text())["interrupted"] is True

    def test_progress_has_an_estimate_on_a_terminal(self, tmp_path):
        ours, theirs = pty.openpty()
        run = subprocess.run(
            [sys.executable, "-m", "porting", "check", "published", "--runner", "oracle"],
            stdout=subprocess.PIPE, stderr=theirs, cwd=tmp_path, check=False,
        )  # fmt: skip
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 65536):
                shown += chunk
        except OSError:  # the other end is closed and all is read
            pass
        assert run.returncode == 0
        assert b"checks" in shown
        assert b"left:" in shown
        assert b"checks" not in run.stdout.splitlines()[0]


class TestOthers:
    def test_list_is_for_machines_when_piped(self, porting):
        lines = porting("list", "index").stdout.splitlines()
        assert [line.split("\t")[1] for line in lines] == ["embedding_padding", "gather_rows", "scatter_mean"]

    @pytest.mark.parametrize("columns", ["80", "200"])
    def test_show_has_three_sources(self, porting, columns):
        out = porting("show", "custom_relu", environment={"COLUMNS": columns}.items()).stdout
        for text in (
            "np.where(x <= 0",
            "dx[x <= 0] = -0.5",
            "tf.where(x <= 0",
            "CustomReLU.apply(x)",
            "y  = max(x, 0)",
        ):
            assert text in out

    @pytest.mark.parametrize("option", ["--version", "-V"])
    def test_version(self, porting, option):
        assert porting(option).stdout.startswith("gradport ")

    def test_fault_of_our_own_is_exit_3(self, monkeypatch, capsys):
        from porting.cli import main

        monkeypatch.setattr("porting.cli.list.run", lambda args: 1 / 0)
        assert main.main(["list"]) == 3
        assert "fault of porting itself" in capsys.readouterr().err
