"""A shell completes the command with a script that was made once."""

import shlex
import subprocess
import sys

import pytest

from porting.cli.main import main


@pytest.fixture(scope="module")
def bash(tmp_path_factory):
    """Return a function that completes the last word of a line in bash."""
    pytest.importorskip("shtab")
    script = tmp_path_factory.mktemp("completion") / "porting.bash"
    run = subprocess.run([sys.executable, "-m", "porting", "--completion", "bash"], capture_output=True, check=True)
    script.write_bytes(run.stdout)

    def completed(line):
        words = line.split(" ")
        text = (
            f"source {shlex.quote(str(script))}; COMP_WORDS=({' '.join(map(shlex.quote, words))}); "
            f'COMP_CWORD={len(words) - 1}; _shtab_porting; echo "${{COMPREPLY[@]}}"'
        )
        return subprocess.run(["/bin/bash", "-c", text], capture_output=True, text=True, check=True).stdout.split()

    return completed


@pytest.mark.parametrize(
    ("line", "among"),
    [
        ("porting che", {"check"}),
        ("porting --vers", {"--version"}),
        ("porting check --js", {"--json"}),
        ("porting check sin_sq", {"sin_squared"}),
        ("porting check straight", {"straight_through"}),
        ("porting show sof", {"softsign", "soft_dtw"}),
        ("porting translate --to ", {"tf", "torch", "numpy"}),
    ],
)
def test_what_can_come_is_offered(bash, line, among):
    assert among <= set(bash(line))


@pytest.mark.parametrize("shell", ["zsh", "fish", "tcsh"])
def test_other_shells_have_a_script_too(shell, capsys):
    pytest.importorskip("shtab")
    with pytest.raises(SystemExit) as left:
        main(["--completion", shell])
    out = capsys.readouterr().out
    assert left.value.code in {None, 0}
    assert all(word in out for word in ("selftest", "sin_squared", "junitxml"))


def test_what_is_missing_is_said(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["--completion", "bash"]) == 2
    assert capsys.readouterr().err == 'porting: --completion needs shtab: pip install "gradport[completion]"\n'
