"""Frameworks are imported without garbage collections; the user's program keeps its own way afterwards."""

import gc

import pytest

from porting.parity.plan import BROKEN, devices_here


class Watched:
    """A runner that tells whether garbage was collected while it imported its framework."""

    key, title, module = "watched", "Watched", "watched"

    def __init__(self, error=None):
        self.error = error

    def devices(self):
        self.collecting = gc.isenabled()
        if self.error:
            raise self.error
        return {"cpu": None}


@pytest.fixture(params=[True, False])
def collecting(request):
    before = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if before else gc.disable)()


def test_nothing_is_collected_meanwhile_and_all_is_as_before_then(collecting):
    frozen = gc.get_freeze_count()
    runner = Watched()
    devices_here([runner])
    assert not runner.collecting
    assert gc.isenabled() == collecting
    assert gc.get_freeze_count() == frozen, "objects of the user's program can still be collected"


def test_an_import_that_fails_leaves_it_as_it_was(collecting):
    runner = Watched(ImportError("no such library"))
    assert devices_here([runner])[runner] == {BROKEN: "Watched is installed and cannot be imported (no such library)"}
    assert gc.isenabled() == collecting
