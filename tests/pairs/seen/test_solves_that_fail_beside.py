"""A side that raises beside the very numbers that it takes solves what is singular: its roundings break no law.

Seen in code of public repositories: an optimal transport whose backward has a Cholesky factor.
"""

import pytest
from everyday import WIDEST
from judged import accused_by

from porting import Pair
from porting.pairs.parse import parse_input

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

_COARSE = "def coarse(x):\n    return (1024 * x).round() / 1024\n"


def rounded(*, fails):
    def gradient(dy, x):
        if fails and (1024 * x != (1024 * x).round()).any():
            raise RuntimeError("the factorization could not be completed")
        return dy + 1e-9 * dy.abs()  # as the roundings of such a solve are

    return gradient


@pytest.mark.parametrize("fails", [True, False])
def test_its_roundings_break_no_law(fails, tmp_path):
    made = tmp_path / "coarse_numbers.py"
    made.write_text(_COARSE, encoding="utf-8")
    name, described = parse_input(f"x=float64[n,k]{{@{made}:coarse}}")
    pair = Pair(torch=function(lambda x: 1 * x, rounded(fails=fails)), tf=lambda x: 1 * x, inputs={name: described})
    found, report = accused_by(pair, **WIDEST, only=["linear"])
    assert (("torch", "linear") in found) == (not fails), str(report)
