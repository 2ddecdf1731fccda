"""A script that somebody took for a module."""

import sys

sys.exit(0)  # here: exits_on_import
