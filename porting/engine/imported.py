"""Finds the source files of the user's own that were imported in this process: the files that a watch looks at."""

import os
import sys
import sysconfig
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

_PORTING: Final = Path(__file__).resolve().parents[1]
_INSTALLED: Final = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))
_GENERATED: Final = f"{os.sep}__autograph_generated_file"  # tf.function's, one for each function
# Not the user's, whichever way they are installed: the standard library, and our three trees.
_OTHERS: Final = tuple(
    f"{folder}{os.sep}"
    for path in (
        *(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")),
        *(_PORTING.parent / tree for tree in ("porting", "torch_impl", "tf_impl")),
    )
    for folder in (path, path.resolve())
)


def is_local(file: str) -> bool:
    """Tell whether a file is source of the user's own: neither a library's nor ours."""
    if not file.endswith(".py") or file.startswith(_OTHERS) or any(part in file for part in (*_INSTALLED, _GENERATED)):
        return False  # most are; what follows costs more
    return Path(file).is_absolute() and not str(Path(file).resolve()).startswith(_OTHERS)


def local_files(error: BaseException | None = None) -> tuple[str, ...]:
    """Return the local source files of the modules that are imported now.

    Parameters
    ----------
    error : BaseException, optional
        Why an import failed: the files that raised it are not among the modules, nor are the files that it did not
        find; they are returned too.
    """
    files = [_file(module) for module in list(sys.modules.values())]
    while error is not None:
        files += [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
        if isinstance(error, SyntaxError):
            files.append(error.filename or "")
        if isinstance(error, ModuleNotFoundError) and error.name:
            files += _places(error.name)
        error = error.__cause__ or error.__context__
    return tuple(file for file in dict.fromkeys(files) if is_local(file))


def _file(module: Any) -> str:
    """Return the file of a module without waking one that is loaded late."""
    with suppress(Exception):
        file = object.__getattribute__(module, "__dict__").get("__file__")
        return file if isinstance(file, str) else ""
    return ""


def _places(name: str) -> list[str]:
    """Return where a module that was not found would be."""
    folders = [Path(folder).resolve().joinpath(*name.split(".")) for folder in sys.path if Path(folder).is_dir()]
    return [str(place) for folder in folders for place in (folder.with_suffix(".py"), folder / "__init__.py")]
