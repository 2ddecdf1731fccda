"""Modules and layers are sides with their parameters: drawn, compared, differentiated."""

import sys

import numpy as np
import pytest

import porting
from porting import Pair, array
from porting.errors import PairError, PortingError
from porting.runners import Case

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

from porting.backends.tf.arrays import specs  # noqa: E402
from porting.selftest.pairs.modules import ChannelGain, FastLinear, GainLayer, LinearModule, linear  # noqa: E402

X = {"x": array(("n", 4))}
EVERYDAY = ["value", "vjp", "adjoint"]


def gain(x, gain):
    return gain * x + gain**2


def statuses(report, check=""):
    return {r.status for r in report.results if check in r.check}


ALONE = {
    "nn.Module": (lambda factor: {"torch": FastLinear(4, 3, of_weight=factor)}, "weight"),
    "Keras layer": (lambda factor: {"tf": GainLayer(factor)}, "gain"),
    "tf.Module": (lambda factor: {"tf": LinearModule(4, 2, factor)}, "bias"),
}


@pytest.mark.parametrize("kind", ALONE)
@pytest.mark.slow
def test_a_gradient_of_a_parameter_that_is_three_times_too_large_is_found_on_a_side_alone(kind):
    side, _ = ALONE[kind]
    right = porting.check(Pair(**side(1.0), inputs=X), dtypes=["float64"], only=EVERYDAY)
    assert right.exit_code == 0, str(right)
    wrong = porting.check(Pair(**side(3.0), inputs=X), dtypes=["float64"], only=EVERYDAY, strict=True)
    assert statuses(wrong, "adjoint") == {"differ"}


@pytest.mark.parametrize("kind", ALONE)
def test_beside_another_side_it_is_a_constant_factor(kind):
    side, name = ALONE[kind]
    given = side(3.0)
    other = {"tf": LinearModule(4, 3)} if "torch" in given else {"torch": gain if name == "gain" else linear}
    report = porting.check(Pair(**given, **other, inputs=X), dtypes=["float64"], only=EVERYDAY)
    named = {(d.runner, d.cause) for d in report.diagnoses}
    assert (next(iter(given)), "constant_factor") in named, str(report)
    assert {f.fields["name"] for r in report.results for f in r.findings if r.check == "vjp"} == {name}


def test_right_modules_are_accused_of_nothing():
    pair = Pair(torch=FastLinear(4, 3), tf=keras.layers.Dense(3), inputs=X)
    asked = {*EVERYDAY, "second_order", "traced", "interleaved", "subsets", "layouts", "retained", "raw_gradient"}
    report = porting.check(pair, only=asked)
    assert report.exit_code == 0, str(report)
    assert {r.check for r in report.results if r.status == "agree"} == asked
    assert report.described == (
        "FastLinear(x[n, 4], weight[3, 4], bias[3])\n  parameters: tf:kernel = transposed torch:weight",
    )


@pytest.mark.slow
def test_a_layer_that_captures_its_weight_is_right_in_every_mode():
    pair, modes = Pair(tf=GainLayer(), torch=gain, inputs=X, reference="torch"), ["function", "xla"]
    report = porting.check(pair, modes=modes, dtypes=["float64"], only=[*EVERYDAY, "second_order", "subsets"])
    assert report.exit_code == 0, str(report)


def test_state_is_told_and_stays_what_it_was():
    module, layer = ChannelGain(4), keras.layers.BatchNormalization(momentum=0.5)
    report = porting.check(Pair(torch=module, inputs=X), dtypes=["float64"], only=EVERYDAY)
    assert report.exit_code == 0, str(report)
    assert "torch buffers, in training mode: running_mean (state, not compared)" in report.described[0]
    assert not module.running_mean.any()
    assert torch.equal(module.gain, torch.ones(4))
    layer.build((None, 4))
    pair = Pair(tf=layer, inputs=X, statics={"training": True})
    report = porting.check(pair, dtypes=["float64"], only=[*EVERYDAY, "repeated"])
    assert report.exit_code == 0, str(report)
    assert "tf non-trainable weights: moving_mean, moving_variance (state, not compared)" in report.described[0]
    assert not np.any(layer.moving_mean)


def test_frozen_parameters_are_state_and_shared_ones_are_one():
    module = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4))
    module[1].weight = module[0].weight
    module[1].bias.requires_grad_(requires_grad=False)
    pair = Pair(torch=module, inputs=X)
    assert pair.on("torch").inputs == ("x", "p0_weight", "p0_bias")
    lines = pair.described().splitlines()
    assert lines[1:] == [
        "  parameters: p0_weight = torch:0.weight, p0_bias = torch:0.bias",
        "  torch frozen parameters: 1.bias (state, not compared)",
    ]
    assert porting.check(pair, dtypes=["float64"], only=EVERYDAY).exit_code == 0


def test_convolutions_and_a_domain_of_a_parameter():
    module, layer = torch.nn.Conv2d(2, 5, (3, 2)), keras.layers.Conv2D(5, (3, 2), data_format="channels_first")
    inputs = {"x": array((2, 2, 6, 5)), "weight": array(domain=(1, 2))}
    pair = Pair(torch=module, tf=layer, inputs=inputs, name="conv")
    assert "tf:kernel = torch:weight with its axes in the order (2, 3, 1, 0)" in pair.described()
    assert pair.on("torch").contract.domain["weight"] == (1, 2)
    assert pair.on("torch").contract.shapes["weight"] == (5, 2, 3, 2)


def test_a_class_is_constructed_with_the_statics_that_it_takes():
    statics = {"inputs": 4, "outputs": 3, "units": 3}
    pair = Pair(torch=FastLinear, tf=keras.layers.Dense, inputs=X, statics=statics)
    assert pair.on("tf").inputs == ("x", "weight", "bias")
    assert dict(pair.on("tf").statics) == {}
    assert porting.check(pair, dtypes=["float64"], only=EVERYDAY).exit_code == 0


def test_parameters_are_matched_as_was_said():
    pair = Pair(torch=FastLinear(3, 3), tf=LinearModule(3, 3), inputs={"x": array(("n", 3))}, weights={"bias": "bias"})
    assert [w.own["tf"] for w in pair._ops.modules.weights] == [("weight", None), ("bias", None)]
    named = Pair(torch="m.py:A", tf="n.py:B", weights={"w": "k"})
    assert named.command.endswith("--weights torch:w=tf:k")


def made_of(in_channels, filters):
    return FastLinear(in_channels, filters)


def made_of_one(filters):
    return GainLayer()


class Plain:
    def apply(self, x):
        return x


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"torch": FastLinear}, r"FastLinear\(inputs, outputs, .*\) wants inputs, outputs.*--static inputs=4 --static"),
        ({"torch": FastLinear, "statics": {"inputs": 4, "outputs": "a"}}, r"FastLinear\(inputs=4, .*\) raised"),
        ({"torch": FastLinear(5, 3)}, r"called with x\[3, 4\] and raised RuntimeError.*--input x=float64\[SHAPE\]"),
        ({"tf": LinearModule(5, 3)}, r"called with x\[3, 4\] and raised .*--input x=float64\[SHAPE\]"),
        ({"tf": GainLayer()}, r"gain is \[4\] for x\[3, 4\] and \[5\] for x\[2, 5\]: say how long that axis is"),
        ({"torch": FastLinear(4, 3), "inputs": {**X, "kernel": array((4, 3))}}, "kernel is neither .* nor a param"),
        ({"torch": FastLinear(4, 3), "tf": GainLayer(), "inputs": X}, r"the same parameters(.|\n)*gain \[4\]"),
        ({"torch": FastLinear(4, 3), "inputs": X, "statics": {"depth": 2}}, "nor its forward has an argument depth"),
        ({"torch": GainLayer()}, "torch: GainLayer is a Keras layer; give it as the other side, --tf"),
        ({"torch": gain, "weights": {"a": "b"}}, "no side is a module or a layer with parameters"),
        ({"torch": made_of, "tf": made_of_one}, r"name what it makes, as file.py:f for f = made_of_one\("),
        ({"torch": Plain, "inputs": X}, r"or tf.Module: name an object, as file.py:f for f = Plain\("),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_what_cannot_be_called_is_told_with_what_to_type(given, said):
    pair = Pair(**given)
    with pytest.raises(PairError, match=said):
        pair.on(next(iter(pair.sides)))


def test_a_trace_for_any_shape_keeps_the_lengths_that_are_fixed():
    op = Pair(tf=GainLayer(), inputs=X).on("tf")
    case = Case(op, "float64", {"x": np.zeros((3, 4)), "gain": np.zeros(4)}, (np.zeros((3, 4)),))
    inputs, dy, _ = specs(case)
    assert [spec.shape.as_list() for spec in (*inputs, *dy)] == [[None, 4], [4], [None, None]]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_variables_are_of_the_type_that_is_checked(dtype):
    for pair in (
        Pair(torch=gain, tf=GainLayer(), inputs=X),
        Pair(torch=FastLinear(4, 3), tf=LinearModule(4, 3), inputs=X),
    ):
        report = porting.check(pair, dtypes=[dtype], only=["value", "vjp"])
        assert report.exit_code == 0, str(report)
        held = pair.on("tf").twin("tf").held(dtype)
        assert {v.dtype.name for v in held.variables} == {dtype}


FILES = {
    "mine.py": "from porting.selftest.pairs.modules import FastLinear, LinearModule\nwrong = FastLinear(4, 3, 3.0)\n",
}
RUNS = {
    "right": (["--static", "inputs=4", "--static", "outputs=3", "--torch", "mine.py:FastLinear"], 0, "weight[3, 4]"),
    "wrong": (["--torch", "mine.py:wrong"], 1, "constant_factor"),
    "nothing given": (["--torch", "mine.py:FastLinear"], 2, "--static inputs=4"),
    "no such parameter": (["--torch", "mine.py:wrong", "--weights", "torch:weigth=tf:weight"], 2, "has weight, bias"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_from_another_folder(name, tmp_path, warm):
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    options, code, said = RUNS[name]
    static = ["--static", "inputs=4", "--static", "outputs=3"] if name not in {"right", "nothing given"} else []
    command = ["check", *options, *static, "--tf", "mine.py:LinearModule", "--input", "x=float64[n,4]"]
    run = warm.run("porting", *command, "--dtype", "float64", "-k", "vjp", cwd=tmp_path)
    assert run.returncode == code, run.stderr + run.stdout
    assert said in run.stdout + run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.slow
def test_a_module_is_recorded_with_its_parameters(tmp_path):
    path = tmp_path / "linear.npz"
    statics = {"inputs": 4, "outputs": 3}
    recorded = Pair(torch=FastLinear, inputs=X, statics=statics, name="linear")
    porting.record(recorded, path, dtypes=["float64"], keyword="vjp")
    for factor, status in ((1.0, "agree"), (3.0, "differ")):
        pair = Pair(tf=LinearModule(4, 3, factor), against=path)
        report = porting.check(pair, dtypes=["float64"], keyword="vjp")
        assert statuses(report) - {"not applicable"} == {status}, str(report)


@pytest.mark.slow
def test_another_interpreter_says_that_it_would_not_compare_parameters():
    target = "porting.selftest.pairs.modules:FastLinear"
    pair = Pair(torch=target, inputs=X, statics={"inputs": 4, "outputs": 3}, python={"torch": sys.executable})
    with pytest.raises(PortingError, match="its parameters are compared in this interpreter only"):
        pair.on("torch")


class OfWidthFour(torch.nn.Module):
    """The first numbers that are tried have a width of 4 too."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2, 4))

    def forward(self, x):
        return x @ self.weight.t()


def test_a_width_that_fits_by_chance_is_no_arbitrary_one():
    report = porting.check(Pair(torch=OfWidthFour), dtypes=["float64"], only=EVERYDAY)
    assert "x[2, 5] and raised" in report.described[0]
    assert 'the same is --input "x=float64[n,4]")' in report.described[0]
    assert report.exit_code == 0, str(report)
