"""The sources of an op are cut into roles: what a role uses is shown too, and a second class is a helper."""

import ast
from pathlib import Path

import pytest

import porting
from porting.registry import ops
from porting.report.source import file_of, sources

ROOT = Path(porting.__file__).parents[1]
OPS = [op for op in ops().values() if op.in_catalogue]


def texts(op):
    """Return the source of each tree."""
    oracle = ROOT / "porting" / "oracle" / op.family / f"{op.name}.py"
    return {"oracle": oracle.read_text(), **{key: file_of(op, key).read_text() for key in ("torch", "tf")}}


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_what_a_role_uses_of_its_file_is_shown(op):
    found = sources(op)
    for tree, text in texts(op).items():
        assert {"value", "gradient"} <= {role for role, part in found[tree].items() if part}, tree
        parts = {n.name for n in ast.parse(text).body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        first = next((n.name for n in ast.parse(text).body if isinstance(n, ast.ClassDef)), "")
        shown = [ast.parse(part) for part in found[tree].values()]
        used = {n.id for part in shown for n in ast.walk(part) if isinstance(n, ast.Name)}
        assert used & parts <= {n.name for part in shown for n in part.body} | {first}, tree


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_the_gradient_is_that_of_the_ops_own_function(op):
    own = next(n for n in ast.parse(texts(op)["torch"]).body if isinstance(n, ast.ClassDef))
    backward = next(n for n in own.body if isinstance(n, ast.FunctionDef) and n.name == "backward")
    assert ast.unparse(ast.parse(sources(op)["torch"]["gradient"])) == ast.unparse(backward)
