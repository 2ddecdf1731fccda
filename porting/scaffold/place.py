"""Finds the place of a new op: a checkout, a family and a name, or one sentence that says what is wrong with them."""

import builtins
import keyword
import re
import sys
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from porting.backends import BACKENDS, PACKAGES
from porting.errors import PortingError

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST: Final = {"family": 20, "op": 36}  # so that an import of both fits into a line
_IMPORTED: Final = {"mpmath", "np", "numpy", "op", "witness", *BACKENDS, *PACKAGES}  # by a file of an op
_PARTS: Final = (
    "porting/oracle",
    "torch_impl/nn",
    "tf_impl/layers",
    "docs/ops",
    "tests/oracle_truth",
)


class NewOpError(PortingError, ValueError):
    """No op can be made in this place under this name; the message says what is wanted."""


@dataclass(frozen=True)
class Place:
    """A checkout, a family in it, and the name of an op that is not there yet."""

    root: Path
    family: str
    op: str

    @property
    def new_family(self) -> bool:
        """Whether the family is not there yet either."""
        return self.family not in _families(self.root)

    @property
    def has_layers(self) -> bool:
        """Whether the ops of the family are layers too; some families stay functions."""
        return self.new_family or (self.root / "torch_impl" / "nn" / f"{self.family}.py").is_file()

    @property
    def camel(self) -> str:
        """The name of the op as a class."""
        return "".join(part.capitalize() for part in self.op.split("_"))


def place(root: Path, family: str, op: str, *, new_family: bool = False) -> Place:
    """Return the place of a new op.

    Parameters
    ----------
    root : pathlib.Path
        A checkout.
    family, op : str
        The folder and the file.
    new_family : bool
        Whether the family is to be made.

    Raises
    ------
    NewOpError
        If the folder is not a checkout, a name cannot be used or is taken, or `new_family` contradicts what is there.
    """
    lacking = [part for part in _PARTS if not (root / part).is_dir()]
    if lacking:
        raise NewOpError(f"{root} is no checkout of gradport: it has no {lacking[0]}; go into one, or give --root DIR")
    for what, name in (("family", family), ("op", op)):
        _ensure_name(what, name)
    there = _families(root)
    if family in there and new_family:
        raise NewOpError(f"the family {family} is there already; leave out --new-family")
    if family not in there and not new_family:
        near = get_close_matches(family, there, n=3, cutoff=0.5) or there
        raise NewOpError(f"there is no family {family!r}: {', '.join(near)}, or --new-family to make it")
    taken = {path.stem: path for folder in ("tf_impl", "torch_impl", "porting/oracle") for path in _files(root, folder)}
    helpers = {path.stem: path for path in (root / "porting" / "oracle").glob("*.py")}
    for what, name, names in (
        ("op", op, {**dict.fromkeys(there), **helpers, **taken}),
        ("family", family, {} if family in there else {**helpers, **taken}),
    ):
        if name in names or (what == "op" and name == family):
            path = names.get(name)
            where = path.relative_to(root).as_posix() if path else "a family"
            raise NewOpError(f"no {what} can be called {name}: that is {where}; choose another name")
    return Place(root, family, op)


def _families(root: Path) -> list[str]:
    return sorted(path.parent.name for path in (root / "porting" / "oracle").glob("*/__init__.py"))


def _files(root: Path, folder: str) -> list[Path]:
    return [path for path in sorted((root / folder).glob("*/*.py")) if path.parent.name not in {"nn", "layers"}]


def _ensure_name(what: str, name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise NewOpError(f"no {what} can be called {name!r}: a Python identifier is wanted, like log_cosh")
    if not _NAME.fullmatch(name):
        raise NewOpError(f"no {what} can be called {name!r}: lower-case words joined by one _ are wanted: log_cosh")
    if len(name) > _LONGEST[what]:
        raise NewOpError(f"no {what} can be called {name}: that is longer than {_LONGEST[what]} letters")
    if hasattr(builtins, name) or name in sys.stdlib_module_names or name in _IMPORTED or name in {"nn", "layers"}:
        raise NewOpError(
            f"no {what} can be called {name}: Python, or a file of an op, has that name for something else"
        )
