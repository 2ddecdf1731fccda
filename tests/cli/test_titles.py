"""The title of the table says what each side was compared with, and in which type."""

from types import SimpleNamespace

import pytest

from porting.cli.asked import _title

ASKED = SimpleNamespace(against=None, like=None, names=[], oracle=None)


def of(own=9, **compared):
    results = [SimpleNamespace(dtype=dtype, compared=count, check="vjp") for dtype, count in compared.items()]
    results += [SimpleNamespace(dtype="float32", compared=own, check="adjoint")]
    return SimpleNamespace(described=["f(x[...])"], results=results)


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (of(float32=9, float64=9), "in float64, and against its own forward"),
        (of(float32=9, float64=0), "in the widest type that it takes, and against its own forward"),
        (of(float32=9), "in the widest type that it takes, and against its own forward"),
        (of(own=0, float64=9), "in float64"),
        (of(own=0, float32=9), "in the widest type that it takes"),
    ],
    ids=["both", "one type alone is taken", "one is asked for", "no law", "neither"],
)
def test_what_was_compared_is_said(report, said):
    assert _title(ASKED, report).endswith(f"against the other one {said}")
