"""A module that cannot be imported in time."""

import time

from good import Sine as op  # noqa: F401, N813 - what is asked for

time.sleep(1000)  # here: hangs_on_import
