"""A module that talks."""

import sys

from good import Sine as op  # noqa: F401, N813 - what is asked for

print("said on import")  # noqa: T201 - the fault
sys.stderr.write("said on import\n")
