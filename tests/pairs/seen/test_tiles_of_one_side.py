"""A plain version has no tile sizes: what a fused one is given for them is no argument of the other side.

Seen in code of public repositories.
"""

import pytest
from everyday import WIDEST

import porting
from porting import Pair
from porting.errors import PairError

torch = pytest.importorskip("torch")


def fused(x, factor, bucket_size):
    assert bucket_size == 2
    return factor * torch.tanh(x)


def plain(x, factor):
    return factor * torch.tanh(x)


def plain_with_others(x, factor, tiles=3, rows=4):
    return factor * torch.tanh(x)


STATICS = {"factor": 3.0, "bucket_size": 2}


def test_it_is_given_to_the_side_that_takes_it():
    report = porting.check(Pair(torch=fused, like=plain, statics=STATICS), **WIDEST, only=["value", "vjp"])
    assert report.exit_code == 0, str(report)
    assert (
        "like: called without bucket_size, for which it has no place; it is given to torch alone" in report.described[0]
    )


@pytest.mark.parametrize("statics", [STATICS, {"factor": 3.0, "bucket_sizes": 2}], ids=["a place is left", "misspelt"])
def test_where_it_may_be_called_otherwise_it_is_refused(statics):
    other = plain_with_others if "bucket_size" in statics else plain
    with pytest.raises(PairError, match="bucket_size"):
        porting.check(Pair(torch=fused, like=other, statics=statics), **WIDEST, only=["value"])
