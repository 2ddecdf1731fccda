"""The layers: a module imports from lower rows only, never sideways; twins import their framework only."""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from porting.backends import BACKENDS, PACKAGES

ROOT = Path(__file__).parents[2]
# The bands, from the ground up. Inside one, too, imports point from a later row to an earlier one.
BANDS = {
    "what an op promises": [
        ("errors", "backends", "notebook"),
        ("contract",),
        ("functions", "signature", "surrogates"),
        ("spec",),
        ("subject",),
        ("registry", "dtypes", "files", "loading", "room", "tables"),
        ("named",),
    ],
    "who answers; processes; mathematics; source to source": [("workers",), ("runners", "numeric", "translate")],
    "what is asked, of whom": [("recordings",), ("pairs",), ("parity",)],
    "from findings to causes": [("diagnosis",)],
    "carrying out: a plan; a translation and its proof": [("engine",), ("port", "survive", "sweep")],
    "what people meet": [
        ("selftest",),
        ("report", "bench", "train", "scaffold"),
        ("testing",),
        ("cli", "pytest_plugin"),
    ],
}
ORDER = [row for rows in BANDS.values() for row in rows]
ROWS = {part: row for row, parts in enumerate(ORDER) for part in parts}
FILES = sorted((ROOT / "porting").rglob("*.py"))


def imported(path):
    """Yield the dotted names that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def part(name):
    """Return the part of porting that a dotted name belongs to, or nothing.

    The record of a framework is part of `backends`; the modules that run it, in the same folder, are runners.
    """
    pieces = name.split(".")
    if pieces[0] != "porting" or len(pieces) < 2 or pieces[1] not in ROWS:
        return None
    if pieces[1] != "backends" or len(pieces) <= 3:
        return pieces[1]
    runs = pieces[3] == "modes" or (ROOT / "porting" / "/".join(pieces[1:4])).with_suffix(".py").exists()
    return "runners" if runs else pieces[1]


def _part_of_file(path):
    return path.relative_to(ROOT / "porting").parts[0].removesuffix(".py")


@pytest.mark.parametrize("folder", sorted({_part_of_file(path) for path in FILES}))
def test_imports_point_down(folder):
    for path in FILES:
        if _part_of_file(path) == folder:
            _ensure_imports_point_down(path)


def _ensure_imports_point_down(path):
    pieces = path.relative_to(ROOT / "porting").with_suffix("").parts
    own = pieces[0]
    if own in {"__init__", "__main__"}:  # the lazy front, and the command's other door
        return
    if own == "oracle":
        shared = {f"porting.oracle.{p.stem}" for p in (ROOT / "porting" / "oracle").glob("*.py")}
        allowed = {"numpy", "porting.spec", *shared, *sys.stdlib_module_names}
        assert [n for n in imported(path) if not any(n == a or n.startswith(a + ".") for a in allowed)] == [], path
        return
    assert own in ROWS, f"say in ORDER which layer {own} is in"
    own = part(".".join(("porting", *pieces)).removesuffix(".__init__"))
    for name in imported(path):
        other = part(name)
        if other and other != own:
            assert ROWS[other] < ROWS[own], f"{path.relative_to(ROOT)} imports {name}: not a lower layer"


def test_the_rooms_of_the_translator_have_one_order():
    """A room, or a file beside the rooms, imports from those that do not import from it, however far round."""
    root = ROOT / "porting" / "translate"
    graph = {}
    for path in root.rglob("*.py"):
        own = path.relative_to(root).with_suffix("").parts[0]
        rooms = {name.split(".")[2] for name in imported(path) if name.startswith("porting.translate.")}
        graph[own] = graph.get(own, set()) | (rooms - {own})
    assert {"read", "analyse", "lower", "rules", "write", "format", "ir"} <= set(graph)
    TopologicalSorter(graph).prepare()  # raises CycleError, with the way round


@pytest.mark.parametrize(("tree", "framework"), [("torch_impl", "torch"), ("tf_impl", "tensorflow")])
def test_twins_import_their_framework_only(tree, framework):
    for path in (ROOT / tree).rglob("*.py"):
        wraps = path.parent.name in {"nn", "layers"}  # they call the twins; Keras comes with TensorFlow
        beside = path.parent == ROOT / tree  # no twin: it is for all of them
        own = {framework} | ({tree} if wraps or beside or path.stem == "__init__" else set())
        own |= {"keras"} if wraps else set()
        assert {name.split(".")[0] for name in imported(path)} <= own | sys.stdlib_module_names, path


def test_no_import_cycles():
    graph = {}
    for path in FILES:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        graph[name] = {n for n in imported(path) if n.startswith("porting.")} if name != "porting" else set()
    graph = {name: {n for n in wanted if n in graph and n != name} for name, wanted in graph.items()}
    done, path = set(), []

    def visit(name):
        assert name not in path, " -> ".join([*path[path.index(name) :], name])
        if name in done:
            return
        path.append(name)
        for other in graph[name]:
            visit(other)
        path.pop()
        done.add(name)

    for name in graph:
        visit(name)


def names_a_backend(path):
    """Whether the code of a file, not its comments, says what a framework is called."""
    called = {*PACKAGES, *BACKENDS, *(backend.title for backend in BACKENDS.values())}
    said = {n.partition(".")[0] for n in imported(path)}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            said.add(node.value)
        elif isinstance(node, ast.Attribute):
            said.add(node.attr)
        elif isinstance(node, ast.keyword):
            said.add(node.arg)
    return bool(called & said)


def test_few_files_name_a_backend():
    """What a framework is called, has and lacks is asked of its record; these rooms are one framework's by nature."""
    own = [ROOT / "porting" / room for room in ("backends", "translate/rules", "bench", "selftest")]
    named = [p for p in FILES if not any(room in p.parents for room in own) and names_a_backend(p)]
    assert all(any(names_a_backend(p) for p in FILES if room in p.parents) for room in own)
    assert len(named) <= 20, named
