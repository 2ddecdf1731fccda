"""Modules that are made of a text, and whose source can be shown like that of a file."""

import sys
from collections.abc import Mapping
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from types import ModuleType
from typing import Any


def compiled(
    name: str, origin: ModuleType, title: str, source: str, names: Mapping[str, Any] | None = None
) -> ModuleType:
    """Return the module that a changed source of another one makes.

    Parameters
    ----------
    name : str
        What it is called in `sys.modules`, where it is put.
    origin : module
        Whose source was changed.
    title : str
        Stands in front of the origin's path, where a place in the source is shown.
    source : str
        The whole source, or blank lines in place of what `names` have already.
    names : mapping, optional
        What the source finds in its module.
    """
    module = module_from_spec(ModuleSpec(name, _Text(source)))
    file = f"<{title}> {origin.__name__.replace('.', '/')}.py"
    vars(module).update({key: thing for key, thing in (names or {}).items() if not key.startswith("__")})
    module.__file__, module.__package__ = file, origin.__package__
    code = compile(source, file, "exec")
    sys.modules[name] = module
    exec(code, vars(module))  # noqa: S102 - our own twin, changed
    return module


class _Text(InspectLoader):
    """There is no file: tracebacks, inspect and AutoGraph ask the module's loader for the source."""

    def __init__(self, source: str) -> None:
        self.source = source

    def get_source(self, fullname: str) -> str:  # noqa: ARG002 - the protocol's argument
        return self.source
