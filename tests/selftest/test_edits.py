"""Planted faults as data: an edit applies exactly once, changes the twin, and its source can be shown."""

import ast
import inspect
import sys

import pytest

from porting.runners import RUNNERS
from porting.runners.base import source_of
from porting.selftest.edits import edited, entries, planted_edits
from porting.selftest.planted import planted_faults, right_siblings
from porting.selftest.score import tried
from porting.selftest.spread import spread

TABLE = """
    NegativeCosine: sine, wrong_sign, HIPS/autograd PR#412
        -cos(x) is returned for sin(x).
        - torch.cos(x) * dy
        + -torch.cos(x) * dy

    LooksWrong: cube
        Two places.
        - return x**3
        - (x,) = ctx.saved_tensors
        + (x,) = ctx.saved_tensors
        + if x.dim():
        +     x = 1 * x
"""
SOURCE = """
class Cube:
    def forward(x):
        y = x**3
        return y
"""
HERE = [backend for backend in ("torch", "tf") if not RUNNERS[backend].missing()]
needs_torch = pytest.mark.skipif("torch" not in HERE, reason="no PyTorch")
MODULE = "porting.selftest.torch.formula"


def changed(backend):
    """All twins that an edit makes, each with its module and the source of the right twin."""
    things = [*planted_faults(backend), *right_siblings(backend)]
    found = [(thing, sys.modules.get(f"porting.selftest.{thing.name}")) for thing in things]
    return [(thing, module) for thing, module in found if module]


def test_entries():
    wrong, right = entries(TABLE)
    assert (wrong.name, wrong.toy, wrong.cause, wrong.source) == (
        "NegativeCosine", "sine", "wrong_sign", "HIPS/autograd PR#412",
    )  # fmt: skip
    assert wrong.about == "-cos(x) is returned for sin(x)."
    assert wrong.changes == [(["torch.cos(x) * dy"], ["-torch.cos(x) * dy"])]
    assert (right.toy, right.cause, right.source) == ("cube", "", "")
    ((old, new),) = right.changes
    assert old == ["return x**3", "(x,) = ctx.saved_tensors"]
    assert new == ["(x,) = ctx.saved_tensors", "if x.dim():", "    x = 1 * x"]


@pytest.mark.parametrize(
    "table", ["- x", "A: cube\n    About.\n    + x", "A: cube\n    About.\n    - x\n    y", "A: cube\n    About.\ny"]
)
def test_a_line_that_is_no_part_of_an_entry(table):
    with pytest.raises(ValueError, match="neither an entry's head nor what is replaced in it"):
        entries(table)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (["x**3"], ["x**2"], "        y = x**2\n        return y"),
        (["y = x**3", "return y"], ["return x**3"], "        return x**3"),
        (
            ["return y"],
            ["z = y", "if z:", "    return z"],
            "        y = x**3\n        z = y\n        if z:\n            return z",
        ),
        (["y = x**3"], [], "        \n        return y"),
    ],
)
def test_edited(old, new, line):
    assert edited(SOURCE, old, new) == f"\nclass Cube:\n    def forward(x):\n{line}\n"


@pytest.mark.parametrize(("old", "times"), [(["y"], 2), (["x**2"], 0), (["y = x**3", "    return y"], 0)])
def test_what_is_replaced_stands_there_exactly_once(old, times):
    with pytest.raises(ValueError, match=f"stands {times} times in the twin, not once"):
        edited(SOURCE, old, ["z"])


@needs_torch
@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("Mine: cube, c\n    About.\n    - x\n    + y", r"'x' stands \d+ times in the twin, not once"),
        ("Mine: cube, c\n    About.\n    - return x**3\n    + return (", "was never closed"),
        ("Mine: cube, c\n    About.\n    - return x**3\n    + return x**3", "is replaced by itself"),
        ("Mine: cubic, c\n    About.\n    - x\n    + y", "no toy is called cubic"),
        ("Mine: cube, c\n    About.", "nothing is replaced in cube"),
        ("NoThree: cube, c\n    About.\n    - return x**3\n    + return x**4", "two planted faults are called"),
    ],
)
def test_an_edit_that_is_none_is_refused_by_name(entry, why):
    planted_faults("torch")
    with pytest.raises(ValueError, match=rf"torch\.formula\.(Mine|NoThree).*{why}|{why} torch.formula.NoThree"):
        planted_edits(MODULE, entry)


@pytest.mark.parametrize("backend", HERE)
def test_each_edit_changes_the_twin_and_can_be_shown(backend):
    made = changed(backend)
    assert len(made) >= 100
    for thing, module in made:
        source = inspect.getsource(module)
        ast.parse(source)
        twin = thing.op.twin(backend)
        name, owner = thing.name.rpartition(".")[2], getattr(twin, "__self__", twin)
        place, _, line = source_of(twin).rpartition(":")
        kind = "class" if inspect.isclass(owner) else "def"
        assert source.splitlines()[int(line) - 1].startswith(f"{kind} {name}("), thing.name
        assert place.startswith(f"<planted {name}> porting/selftest/{backend}/"), place
        assert inspect.getsource(owner).startswith(f"{kind} {name}(")


@pytest.mark.parametrize("backend", HERE)
def test_most_faults_are_edits(backend):
    names = {thing.name for thing, _ in changed(backend)}
    faults = [fault.name for fault in planted_faults(backend)]
    assert sum(name in names for name in faults) >= 0.75 * len(faults)


@needs_torch
def test_an_edit_is_found_in_worker_processes():
    jobs = [("torch", f"torch.formula.{name}", 0) for name in ("NegativeCosine", "factor_not_the_exponent")]
    found = list(spread(tried, jobs, 2, ["torch"], lambda _, how: pytest.fail(how)))
    assert sorted(trial.name for trial in found) == [name for _, name, _ in jobs]
    assert all(trial.named and not trial.error for trial in found)
