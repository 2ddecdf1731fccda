"""A slow function is compared in part, and that is said; what is over the budget is no verdict, never a fault."""

import pytest

import porting
from porting import Pair
from porting.engine import group
from porting.parity import budget, run
from porting.report.text import notes
from porting.runners import base

torch = pytest.importorskip("torch")


class Clock:
    """Seconds that the functions below take, however fast the machine is."""

    now = 0.0


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    monkeypatch.setattr(Clock, "now", 0.0)
    for module in (base, budget, group, run):
        monkeypatch.setattr(module, "monotonic", lambda: Clock.now)


class Slow(torch.autograd.Function):
    """2 x, right, with a backward that takes its time."""

    factor = 2.0

    @classmethod
    def forward(cls, ctx, x):
        return 2 * x

    @classmethod
    def backward(cls, ctx, dy):
        Clock.now += 0.04
        return cls.factor * dy


class SlowAndWrong(Slow):
    factor = 3.0


def shown(report, capsys):
    from rich.console import Console

    Console(width=300).print(notes(report))
    return capsys.readouterr().out


def test_a_slow_function_is_compared_in_part(capsys):
    report = porting.check(Pair(torch=Slow), dtypes=["float64"], budget=1)
    assert Clock.now == pytest.approx(1, abs=0.1)
    assert report.exit_code == 0, str(report)
    cut = [r for r in report.results if r.note.startswith(budget.CUT)]
    left = [r for r in report.results if "--budget" in r.note]
    assert cut
    assert left
    assert all(r.status == "no verdict" and not r.compared for r in left)
    assert all("backward" in r.note for r in cut)
    said = shown(report, capsys)
    assert "not tried: the 1 s of this side are over (--budget)" in said


def test_gradients_come_first_and_large_arrays_last():
    report = porting.check(Pair(torch=Slow), dtypes=["float64"], budget=2)
    compared = {r.check for r in report.results if r.compared}
    assert "adjoint" in compared
    assert "large" not in compared


def test_a_wrong_one_is_found_within_its_budget():
    report = porting.check(Pair(torch=SlowAndWrong), dtypes=["float64"], budget=2)
    assert report.exit_code == 1
    assert next(iter(report.diagnoses)).cause == "constant_factor"


def test_without_a_budget_nothing_is_left_out():
    report = porting.check(Pair(torch=lambda x: 2 * x), dtypes=["float64"])
    assert not any(r.note.startswith(budget.CUT) for r in report.results)


@pytest.mark.slow
def test_a_check_ends_by_itself_before_its_process_is_ended(tmp_path, monkeypatch, capsys):
    (tmp_path / "slowly.py").write_text(
        "import time\nimport torch\n\n\nclass Slowly(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        return 2 * x\n\n"
        "    @staticmethod\n    def backward(ctx, dy):\n        time.sleep(0.25)\n        return 2 * dy\n"
    )
    monkeypatch.chdir(tmp_path)
    report = porting.check(
        Pair(torch="slowly.py:Slowly"),
        dtypes=["float64"],
        timeout=3,
        only=["finite", "layouts", "raw_gradient", "repeated"],
    )
    assert report.exit_code == 0, str(report)
    cut = [r for r in report.results if r.note.startswith(budget.CUT) and r.status == "agree"]
    assert cut
    assert not any("ended" in r.note for r in report.results)
    assert "Compared in part" in shown(report, capsys)


@pytest.mark.parametrize(
    ("seconds", "sides", "jobs", "each"),
    [(10, 2, 1, 5), (10, 2, 2, 10), (10, 4, 2, 5), (10, 1, 4, 10), (None, 2, 1, float("inf"))],
)
def test_the_sides_share_it(seconds, sides, jobs, each):
    shared = budget.budget(seconds, sides, jobs, 60)
    assert shared.side == each
    assert shared.check == pytest.approx(40)
