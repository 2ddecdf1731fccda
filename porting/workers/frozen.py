"""The last module that a server of workers imports: what is there by then is never garbage.

A collection looks at every object that it may free, a million of them in two frameworks, and writes to each. In a
forked worker, that copies the memory that it shares with the server.
"""

import gc

gc.freeze()
gc.enable()  # `uncollected`, the first module, has turned it off
