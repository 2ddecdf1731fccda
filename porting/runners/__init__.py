"""Everything that can answer a case, under one protocol. Importing this package imports no framework."""

from porting.runners.base import Case as Case
from porting.runners.base import Outcome as Outcome
from porting.runners.base import Raised as Raised
from porting.runners.base import Runner as Runner
from porting.runners.oracle import OracleRunner
from porting.runners.tf import TensorFlowRunner
from porting.runners.torch import TorchRunner

RUNNERS: dict[str, Runner] = {runner.key: runner for runner in (OracleRunner(), TorchRunner(), TensorFlowRunner())}
