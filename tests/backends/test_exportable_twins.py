"""`torch_impl.exportable` of every twin: same values and gradients, which survive where those of the twin do not."""

import importlib

import pytest

pytest.importorskip("torch")

import torch
from functions import Module
from torch.utils._python_dispatch import TorchDispatchMode

from porting import check
from porting.backends.torch.in_mode import Asked
from porting.parity.known import load
from porting.parity.probe import Probe
from porting.registry import ops
from porting.runners import runner_of
from porting.survive.cell import LABEL, cell
from torch_impl import exportable

OPS = [op for op in ops().values() if op.module.startswith("porting.oracle.")]
REFUSED = {
    "recompute": "its Function is given a function, which no operation of PyTorch takes",
    **dict.fromkeys(("all_gather", "all_reduce", "reduce_scatter"), "so is the one that has a thread for each rank"),
}
FORMS = {op.name: op.bind(torch=exportable(op.twin("torch"))) for op in OPS if op.name not in REFUSED}
# What raises where the twin itself raises: the op looks at the numbers of its indices, outside its Function.
LOOKS = {"embedding_padding", "gather_rows", "scatter_mean"}
NOT_CHECKED = {
    "fixed_point": "it stops when it has converged, but not if torch.compiler.is_compiling(), which opcheck is not",
    "gamma_sample_gradient": "it is differentiable once, and says so when it is differentiated twice",
}


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_twin_keeps_its_gradient_in_an_exported_program(op):
    assert cell(op, "torch", "custom-op", 0).fate == ("refused" if op.name in REFUSED else "kept")


@pytest.mark.parametrize("mode", ["make-fx", "func", "checkpoint"])
@pytest.mark.parametrize("name", FORMS)
def test_every_twin_keeps_its_gradient_in_a_mode(name, mode):
    found = cell(FORMS[name], "torch", mode, 0)
    assert found.fate == ("refused" if mode == "make-fx" and name in LOOKS else "kept"), found


@pytest.mark.parametrize("name", FORMS)
def test_every_twin_that_is_mapped_keeps_its_gradient(name):
    old = FORMS[name].family == "published"  # their forward has a ctx: PyTorch does not map them at all
    found = cell(FORMS[name], "torch", "vmap", 0)
    assert found.fate == ("refused" if old else "kept"), found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ste_round", "lif_step", "matrix_sqrt"])
def test_the_gradient_is_kept_where_torch_func_grad_is_compiled(name):
    for mode in ("compile", "compile-func"):
        found = cell(FORMS[name], "torch", mode, 0)
        assert found.fate == "kept", found


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_values_gradients_and_second_derivatives_are_those_of_the_oracle(name):
    known = {(entry.op, entry.check) for entry in load() if entry.runner == "torch"}
    report = check(FORMS[name], runners=["torch"], only=["value", "vjp", "second_order", "special_values"])
    assert {(r.op, r.check) for r in report.results if r.found} <= known
    assert any(r.status == "agree" for r in report.results)


def asked_of(name):
    op = FORMS[name]
    probe = Probe(op, "float64", "cpu", "eager", 0, LABEL, quick=True, runner=runner_of(op, "torch"))
    return Asked(next(probe.ordinary()))


class Calls(TorchDispatchMode):
    """Holds with what each of our operations was called."""

    def __init__(self):
        super().__init__()
        self.seen = {}

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func.namespace == "gradport":
            self.seen.setdefault(func, args)
        return func(*args, **(kwargs or {}))


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_every_operation_is_registered_as_pytorch_wants_it(name):
    asked = asked_of(name)
    with Calls() as calls:
        asked.pulled(asked(*asked.x))
    assert calls.seen
    which = ("test_schema", "test_autograd_registration")
    which += () if name in NOT_CHECKED else ("test_faketensor", "test_aot_dispatch_dynamic")
    for operation, args in calls.seen.items():
        given = [a.detach().clone().requires_grad_(a.is_floating_point()) if torch.is_tensor(a) else a for a in args]
        torch.library.opcheck(operation, tuple(given), test_utils=which)


def forget():
    """Leave no operation: the next call makes it."""
    for stand_in in importlib.import_module("torch_impl.exportable")._STAND_INS._made.values():
        stand_in.made.clear()


@pytest.mark.filterwarnings("ignore:`isinstance:FutureWarning")  # of PyTorch's own code
@pytest.mark.parametrize("name", FORMS)
def test_a_first_call_may_be_one_that_is_exported_and_its_program_may_be_saved(name, tmp_path):
    asked = asked_of(name)
    forget()
    program = torch.export.export(Module(asked.__call__), asked.x)
    names = [str(node.target) for node in program.graph.nodes if node.op == "call_function"]
    assert any(called.startswith("gradport.") for called in names)
    assert not any("grad_enabled" in called for called in names), names
    torch.export.save(program, tmp_path / "a.pt2")
    loaded = torch.export.load(tmp_path / "a.pt2").module()
    found = [asked.pulled(outputs) for outputs in (loaded(*asked.x), asked(*asked.x))]
    for one, other in zip(*found, strict=True):
        assert one is other is None or torch.equal(one, other)
