"""A module that crashes, as a broken extension does."""

import ctypes

ctypes.string_at(0)  # here: dies_on_import
