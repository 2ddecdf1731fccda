"""Ctrl-C or another signal, for a command that is at its work, on a machine of any speed and whoever runs the tests."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

STEP = re.compile(rb"[1-9]\d*/\d+")  # of the bar: what was done, of how much
LONGEST = 500  # seconds, imports and all


@contextmanager
def heard():
    """Have the processes that are started here end at SIGINT as usual, even if this one was started to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def interrupted(*words, cwd, by=signal.SIGINT):
    """Run ``porting``, interrupt it when the bar on its terminal shows a first step; return code, stdout, stderr."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    end, shown, pressed = time.monotonic() + LONGEST, b"", False
    with (cwd.parent / f"{cwd.name}-stdout").open("w+") as out:
        with heard():
            run = subprocess.Popen(
                [sys.executable, "-m", "porting", *words], stdout=out, stderr=theirs, cwd=cwd, env=environment
            )
        os.close(theirs)
        try:
            with suppress(OSError):  # the other end is closed, and all is read
                while select.select([ours], [], [], max(0, end - time.monotonic()))[0] and (
                    chunk := os.read(ours, 1 << 16)
                ):
                    shown += chunk
                    if not pressed and STEP.search(shown):
                        pressed = True
                        run.send_signal(by)
            code = run.wait(timeout=max(1, end - time.monotonic()))
        finally:
            run.kill()
            run.wait()
            os.close(ours)
        out.seek(0)
        said, errors = out.read(), shown.decode(errors="replace")
    assert pressed, f"it never came to its work, and ended with {code}: {said}{errors}"
    return code, said, errors
