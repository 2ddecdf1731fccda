"""What is wrong with a gradient for complex numbers is told as that for real ones: a number, a sign, the cotangent."""

import pytest

tf = pytest.importorskip("tensorflow")
torch = pytest.importorskip("torch")

import porting  # noqa: E402 - without both frameworks there is no pair
from porting import Pair  # noqa: E402

ASKED = {"only": ["value", "vjp", "adjoint", "complex_numbers"], "dtypes": ["float64"]}
COMPLEX = {"z": porting.array(("n", "k"), dtype="complex128")}


@tf.custom_gradient
def square(z):
    if not z.dtype.is_complex:
        raise TypeError("complex numbers are wanted")
    return z * z, lambda dy: 2 * tf.math.conj(z) * dy


def side(gradient):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, z):
            ctx.save_for_backward(z)
            return z * z

        @staticmethod
        def backward(ctx, dy):
            (z,) = ctx.saved_tensors
            return gradient(dy, z)

    return Square


def turned_in_a_column(dy, z):
    dz = 2 * z.conj() * dy
    return torch.cat([-dz[:, :1], dz[:, 1:]], -1)


@pytest.mark.parametrize(
    ("gradient", "cause", "seen"),
    [
        (lambda dy, z: 2 * z.conj() * dy, None, ""),
        (lambda dy, z: 3 * z.conj() * dy, "constant_factor", "is 1.5 times the true one for complex numbers"),
        (lambda dy, z: -2 * z.conj() * dy, "wrong_sign", "for complex numbers"),
        (turned_in_a_column, "wrong_sign", "elements for complex numbers"),
        (lambda dy, z: 2 * z.conj() + 0 * dy, "ignores_cotangent", "the same again for another cotangent"),
        (lambda dy, z: 2 * z * dy, "missing_conjugate", ""),
        (lambda dy, z: (2 * z.conj() + 1) * dy, "forward_gradient_disagree", ""),
    ],
)
def test_a_wrong_gradient_is_told_by_its_cause(gradient, cause, seen):
    pair = Pair(torch=side(gradient), tf=square, inputs=COMPLEX, reference="tf")
    report = porting.check(pair, **ASKED)
    found = [d for d in report.diagnoses if d.runner == "torch"]
    assert [d.cause for d in found][:1] == ([cause] if cause else []), str(report)
    assert not found or seen in found[0].seen, str(report)
    assert not [d for d in report.diagnoses if d.runner == "tf"], str(report)


def test_of_two_sides_each_has_its_own_number():
    report = porting.check(Pair(torch=side(lambda dy, z: 3 * z.conj() * dy), tf=square, inputs=COMPLEX), **ASKED)
    told = {d.runner: d.seen for d in report.diagnoses if d.cause == "constant_factor"}
    assert "is 1.5 times" in told["torch"], str(report)
    assert f"is {1 / 1.5:.12g} times" in told["tf"], str(report)


# A gradient that is 0 but for a few elements of each case.


def masked(factor):
    """Return what leaves the numbers beyond 1.2 alone, with a gradient that is a factor too large."""

    class Masked(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.relu(x.abs() - 1.2)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return factor(x) * dy * torch.sign(x) * (x.abs() > 1.2)

    return Masked


def shrunk(x):
    return torch.relu(x.abs() - 1.2)


def root(x):
    return torch.sqrt(torch.sum(x * x))


class RootByMean(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return root(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * x / torch.sqrt(torch.mean(x * x))


@pytest.mark.parametrize(
    ("factor", "told"), [(lambda x: 2, True), (lambda x: 1, False), (lambda x: 1 + x.abs(), False)]
)
def test_a_few_elements_of_each_case_have_a_factor_together(factor, told):
    pair = Pair(torch=masked(factor), like=shrunk, inputs={"x": porting.array(("n", "k"))})
    report = porting.check(pair, only=["vjp"], dtypes=["float64"])
    found = [d.seen for d in report.diagnoses if d.cause == "constant_factor"]
    assert bool(found) == told, str(report)


def test_the_root_of_a_length_is_told():
    report = porting.check(Pair(torch=RootByMean, like=root), only=["vjp"], dtypes=["float64"])
    (found,) = [d.seen for d in report.diagnoses if d.cause == "constant_factor"]
    assert found.startswith(f"gradient of x is {12**0.5:.12g} times the true one"), found
    assert found.endswith("(the square root of the number of elements)"), found
