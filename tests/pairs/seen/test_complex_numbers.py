"""Complex numbers: compared as declared or by their parts, asked for where nobody declared them, with own causes.

Seen in code of public repositories.
"""

import numpy as np
import pytest
from everyday import causes, differing
from judged import accused, accused_by

import porting
from porting import Pair
from porting.diagnosis.example import Example
from porting.runners import Case

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

COMPLEX = {"z": porting.array(("n",), dtype="complex128")}


def turned(sign):
    class Turned(torch.autograd.Function):
        """1j * z, by its parts."""

        @staticmethod
        def forward(ctx, z):
            return torch.complex(-z.imag, z.real)

        @staticmethod
        def backward(ctx, dy):
            return torch.complex(dy.imag, -sign * dy.real)

    return Turned


@tf.custom_gradient
def turned_tf(z):
    value = tf.complex(-tf.math.imag(z), tf.math.real(z))
    return value, lambda dy: tf.complex(tf.math.imag(dy), -tf.math.real(dy))


@pytest.mark.slow
@pytest.mark.parametrize("sign", [1, -1])
def test_what_takes_complex_numbers_alone_is_asked_with_them(sign):
    found, report = accused(Pair(torch=turned(sign), tf=turned_tf, inputs=COMPLEX, reference="tf"))
    assert found == (set() if sign == 1 else {"torch"}), str(report)
    where = {r.check for r in report.results if r.status == "differ"}
    assert where <= {"complex_numbers"}, str(report)


@pytest.mark.parametrize("factor", [1.0, 0.5])
def test_a_magnitude_has_a_real_cotangent(factor):
    class Magnitude(torch.autograd.Function):
        @staticmethod
        def forward(ctx, z):
            ctx.save_for_backward(torch.angle(z))
            return z.abs()

        @staticmethod
        def backward(ctx, dy):
            (angle,) = ctx.saved_tensors
            return factor * torch.exp(1j * angle) * dy

    def magnitude(z):
        return tf.abs(z)

    pair = Pair(torch=Magnitude, tf=magnitude, inputs=COMPLEX, reference="tf")
    found, report = accused(pair, only=["complex_numbers"])
    assert found == (set() if factor == 1 else {"torch"}), str(report)
    assert "agree" in {r.status for r in report.results} or factor != 1


def turn(x):
    return torch.polar(torch.ones_like(x), x)


def turning(conjugate):
    @tf.custom_gradient
    def turn(x):
        y = tf.complex(tf.cos(x), tf.sin(x))
        return y, lambda dy: tf.math.real((tf.math.conj(y) if conjugate else y) * dy * tf.constant(-1j, dy.dtype))

    return turn


def plain_turn(x):
    return tf.complex(tf.cos(x), tf.sin(x))


@pytest.mark.slow
def test_complex_outputs_of_real_inputs_are_compared_by_their_parts():
    found, report = accused_by(Pair(torch=turn, tf=plain_turn))
    assert not found, str(report)
    assert report.exit_code == 0
    found, report = accused_by(Pair(torch=turn, tf=turning(conjugate=False), reference="torch"))
    assert ("tf", "vjp") in found, str(report)
    assert {who for who, _ in found} == {"tf"}, str(report)


def test_a_complex_output_is_sent_a_complex_cotangent():
    pair = Pair(
        torch=lambda x: x * x * x, tf=lambda x: x * x * x, inputs={"x": porting.array(("n",), dtype="complex128")}
    )
    report = porting.check(pair, only=["second_order"], dtypes=["float64"])
    assert [r.status for r in report.results] == ["agree", "agree"], str(report)


# Off by a number, and conjugated in two parts.


class Magnitude(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, by):
        ctx.save_for_backward(torch.angle(z))
        ctx.by = by
        return torch.abs(z)

    @staticmethod
    def backward(ctx, dy):
        (angle,) = ctx.saved_tensors
        return ctx.by * torch.exp(1j * angle) * dy, None


@pytest.mark.parametrize(("by", "first"), [(0.5, "constant_factor"), (-1, "wrong_sign"), (1, "")])
def test_a_gradient_for_complex_numbers_is_off_by_a_number(by, first):
    z = porting.array(dtype="complex128")
    pair = Pair(torch=lambda z: Magnitude.apply(z, by), tf=tf.abs, inputs={"z": z}, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "complex_numbers"])
    assert [d.cause for d in report.diagnoses if d.runner == "torch"][:1] == [first] * bool(first), str(report)


def test_a_conjugate_is_still_missing_where_no_number_is():
    @tf.custom_gradient
    def grown(z):
        return z * tf.exp(z), lambda dy: dy * (1 + z) * tf.exp(z)

    z = porting.array(dtype="complex128")
    pair = Pair(torch=lambda z: z * torch.exp(z), tf=grown, inputs={"z": z}, reference="torch")
    report = porting.check(pair, only=["value", "vjp", "complex_numbers"])
    assert causes(report, "tf") == ["missing_conjugate"], str(report)


class Cubed(torch.autograd.Function):
    """Takes complex numbers only; a power is wrong, and the conjugate is there, or not."""

    @staticmethod
    def forward(ctx, z, factor):
        ctx.save_for_backward(z)
        ctx.factor = factor
        return torch.complex(z.real, z.imag) ** 3

    @staticmethod
    def backward(ctx, dy):
        (z,) = ctx.saved_tensors
        return dy * ctx.factor(z), None


@pytest.mark.parametrize(
    ("factor", "first"),
    [
        (lambda z: 3 * z.conj() ** 2, ""),
        (lambda z: 3 * z.conj(), "forward_gradient_disagree"),
        (lambda z: 3 * z**2, "missing_conjugate"),
    ],
)
def test_of_a_side_for_complex_numbers_only_the_conjugate_is_missing_where_it_mends(factor, first):
    def cubed(z):
        return tf.complex(tf.math.real(z), tf.math.imag(z)) ** 3

    z = porting.array(dtype="complex128")
    pair = Pair(torch=lambda z: Cubed.apply(z, factor), tf=cubed, inputs={"z": z}, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "complex_numbers"])
    assert causes(report, "torch")[:1] == [first] * bool(first), str(report)


class Waves(torch.autograd.Function):
    """Complex amplitudes and real places; only the gradient of the places may lack a conjugate, or be another one."""

    @staticmethod
    def forward(ctx, source, points, factor):
        ctx.save_for_backward(source, points)
        ctx.factor = factor
        return torch.complex(source.real, source.imag) * torch.exp(1j * points)

    @staticmethod
    def backward(ctx, dy):
        source, points = ctx.saved_tensors
        wave = torch.exp(1j * points)
        return dy * wave.conj(), (ctx.factor(dy) * 1j * source * wave).real, None


@pytest.mark.parametrize(
    ("factor", "first"),
    [
        (lambda dy: dy.conj(), ""),
        (lambda dy: dy, "missing_conjugate"),
        (lambda dy: dy.conj() + dy, "forward_gradient_disagree"),
    ],
)
def test_a_conjugate_may_be_missing_in_the_gradient_of_one_input(factor, first):
    def waves(source, points):
        return tf.complex(tf.math.real(source), tf.math.imag(source)) * tf.exp(
            tf.complex(tf.zeros_like(points), points)
        )

    inputs = {"source": porting.array(("n",), dtype="complex128"), "points": porting.array(("n",))}
    torch_side = lambda source, points: Waves.apply(source, points, factor)  # noqa: E731 - a side
    pair = Pair(torch=torch_side, tf=waves, inputs=inputs, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "complex_numbers"])
    assert causes(report, "torch")[:1] == [first] * bool(first), str(report)


def parts(z):
    return z.real.clone(), z.imag.clone()


class Transformed(torch.autograd.Function):
    """Conjugates its cotangent once too often, in two parts."""

    @staticmethod
    def forward(ctx, re, im):
        return parts(torch.fft.fft(torch.complex(re, im)))

    @staticmethod
    def backward(ctx, dre, dim):
        re, im = parts(torch.fft.ifft(torch.complex(dre, -dim)) * dre.shape[-1])
        return re, -im


class Turned(torch.autograd.Function):
    """The sign of one gradient is wrong, whichever output it comes from."""

    @staticmethod
    def forward(ctx, re, im):
        return parts(torch.fft.fft(torch.complex(re, im)))

    @staticmethod
    def backward(ctx, dre, dim):
        re, im = parts(torch.fft.ifft(torch.complex(dre, dim)) * dre.shape[-1])
        return re, -im


def transformed(re, im):
    z = tf.signal.fft(tf.complex(re, im))
    return tf.math.real(z), tf.math.imag(z)


@pytest.mark.parametrize(("side", "first"), [(Transformed, "missing_conjugate"), (Turned, "wrong_sign")])
def test_a_conjugate_is_missing_in_two_parts(side, first):
    report = porting.check(Pair(torch=side, tf=transformed, reference="tf"), only=["value", "vjp"])
    assert causes(report, "torch")[0] == first, str(report)


# Complex numbers that nobody declared.


class NoConjugate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.saved_tensors[0].cos()


def noted(torch_side, tf_side, inputs=None, **asked):
    pair = Pair(torch=torch_side, tf=tf_side, inputs=inputs or {}, name="f")
    report = porting.check(pair, only=["vjp", "complex_numbers"], dtypes=["float32", "float64"], **asked)
    return report, [str(f) for r in report.results if r.status == "note" for f in r.findings]


def test_a_conjugate_that_lacks_is_noted_where_both_sides_take_complex_numbers():
    report, notes = noted(NoConjugate, tf.sin)
    assert report.exit_code == 0
    assert any('nobody declared: --input "x=complex128" does' in note for note in notes), notes
    assert noted(NoConjugate, tf.sin, strict=True)[0].exit_code == 1


class Conjugate(NoConjugate):
    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.saved_tensors[0].cos().conj()


@pytest.mark.parametrize(
    ("one", "other", "inputs"),
    [
        (Conjugate, tf.sin, None),
        (torch.relu, tf.nn.relu, None),  # refuse them
        (NoConjugate, tf.sin, {"x": porting.array(domain=(0.1, 1.0))}),  # said to be real
    ],
)
def test_nothing_is_noted_otherwise(one, other, inputs):
    report, notes = noted(one, other, inputs)
    assert not notes
    assert {r.status for r in report.results if r.check == "complex_numbers"} == {"not applicable"}


@tf.custom_gradient
def not_adjoint(z):
    return tf.signal.fft(z), tf.signal.fft


@tf.custom_gradient
def adjoint(z):
    return tf.signal.fft(z), lambda dy: tf.signal.ifft(dy) * tf.cast(tf.shape(dy)[-1], dy.dtype)


@pytest.mark.parametrize(("side", "found"), [(not_adjoint, {"complex_numbers"}), (adjoint, set())])
def test_where_real_numbers_are_refused_complex_ones_are_compared(side, found):
    report = porting.check(Pair(torch=torch.fft.fft, tf=side), dtypes=["float64"])
    assert {check for _, check in differing(report)} == found, str(report)
    assert ("tf" in {side for side, _ in differing(report)}) == bool(found), str(report)


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


def test_no_conjugate_is_missing_in_a_gradient_of_its_own_forward():
    @tf.custom_gradient
    def square(z):
        return z * z, lambda dy: 2 * z * dy

    def squared(z):
        return z * z

    report = porting.check(Pair(torch=squared, tf=square, inputs=COMPLEX), only=["complex_numbers"])
    assert causes(report, "tf")[0] == "missing_conjugate", str(report)
    assert not causes(report, "torch"), str(report)


# A gradient of a real input that is complex has another type than its input, whatever the other side has.


def fourier(x):
    return torch.fft.fft(x)


def fourier_tf(factor=1.0, real=False):
    @tf.custom_gradient
    def op(x):
        kind = tf.complex64 if x.dtype == tf.float32 else tf.complex128

        def grad(dy):
            dx = factor * tf.signal.ifft(dy) * tf.cast(tf.shape(dy)[-1], dy.dtype)
            return tf.math.real(dx) if real else dx

        return tf.signal.fft(tf.cast(x, kind)), grad

    return op


ROWS = {"inputs": {"x": porting.array((3, 4))}}
EACH = {"dtypes": ["float64"], "only": ["vjp", "raw_gradient", "coincidences"]}


def test_a_complex_gradient_of_a_real_input_is_the_fault_of_who_has_it():
    found, report = accused_by(Pair(torch=fourier, tf=fourier_tf(), **ROWS), **EACH)
    assert found == {("tf", check) for check in EACH["only"]}, str(report)
    assert {f.code for r in report.results for f in r.findings} == {"dtype_differs"}, str(report)
    assert causes(report, "tf") == ["wrong_dtype"], str(report)
    assert {d.kind for d in report.diagnoses} == {"fault"}


@pytest.mark.parametrize("real", [True, False])
def test_its_real_part_is_compared_all_the_same(real):
    found, report = accused_by(Pair(torch=fourier, tf=fourier_tf(2.0, real), **ROWS), **EACH)
    assert {("torch", "vjp"), ("tf", "vjp")} <= found, str(report)
    said = {(r.runner, f.code) for r in report.results for f in r.findings if r.check == "vjp"}
    assert said == {("torch", "differs"), ("tf", "differs")} | (set() if real else {("tf", "dtype_differs")})
    assert "constant_factor" in causes(report, "tf"), str(report)


def test_a_complex_number_beside_a_real_one_is_shown_whole():
    """Numbers that look equal are no evidence."""
    want = np.array([2.0 + 3.0j])
    example = Example(Case(op=None, dtype="float64", inputs={}), {"z": want.real}, {"z": want}, {"z": np.zeros(1)})
    assert example.worst == "dz = 2, should be 2+3j"
