"""Shared by all tests: quiet frameworks, and what is installed."""

import logging
import os
from multiprocessing import forkserver

import pytest
from warm import Warm

# Before any framework is imported; the command does the same for its own process.
for name, value in (("TF_ENABLE_ONEDNN_OPTS", "0"), ("TF_CPP_MIN_LOG_LEVEL", "1"), ("OMP_NUM_THREADS", "1")):
    os.environ.setdefault(name, value)
logging.getLogger("tensorflow").setLevel(logging.ERROR)

# A process has one fork server, with what its first pool wanted imported. After a test of the pool alone each worker of
# each later test would import the frameworks for itself: five seconds, hundreds of times.
_preload = forkserver.set_forkserver_preload
forkserver.set_forkserver_preload = lambda names: _preload(
    list(dict.fromkeys([*names, "torch", "tensorflow", "porting.engine.group"]))
)


@pytest.fixture(scope="session")
def warm():
    """Return the server of processes that have imported the frameworks, see `warm.Warm`."""
    with Warm() as server:
        yield server
