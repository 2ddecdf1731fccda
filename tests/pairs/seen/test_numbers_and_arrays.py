"""Whether an argument is a number or an array, where nobody said it: its name gives way to what the sides do.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, described, differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


def noisy(x, s, eps):
    """Noise that has the shape of the others: its gradient is not summed."""
    return function(lambda x, s, eps: x + s * eps, lambda dy, x, s, eps: (dy, dy * eps, dy * s))(x, s, eps)


@tf.custom_gradient
def noisy_tf(x, s, eps):
    return x + s * eps, lambda dy: (dy, dy * eps, dy * s)


def summed(x, s, eps):
    return x + s * eps


def test_a_number_by_its_name_is_an_array_where_all_sides_have_a_gradient_of_that_shape():
    report, line = described(Pair(torch=noisy, tf=noisy_tf))
    assert "eps[...]" in line, line
    assert {r.status for r in report.results} == {"agree"}, str(report)


def test_it_is_a_number_where_a_side_sums_its_gradient():
    report, line = described(Pair(torch=summed, tf=summed))
    assert "eps[]" in line, line
    assert not differing(report), str(report)


def test_one_side_that_does_not_sum_it_is_found():
    report, line = described(Pair(torch=summed, tf=noisy_tf))
    assert "eps[]" in line, line
    assert causes(report, "tf")[0] in {"missing_reduction", "wrong_shape"}, str(report)
    assert not causes(report, "torch"), str(report)


def alike_and_a_number(x, pivot, clip):
    assert x.shape == pivot.shape
    assert clip.dim() == 0
    return (x - pivot) * clip


def test_arrays_of_one_shape_beside_a_number_are_tried():
    _, line = described(Pair(torch=alike_and_a_number, tf=lambda x, pivot, clip: (x - pivot) * clip))
    assert "(x[n, k], pivot[n, k], clip[])" in line, line
    assert "no array" not in line, line


def of_numbers(x, z):
    assert x.dim() == z.dim() == 0
    return torch.sin(x) * z


def test_that_no_array_is_compared_is_said():
    report, line = described(Pair(torch=of_numbers, tf=lambda x, z: tf.sin(x) * z))
    assert "(x[], z[])" in line, line
    assert "no array is compared" in line, line
    assert not differing(report), str(report)


# What an error says of the axes that are wanted, whoever raises it.


def in_its_own_words(x, w):
    raise ValueError("such a thing is not taken")


def in_axes(x, w):
    raise ValueError("Expected input 0 to have rank 3 but got: 2")


def test_the_example_has_as_many_axes_as_any_side_asks_for():
    for one, other in ((in_its_own_words, in_axes), (in_axes, in_its_own_words)):
        report = porting.check(Pair(torch=one, tf=other), dtypes=["float64"], only=["value"])
        notes = " ".join(r.note for r in report.results)
        assert '--input "x=float64[?,?,?]"' in notes, notes
        assert "float64[n,k]" not in notes, notes
