"""The imports at the top of a translation."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import libcst as cst

from porting.translate.code import names_in
from porting.translate.dialects import DIALECTS, IMPORTED
from porting.translate.file import File

_THIRD: Final = {dialect.alias: dialect.imported for dialect in DIALECTS.values()}


def lines_of(every: Sequence[File], body: list[Any]) -> set[str]:
    """Return the imports that a translation needs.

    Parameters
    ----------
    every : sequence of File
        The files it was made of.
    body : list of statements
        What was made.
    """
    used = names_in(cst.Module(body)) | _annotated(body)
    made = {n for one in every for n in one.made}
    imported = {n: p for one in every for n, p in one.names.imported.items() if n in used and n not in made}
    lines = {_import(n, p) for n, p in imported.items() if not p.startswith(IMPORTED) and not _is_module_beside(p)}
    lines |= {f"import {module}" for one in every for module in one.imports - set(imported)}
    lines = {line for line in lines if not any(other.startswith(f"{line}.") for other in lines)}  # os by os.path
    return lines | {line for name, line in _THIRD.items() if name in used}


def _is_module_beside(path: str) -> bool:
    """Whether this is a module of the source's own package, ``from . import it``: its functions are not translated."""
    return path.startswith(".") and "." not in path.lstrip(".")


def lines_for(body: list[Any], imported: Mapping[str, str]) -> set[str]:
    """Return those of a file's imports that some of its statements use."""
    used = names_in(cst.Module(body)) | _annotated(body)
    return {_import(local, path) for local, path in imported.items() if local in used}


def in_order(lines: set[str]) -> str:
    """Return imports, those of the standard library above the others."""

    def standard(line: str) -> bool:
        return line.split()[1].partition(".")[0] in sys.stdlib_module_names

    groups = ([line for line in lines if standard(line)], [line for line in lines if not standard(line)])
    return "\n".join("".join(f"{line}\n" for line in _sorted(group)) for group in groups if group)


def _sorted(lines: Sequence[str]) -> list[str]:
    """Return imports in order, names of one module in one line, which begins with ``from``."""
    of_module: dict[str, list[str]] = {}
    whole = sorted(line for line in lines if not line.startswith("from "))
    for line in sorted(set(lines) - set(whole)):
        module, _, name = line.partition(" import ")
        of_module.setdefault(module, []).append(name)
    return whole + [f"{module} import {', '.join(names)}" for module, names in of_module.items()]


def _annotated(body: list[Any]) -> set[str]:
    """Return the names in annotations."""
    found: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_Annotation(self, node: cst.Annotation) -> None:
            found.update(names_in(node.annotation))

    cst.Module(body).visit(Visitor())
    return found


def _import(local: str, path: str) -> str:
    dots = path[: len(path) - len(path.lstrip("."))]  # of the source's own package
    package, _, last = path.removeprefix(dots).rpartition(".")
    package = f"{dots}{package}"
    if not package:
        return f"import {path}" if local == path else f"import {path} as {local}"
    return f"from {package} import {last}" + ("" if last == local else f" as {local}")
