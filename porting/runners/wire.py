"""Messages over a pipe: a length, JSON, and then its arrays as ``.npy`` bytes, each after its length."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from porting.runners.tree import pack, unpack
from porting.workers.frames import WireError, frame, read_frame

if TYPE_CHECKING:
    from typing import IO

    from porting.runners.base import Array


def send(stream: IO[bytes], thing: Any) -> None:
    """Write one message.

    Raises
    ------
    TypeError
        If it contains something that cannot be sent; nothing is written then.
    OSError
        If the other end is gone.
    """
    arrays: list[Array] = []

    def keep(array: Array) -> int:
        arrays.append(array)
        return len(arrays) - 1

    packed = pack(thing, keep)
    parts = [json.dumps({"tree": packed, "arrays": len(arrays)}).encode()]
    for array in arrays:
        buffer = io.BytesIO()
        np.save(buffer, array, allow_pickle=False)
        parts.append(buffer.getvalue())
    write_all(stream, b"".join(map(frame, parts)))


def write_all(stream: IO[bytes], data: bytes) -> None:
    """Write to a pipe, which may take a part at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[stream.write(rest) :]
    stream.flush()


def receive(stream: IO[bytes], op: Any = None) -> Any:
    """Read one message; `op` is that of a case in it.

    Raises
    ------
    WireError
        If the stream ends, or what comes is no message.
    """
    text = read_frame(stream)
    try:
        message = json.loads(text.decode())
        arrays = [np.load(io.BytesIO(read_frame(stream)), allow_pickle=False) for _ in range(message["arrays"])]
        return unpack(message["tree"], arrays.__getitem__, op)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise WireError(f"something that is no message: {error}") from error
