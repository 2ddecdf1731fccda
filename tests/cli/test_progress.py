"""What is said while one waits."""

from porting.cli import progress


def said_of(seconds, monkeypatch, capsys, **asked):
    """Return what is said of ten steps that take so long each."""
    clock = iter(range(10_000))
    monkeypatch.setattr(progress.time, "monotonic", lambda: seconds * next(clock))
    with progress.Progress("checks", **asked) as shown:
        shown.start(40)
        for _ in range(10):
            shown.step()
    return capsys.readouterr().err.splitlines()


def test_what_makes_it_shorter_is_said_once_where_it_takes_long(monkeypatch, capsys):
    lines = said_of(20, monkeypatch, capsys, shorter="ask for less")
    assert lines.count("porting: ask for less") == 1, lines
    assert any("of 40 checks" in line for line in lines[2:]), lines


def test_nothing_makes_it_shorter_where_it_does_not_take_long(monkeypatch, capsys):
    lines = said_of(2, monkeypatch, capsys, shorter="ask for less")
    assert lines
    assert all("of 40 checks" in line for line in lines), lines


def test_an_estimate_begins_with_what_two_steps_took_and_never_with_0_seconds(monkeypatch, capsys):
    lines = said_of(20, monkeypatch, capsys)
    assert lines[0] == "porting: 1 of 40 checks"
    assert all(line.endswith(" s left") and " 0 s left" not in line for line in lines[1:]), lines
    lines = said_of(1e-9, monkeypatch, capsys)
    assert not any(" 0 s left" in line for line in lines), lines


def test_a_quiet_one_says_nothing(monkeypatch, capsys):
    assert not said_of(20, monkeypatch, capsys, shorter="ask for less", quiet=True)


def test_a_long_step_is_told_within(monkeypatch, capsys):
    clock = iter(range(100))
    monkeypatch.setattr(progress.time, "monotonic", lambda: 6 * next(clock))
    with progress.Progress("gradients") as shown:
        shown.start(2)
        for done in range(1, 5):
            shown.within(f"{done} of 4 checks of ste")
    lines = capsys.readouterr().err.splitlines()
    assert lines
    assert all(
        line.startswith("porting: 0 of 2 gradients; ") and line.endswith(" of 4 checks of ste") for line in lines
    )
