"""The workers of a dask cluster as an executor: ``--executor dask://HOST:PORT``, with the extra ``distributed``."""

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from typing import Final

from porting.errors import PortingError

PREFIX: Final = "dask://"
_PATIENCE: Final = 10  # seconds until the scheduler answers, and has a worker


class ClusterError(PortingError, RuntimeError):
    """There is no such cluster, or dask is not installed."""


@contextmanager
def connected(address: str) -> Iterator[Executor]:
    """Yield an executor whose workers are those of a cluster.

    Parameters
    ----------
    address : str
        ``dask://HOST:PORT`` of the scheduler.

    Raises
    ------
    ClusterError
        If the extra is not installed, nobody answers, or the cluster has no worker.
    """
    try:
        dask = import_module("distributed")
    except ImportError as error:
        raise ClusterError(f'--executor {address}: needs dask: pip install "gradport[distributed]"') from error
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what it says, the report says
    where = address.removeprefix(PREFIX)
    try:
        client = dask.Client(f"tcp://{where}", timeout=_PATIENCE, set_as_default=False, name="porting")
    except (OSError, ValueError) as error:
        raise ClusterError(f"--executor {address}: no scheduler answers at {where or 'no address'}: {error}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise ClusterError(f"--executor {address}: the scheduler has no worker; start one: dask worker") from None
        executor = client.get_executor(pure=False)
        executor._max_workers = sum(client.nthreads().values())  # noqa: SLF001 - as the executors of Python have it
        yield executor
