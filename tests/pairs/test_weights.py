"""Which parameter is which: by name, by order and shape, by hand. No framework is needed for that."""

import pytest

from porting.errors import PairError
from porting.pairs.parse import parse_weights
from porting.pairs.weights import Listed, Parameter, described, identifier, weights_of


def side(key, **shapes):
    return Listed(key, key.title(), tuple(Parameter(name.replace("__", "."), s) for name, s in shapes.items()))


def found(*sides, said=(), taken=("x",)):
    return weights_of(sides, dict(said), taken)


def own(weights, key):
    return [weight.own[key] for weight in weights]


@pytest.mark.parametrize(
    ("name", "written"), [("weight", "weight"), ("0.weight", "p0_weight"), ("a/b", "a_b"), ("in", "pin")]
)
def test_an_input_has_a_name_that_an_argument_can_have(name, written):
    assert identifier(name) == written


def test_the_same_name_is_the_same_parameter_in_any_order():
    weights = found(side("torch", weight=(3, 4), bias=(3,)), side("tf", bias=(3,), weight=(3, 4)))
    assert [w.name for w in weights] == ["weight", "bias"]
    assert own(weights, "tf") == [("weight", None), ("bias", None)]
    assert described(weights) == []


def test_a_kernel_of_keras_is_the_transposed_weight():
    weights = found(side("torch", weight=(3, 4), bias=(3,)), side("tf", kernel=(4, 3), bias=(3,)))
    assert own(weights, "tf") == [("kernel", (1, 0)), ("bias", None)]
    assert described(weights) == ["tf:kernel = transposed torch:weight"]


def test_a_square_kernel_is_transposed_too_and_a_weight_is_not():
    assert own(found(side("torch", weight=(4, 4)), side("tf", kernel=(4, 4))), "tf") == [("kernel", (1, 0))]
    assert own(found(side("torch", weight=(4, 4)), side("tf", w=(4, 4))), "tf") == [("w", None)]


@pytest.mark.parametrize(
    ("weight", "kernel", "axes"),
    [
        ((6, 2, 3), (3, 2, 6), (2, 1, 0)),
        ((6, 2, 3, 5), (3, 5, 2, 6), (2, 3, 1, 0)),
        ((6, 1, 3, 5), (3, 5, 6, 1), (2, 3, 0, 1)),
    ],
    ids=["over one axis", "over two", "depthwise"],
)  # fmt: skip
def test_convolutions(weight, kernel, axes):
    assert own(found(side("torch", weight=weight), side("tf", kernel=kernel)), "tf") == [("kernel", axes)]


def test_two_layers_are_matched_in_their_order_although_the_shapes_would_fit_otherwise():
    torch = side("torch", a__weight=(8, 4), b__weight=(4, 8))
    weights = found(torch, side("tf", a__kernel=(4, 8), b__kernel=(8, 4)))
    assert own(weights, "tf") == [("a.kernel", (1, 0)), ("b.kernel", (1, 0))]
    assert weights[0].name == "a_weight"


def test_shapes_decide_where_the_order_is_another_one():
    weights = found(side("torch", weight=(3, 4), bias=(3,)), side("tf", b=(3,), w=(3, 4)))
    assert own(weights, "tf") == [("w", None), ("b", None)]


def test_what_was_said_goes_before_all_else():
    torch, tf = side("torch", scale=(3,), shift=(3,)), side("tf", beta=(3,), gamma=(3,))
    assert own(found(torch, tf), "tf") == [("beta", None), ("gamma", None)]
    weights = found(torch, tf, said={"scale": "gamma"})
    assert own(weights, "tf") == [("gamma", None), ("beta", None)]


def test_an_argument_of_a_function_has_the_shape_of_the_parameter():
    weights = found(side("torch", w=None), side("tf", kernel=(4, 3)))
    assert (weights[0].name, weights[0].shape) == ("w", (4, 3))


def test_the_weight_of_a_function_has_the_axes_of_pytorch():
    (weight,) = found(side("torch", weight=None), side("tf", kernel=(3, 5, 2, 6)))
    assert (weight.shape, weight.own["tf"]) == ((6, 2, 3, 5), ("kernel", (2, 3, 1, 0)))


def test_a_parameter_that_is_called_like_an_input_gets_another_name():
    assert found(side("torch", x=(3,)))[0].name == "x_"


@pytest.mark.parametrize(
    ("tf", "said", "message"),
    [
        ({"kernel": (4, 3)}, {}, r"for bias \[3\]\n  torch Torch +tf Tf\n  weight \[3, 4\] +kernel \[4, 3\]"),
        ({"kernel": (4, 3), "bias": (3,), "g": ()}, {}, r"torch has nothing for g \[\]"),
        ({"kernel": (4, 5), "bias": (3,)}, {}, r"nothing for weight \[3, 4\](.|\n)*kernel \[4, 5\](.|\n)*--weights"),
        ({"kernel": (4, 3), "bias": (3,)}, {"weight": "bias"}, r"weight \[3, 4\] does not fit bias \[3\]"),
        ({"kernel": (4, 3), "bias": (3,)}, {"weight": "krenel"}, "tf has no parameter krenel; Tf has kernel, bias"),
        ({"kernel": (4, 3), "bias": (3,)}, {"wait": "kernel"}, "torch has no parameter wait; Torch has weight, bias"),
    ],
    ids=["too few", "too many", "another shape", "said so", "no such kernel", "no such weight"],
)  # fmt: skip
def test_what_does_not_match_is_shown_side_by_side(tf, said, message):
    with pytest.raises(PairError, match=message):
        found(side("torch", weight=(3, 4), bias=(3,)), side("tf", **tf), said=said)


def test_one_parameter_is_not_two():
    with pytest.raises(PairError, match="tf:bias is said to be two parameters"):
        found(side("torch", a=(3,), b=(3,)), side("tf", bias=(3,), c=(3,)), said={"a": "bias", "b": "bias"})


def test_weights_on_a_command_line():
    assert parse_weights("torch:weight=tf:kernel") == ("weight", "kernel")
    assert parse_weights("tf:kernel = torch:0.weight") == ("0.weight", "kernel")
    for wrong in ("weight=kernel", "torch:weight", "torch:weight=torch:kernel", "torch:=tf:kernel", ""):
        with pytest.raises(PairError, match="torch:NAME=tf:NAME is wanted"):
            parse_weights(wrong)


def test_a_bias_that_has_an_axis_of_length_1_more_is_the_same_one():
    torch, tf = side("torch", weight=(3, 4), bias=(3,)), side("tf", kernel=(4, 3), shift=(1, 3))
    weights = found(torch, tf)
    assert own(weights, "tf") == [("kernel", (1, 0)), ("shift", (-1, 0))]
    assert described(weights)[-1] == "tf:shift = torch:bias with other axes of length 1"
    assert own(found(tf, torch), "torch")[1] == ("bias", (1,))


def test_a_parameter_of_the_same_shape_goes_before_one_with_another_axis():
    weights = found(side("torch", a=(3,), c=(1, 3)), side("tf", one=(1, 3), two=(3,)))
    assert own(weights, "tf") == [("two", None), ("one", None)]


def test_what_is_missing_is_what_the_refusal_offers():
    with pytest.raises(PairError, match=r"--weights torch:bias=tf:shift,"):
        found(side("torch", weight=(3, 4), bias=(3,)), side("tf", kernel=(4, 3), shift=(5,)))
