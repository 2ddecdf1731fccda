"""Cuts the three sources of an op into roles, from value to helpers. They are read as text; nothing is imported."""

import ast
import textwrap
from collections.abc import Collection
from importlib.util import find_spec
from inspect import getsourcefile
from itertools import dropwhile
from pathlib import Path
from typing import Final

from porting.backends import CATALOGUED
from porting.spec import Op

ROLES: Final = ("value", "gradient", "call", "helpers")


def sources(op: Op) -> dict[str, dict[str, str]]:
    """Return ``{tree: {role: source}}`` for the oracle and each twin whose file is there.

    The value is the forward (for PyTorch with `setup_context`), the gradient is the vjp, the call is what a user calls;
    the helpers are the functions and classes of the file that these use.
    """
    found = {"oracle": _oracle(op)}
    for backend in CATALOGUED:
        path = file_of(op, backend)
        if path is not None:
            found[backend] = _cut_up(path.read_text(encoding="utf-8"), op.name)
    return found


def file_of(op: Op, backend: str) -> Path | None:
    """Return the file of a twin, found by path without importing it; `None` if it is not there."""
    dotted = op.twin_path(backend)
    if dotted is None:
        file = getsourcefile(op.twin(backend))
        return Path(file) if file else None
    top, *rest = dotted.partition(":")[0].split(".")
    spec = find_spec(top)
    for folder in (spec.submodule_search_locations if spec else None) or ():
        place = Path(folder, *rest)
        for path in (place.with_suffix(".py"), place / f"{op.name}.py"):  # an op may be called through its family
            if path.is_file():
                return path
    return None


def _oracle(op: Op) -> dict[str, str]:
    path = Path(getsourcefile(op.value) or "")
    text = path.read_text(encoding="utf-8")
    functions = {n.name: n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}
    vjp = op.rule.__name__ if op.rule else ""
    found = {
        role: _cut(text, functions[name]) for role, name in (("value", op.name), ("gradient", vjp)) if name in functions
    }
    return found | _helpers(text, [op.name, vjp])


def _cut_up(text: str, name: str) -> dict[str, str]:
    """Return the roles of a twin, whose gradient is a method of its first class or an inner function."""
    parts = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    own = [n for n in parts if isinstance(n, ast.FunctionDef) and n.name == name]
    first = next((n for n in parts if isinstance(n, ast.ClassDef)), None)
    if first is not None:
        call = "".join(_cut(text, n) for n in own)
        return {**_of_class(text, first), "call": call, **_helpers(text, [name, first.name])}
    for outer in [*own, *parts]:
        inner = next((n for n in outer.body if isinstance(n, ast.FunctionDef) and _functions(n)), None)
        if inner is not None:
            vjp = _functions(inner)[0]
            calls = [*(_cut(text, n) for n in own if n is not outer), _cut(text, outer, without=inner)]
            found = {"value": _cut(text, inner, without=vjp), "gradient": _cut(text, vjp), "call": "\n\n\n".join(calls)}
            return found | _helpers(text, [name, outer.name])
    return {"value": "".join(_cut(text, n) for n in own), **_helpers(text, [name])}


def _functions(node: ast.FunctionDef) -> list[ast.FunctionDef]:
    return [n for n in node.body if isinstance(n, ast.FunctionDef)]


def _of_class(text: str, node: ast.ClassDef) -> dict[str, str]:
    methods = {n.name: _cut(text, n) for n in node.body if isinstance(n, ast.FunctionDef)}
    forward = [methods[m] for m in ("forward", "setup_context") if m in methods]
    return {"value": "\n\n".join(forward), "gradient": methods.get("backward", "")}


def _helpers(text: str, roles: Collection[str]) -> dict[str, str]:
    """Return the functions and classes of a file that those with a role use, if there are any."""
    parts = {n.name: n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    used, left = set(roles), list(roles)
    while left:
        node = parts.get(left.pop())
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} & set(parts) if node else set()
        left += names - used
        used |= names
    found = [_cut(text, part) for name, part in parts.items() if name in used and name not in roles]
    return {"helpers": "\n\n\n".join(found)} if found else {}


def _cut(text: str, node: ast.FunctionDef | ast.ClassDef, without: ast.FunctionDef | None = None) -> str:
    """Return the lines of a function, those of an inner one left out."""
    lines = text.splitlines()
    first, last = _span(node)
    kept = lines[first:last]
    if without is not None:
        start, end = _span(without)
        after = dropwhile(lambda line: not line.strip(), lines[end:last])
        kept = [*"\n".join(lines[first:start]).rstrip().split("\n"), *after]
    return textwrap.dedent("\n".join(kept)).strip()


def _span(node: ast.FunctionDef | ast.ClassDef) -> tuple[int, int]:
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    return first - 1, node.end_lineno or node.lineno
