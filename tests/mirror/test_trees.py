"""The three trees mirror each other: same paths, same names, same signatures, a page for each op."""

import ast
import importlib
import inspect
import sys
from pathlib import Path

import pytest

from porting import check
from porting.backends import BACKENDS
from porting.registry import ops

ROOT = Path(__file__).parents[2]
OPS = [op for op in ops().values() if op.module.startswith("porting.oracle.")]
PACKAGE = {"torch": "torch", "tf": "tensorflow"}


def files(tree):
    """Return family/op for every op file of a tree."""
    return {
        str(p.relative_to(ROOT / tree).with_suffix(""))
        for p in (ROOT / tree).glob("*/*.py")
        if not {p.stem, p.parent.name} & {"__init__", "nn", "layers"}
    }


@pytest.mark.parametrize("backend", BACKENDS)
def test_same_files(backend):
    assert files(f"{backend}_impl") == files("porting/oracle")


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_has_a_page(op):
    page = ROOT / "docs" / "ops" / op.family / f"{op.name}.md"
    assert page.is_file(), f"write {page.relative_to(ROOT)}"
    assert page.read_text().startswith(f"# {op.name}\n")


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_is_in_the_index(op):
    assert f"]({op.family}/{op.name}.md)" in (ROOT / "docs/ops/index.md").read_text()


def test_no_page_without_an_op():
    pages = {str(p.relative_to(ROOT / "docs/ops").with_suffix("")) for p in (ROOT / "docs/ops").glob("*/*.md")}
    assert pages == files("porting/oracle")


def written(op):
    """Yield each text that an op has: its files, its row in the index, its layers."""
    for tree in ("porting/oracle", *(f"{backend}_impl" for backend in BACKENDS)):
        file = f"{tree}/{op.family}/{op.name}.py"
        yield file, (ROOT / file).read_text()
    page = f"docs/ops/{op.family}/{op.name}.md"
    yield page, (ROOT / page).read_text()
    index = (ROOT / "docs/ops/index.md").read_text()
    yield "docs/ops/index.md", next((row for row in index.splitlines() if f"]({op.family}/{op.name}.md)" in row), "")
    for file in (f"torch_impl/nn/{op.family}.py", f"tf_impl/layers/{op.family}.py"):
        if (ROOT / file).is_file():
            yield file, (ROOT / file).read_text()


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_nothing_of_the_skeleton_is_left(op):
    left = [file for file, text in written(op) if "TODO" in text or "NotImplementedError" in text]
    assert not left, f"fill in what `porting new` left open in {', '.join(left)}"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_same_signature_and_reexported(op, backend):
    pytest.importorskip(PACKAGE[backend])
    twin = op.twin(backend)
    own = [(p.name, p.kind, p.default) for p in inspect.signature(op.value).parameters.values()]
    assert [(p.name, p.kind, p.default) for p in inspect.signature(twin).parameters.values()] == own
    init = ROOT / f"{backend}_impl" / op.family / "__init__.py"
    imports = [node for node in ast.parse(init.read_text()).body if isinstance(node, ast.ImportFrom)]
    exported = {(node.module, alias.name, alias.asname) for node in imports for alias in node.names}
    module = f"{backend}_impl.{op.family}.{op.name}"
    line = f"from {module} import {op.name} as {op.name}"
    assert (module, op.name, op.name) in exported, f"{init.relative_to(ROOT)} lacks: {line}"


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_op_can_be_imported_from_its_tree(backend):
    pytest.importorskip(PACKAGE[backend])
    tree = importlib.import_module(f"{backend}_impl")
    for op in OPS:
        assert getattr(tree, op.name) is getattr(importlib.import_module(f"{backend}_impl.{op.family}"), op.name)
    for name in ("no_such_op", "statics", "nn", "layers"):  # of the layers, and layers are asked for by their package
        assert not callable(getattr(tree, name, None)), name


@pytest.mark.parametrize("backend", BACKENDS)
def test_type_checkers_see_every_family(backend):
    tree = ast.parse((ROOT / f"{backend}_impl" / "__init__.py").read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    handed_on = [node.module for node in block.body if [alias.name for alias in node.names] == ["*"]]
    assert handed_on == [f"{backend}_impl.{family}" for family in sorted({op.family for op in OPS})]


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_vjp_is_named_after_the_op(op):
    assert op.rule.__name__ == f"{op.name}_vjp"


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_oracle_states_formula_and_source(op):
    doc = inspect.getmodule(op.value).__doc__
    assert "    y " in doc, "the value's formula, indented: y = ..."
    assert "    d" in doc, "the gradient's formula, indented: dx = ..."


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_torch_class_is_named_after_the_op(op):
    text = (ROOT / "torch_impl" / op.family / f"{op.name}.py").read_text()
    name, *helpers = [node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    assert all(helper.endswith("Function") for helper in helpers)  # of a gradient that has a gradient of its own
    camel = "".join(part.capitalize() for part in op.name.split("_"))
    if op.family == "published":  # the printed names: MyElementWise, CustomReLU
        assert name.lower() == camel.lower()
    else:
        assert name == f"{camel}Function"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_twin_copied_alone_runs(op, backend, tmp_path, monkeypatch):
    """A reader may copy one file out of the tree."""
    pytest.importorskip(PACKAGE[backend])
    copy = tmp_path / f"{op.name}.py"
    copy.write_text((ROOT / f"{backend}_impl" / op.family / f"{op.name}.py").read_text())
    for ours in ("porting", "torch_impl", "tf_impl"):
        monkeypatch.setitem(sys.modules, ours, None)  # an import of these fails
    monkeypatch.syspath_prepend(tmp_path)
    module, _, function = op.twin_path(backend).partition(":")
    alone = importlib.import_module(op.name)
    monkeypatch.undo()
    if module.endswith(f".{op.name}"):
        twin = getattr(alone, function)
    else:  # it is asked through a function of all ranks
        twin = op.twin(backend)
        monkeypatch.setattr(sys.modules[module], op.name, getattr(alone, op.name))
    assert sys.modules.pop(op.name).__file__ == str(copy)
    asked = {"runners": [backend], "dtypes": ["float32"], "only": ["value", "vjp"]}
    report = check(op.bind(**{backend: twin}), **asked)
    assert [(r.check, r.status) for r in report.results] == [("value", "agree"), ("vjp", "agree")], str(report)
