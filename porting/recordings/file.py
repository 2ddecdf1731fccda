"""Reads and writes recordings: plain ``.npz`` with a JSON header, a format number and a hash; never pickle."""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np

from porting.errors import PortingError
from porting.files import replacing
from porting.recordings.memory import Recorder, without_op
from porting.room import in_words
from porting.runners import Case
from porting.runners.tree import pack, unpack

SCHEMA: Final = 1
MOST: Final = 2 << 30  # bytes that a recording may unpack to: a file of 8 MB could be made to fill any memory
_CHUNK: Final = 1 << 20  # bytes that are unpacked in one go
_MADE: Final = "porting record makes one"
_AGAIN: Final = "make it again with porting record"
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # of every member: the same recording is the same file

Array = np.ndarray[Any, Any]


class RecordingError(PortingError, ValueError):
    """A recording cannot be used; the message says what it is, what is wanted and what to do."""


@dataclass(frozen=True)
class Part:
    """The part of a recording that belongs to one function: a description, and the members of the file.

    Attributes
    ----------
    about : dict
        Its name, its side, its arguments.
    tree : object
        Cases, answers and computed results; each array is replaced by its number.
    index : list
        Type, offset and shape of each array.
    pools : mapping of str to numpy.ndarray
        All arrays of a type, one after the other.
    """

    about: dict[str, Any]
    tree: Any
    index: list[Any]
    pools: Mapping[str, Array]


class _Pool:
    """Arrays by number; one that is there already is not kept twice."""

    def __init__(self) -> None:
        self.index: list[Any] = []
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._flat: dict[str, list[Array]] = {}
        self._sizes: dict[str, int] = {}

    def keep(self, array: Array) -> int:
        kind = array.dtype.str
        flat = np.ascontiguousarray(array).reshape(-1)
        key = kind, array.shape, flat.tobytes()
        if key not in self._numbers:
            offset = self._sizes.get(kind, 0)
            self._numbers[key] = len(self.index)
            self.index.append([kind, offset, list(array.shape)])
            self._flat.setdefault(kind, []).append(flat)
            self._sizes[kind] = offset + flat.size
        return self._numbers[key]

    def pools(self) -> dict[str, Array]:
        return {kind: np.concatenate(arrays) for kind, arrays in self._flat.items()}


def part_of(about: dict[str, Any], recorder: Recorder) -> Part:
    """Return what a recorder remembers, ready to be written."""
    pool = _Pool()
    cases = {
        key: tuple(without_op(case) if isinstance(case, Case) else case for case in known)
        for key, known in recorder.cases.items()
    }
    answers = {key: tuple(known) for key, known in recorder.answers.items()}
    tree = {
        name: pack(kept, pool.keep)
        for name, kept in (("cases", cases), ("answers", answers), ("computed", recorder.computed))
    }
    return Part(about, tree, pool.index, pool.pools())


def write(path: Path, header: dict[str, Any], parts: Sequence[Part], option: str) -> None:
    """Write a recording to a temporary file, then rename it.

    Parameters
    ----------
    path : pathlib.Path
        Where to.
    header : dict
        Versions, seeds, and whatever else holds for all parts.
    parts : sequence of Part
        One per function.
    option : str
        What the user gave the path as, for messages.

    Raises
    ------
    porting.files.OutputError
        If it cannot be written; a file that was there before is unchanged.
    """
    whole = {**header, "schema": SCHEMA, "parts": [part.about for part in parts]}
    hashed = sha256()
    with replacing(path, option) as beside, zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as file:
        for name, array in _members(whole, parts):
            data = _npy(array)
            hashed.update(name.encode() + data)
            _put(file, name, data)
        _put(file, "hash", _npy(_text(hashed.hexdigest())))


def _members(header: dict[str, Any], parts: Sequence[Part]) -> Iterator[tuple[str, Array]]:
    yield "header", _text(json.dumps(header))
    for n, part in enumerate(parts):
        yield f"{n}/tree", _text(json.dumps({"tree": part.tree, "index": part.index}))
        yield from ((f"{n}/{kind}", pool) for kind, pool in part.pools.items())


def _put(file: zipfile.ZipFile, name: str, data: bytes) -> None:
    file.writestr(zipfile.ZipInfo(f"{name}.npy", _EPOCH), data, zipfile.ZIP_DEFLATED)


def _text(text: str) -> Array:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _npy(array: Array) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def read_header(path: Path) -> dict[str, Any]:
    """Check the whole file, and return the header of the recording.

    Raises
    ------
    RecordingError
        If it is no recording, is damaged, was changed, or is of a newer format.
    """
    with _opened(path) as file:
        status = path.stat()
        key = path.resolve(), status.st_size, status.st_mtime_ns
        if key not in _HEADERS:
            _HEADERS[key] = _header(path, file)
        return _HEADERS[key]


_HEADERS: Final[dict[tuple[Any, ...], dict[str, Any]]] = {}  # of files that were looked at whole, which takes a while


def _header(path: Path, file: zipfile.ZipFile) -> dict[str, Any]:
    names = [info.filename for info in file.infolist()]
    if "header.npy" not in names or "hash.npy" not in names:
        raise RecordingError(f"{path}: is an .npz, but no recording (it has no header); {_MADE}")
    header: dict[str, Any] = json.loads(_read(file, "header", path).tobytes().decode())
    schema = header.get("schema") if isinstance(header, dict) else None
    if not isinstance(schema, int) or schema < 1:
        raise RecordingError(f"{path}: is an .npz, but no recording (its header has no schema); {_MADE}")
    if schema > SCHEMA:
        raise RecordingError(f"{path}: has format {schema}, this gradport reads up to {SCHEMA}; update gradport")
    hashed = sha256()
    for name in names:
        if name != "hash.npy":
            hashed.update(name.removesuffix(".npy").encode())
            for chunk in _chunks(file, name):
                hashed.update(chunk)
    if hashed.hexdigest() != _read(file, "hash", path).tobytes().decode(errors="replace"):
        raise RecordingError(f"{path}: was changed after it was made (its hash is another one); {_AGAIN}")
    return header


def read_part(path: Path, number: int) -> Recorder:
    """Return the part of one function.

    Raises
    ------
    RecordingError
        If it cannot be read.
    """
    with _opened(path) as file:
        content = json.loads(_read(file, f"{number}/tree", path).tobytes().decode())
        pools = {kind: _read(file, f"{number}/{kind}", path) for kind in {entry[0] for entry in content["index"]}}

        def get(n: int) -> Array:
            kind, offset, shape = content["index"][n]
            return pools[kind][offset : offset + prod(shape)].reshape(shape)

        recorder = Recorder()
        kept = {name: unpack(tree, get) for name, tree in content["tree"].items()}
        recorder.cases, recorder.answers, recorder.computed = kept["cases"], kept["answers"], kept["computed"]
        return recorder


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a file, and say in one line what is wrong with what is in it."""
    try:
        with zipfile.ZipFile(path) as file:
            _ensure_size(path, file)
            yield file
    except FileNotFoundError:
        raise RecordingError(f"{path}: there is no such file; {_MADE}") from None
    except IsADirectoryError:
        raise RecordingError(f"{path}: is a folder; give the recording in it") from None
    except zipfile.BadZipFile as error:
        damage = f"is damaged ({error}); {_AGAIN}" if zipfile.is_zipfile(path) else _not_a_zip(path)
        raise RecordingError(f"{path}: {damage}") from None
    except (OSError, EOFError) as error:
        raise RecordingError(f"{path}: cannot be read ({error})") from None
    except PortingError:
        raise
    except (ValueError, LookupError, TypeError, zlib.error, MemoryError, RuntimeError) as error:
        raise RecordingError(f"{path}: is damaged ({type(error).__name__}: {error}); {_AGAIN}") from None


def _ensure_size(path: Path, file: zipfile.ZipFile) -> None:
    """Refuse a file that unpacks to too much, as its directory says; `_chunks` gives no more than that."""
    unpacked = sum(info.file_size for info in file.infolist())
    if unpacked > MOST:
        raise RecordingError(
            f"{path}: unpacks to {in_words(unpacked)}, and at most {in_words(MOST)} are read; "
            "record fewer functions or seeds in one file"
        )


def _chunks(file: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Yield a member in parts: asked for the whole, zipfile may unpack far more than the directory says."""
    with file.open(name) as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _not_a_zip(path: Path) -> str:
    with path.open("rb") as stream:
        begun = stream.read(4) == b"PK\3\4"
    return f"is damaged (its end is missing); copy it once more, or {_AGAIN}" if begun else f"is no recording; {_MADE}"


def _read(file: zipfile.ZipFile, name: str, path: Path) -> Array:
    data = io.BytesIO(b"".join(_chunks(file, f"{name}.npy")))
    version = np.lib.format.read_magic(data)
    if version != (1, 0):
        raise RecordingError(f"{path}: its {name} is no plain array; {_AGAIN}")
    shape, _, dtype = np.lib.format.read_array_header_1_0(data)
    if dtype.hasobject:
        raise RecordingError(f"{path}: has pickled objects ({name}), which no recording has and nobody should load")
    if prod(shape) * dtype.itemsize > len(data.getbuffer()):
        raise RecordingError(f"{path}: is damaged ({name} is shorter than it says); {_AGAIN}")
    data.seek(0)
    array: Array = np.lib.format.read_array(data, allow_pickle=False)
    return array
