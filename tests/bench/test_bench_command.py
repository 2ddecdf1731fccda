"""``porting bench`` as its users meet it: in a process of its own, from another folder."""

import json
import os
import re
import subprocess
import sys

import pytest
from interrupts import interrupted

from porting.cli.main import main
from porting.runners import RUNNERS

pytestmark = [
    pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch"),
    pytest.mark.skipif(sys.platform == "win32", reason="sends signals"),
]
BOTH = pytest.mark.skipif(bool(RUNNERS["tf"].missing()), reason="needs both frameworks")
TINY = ["sin_squared", "--size", "2^6,2^8", "--mode", "torch-eager", "--rounds", "5"]


@pytest.fixture
def bench(tmp_path):
    """Run the command in an empty folder; `without` is a package that is then not installed."""

    def run(*words, without=""):
        site = tmp_path.parent / f"{tmp_path.name}-site"
        site.mkdir(exist_ok=True)
        (site / "sitecustomize.py").write_text(f"import sys\nsys.modules[{without!r}] = None\n" if without else "")
        path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
        env = {**os.environ, "PYTHONPATH": path, "COLUMNS": "200"}
        command = [sys.executable, "-m", "porting", "bench", *words]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env, check=False)

    return run


@pytest.mark.slow
def test_a_small_run_writes_everything(bench, tmp_path):
    pytest.importorskip("matplotlib")
    files = ["--check", "--json", "a.json", "--markdown", "a.md", "--plot", "a.png"]
    run = bench(*TINY, *files)
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.match(r"porting: 3 measurements, roughly [1-9]\d* s\n", run.stderr), run.stderr
    assert "1 ratios held to their bounds: 1 within, 0 out, 0 no verdict" in run.stdout  # what is kept
    content = json.loads((tmp_path / "a.json").read_text())
    assert [(r["op"], r["mode"], r["size"], r["elements"]) for r in content["rows"]] == [
        ("sin_squared", "torch-eager", 64, 64),
        ("sin_squared", "torch-eager", 256, 256),
    ]
    for r in content["rows"]:
        assert set(r["seconds"]) == {"floor", "limit", "twin", "composition"}
        assert set(r["ratios"]) == {"floor", "limit", "composition"}
        assert r["ratios"]["floor"]["low"] <= r["ratios"]["floor"]["median"] <= r["ratios"]["floor"]["high"]
    assert content["kept"][0]["inputs"] == {"twin": 1, "composition": 2}
    assert content["interrupted"] is False
    assert content["command"] == " ".join(["porting bench", *TINY, *files])
    assert f"\n{content['command']}\n" in (tmp_path / "a.md").read_text()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.json", "a.md", "a.png"]


@pytest.mark.slow
def test_nothing_judged_is_exit_5(bench):
    run = bench(*TINY, "--check", "--no-memory", "-q")
    assert run.returncode == 5, run.stdout + run.stderr
    assert "0 ratios held to their bounds" in run.stdout
    assert run.stderr == ""


@BOTH
@pytest.mark.slow
def test_with_one_framework_the_other_half_runs(bench):
    words = [word for word in TINY if word not in {"--mode", "torch-eager"}]
    run = bench(*words, "--mode", "torch-eager", "--no-memory", without="tensorflow")
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sin_square"], "no op or family is called 'sin_square'; did you mean sin_squared"),
        (["--size", "0"], "'0' is no size: 65536 or 2^16 is wanted"),
        (["--size", "big"], "'big' is no size"),
        (["--size", "2^40"], "--size 2^40: about 98,304 GiB would be needed, this machine has"),
        (["--mode", "torch-egaer"], "no mode is called 'torch-egaer'; did you mean torch-eager?"),
        (["--dtype", "float23"], "no dtype is called 'float23'; did you mean float32?"),
        (["--device", "tpu"], "no device is called 'tpu'"),
        (["--rounds", "0"], "'0' is not a whole number from 1 up"),
        (["--json", "no/such.json"], "the folder no does not exist"),
        (["--markdown", "."], "is a folder; give a file in it"),
        (["--plot", "a.pdf"], "a PNG picture is drawn"),
        (["--check", "--dtype", "float64"], "--check holds float32 to its bounds"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["bench", *words])
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_missing_framework_is_one_line_and_exit_2(bench):
    run = bench("--mode", "tf-xla", without="tensorflow")
    assert run.returncode == 2
    assert "TensorFlow is not installed" in run.stderr


@pytest.mark.slow
def test_ctrl_c_leaves_the_partial_result(tmp_path):
    words = ["bench", "--mode", "torch-eager", "--size", "2^6", "--json", "a.json"]
    code, out, error = interrupted(*words, cwd=tmp_path)
    assert code == 130, out + error
    assert "Traceback" not in error
    assert "interrupted:" in out
    assert json.loads((tmp_path / "a.json").read_text())["interrupted"] is True


@pytest.mark.slow
@BOTH
def test_every_mode_and_all_memory(bench, tmp_path):
    run = bench("swish", "--size", "2^6", "--rounds", "3", "--json", "a.json")
    assert run.returncode == 0, run.stdout + run.stderr
    content = json.loads((tmp_path / "a.json").read_text())
    assert [r["mode"] for r in content["rows"]] == [
        "torch-eager", "torch-compile", "tf-eager", "tf-function", "tf-xla",
    ]  # fmt: skip
    for r in content["rows"]:
        assert set(r["ratios"]) == {"floor", "limit", "composition", "built-in"}, r["errors"]
    inputs = {k["backend"]: k["inputs"] for k in content["kept"]}
    for backend in ("torch", "tf"):
        assert inputs[backend]["twin"] == pytest.approx(1, abs=0.1)
        assert inputs[backend]["composition"] == pytest.approx(2, abs=0.1)
    for peak in content["peaks"]:
        assert peak["tensors"]["twin"] < 0.65 * peak["tensors"]["composition"], peak
