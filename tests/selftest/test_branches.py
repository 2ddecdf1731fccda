"""What a twin computes under a compiler alone is held to all checks, at special numbers too."""

import ast
import inspect

import pytest

import porting
from porting import registry
from porting.selftest.branches import as_if_compiled, branches
from porting.selftest.mutants import mutants
from porting.selftest.mutation import home
from porting.selftest.survival import check_right, judge

pytest.importorskip("torch")
TWIN = "oracle", "torch", "gelu_tanh"


def computes(op):
    """Tell whether a forward or a backward asks, and not only what looks at numbers before them."""
    tree = ast.parse(inspect.getsource(home(op, "torch")[0]))
    return any(branches(ast.unparse(part)) for part in tree.body if isinstance(part, ast.ClassDef))


ASKING = [op for op in registry.ops().values() if computes(op)]


def test_there_are_some_and_not_all_are():
    assert 0 < len(ASKING) < len(registry.ops()) / 4


@pytest.mark.parametrize("op", ASKING, ids=lambda op: op.name)
def test_the_compiled_formula_is_right(op):
    with as_if_compiled():
        report = porting.check(op, runners=["torch"], dtypes=["float64", "float32"])
    assert not report.counts["differ"], str(report)
    assert report.counts["agree"] > 30


def test_a_fault_in_it_is_found():
    op = registry.ops()["gelu_tanh"]
    mutant = next(m for m in mutants(op, "torch") if m.label.startswith("3 * CUBIC -> 3.03"))
    right = check_right((TWIN, 0))
    assert not right.error
    assert porting.check(mutant.bound(), runners=["torch"], only=["vjp"]).exit_code == 0
    assert judge((TWIN, mutant.number, right.fails, 0)).killer == "vjp, compiled formula"
