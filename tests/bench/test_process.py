"""The measuring process: what it is started with, and what is said when it gives no answer."""

import os
import sys
from pathlib import Path

import pytest

from porting.bench import process
from porting.bench.process import MEMORY, TIMING, NoAnswerError, Process

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture(autouse=True)
def hostile(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.setattr(process, "HANDLER", "hostile_questions:answer")


@pytest.mark.parametrize("environment", [TIMING, MEMORY])
def test_it_is_started_with_its_own_environment(monkeypatch, environment):
    monkeypatch.setenv("TF_ENABLE_ONEDNN_OPTS", "0")
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    before = dict(os.environ)
    with Process(environment) as measuring:
        found = measuring.ask({"task": "answer", "names": list(environment)})
    assert found.pop("pid") != os.getpid()
    assert found == environment
    assert dict(os.environ) == before


def test_it_is_a_new_interpreter():
    """What malloc reads when a program starts has been read: the environment is that of the program, not of a fork."""
    with Process(MEMORY) as measuring:
        pid = measuring.ask({"task": "answer"})["pid"]
        started = Path(f"/proc/{pid}/environ")
        if started.exists():
            assert b"MALLOC_TRIM_THRESHOLD_=65536" in started.read_bytes().split(b"\0")


def test_it_stays_for_the_next_question():
    with Process(TIMING) as measuring:
        first, second = (measuring.ask({"task": "answer"})["pid"] for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("crash", "the process was killed by SIGSEGV, at "),
        ("leave", "the process left with exit code 3"),
        ("hang", "the process took longer than 1 s, at "),
        ("fail", "ValueError: not today"),
    ],
)
def test_no_answer_is_one_line_and_the_next_question_is_answered(task, said):
    with Process(TIMING, patience=1) as measuring:
        with pytest.raises(NoAnswerError) as caught:
            measuring.ask({"task": task})
        assert str(caught.value).startswith(said)
        assert "\n" not in str(caught.value)
        assert measuring.ask({"task": "answer"})["pid"]


@pytest.mark.slow
def test_each_word_is_a_sign_of_life():
    with Process(TIMING, patience=1.5) as measuring:
        assert measuring.ask({"task": "slow"})["pid"]


def test_a_process_that_cannot_start_is_one_line(monkeypatch):
    monkeypatch.setattr("sys.executable", "/bin/false")
    with Process(TIMING) as measuring, pytest.raises(NoAnswerError, match="a worker process ended") as caught:
        measuring.ask({"task": "answer"})
    assert "\n" not in str(caught.value)
