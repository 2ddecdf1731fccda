"""The first module that a server of workers imports: imports leave little garbage, so none is looked for.

`frozen` is the last one, and turns collections on again.
"""

import gc

gc.disable()
