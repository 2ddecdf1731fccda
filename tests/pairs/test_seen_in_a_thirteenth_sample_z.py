"""What people have and could not say, the thirteenth time; in its shape."""

from dataclasses import replace

import numpy as np
import pytest

import porting
from porting import Pair
from porting.errors import PairError
from porting.numeric.kinds import Kind

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def differing(report):
    return {(r.runner, r.check) for r in report.results if r.status == "differ"}


# A module with parameters whose output is complex is viewed as two reals, as a function is.


class Turned(torch.nn.Module):
    def __init__(self, n, factor=1.0):
        super().__init__()
        self.b = torch.nn.Parameter(torch.zeros(n))
        self.factor = factor

    def forward(self, z):
        b = self.b * self.factor + (self.b * (1 - self.factor)).detach()
        return (torch.abs(z) + b) * torch.exp(1j * torch.angle(z))


def turned(z, b):
    size, angle = tf.abs(z) + b, tf.math.angle(z)
    return tf.complex(size * tf.cos(angle), size * tf.sin(angle))


class TurnedLayer(tf.keras.layers.Layer):
    def __init__(self, n, **kwargs):
        super().__init__(autocast=False, **kwargs)
        self.b = self.add_weight(name="b", shape=(n,), initializer="zeros")

    def call(self, z):
        size = tf.abs(z)
        return turned(z, tf.cast(self.b, size.dtype))


@pytest.mark.parametrize("other", [turned, TurnedLayer])
@pytest.mark.parametrize("factor", [1.0, 0.5])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_a_module_of_complex_output_is_compared_by_its_parts(other, factor, dtype):
    pair = Pair(
        torch=Turned(4, factor),
        tf=other(4) if other is TurnedLayer else other,
        inputs={"z": porting.array(("n", 4), dtype=dtype)},
        reference="tf",
    )
    asked = ["value", "vjp", "second_order", "complex_numbers"]
    report = porting.check(pair, only=asked, dtypes=["float64"])
    found = differing(report)
    assert (("torch", "vjp") in found) is (factor != 1.0), str(report)
    assert (("torch", "complex_numbers") in found) is (factor != 1.0 and dtype == "complex128"), str(report)
    assert "raised" not in {f.code for r in report.results for f in r.findings}, str(report)
    if factor == 1.0:
        assert found == set(), str(report)
        answered = {r.runner for r in report.results if r.check == "complex_numbers" and r.status == "agree"}
        assert answered == ({"torch"} if dtype == "complex128" else set()), str(report)


# What takes complex numbers only is asked with them, although nobody says so.


def scaled_power(z, w):
    return torch.view_as_real(z).square().sum(-1) * w


def power_of(factor):
    @tf.custom_gradient
    def power(z, w):
        size = tf.math.real(z * tf.math.conj(z))

        def grad(dy):
            return tf.cast(factor * dy * w, z.dtype) * z, dy * size

        return size * w, grad

    return power


@pytest.mark.parametrize("factor", [2, 1])
def test_complex_numbers_are_tried_where_real_ones_are_refused(factor):
    pair = Pair(torch=scaled_power, tf=power_of(factor), reference="torch")
    found = pair.guess()
    assert found is not None
    assert {name: a.dtype for name, a in found.pair.inputs.items()} == {"z": "complex128", "w": "float64"}
    report = porting.check(found.pair, dtypes=["float64"], only=["value", "vjp", "complex_numbers"])
    assert not {runner for runner, _ in differing(report)} & {"torch"}, str(report)
    asked = {r.status for r in report.results if (r.runner, r.check) == ("tf", "complex_numbers")}
    assert asked == ({"agree"} if factor == 2 else {"differ"}), str(report)
    if factor != 2:
        causes = {d.cause for d in report.diagnoses}
        assert not causes & {"scalar_crash", "missing_conjugate"}, str(report)


def test_a_backward_that_forgets_its_real_part_is_no_function_of_complex_numbers():
    class Filtered(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return torch.fft.ifft(torch.fft.fft(x)).real

        @staticmethod
        def backward(ctx, dy):
            return torch.fft.ifft(torch.fft.fft(dy))

    pair = Pair(torch=Filtered, tf=lambda x: 1.0 * x)
    assert pair.guess() is None
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp"])
    assert ("torch", "vjp") in differing(report), str(report)


# A layer that is called with a list of arrays, and what takes them one by one.


class Neighbours(torch.nn.Module):
    def __init__(self, input_dim, units):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(input_dim, units))

    def forward(self, inputs):
        x, neighbours = inputs
        return (neighbours @ x) @ self.weight


class OneByOne(Neighbours):
    def forward(self, x, neighbours):
        return super().forward([x, neighbours])


def one_by_one(x, neighbours, weight):
    return (neighbours @ x) @ weight


class NeighboursLayer(tf.keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.weight = self.add_weight(name="weight", shape=(input_shape[0][-1], self.units))

    def call(self, inputs, training=None):
        return self.product(inputs[1], inputs[0])

    def product(self, neighbours, x):
        return tf.matmul(tf.matmul(neighbours, x), self.weight)


class WrongNeighbours(NeighboursLayer):
    def product(self, neighbours, x):
        return tf.matmul(tf.matmul(tf.stop_gradient(neighbours), x), self.weight)


@pytest.mark.parametrize("mine", [Neighbours, OneByOne])
@pytest.mark.parametrize("theirs", [NeighboursLayer, WrongNeighbours])
def test_a_layer_of_a_list_is_guessed_to_take_its_parts(mine, theirs):
    pair = Pair(torch=mine, tf=theirs, reference="torch")
    found = pair.guess()
    assert found is not None
    assert {given.part for given in found.pair.inputs.values()} == {"inputs.0", "inputs.1"}
    assert '--input "inputs.0=float64[n,4]" --input "inputs.1=float64[n,n]"' in found.flags
    assert "--static input_dim=4 --static units=3" in found.flags
    report = porting.check(found.pair, only=["value", "vjp", "linear", "traced", "keyword_call"], dtypes=["float64"])
    differs = differing(report)
    assert (("tf", "vjp") in differs) is (theirs is WrongNeighbours), str(report)
    assert theirs is WrongNeighbours or not differs, str(report)
    noted = {r.check for r in report.results if r.status == "note"}
    assert "keyword_call" not in noted, str(report)


def test_a_function_takes_the_parts_of_a_layers_list_one_by_one():
    inputs = {"inputs.0": porting.array(("n", 4)), "inputs.1": porting.array(("n", "n"))}
    pair = Pair(torch=one_by_one, tf=NeighboursLayer(3), inputs=inputs)
    report = porting.check(pair, only=["value", "vjp", "adjoint"], dtypes=["float64"])
    assert report.exit_code == 0, str(report)


def total(xs):
    a, b = xs
    return torch.sin(a) * b + (a @ b).sum()


@pytest.mark.parametrize("factor", [1, 2])
def test_a_function_of_a_list_is_compared_with_one_of_two_arguments(factor):
    @tf.custom_gradient
    def of_two(a, b):
        def grad(dy):
            whole = tf.reduce_sum(dy) * tf.ones_like(dy)
            da = dy * tf.cos(a) * b + tf.matmul(whole, b, transpose_b=True)
            return da, dy * tf.sin(a) + factor * tf.matmul(a, whole, transpose_a=True)

        return tf.sin(a) * b + tf.reduce_sum(tf.matmul(a, b)), grad

    found = Pair(torch=total, tf=of_two, reference="torch").guess()
    assert found is not None
    assert '--input "xs.0=float64[n,n]" --input "xs.1=float64[n,n]"' in found.flags
    report = porting.check(found.pair, only=["value", "vjp"], dtypes=["float64"])
    assert differing(report) == ({("tf", "vjp")} if factor != 1 else set()), str(report)


def test_what_takes_a_tensor_apart_along_its_first_axis_is_given_a_tensor():
    def rows(q):
        return q[0] * q[1]

    assert Pair(torch=rows, tf=rows).guess() is None


def test_what_a_constructor_wants_is_told_with_a_value():
    class Refusing(torch.nn.Module):
        def __init__(self, in_features, gain):
            super().__init__()
            raise ValueError

    with pytest.raises(PairError, match="for example --static in_features=4 --static gain=2"):
        porting.check(Pair(torch=Refusing))


# How many outputs there are may depend on the numbers of an input.


def summed(factor=1.0):
    class Summed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, ranks):
            kept = torch.cat([ranks[1:] != ranks[:-1], torch.ones(1, dtype=torch.bool)])
            y = x.cumsum(0)[kept]
            ctx.save_for_backward(kept)
            return torch.cat((y[:1], y[1:] - y[:-1]))

        @staticmethod
        def backward(ctx, dy):
            (kept,) = ctx.saved_tensors
            back = kept.int().cumsum(0) - kept.int()
            return factor * dy[back], None

    return Summed


def summed_tf(x, ranks):
    kept = tf.concat([ranks[1:] != ranks[:-1], [True]], 0)
    y = tf.boolean_mask(tf.cumsum(x), kept)
    return tf.concat([y[:1], y[1:] - y[:-1]], 0)


def in_twos(x):
    return np.floor(np.arange(x.size) / 2).reshape(x.shape)


RANKS = {
    "integers": porting.array(("n",), dtype="int64", domain=range(4)),
    "numbers": replace(porting.array(("n",)), kind=Kind("in twos", in_twos)),
}


@pytest.mark.parametrize(("factor", "ranks"), [(1.0, "integers"), (2.0, "integers"), (1.0, "numbers")])
def test_a_cotangent_has_the_shape_of_the_output_that_was_computed(factor, ranks):
    inputs = {"x": porting.array(("n", "k")), "ranks": RANKS[ranks]}
    pair = Pair(torch=summed(factor), tf=summed_tf, inputs=inputs)
    asked = ["vjp", "linear", "duplicates", "adjoint", "second_order"]
    report = porting.check(pair, only=asked, dtypes=["float64"])
    found = differing(report)
    assert {("torch", "vjp")} <= found if factor != 1.0 else not found, str(report)
    assert not {f.code for r in report.results for f in r.findings} & {"raised", "check_broke"}, str(report)
    assert not [r.note for r in report.results if "Mismatch" in r.note or "raised" in r.note], str(report)
    unsure = {r.check for r in report.results if r.status == "no verdict"}
    assert unsure <= (set() if ranks == "integers" else {"adjoint", "second_order"}), str(report)


# An iteration that waits for digits that float32 does not have.


ENDLESS = """
import torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.ones_like(x)
        while (y * y - x).abs().max() > 1e-13 * x.abs().max():
            y = (y + x / y) / 2
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        return FACTOR * dy / ctx.saved_tensors[0]
"""


@pytest.mark.parametrize("factor", [0.5, 1.0])
def test_what_does_not_come_back_in_float32_is_compared_in_float64(tmp_path, monkeypatch, factor):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roots.py").write_text(ENDLESS.replace("FACTOR", str(factor)))
    pair = Pair(torch="roots.py:Root", inputs={"x": porting.array(("n",), domain=(1.0, 4.0))})
    asked = ["value", "vjp", "raw_gradient", "repeated", "adjoint"]
    report = porting.check(pair, only=asked, timeout=4, isolate=True)
    late = {(r.status, r.dtype) for r in report.results for f in r.findings if f.code == "process_ended"}
    assert late == {("differ", "float32")}, str(report)
    wide = {r.check: r.status for r in report.results if r.dtype == "float64"}
    assert wide["adjoint"] == ("agree" if factor == 0.5 else "differ"), str(report)
    assert not [r.note for r in report.results if r.dtype == "float64" and "not tried" in r.note], str(report)
    left = [r.note for r in report.results if r.dtype == "float32" and "did not come back in float32" in r.note]
    assert left, str(report)


# What a compiler says is told once, without where in a graph it was.


def test_what_xla_cannot_compile_is_told_once():
    report = porting.check(Pair(tf=lambda x: tf.math.special.bessel_k0(tf.exp(x))), only=["xla"], dtypes=["float64"])
    text = str(report)
    assert text.count("Detected unsupported operations") == 1, text
    assert "XlaMustCompile" not in text, text
    assert "{{" not in text, text
    assert "BesselK0" in text, text
    assert any("XlaMustCompile" in f.fields["message"] for r in report.results for f in r.findings), text
