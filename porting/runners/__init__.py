"""Everything that can answer a case, under one protocol. Importing this package imports no framework."""

from importlib import import_module
from typing import Any

from porting.backends import BACKENDS, Backend
from porting.runners.base import Case as Case
from porting.runners.base import Outcome as Outcome
from porting.runners.base import Raised as Raised
from porting.runners.oracle import OracleRunner
from porting.runners.protocol import Runner as Runner


def _made(backend: Backend) -> Runner:
    module, _, name = backend.runner.partition(":")
    runner: Runner = getattr(import_module(module), name)()
    return runner


RUNNERS: dict[str, Runner] = {
    "oracle": OracleRunner(), **{key: _made(backend) for key, backend in BACKENDS.items()}
}  # fmt: skip


def runner_of(target: Any, key: str) -> Runner:
    """Return who answers for an op or a pair on a runner: its own, of another interpreter or a recording, or ours."""
    found: Runner = target.answers.get(key) or RUNNERS[key]
    return found
