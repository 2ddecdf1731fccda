"""Files are written whole or not at all, and nothing that was there is lost."""

import os
from pathlib import Path

import pytest

from porting.files import OutputError, ensure_writable, write


def test_a_whole_file_replaces_one(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old")
    write(path, "new", "--json")
    assert path.read_text() == "new"
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]


def test_failure_keeps_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "out.txt"
    path.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match=r"--json .*out\.txt: cannot be written: No space left"):
        write(path, "new", "--json")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "real")
    write(tmp_path / "link", b"bytes", "--plot")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder" / "real").read_bytes() == b"bytes"


def test_a_pipe_is_written_to_not_replaced(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    ensure_writable(path, "--json")
    write(path, "text", "--json")
    assert os.read(reader, 10) == b"text"
    os.close(reader)
    assert path.is_fifo()


def test_permissions_follow_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write(tmp_path / "out.txt", "", "--json")
    finally:
        os.umask(before)
    assert (tmp_path / "out.txt").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", ["missing/out.txt", "file/out.txt", "."])
def test_what_cannot_be_written_is_refused_before_the_work(tmp_path, name):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=r"--json .*(does not exist|is a folder)"):
        ensure_writable(tmp_path / name, "--json")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
