"""The log of a sweep: whatever ends it, nothing is lost and nothing is counted twice."""

import json

import pytest

from porting.sweep.log import Log, LogError, begun, resumed
from porting.sweep.work import Done

HEADER = {"what": "3 checks of swish, seeds 0 to 9", "plan": "abc", "environment": {"torch": "2.13.0"}}


def done(number):
    return Done([json.dumps({"seed": number})], "here")


def made(path, count=3):
    """Write a log of some chunks, each with one report, and return its text."""
    with begun(path, HEADER) as log:
        for number in range(count):
            log.append(number, done(number))
    return path.read_bytes()


def read(path, header=HEADER, **how):
    """Return the reports that a log holds, and what it says is done."""
    *chunks, log = resumed(path, header, **how)
    assert isinstance(log, Log)
    with log:
        assert {chunk.where for chunk in chunks} <= {"here"}
        return [json.loads(text)["seed"] for chunk in chunks for text in chunk.reports], log.done


def test_what_is_written_is_read(tmp_path):
    made(tmp_path / "a.jsonl")
    assert read(tmp_path / "a.jsonl") == ([0, 1, 2], {0, 1, 2})


def test_a_log_that_is_cut_anywhere_loses_only_the_line_that_is_cut(tmp_path):
    whole = made(tmp_path / "a.jsonl")
    ends = [k for k, byte in enumerate(whole, start=1) if byte == ord("\n")]
    for cut in range(ends[0], len(whole) + 1):
        (tmp_path / "b.jsonl").write_bytes(whole[:cut])
        seeds, there = read(tmp_path / "b.jsonl")
        assert there == set(seeds) == set(range(sum(end <= cut for end in ends) - 1))
        *_, log = resumed(tmp_path / "b.jsonl", HEADER)
        with log:
            for number in set(range(3)) - there:
                log.append(number, done(number))
        assert sorted(read(tmp_path / "b.jsonl")[0]) == [0, 1, 2]


def test_a_chunk_that_stands_there_twice_counts_once(tmp_path):
    whole = made(tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl").write_bytes(whole + whole.splitlines(keepends=True)[1])
    assert read(tmp_path / "a.jsonl")[0] == [0, 1, 2]


def test_a_damaged_line_is_named(tmp_path):
    lines = made(tmp_path / "a.jsonl").splitlines(keepends=True)
    (tmp_path / "a.jsonl").write_bytes(b"".join([*lines[:2], b'{"chunk": 1, "rep\n', *lines[3:]]))
    with pytest.raises(LogError, match="line 3 is damaged"):
        read(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({**HEADER, "plan": "xyz", "what": "1 checks of mish"}, "is of 3 checks of swish, .* not of 1 checks of mish"),
        ({**HEADER, "environment": {"torch": "2.14.0"}}, "was made with torch 2.13.0, here are torch 2.14.0; --any"),
    ],
)
def test_another_sweep_or_version_is_refused(tmp_path, header, said):
    before = made(tmp_path / "a.jsonl")
    with pytest.raises(LogError, match=said):
        read(tmp_path / "a.jsonl", header)
    assert (tmp_path / "a.jsonl").read_bytes() == before


def test_another_version_is_taken_if_that_is_said(tmp_path):
    made(tmp_path / "a.jsonl")
    assert read(tmp_path / "a.jsonl", {**HEADER, "environment": {}}, any_version=True)[0] == [0, 1, 2]


def test_a_file_that_is_there_is_not_written_over(tmp_path):
    (tmp_path / "a.jsonl").write_text("mine\n")
    with pytest.raises(LogError, match="is there already; --resume goes on with it"):
        begun(tmp_path / "a.jsonl", HEADER)
    with pytest.raises(LogError, match="line 1 is damaged"):
        read(tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_text() == "mine\n"


@pytest.mark.parametrize(
    ("text", "said"), [(None, "there is no log"), ("", "is empty"), ('{"a": 1}\n', "is no log of")]
)
def test_what_is_no_log_is_refused(tmp_path, text, said):
    if text is not None:
        (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(LogError, match=said):
        read(tmp_path / "a.jsonl")
