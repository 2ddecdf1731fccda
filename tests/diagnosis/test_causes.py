"""Causes: complete pages, no two of the same name, and a planted fault for each."""

import ast
from pathlib import Path

import pytest

from porting.backends import BACKENDS
from porting.diagnosis.cause import CauseError, causes, named
from porting.parity.finding import KINDS
from porting.selftest.planted import planted_faults

FOLDER = Path(__file__).parents[2] / "porting" / "diagnosis" / "faults"
PROCESS = {"process_died", "timed_out", "out_of_memory"}  # tests/isolation: nothing that is planted in this process


@pytest.mark.parametrize("cause", causes().values(), ids=lambda cause: cause.name)
def test_page_is_complete(cause):
    assert cause.title.endswith(".")
    assert cause.kind in KINDS
    assert len(cause.why.split()) >= 8
    assert set(cause.fixes) == set(BACKENDS)
    assert (FOLDER / f"{cause.name}.py").is_file()


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=lambda backend: backend.key)
def test_every_fix_is_for_a_cause(backend):
    """In the order in which causes are tried, so that a renamed one cannot leave its fix behind."""
    assert list(backend.fixes) == list(causes())


def test_one_cause_per_file():
    for path in FOLDER.glob("*.py"):
        names = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
        names = [name for name in names if not name.startswith("_")]  # its own experiments
        assert names == ([] if path.stem == "__init__" else [path.stem])


def test_every_cause_has_a_planted_fault():
    pytest.importorskip("torch")
    pytest.importorskip("tensorflow")
    wanted = {fault.cause for fault in planted_faults()}
    assert wanted <= set(causes()), "a planted fault wants a cause that does not exist"
    assert set(causes()) - wanted <= PROCESS | {"nan_spreads"}


def test_names_are_found_with_dashes_and_refused_with_a_hint():
    assert named("wrong-sign") is causes()["wrong_sign"]
    with pytest.raises(CauseError, match="did you mean kink_convention"):
        named("kink")
