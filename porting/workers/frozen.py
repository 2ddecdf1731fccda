"""The last module that a server of workers imports: it tells the collector to ignore all objects that exist by then.

A garbage collection looks at every object that it may free, and writes to each: with two frameworks these are a million
objects. In a forked worker, each write copies memory that the worker shares with the server.
"""

import gc

gc.freeze()
gc.enable()  # `uncollected`, the first module, has turned it off
