"""Runs a function in a fork of this process: what it leaves in memory is gone with it, and nothing is imported again.

TensorFlow survives a fork only as long as it has not run an operation.
"""

import os
import pickle
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def apart(function: Callable[[], T]) -> T:
    """Return what a function returns.

    Parameters
    ----------
    function : callable
        What it returns must be something that can be pickled.

    Raises
    ------
    RuntimeError
        If it raises, with what it raised, or if its process dies, with the status.
    """
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        try:
            said = pickle.dumps((function(), ""))
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
            said = pickle.dumps((None, f"{type(error).__name__}: {error}"))
        finally:
            with os.fdopen(theirs, "wb") as pipe:
                pipe.write(said)
            os._exit(0)  # nothing of the parent's is taken down
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if not said:
        raise RuntimeError(f"its process ended with status {os.waitstatus_to_exitcode(status)}")
    found, why = pickle.loads(said)  # noqa: S301 - written above
    if why:
        raise RuntimeError(why)
    answer: T = found
    return answer
