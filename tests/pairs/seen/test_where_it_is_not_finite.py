"""The number at which a gradient is not finite is told, where it is an ordinary one too.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, WIDEST

import porting
from porting import Pair

torch = pytest.importorskip("torch")
from functions import function  # noqa: E402 - needs PyTorch


@pytest.mark.parametrize("negative", [True, False])
def test_it_is_the_number_itself_and_not_the_one_beside_it(negative):
    def gradient(dy, x):
        return dy * (x + 1e-3 if negative else x.abs() + 1e-3).rsqrt()

    pair = Pair(torch=function(lambda x: x.sign() * x.abs().sqrt(), gradient), inputs=ANY)
    report = porting.check(pair, **WIDEST, only=["finite"])
    numbers = {f.fields["number"] for r in report.results for f in r.findings if f.code == "not_finite"}
    assert all(number < 0 for number in numbers), str(report)
    assert bool(numbers) == negative, str(report)
