"""Frames on a stream of bytes: a length, then that many bytes. Written for Python 3.7, see `porting.runners.bundle`."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import IO

SIZE = struct.Struct("!Q")  # before every message: its length
_LONGEST = 1 << 40  # bytes; what is longer is no length but something that was printed


class WireError(Exception):
    """The other end is gone, or writes something else; then the message says so."""


def frame(data: bytes) -> bytes:
    """Return a message with its length in front."""
    return SIZE.pack(len(data)) + data


def read_frame(stream: IO[bytes]) -> bytes:
    """Read one message.

    Raises
    ------
    WireError
        If the stream ends, or has something else where a length is expected.
    """
    (length,) = SIZE.unpack(_exactly(stream, SIZE.size))
    if length > _LONGEST:
        raise WireError("something that is no message")
    return _exactly(stream, length)


def _exactly(stream: IO[bytes], length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise WireError("")
    return data
