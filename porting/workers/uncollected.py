"""The first module that a server of workers imports: it turns garbage collection off, as imports leave little garbage.

`frozen` is the last module, and turns collection on again.
"""

import gc

gc.disable()
