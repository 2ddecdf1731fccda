"""Watches files, tells which ones were saved, and starts the server whose workers have their framework already."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Final

from porting.workers.pool import Pool

_STABLE: Final = 0.15  # seconds without a change after which a save is complete
_PATIENCE: Final = 3.0  # seconds after which it is taken as it is
_COARSE: Final = 2_500_000_000  # nanoseconds: file systems exist that count in steps of two seconds
_IMPORT: Final = 300.0  # seconds to import the frameworks


@dataclass(frozen=True)
class State:
    """What a file was when it was looked at.

    A file that is saved by writing has another time or size. A file that is saved by renaming has another inode.
    `content` distinguishes two saves within one step of the file system's clock; it is not compared if the last save
    was long ago.
    """

    time: int
    size: int
    inode: int
    content: bytes

    @classmethod
    def of(cls, path: Path) -> "State | None":
        """Look at a file; `None` if it is not there."""
        try:
            found = path.stat()
            content = path.read_bytes()
        except OSError:
            return None
        return cls(found.st_mtime_ns, found.st_size, found.st_ino, blake2b(content).digest())

    def still(self, path: Path) -> bool:
        """Whether a file is as it was."""
        try:
            found = path.stat()
            if (found.st_mtime_ns, found.st_size, found.st_ino) != (self.time, self.size, self.inode):
                return False
            long_ago = time.time_ns() - self.time > 2 * _COARSE  # twice: time to look
            return long_ago or blake2b(path.read_bytes()).digest() == self.content
        except OSError:
            return False


class Files:
    """Files that are watched, with what they were when they were last looked at.

    Parameters
    ----------
    paths : iterable of path
        The first files. They need not exist.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._seen: dict[Path, State | None] = {}
        self.add(paths)

    def add(self, paths: Iterable[Path | str]) -> None:
        """Watch more files, as they are now; those that are watched already keep what they were."""
        known = {path.resolve() for path in self._seen}
        for path in (Path(path).absolute() for path in paths):
            if path not in self._seen and path.resolve() not in known:
                self._seen[path] = State.of(path)
                known.add(path.resolve())

    @property
    def there(self) -> list[Path]:
        """Those that are there."""
        return [path for path in self._seen if path.is_file()]

    def changed(self) -> list[Path]:
        """Return which files are not what they were."""
        seen = list(self._seen.items())
        return [path for path, state in seen if not (state.still(path) if state else State.of(path) is None)]

    def settled(self) -> list[Path]:
        """Wait until nothing writes to the files any more, and return those that were saved."""
        changed: dict[Path, None] = {}
        end = time.monotonic() + _PATIENCE
        while news := self.changed():
            changed.update(dict.fromkeys(news))
            self._seen.update({path: State.of(path) for path in news})
            if time.monotonic() > end:
                break
            time.sleep(_STABLE)
        return list(changed)


def places(target: str) -> list[Path]:
    """Return the file that the name of a function leads to, whether it exists or not; its module is not imported.

    Parameters
    ----------
    target : str
        ``package.module:function`` or ``path/to/file.py:function``.
    """
    place = target.rpartition(":")[0]
    if place.endswith(".py"):
        return [Path(place)]
    parts, folders = place.split("."), [str(Path.cwd()), *sys.path]
    spec = None
    for n in range(len(parts)):
        spec = PathFinder.find_spec(".".join(parts[: n + 1]), folders)
        if spec is None:
            break
        folders = list(spec.submodule_search_locations or [])
    if spec and spec.origin:
        return [Path(spec.origin)]
    wanted = Path.cwd().joinpath(*parts)
    return [wanted.with_suffix(".py"), wanted / "__init__.py"]


def warm(modules: Sequence[str]) -> None:
    """Start the server that all worker processes are forked from, with these modules imported."""
    with Pool(1, f"{__name__}:nothing", timeout=_IMPORT, preload=modules) as pool:
        for _ in pool.run([None]):
            pass


def nothing(_job: Any, _announce: Callable[[str], None]) -> Iterator[None]:
    """Do nothing in a worker: it has started."""
    yield from ()
