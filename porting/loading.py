"""Loading other people's functions by name: ``package.module:function`` or ``path/to/file.py:function``."""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porting.errors import PortingError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_RELATIVE = "attempted relative import"
_ABOVE = 4  # folders above a file that may be the root of its repository
_WANTED = "package.module:function or path/to/file.py:function"


class LoadError(PortingError, ImportError):
    """A name leads nowhere, or its module does not import; the message says which, with the frames that are theirs.

    `lacks` is what Python said where a module does not import, whatever the reason; empty otherwise.
    """

    def __init__(self, message: str, lacks: str = "") -> None:
        super().__init__(message)
        self.lacks = lacks


def load(target: str, what: str) -> Any:
    """Import what a name stands for.

    Parameters
    ----------
    target : str
        ``package.module:function`` or ``path/to/file.py:function``; after the colon also a dotted name.
    what : str
        What the user gave it as, for messages: ``--torch``.

    Raises
    ------
    LoadError
        If it has another form, the module cannot be imported, or has no such name.
    """
    place, colon, name = target.rpartition(":")
    if not (place and colon and name):
        raise LoadError(f"{what} {target!r}: {_WANTED} is wanted")
    if not place.endswith(".py") and ("/" in place or os.sep in place or place.startswith(".")):
        found = "a folder" if os.path.isdir(place) else "no file of Python"  # noqa: PTH112 - see PTH113 below
        raise LoadError(f"{what} {target}: {place} is {found}; {_WANTED} is wanted")
    thing: Any = _file(place, what) if place.endswith(".py") else _module(place, what)
    for part in name.split("."):
        try:
            thing = getattr(thing, part)
        except AttributeError:  # noqa: PERF203 - a name has few parts
            choices = [n for n, v in getattr(thing, "__dict__", {}).items() if callable(v) and not n.startswith("_")]
            raise _inside(target, what, part, thing) or not_there(target, what, part, choices) from None
        except Exception as error:  # noqa: BLE001 - a module may import on access what is not there
            raise LoadError(f"{what} {target} cannot be loaded:\n{_their_frames(error)}") from None
    return thing


def _inside(target: str, what: str, part: str, thing: Any) -> LoadError | None:
    """Return the error of what a function defines in its body, if it does: no name leads there."""
    code = getattr(thing, "__code__", None)
    if not any(getattr(inner, "co_name", None) == part for inner in getattr(code, "co_consts", ())):
        return None
    do = f"write a function without arguments that returns it, and name that, or copy {part} into a file of its own"
    return LoadError(
        f"{what} {target}: {part} is defined inside the function {thing.__name__}, where no name leads; {do}"
    )


def not_there(target: str, what: str, part: str, choices: list[str]) -> LoadError:
    """Return the error of a name that a module does not have, with the nearest ones that it has."""
    place, _, name = target.rpartition(":")
    near = get_close_matches(part, choices, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return LoadError(f"{what} {target}: {place} has no {name}{hint}")


def no_module(what: str, name: str, lacking: str) -> LoadError:
    """Return the error of a package that is not there."""
    return LoadError(f"{what} {name}: there is no module {lacking} here or among the installed ones")


def ensure_file(path: str, what: str) -> None:
    """Refuse a file that is not there."""
    if not os.path.isfile(path):  # noqa: PTH113 - pathlib raises for a name that no file can have
        raise LoadError(f"{what} {path}: there is no such file")


def _module(name: str, what: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)  # as `python -m` does
    try:
        with _as_alone(name):
            return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")):
            raise no_module(what, name, error.name) from None
        raise _broken(what, name, error) from None
    except Exception as error:  # noqa: BLE001 - whatever their module raises is theirs
        raise _broken(what, name, error) from None


def _file(path: str, what: str) -> ModuleType:
    ensure_file(path, what)
    file = Path(path).resolve()
    name = file.stem
    while name in sys.modules:
        known = sys.modules[name]
        if getattr(known, "__file__", None) == str(file):
            return known
        name += "_"  # another module has the name
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))  # as `python file.py` does, so that it finds its neighbours
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise LoadError(f"{what} {path}: Python cannot load it")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _as_alone(str(file)):
            spec.loader.exec_module(module)
    except Exception as error:  # noqa: BLE001 - whatever their module raises is theirs
        del sys.modules[name]
        if isinstance(error, ImportError) and _RELATIVE in str(error):
            return _of_a_package(file, what)
        root = _root_of(error.name or "", file) if isinstance(error, ModuleNotFoundError) else ""
        if root:
            sys.path.insert(0, root)
            return _file(path, what)
        raise _broken(what, path, error) from None
    return module


def _root_of(name: str, file: Path) -> str:
    """Return the folder above a file that has a module it imports, as its repository is run from there; else empty."""
    for folder in file.parents[1 : 1 + _ABOVE] if name else ():
        if str(folder) not in sys.path and ((folder / name).is_dir() or (folder / f"{name}.py").is_file()):
            return str(folder)
    return ""


def _of_a_package(file: Path, what: str) -> ModuleType:
    """Import a file as the part of a package that it is: it imports its neighbours as ``from .beside import f``."""
    folder, parts = file.parent.parent, [file.parent.name, file.stem]
    while (folder / "__init__.py").is_file() and (folder / parts[0] / "__init__.py").is_file():
        folder, parts = folder.parent, [folder.name, *parts]
    for module in [*sys.modules.values()]:
        if getattr(module, "__file__", None) == str(file):
            return module
    root = folder / parts[0]
    known = sys.modules.get(parts[0])
    places = [str(place) for place in getattr(known, "__path__", ())]  # of one without __init__ they follow sys.path
    if sys.path[:1] != [str(folder)]:
        sys.path.insert(0, str(folder))  # before the current folder, which may have another package of this name
    try:
        with _as_alone(str(file)):
            if known is not None and places[:1] != [str(root)]:
                parts[0] = _renamed(root)  # another package has the name: of the other side, or one that is installed
            return import_module(".".join(parts))
    except Exception as error:  # noqa: BLE001 - whatever their module raises is theirs
        raise _broken(what, str(file), error) from None


def _renamed(root: Path) -> str:
    """Import a package under a name that no other one has, and return that; its files import each other by dots."""
    name = root.name + "_"
    while name in sys.modules:
        if list(getattr(sys.modules[name], "__path__", ())) == [str(root)]:
            return name
        name += "_"
    init = root / "__init__.py"
    spec: Any = ModuleSpec(name, None, is_package=True)
    if init.is_file():
        spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(root)])
    else:
        spec.submodule_search_locations = [str(root)]
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        if spec.loader is not None:
            spec.loader.exec_module(module)
    except Exception:
        del sys.modules[name]
        raise
    return name


@contextmanager
def _as_alone(place: str) -> Iterator[None]:
    """Give what is imported no arguments: one that reads them as a script does would read ours, and refuse them."""
    before, sys.argv = sys.argv, [place]
    try:
        yield
    finally:
        sys.argv = before


def _broken(what: str, place: str, error: Exception) -> LoadError:
    said = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
    lacks = getattr(error, "lacks", said)  # it may be one of ours
    return LoadError(f"{what} {place} does not import:\n{_their_frames(error)}", lacks)


def _their_frames(error: Exception) -> str:
    """Return a traceback without our frames and the import system's."""
    mine = str(Path(__file__).resolve().parent)
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(mine) and "importlib" not in frame.filename
    ]
    lines = [*traceback.format_list(frames), *traceback.format_exception_only(error)]
    return "".join(lines).rstrip()
