"""Name -> Op: the modules under ``porting.oracle``, then the ``porting.ops`` entry points. There is no list to edit."""

import pkgutil
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from porting.errors import PortingError
from porting.spec import Op

ENTRY_POINT_GROUP = "porting.ops"


class RegistryError(PortingError):
    """An op cannot be found or loaded; the message names it, and what is near."""


@cache
def ops() -> dict[str, Op]:
    """Return every op by name: the catalogue's families in alphabetical order, then other packages' ops.

    Raises
    ------
    RegistryError
        If an oracle file does not define the op it is named after, an entry point fails to load, or two ops share a
        name.
    """
    found: dict[str, Op] = {}
    for source, op in [*_catalogue(), *_entry_points()]:
        if op.name in found:
            raise RegistryError(f"two ops are called {op.name!r}: {found[op.name].module} and {source}")
        found[op.name] = op
    return found


def families() -> dict[str, list[Op]]:
    """Return the ops by family."""
    grouped: dict[str, list[Op]] = {}
    for op in ops().values():
        grouped.setdefault(op.family, []).append(op)
    return grouped


def select(names: Iterable[str]) -> list[Op]:
    """Return the ops that names stand for, in the registry's order; all of them for no names.

    Parameters
    ----------
    names : iterable of str
        Names of ops and of families.

    Raises
    ------
    RegistryError
        If a name is neither; the nearest names are shown.
    """
    chosen: set[str] = set()
    for name in names:
        if name in ops():
            chosen.add(name)
        elif name in families():
            chosen.update(op.name for op in families()[name])
        else:
            near = get_close_matches(name, [*ops(), *families()], n=3, cutoff=0.5)
            hint = f"did you mean {', '.join(near)}?" if near else "`porting list` shows all."
            raise RegistryError(f"no op or family is called {name!r}; {hint}")
    return [op for op in ops().values() if not chosen or op.name in chosen]


def _catalogue() -> Iterable[tuple[str, Op]]:
    root = import_module("porting.oracle")
    for info in sorted(pkgutil.walk_packages(root.__path__, "porting.oracle."), key=lambda info: info.name):
        if info.ispkg or info.name.count(".") < 3:  # porting.oracle.<family>.<op>; helpers stand beside the families
            continue
        name = info.name.rpartition(".")[2]
        op = getattr(import_module(info.name), name, None)
        if not isinstance(op, Op):
            raise RegistryError(f"{info.name} must define an op called {name}: decorate the function with @op")
        yield info.name, op


def _entry_points() -> Iterable[tuple[str, Op]]:
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: (point.name, point.value)):
        for op in _load(point):
            yield point.value, op


def _load(point: EntryPoint) -> list[Op]:
    owner = f"the {ENTRY_POINT_GROUP} entry point {point.name} = {point.value}"
    try:
        thing = point.load()
    except Exception as error:
        raise RegistryError(f"{owner} does not load: {type(error).__name__}: {error}") from error
    if isinstance(thing, Op):
        return [thing]
    found = [value for value in vars(thing).values() if isinstance(value, Op)] if isinstance(thing, ModuleType) else []
    if not found:
        raise RegistryError(f"{owner} is neither an op nor a module with ops in it")
    return found
