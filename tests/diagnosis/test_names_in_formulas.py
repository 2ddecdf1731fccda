"""A formula of x is told with the name of the input; the x of exp stays."""

import pytest

from porting.diagnosis.experiments import INNER
from porting.diagnosis.faults.missing_inner_derivative import _of


@pytest.mark.parametrize(("text", "said"), [("exp(x)", "exp(input)"), ("1 - x**2", "1 - input**2"), ("x", "input")])
def test_only_the_variable_is_another(text, said):
    assert _of(text, "input") == said


def test_every_formula_has_the_variable():
    assert all(_of(text, "other") != text for text in INNER)
