"""Everything that can answer a case, under one protocol. Importing this package imports no framework."""

from typing import Any

from porting.runners.base import Case as Case
from porting.runners.base import Outcome as Outcome
from porting.runners.base import Raised as Raised
from porting.runners.oracle import OracleRunner
from porting.runners.protocol import Runner as Runner
from porting.runners.tf import TensorFlowRunner
from porting.runners.torch import TorchRunner

RUNNERS: dict[str, Runner] = {runner.key: runner for runner in (OracleRunner(), TorchRunner(), TensorFlowRunner())}


def runner_of(target: Any, key: str) -> Runner:
    """Return who answers for an op or a pair on a runner: its own, of another interpreter or a recording, or ours."""
    found: Runner = target.answers.get(key) or RUNNERS[key]
    return found
