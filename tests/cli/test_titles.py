"""The title of the table says what each side was compared with, and in which type."""

from types import SimpleNamespace

import pytest

from porting.cli.asked import _title

ASKED = SimpleNamespace(against=None, like=None, names=[], oracle=None)


def of(**compared):
    results = [SimpleNamespace(dtype=dtype, compared=count) for dtype, count in compared.items()]
    return SimpleNamespace(described=["f(x[...])"], results=results)


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (of(float32=9, float64=9), "in float64"),
        (of(float32=9, float64=0), "in the widest type that it takes"),
        (of(float32=9), "in the widest type that it takes"),
    ],
    ids=["both", "one type alone is taken", "one is asked for"],
)
def test_the_type_is_one_in_which_something_was_compared(report, said):
    assert f"the other one {said}, and against its own forward" in _title(ASKED, report)
