"""A recording that unpacks to more than any recording has is refused before that, whatever its directory says."""

import tracemalloc
import zipfile
from pathlib import Path

import pytest

from porting.recordings import file as recordings
from porting.recordings.file import RecordingError, read_header

MOST = 1 << 22  # bytes, for these tests


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(recordings, "MOST", MOST)


def bomb(path, unpacked):
    """Write a recording whose header unpacks to so many bytes, of one value."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("hash.npy", b"")
        with file.open("header.npy", "w", force_zip64=True) as member:
            for _ in range(unpacked >> 16):
                member.write(bytes(1 << 16))
    return path


def lying(path, unpacked):
    """Write one whose directory says that its header has a thousandth of what it has."""
    bomb(path, unpacked)
    data = path.read_bytes()
    here = data.rindex(b"PK\1\2")  # the last entry of the directory, see APPNOTE 4.3.12
    path.write_bytes(data[: here + 24] + (unpacked // 1000).to_bytes(4, "little") + data[here + 28 :])
    return path


def peak(path):
    """Return why it is refused, and how many bytes were held at once."""
    tracemalloc.start()
    try:
        with pytest.raises(RecordingError) as refused:
            read_header(path)
        return str(refused.value), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_bomb_is_refused_by_its_directory(small, tmp_path):
    path = bomb(tmp_path / "bomb.npz", 10 * MOST)
    assert path.stat().st_size < MOST / 20
    said, held = peak(path)
    assert said.startswith(f"{path}: unpacks to 41.9 MB, and at most 4.2 MB are read; ")
    assert held < MOST / 4


def test_a_bomb_whose_directory_lies_is_not_unpacked_further_than_it_says(small, tmp_path):
    said, held = peak(lying(tmp_path / "bomb.npz", 10 * MOST))
    assert "is damaged" in said
    assert held < MOST


def test_the_limit_is_far_above_what_a_recording_has():
    with zipfile.ZipFile(Path(__file__).with_name("catalogue.npz")) as file:
        assert 100 * sum(info.file_size for info in file.infolist()) < recordings.MOST
