"""What has changed between two measurements: ratios whose quartiles are apart."""

import pytest

from porting.bench.ratio import Spread
from porting.bench.result import Bench, Row
from porting.bench.since import lines


def bench(low, median, high, *, noisy=(), size=64):
    row = Row(
        "swish", "activation", "torch-eager", size, ratios={"floor": Spread(median, low, high)}, seconds={"twin": 1.0},
        noisy=dict.fromkeys(noisy, "noisy"),
    )  # fmt: skip
    return Bench((row,), {}, "", "float32")


def told(before, now):
    return list(lines(before.to_json(), now, "base-0001"))


@pytest.mark.parametrize(("now", "word"), [((2.1, 2.4, 2.6), "slower"), ((0.5, 0.6, 0.8), "faster")])
def test_quartiles_that_are_apart_are_a_change(now, word):
    first, last = told(bench(1.0, 1.2, 1.4), bench(*now))[1:]
    assert first.startswith(f"  {word}: swish torch-eager at 64 elements: over the floor 1.20 → {now[1]:.2f} (")
    assert last == "  1 of 1 ratios have changed by more than their quartiles"


def test_quartiles_that_overlap_and_noise_are_none():
    assert told(bench(1.0, 1.2, 1.4), bench(1.3, 1.6, 1.9))[1:] == [
        "  0 of 1 ratios have changed by more than their quartiles"
    ]
    for before, now in (((), ("floor",)), (("floor",), ())):
        assert told(bench(1.0, 1.2, 1.4, noisy=before), bench(3.0, 3.2, 3.4, noisy=now))[1:] == [
            "  0 of 0 ratios have changed by more than their quartiles"
        ]


def test_other_rows_are_told():
    assert "1 rows were measured only then, 1 only now" in told(bench(1, 1, 1), bench(1, 1, 1, size=256))[1]


def test_another_file_is_refused():
    with pytest.raises(ValueError, match="not a run of porting bench"):
        list(lines('{"results": []}', bench(1, 1, 1), "base"))
