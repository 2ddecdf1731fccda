"""A proof that runs out of time, or is interrupted, is no proof, and says what was compared."""

import json

import pytest
from test_called_otherwise import BOTH, RIGHT, SOURCE, WRONG, proof

from porting.port.batch import port_all
from porting.port.discover import units_of
from porting.port.options import Checking

pytestmark = [BOTH, pytest.mark.slow]
SHORT = 1e-3


@pytest.fixture
def units(tmp_path):
    source = tmp_path / "source.py"
    source.write_text(SOURCE)
    return units_of(source, "", "tf")


def interrupting(count):
    """Return what interrupts after so many checks."""

    def on_check(*counted):
        *_, done, total = counted
        assert done <= total
        if done == count:
            raise KeyboardInterrupt

    return on_check


def test_without_time_nothing_is_proven(units):
    (done,) = port_all(units, how=Checking(dtypes=["float64"], budget=SHORT)).ports
    assert done.status == "not proven"
    assert done.said == "the time of --budget was over; what was compared, and is the same: nothing"
    assert f"# NOT PROVEN: {done.said}." in done.text


def test_what_is_wrong_is_not_proven_in_a_short_time(tmp_path):
    right, wrong = WRONG["with slope="]
    assert proof(RIGHT.replace(right, wrong), tmp_path, budget=SHORT).status == "no verdict"


def test_an_interrupt_leaves_what_is_known(units):
    ports = port_all([*units, *units], how=Checking(dtypes=["float64"]), on_check=interrupting(10))
    assert ports.exit_code == 130
    (done,) = ports.ports
    assert done.status == "not proven"
    assert done.said.startswith("it was interrupted; what was compared, and is the same: adjoint, ")
    assert json.loads(ports.to_json())["gradients"][0]["said"] == done.said


def test_an_interrupt_among_the_other_ways_is_no_proof(tmp_path):
    totals = []
    found = proof(RIGHT, tmp_path, on_check=lambda done, total: totals.append((done, total)))
    assert found.status == "proven"
    last = max(n for n, (done, total) in enumerate(totals) if done == 1)  # the first check of the other ways
    seen = iter(range(len(totals)))

    def on_check(*_):
        if next(seen) == last:
            raise KeyboardInterrupt

    found = proof(RIGHT, tmp_path, on_check=on_check)
    assert (found.status, found.interrupted) == ("no verdict", True)
    assert found.said.startswith("it was interrupted where it is called in other ways; what was compared")
