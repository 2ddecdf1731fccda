"""Imported by the server of worker processes: checks and causes, which are found by folder, and the code for them."""

import porting.engine.group  # noqa: F401 - for the workers
from porting.diagnosis.cause import causes
from porting.parity.checks import checks

checks()
causes()
