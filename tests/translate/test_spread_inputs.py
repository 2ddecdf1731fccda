"""With which shapes a function is called where one of its inputs is broadcast to the others."""

import pytest

from porting import array
from porting.port.candidate_inputs import Attempt
from porting.port.spread import spread
from porting.port.ways import is_spread, topics_of
from porting.translate.abstract_value import TENSOR
from porting.translate.argument import Argument


def ways(shapes, *constant, given=()):
    arguments = [Argument(name, TENSOR, name not in constant) for name in shapes]
    found = spread(Attempt({n: array(shape) for n, shape in shapes.items()}, {}), arguments, given)
    return {said: {n: x.shape for n, x in way.inputs.items()} for said, way in found}


def test_each_input_has_fewer_axes_in_turn():
    shapes = {"x": (...,), "v": (...,), "w": (...,)}
    assert ways(shapes) == {
        f"with fewer axes of {n}": {m: ("k",) if m == n else ("n", "k") for m in shapes} for n in shapes
    }


def test_so_has_one_without_gradient_and_the_first_axis_too():
    assert ways({"x": (...,), "a": (...,), "b": (...,)}, "a", "b") == {
        "with fewer axes of b": {"x": ("n", "k"), "a": ("n", "k"), "b": ("k",)},
        "with fewer axes of a": {"x": ("n", "k"), "a": ("k",), "b": ("n", "k")},
        "with fewer axes of x": {"x": ("k",), "a": ("n", "k"), "b": ("n", "k")},
        "with fewer axes of a and b": {"x": ("n", "k"), "a": ("n",), "b": ("n",)},
    }


def test_of_known_shapes_those_that_others_may_be_larger_than_are_narrow():
    linear = {"x": ("n", "n"), "w": ("n", "n"), "b": ("n",)}
    assert ways(linear) == {"with one number along an axis of b": {**linear, "b": (1,)}}
    masked = {"w": ("n", "n"), "mask": ("n", "n")}
    assert ways(masked, "mask") == {"with one number along an axis of w": {**masked, "w": (1, "n")}}


@pytest.mark.parametrize(
    ("shapes", "constant", "given"),
    [
        ({"x": (...,)}, (), ()),
        ({"x": (...,), "w": (...,)}, ("x", "w"), ()),
        ({"x": (...,), "w": (...,)}, (), ("w",)),
        ({"x": ("n", "n"), "w": ("n", "n")}, (), ()),
        ({"x": ("n", "n"), "b": (1,)}, (), ()),
        ({"x": ("n", "n"), "b": ("n",)}, (), ("b",)),
    ],
)
def test_others_are_called_in_no_other_way(shapes, constant, given):
    assert ways(shapes, *constant, given=given) == {}


def test_a_way_says_which_inputs_a_translation_sums_for():
    assert is_spread("with fewer axes of a and b")
    assert topics_of("with fewer axes of a and b") == {"broadcast a", "broadcast b"}
    assert topics_of("with one number along an axis of b") == {"broadcast b"}
    assert not is_spread("with b=2")
