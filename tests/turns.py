"""Which of the slow tests, and of many that are alike, take their turn: a whole run has a part of them.

The same tree has the same part each time. Another part has its turn when a line is added to the changelog. What is
asked for by its name runs, and so does what a document or a package says.
``GRADPORT_TESTS=all`` has every one; so have the commands ``porting check``, ``porting selftest``, ``porting survive``.
"""

import os
from pathlib import Path
from zlib import crc32

EVERY = os.environ.get("GRADPORT_TESTS") == "all"
CHANGES = len((Path(__file__).parents[1] / "docs" / "changelog.md").read_text(encoding="utf-8").splitlines())


def turn(name, of):
    """Return the place of a name among so many, by which some are chosen."""
    return crc32(name.encode()) % of


def is_its_turn(name, of):
    """Tell whether one of so many takes its turn; all do where every one is asked for."""
    return EVERY or turn(name, of) == CHANGES % of
