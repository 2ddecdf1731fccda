"""Imported by the server of workers: it imports what the workers need, and goes on without what does not import here.

multiprocessing itself goes on after an `ImportError` only; a framework whose library is not found raises an `OSError`.
Whoever needs the framework in a worker meets the error there, and can tell it.
"""

import os
from contextlib import suppress
from importlib import import_module

from porting.workers.needs import NEEDS

for name in filter(None, os.environ.pop(NEEDS, "").split(",")):
    with suppress(ImportError, OSError):
        import_module(name)
