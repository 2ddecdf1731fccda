"""Adds to files that exist: text in, text out. An edit is refused if its place in the file is not found."""

import ast
import re
from typing import Final

from porting.scaffold.place import NewOpError

_WIDTH: Final = 120


def with_import(text: str, package: str, module: str, name: str, *, again: bool, file: str) -> str:
    """Add an import to those from the same top package, in the order that ruff requires.

    Parameters
    ----------
    text : str
        A module.
    package, module, name : str
        ``from module import name``; `package` is the tree, as ``torch_impl``.
    again : bool
        Whether it is re-exported, with ``as name``.
    file : str
        The name of the module in messages.

    Raises
    ------
    NewOpError
        If the file does not parse or imports nothing from the package.
    """
    nodes = [
        node
        for node in _parsed(text, file).body
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{package}.")
    ]
    if not nodes:
        raise NewOpError(f"{file}: no import from {package} to put {name} beside")
    own = (_natural(module), _natural(name.lower()))
    later = [n for n in nodes if (_natural(n.module or ""), _natural(n.names[0].name.lower())) > own]
    at = later[0].lineno - 1 if later else nodes[-1].end_lineno or nodes[-1].lineno
    return _inserted(text, at, import_line(module, name, again=again))


def with_family(text: str, package: str, family: str, file: str) -> str:
    """Add a family to those whose names a tree hands on to type checkers, in the order of the names.

    Raises
    ------
    NewOpError
        If the file hands on none.
    """
    lines = text.splitlines()
    there = {n: line for n, line in enumerate(lines) if line.startswith(f"    from {package}.") and line.endswith("*")}
    if not there:
        raise NewOpError(f"{file}: no '    from {package}.… import *' to put {family} beside")
    new = f"    from {package}.{family} import *"
    return _inserted(text, next((n for n, line in there.items() if line > new), max(there) + 1), f"{new}\n")


def import_line(module: str, name: str, *, again: bool) -> str:
    """Return an import as the formatter writes it."""
    what = f"{name} as {name}" if again else name
    line = f"from {module} import {what}\n"
    return line if len(line) <= _WIDTH + 1 else f"from {module} import (\n    {what},\n)\n"


def with_row(text: str, family: str, name: str, row: str, file: str) -> str:
    """Add a row to the table of a family, in the order of the names.

    Raises
    ------
    NewOpError
        If the family has no table.
    """
    lines = text.splitlines(keepends=True)
    start = next((n for n, line in enumerate(lines) if line.rstrip() == f"## {family}"), None)
    rows = {}
    for n, line in enumerate(lines[start + 1 :] if start is not None else (), (start or 0) + 1):
        if line.startswith("## "):
            break
        if found := re.match(r"\| \[(\w+)\]", line):
            rows[n] = found[1]
    if not rows:
        raise NewOpError(f"{file}: there is no table of ops under '## {family}'")
    at = next((n for n, other in rows.items() if _natural(other) > _natural(name)), max(rows) + 1)
    return _inserted(text, at, row)


def with_count(text: str, file: str) -> str:
    """Raise the number of ops by one.

    Raises
    ------
    NewOpError
        If it is not said.
    """
    raised, found = re.subn(r"(?<=\[)\d+(?= paired ops\])", lambda number: str(int(number[0]) + 1), text)
    if found != 1:
        raise NewOpError(f"{file}: there is no one '[… paired ops]'")
    return raised


def with_section(text: str, before: str, section: str, file: str) -> str:
    """Add a section in front of another.

    Raises
    ------
    NewOpError
        If the other section is not there.
    """
    head, found, rest = text.partition(f"\n{before}\n")
    if not found:
        raise NewOpError(f"{file}: there is no '{before}'")
    return f"{head}\n{section}{found}{rest}"


def with_witness(text: str, name: str, function: str, file: str) -> str:
    """Add the function of a witness in front of the table, and an entry at its end.

    Raises
    ------
    NewOpError
        If there is no table of several lines.
    """
    tables = [
        node
        for node in _parsed(text, file).body
        if isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == ["WITNESS"]
    ]
    if not tables or tables[0].end_lineno in {None, tables[0].lineno}:
        raise NewOpError(f"{file}: there is no WITNESS = {{…}} of several lines")
    end = tables[0].end_lineno or 0
    entry = f'    "{name}": Witness({free_name(text, name, file)}),\n'
    lines = _inserted(text, end - 1, entry).splitlines(keepends=True)
    start = tables[0].lineno - 1
    return "".join(lines[:start]).rstrip("\n") + "\n\n\n" + function + "".join(lines[start:])


def free_name(text: str, name: str, file: str) -> str:
    """Return the name, or a name made from it if the module already uses the name for something else."""
    used = {node.id for node in ast.walk(_parsed(text, file)) if isinstance(node, ast.Name)}
    used |= {node.name for node in ast.walk(_parsed(text, file)) if isinstance(node, ast.FunctionDef)}
    return f"{name}_value" if name in used else name


def _parsed(text: str, file: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise NewOpError(f"{file}:{error.lineno}: {error.msg}; mend it first") from error


def _inserted(text: str, at: int, new: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:at], new, *lines[at:]])


def _natural(text: str) -> list[tuple[int, int]]:
    """Return a key that sorts names as ruff does: numbers by their size."""
    return [(48, int(t)) if t.isdigit() else (ord(t), 0) for t in re.findall(r"\d+|\D", text)]
