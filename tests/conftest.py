"""Shared by all tests: quiet frameworks, processes that have them imported, and the order."""

import gc
import logging
import os
from importlib.util import find_spec
from multiprocessing import forkserver

import pytest
from once import share_in
from turns import is_its_turn
from warm import Warm

from porting.engine.preload import preload

# Before any framework is imported; the command does the same for its own process, and `porting bench` takes a vector
# instruction set that the CPU lists without compiling programs that try it, which takes ten seconds.
for name, value in (
    ("TF_ENABLE_ONEDNN_OPTS", "0"), ("TF_CPP_MIN_LOG_LEVEL", "1"), ("OMP_NUM_THREADS", "1"),
    ("TF_NUM_INTRAOP_THREADS", "1"), ("TF_NUM_INTEROP_THREADS", "1"),
    ("TORCHINDUCTOR_VEC_ISA_OK", "1"), ("PORTING_CACHE", ""),
):  # fmt: skip
    os.environ.setdefault(name, value)
logging.getLogger("tensorflow").setLevel(logging.ERROR)

# A process has one fork server, with what its first pool wanted imported. After a test of the pool alone each worker of
# each later test would import the frameworks for itself: five seconds, hundreds of times.
_preload = forkserver.set_forkserver_preload
forkserver.set_forkserver_preload = lambda names: _preload(
    list(dict.fromkeys([names[0], *preload(["torch", "tensorflow"]), *names[1:]]))  # the first and the last are of gc
)


@pytest.fixture(scope="session")
def warm():
    """Return the server of processes that have imported the frameworks, see `warm.Warm`."""
    with Warm() as server:
        yield server


@pytest.fixture(scope="session", autouse=True)
def _shared_folder(tmp_path_factory):
    """Say where `once.once` keeps what the processes of a run share."""
    share_in(tmp_path_factory.getbasetemp())


# What takes longest, in this order: it starts first, so that at the end of a run no core waits for one long test.
LONGEST = (
    "named_by_codes_alone", "test_pairs[", "test_no_right_toy", "test_contract[", "test_every_mode_and_all_memory",
    "test_compiled_in_single",
    "test_it_is_proven", "test_console", "test_a_planted_fault_is_named_as_live", "test_picture",
    "test_is_found_with_stage_and_cause", "test_next_op_agrees", "test_ill_mannered_op_is_right",
)  # fmt: skip
LONG_OPS = (
    "soft_dtw", "newton_loop", "ode_rk4_adjoint", "safe_eigh", "sinkhorn", "focal_loss", "bessel_ive", "entmax15",
    "fixed_point", "smoothed_cross_entropy", "sparsemax", "matrix_", "layer_norm", "solve",
)  # fmt: skip


# The documents are executed in every run, and what is installed is.
WHOLE = ("tests/docs/", "tests/mirror/")


def waits(item):
    """Tell whether a test is slow and has no turn: of the slow ones a fifth have."""
    slow = item.get_closest_marker("slow") is not None
    return slow and not (item.nodeid.startswith(WHOLE) or is_its_turn(item.nodeid, 5))


def pytest_collection():
    """Make two CPUs for ops of several replicas, before a collected module makes the first tensor of TensorFlow."""
    gc.disable()  # what is imported and collected stays: a search for garbage among it would find none
    if find_spec("tensorflow"):
        from porting.backends.tf.devices import two_cpus

        two_cpus()


def pytest_collection_finish():
    """Search for garbage again, and not among what is there to the end: it is a twentieth of the time of a check."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config, items):
    """Leave out the slow tests that have no turn; put the longest first, all others stay in their order."""
    named = config.option.keyword or any("::" in argument for argument in config.args)
    waiting = set() if named else {item for item in items if waits(item)}
    config.hook.pytest_deselected(items=[item for item in items if item in waiting])
    items[:] = [item for item in items if item not in waiting]

    def place(words, name):
        return next((n for n, word in enumerate(words) if word in name), len(words))

    items.sort(key=lambda item: (n := place(LONGEST, item.name), place(LONG_OPS, item.name) if n < len(LONGEST) else 0))
