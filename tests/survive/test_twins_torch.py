"""In these modes of PyTorch the gradient of every twin of the catalogue survives, or there is a reason beside it."""

import pytest

from porting.registry import ops
from porting.runners import RUNNERS
from porting.survive.cell import cell

pytestmark = pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch")

MODES = ("autocast-bfloat16", "autocast-float16", "checkpoint", "ddp", "fsdp")
TWINS = {name: op for name, op in ops().items() if op.in_catalogue}

# What is not kept: how, and why.
_UNWRITTEN = "the function that it is given cannot be written down for another process"
REASONS = {
    ("ddp", "recompute"): ("not applicable", _UNWRITTEN),
    ("fsdp", "recompute"): ("not applicable", _UNWRITTEN),
    ("fsdp", "lsq_quantize"): ("not applicable", "its step is a scalar, which fully_shard refuses"),
}


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", TWINS)
def test_its_gradient_survives(mode, name):
    found = cell(TWINS[name], "torch", mode, seed=0)
    fate, _ = REASONS.get((mode, name), ("kept", ""))
    assert found.fate == fate, f"{found.name}: {found.got} for {found.want}; {found.message}"
