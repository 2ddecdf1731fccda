"""Merges the translations of one file into one module: each import, helper and gradient once."""

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from porting import __version__
from porting.port.header import shown
from porting.port.one import Port


@dataclass
class _Module:
    imports: dict[str, None] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)  # with the comments above them
    plain: dict[str, str] = field(default_factory=dict)  # name to the part that defines it
    ports: int = 0


def merged(path: Path, ports: Sequence[Port]) -> list[str]:
    """Return the modules with the translations of a file: one module, unless two helpers have the same name.

    Parameters
    ----------
    path : pathlib.Path
        The source, as the user gave it.
    ports : sequence of Port
        Its gradients; those without a translation are left out.
    """
    done = [port for port in ports if port.text]
    if len(done) < 2:
        return [port.text for port in done]
    modules: list[_Module] = []
    for port in done:
        head, _, body = port.text.partition("\n\n")
        tree = ast.parse(body)
        parts = list(_parts(tree, body.splitlines()))
        defined = {name: text for node, text in parts for name in _names(node)}
        fitting = (m for m in modules if all(m.plain.get(name, text) == text for name, text in defined.items()))
        module = next(fitting, None)
        if module is None:
            modules.append(module := _Module())
        module.ports += 1
        _take(module, head, parts)
    return [_written(module, path, len(modules)) for module in modules]


def _take(module: _Module, head: str, parts: Iterable[tuple[ast.stmt, str]]) -> None:
    """Take the parts in that a module lacks, with a comment above the first."""
    above = f"{head}\n"
    known = set(module.plain.values())
    for node, text in parts:
        if isinstance(node, ast.Import | ast.ImportFrom):
            module.imports[text] = None
        elif text not in known:
            module.parts.append(above + text)
            above = ""
            known.add(text)
            module.plain.update(dict.fromkeys(_names(node), text))
    if above:
        module.parts.append(above.rstrip("\n"))  # all of it came with another gradient


def _parts(tree: ast.Module, lines: list[str]) -> Iterator[tuple[ast.stmt, str]]:
    """Yield the statements of a module with their text, and the comments above them."""
    end = 0
    for node in tree.body:
        last = node.end_lineno or node.lineno
        if last > end:  # not the second one of a line
            yield node, "\n".join(lines[end:last]).strip("\n")
            end = last


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    return [name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)]


def _written(module: _Module, path: Path, count: int) -> str:
    several = f" in {count} files, as their helpers have the same names" if count > 1 else ""
    top = f"# {module.ports} custom gradients of {shown(path)}, translated by porting {__version__}{several}."
    groups: dict[int, list[str]] = {}
    for line in sorted(module.imports, key=lambda line: (line.startswith("from"), line)):
        groups.setdefault(_rank(line), []).append(line)
    imports = "\n\n".join("\n".join(groups[rank]) for rank in sorted(groups))
    text = [part + ("\n" if _small(part) and _small(after) else "\n\n\n") for part, after in pairwise(module.parts)]
    body = "".join([*text, module.parts[-1]])
    return "\n\n".join([top, *([imports] if imports else [])]) + f"\n\n\n{body}\n"


def _small(part: str) -> bool:
    """Whether a part is an assignment, without a comment above it."""
    return not part.startswith(("def ", "class ", "@", "#"))


def _rank(line: str) -> int:
    package = line.split()[1].partition(".")[0]
    return 0 if package == "__future__" else 1 if package in sys.stdlib_module_names else 2
