"""Shows what stands in both frameworks as tabs, one for each direction: the old side first, then the new one.

The pages stay plain Markdown. Of `guide/porting` each snippet is divided into what uses PyTorch only and what uses
TensorFlow only, and the map has its columns in either order. On all pages, blocks below **PyTorch** and **TensorFlow**
become tabs.
"""

import ast
import re
import symtable
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from sphinx.application import Sphinx

_GUIDE: Final = "guide/porting"
_TITLES: Final = {"torch": "PyTorch", "tf": "TensorFlow"}
_MODULES: Final = {"torch": frozenset({"torch"}), "tensorflow": frozenset({"tf"})}
_WAYS: Final = (("tf", "torch"), ("torch", "tf"))  # from, to
_MAP: Final = re.compile(r"^\| concept \| PyTorch \| TensorFlow \| the trap \|\n(?:\|.*\n)+", re.MULTILINE)
_SNIPPET: Final = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_BLOCK: Final = r"\*\*(?:PyTorch|TensorFlow)\*\*\n\n(?:<!-- .* -->\n)?```.*\n(?:.*\n)*?```\n"
_BLOCKS: Final = re.compile(rf"^{_BLOCK}\n{_BLOCK}", re.MULTILINE)
_NONE: Final[frozenset[str]] = frozenset()


def read(_: Sphinx, docname: str, source: list[str]) -> None:
    """Put tabs in place of what is to be shown in either direction."""
    if docname == _GUIDE:
        source[0] = _MAP.sub(lambda found: _tabs(dict(_maps(found[0]))), source[0])
        source[0] = _SNIPPET.sub(lambda found: _snippet(found[1]) or found[0], source[0])
    source[0] = _BLOCKS.sub(lambda found: _tabs(_labelled(found[0]), together=False), source[0])


def _tabs(items: dict[str, str], *, together: bool = True) -> str:
    """Return tabs; of those that go together, choosing one chooses all of its title."""
    shown = (
        f":::{{tab-item}} {title}\n{f':sync: {title}' if together else ''}\n\n{text.rstrip()}\n:::\n"
        for title, text in items.items()
    )
    return "::::{tab-set}\n\n" + "\n".join(shown) + "::::\n"


def _labelled(text: str) -> dict[str, str]:
    parts = re.split(r"(?m)^\*\*(PyTorch|TensorFlow)\*\*\n\n", text)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _maps(table: str) -> Iterator[tuple[str, str]]:
    rows = [re.split(r" \| ", line.strip("| \n")) for line in table.strip().splitlines()[2:]]
    for old, new in _WAYS:
        head = f"| concept | {_TITLES[old]}, old | {_TITLES[new]}, new | the trap |\n|---|---|---|---|"
        lines = (
            f"| {concept} | {tf if old == 'tf' else torch} | {torch if old == 'tf' else tf} | {trap} |"
            for concept, torch, tf, trap in rows
        )
        yield _title(old, new), "\n".join([head, *lines])


def _title(old: str, new: str) -> str:
    return f"{_TITLES[old]} → {_TITLES[new]}"


def _snippet(code: str) -> str:
    """Return the tabs of a snippet; nothing if it has one framework only."""
    sides = halves(code)
    if not all(sides.values()):
        return ""
    items = {
        _title(old, new): "\n\n".join(
            f"```{{code-block}} python\n:caption: {_TITLES[key]}, {age}\n\n{sides[key]}\n```"
            for key, age in ((old, "old"), (new, "new"))
        )
        for old, new in _WAYS
    }
    return _tabs({**items, "Both, with the proof": f"```python\n{code}```"}).rstrip()


def halves(code: str) -> dict[str, str]:
    """Return what of a snippet uses PyTorch only, and what uses TensorFlow only, each with what it needs besides.

    A statement belongs to the framework that it names, or that something it uses was made with. One of both belongs to
    neither half.
    """
    statements = list(_statements(code))
    sides: dict[str, frozenset[str]] = {}
    for each in statements:
        each.made_with = _MODULES.get(each.imported) or _NONE.union(*(sides.get(name, _NONE) for name in each.used))
        sides.update(dict.fromkeys(each.bound, each.made_with))
    return {key: _half(statements, key) for key in _TITLES}


def _half(statements: list["Statement"], key: str) -> str:
    """Join the statements of a side, and those of none of which a later one has need."""
    chosen: list[Statement] = []
    needed: set[str] = set()
    for each in reversed(statements):
        if each.made_with == {key} or (not each.made_with and needed & each.bound):
            chosen.insert(0, each)
            needed |= each.used
    if all(each.imported for each in chosen):
        return ""
    return chosen[0].text + "".join(_gap(a, b) + b.text for a, b in pairwise(chosen))


def _gap(a: "Statement", b: "Statement") -> str:
    """Return the lines between two statements, which may not have stood next to each other."""
    if a.defines or b.defines:
        return "\n\n\n"
    return "\n\n" if (a.imported in _MODULES, bool(a.imported)) != (b.imported in _MODULES, bool(b.imported)) else "\n"


class Statement:
    """A statement of a snippet: its lines, the names that it takes from the module and those that it binds there."""

    def __init__(self, text: str, node: ast.stmt) -> None:
        self.text = text.strip("\n")
        self.defines = isinstance(node, ast.ClassDef | ast.FunctionDef)
        self.imported = node.names[0].name if isinstance(node, ast.Import) else getattr(node, "module", None) or ""
        self.made_with = _NONE
        self.used, self.bound = _names(text)
        for target in node.targets if isinstance(node, ast.Assign) else ():
            self.bound |= {_changed(target)} - {""}


def _changed(target: ast.expr) -> str:
    """Return the name whose value ``a[0] = …`` or ``a.b = …`` changes."""
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def _statements(code: str) -> Iterator[Statement]:
    """Yield each statement; ``a, b = c, d`` as the two that it is."""
    lines, end = code.splitlines(keepends=True), 0
    for node in ast.parse(code).body:
        text, end = "".join(lines[end : node.end_lineno]), node.end_lineno or 0
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
                for name, value in zip(names, values, strict=True):
                    part = ast.Assign([name], value, lineno=0)
                    yield Statement(f"{ast.unparse(name)} = {ast.get_source_segment(code, value)}", part)
            case _:
                yield Statement(text, node)


def _names(text: str) -> tuple[set[str], set[str]]:
    """Return the names that a statement takes from the module, and those that it binds there."""
    module = symtable.symtable(text, "snippet", "exec")
    used = {symbol.get_name() for symbol in module.get_symbols() if symbol.is_referenced()}
    bound = {symbol.get_name() for symbol in module.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    inner = list(module.get_children())
    while inner:
        scope = inner.pop()
        used |= {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_global()}
        inner += scope.get_children()
    return used, bound


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the parts."""
    app.connect("source-read", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
