"""The cause that is named first is one that explains the numbers: its fix, tried out, leaves nothing wrong."""

import numpy as np
import pytest

import porting
from porting.diagnosis.cause import causes
from porting.selftest import toys

torch = pytest.importorskip("torch")
from functions import function  # noqa: E402 - needs PyTorch


def named(op, twin):
    return [d.cause for d in porting.check(op.bind(torch=twin), runners=["torch"], dtypes=["float64"]).diagnoses]


def of_cube(backward):
    return named(toys.cube, function(lambda x: x**3, backward))


def without_the_tail(dy, x):
    dx, kept = (3 * x**2 * dy).reshape(-1), x.numel() // 4 * 4
    return torch.cat([dx[:kept], torch.zeros(x.numel() - kept, dtype=x.dtype)]).reshape(x.shape)


@pytest.mark.parametrize(
    ("backward", "cause"),
    [
        pytest.param(lambda dy, x: -3 * x**2 * dy, "wrong_sign", id="sign"),
        pytest.param(lambda dy, x: (1 + 3e-6) * 3 * x**2 * dy, "constant_factor", id="a factor near 1"),
        pytest.param(lambda dy, x: 3 * x**2 * dy + 1e-7, "not_linear", id="something small added"),
        pytest.param(lambda dy, x: (3 * x**2 * dy).float().double(), "precision_loss", id="float32 inside"),
        pytest.param(lambda dy, x: 3 * x**2 * dy * (1 + 0.5 * (x > 1)), "wrong_branch", id="a branch"),
        pytest.param(without_the_tail, "few_elements", id="three of seven"),
    ],
)
def test_it_explains_all_numbers(backward, cause):
    assert of_cube(backward)[0] == cause


@pytest.mark.parametrize(
    ("backward", "cause"),
    [
        pytest.param(lambda dy, x: x.sign() * 3 * x**2 * dy, "wrong_sign", id="the sign in places only"),
        pytest.param(lambda dy, x: 3 * x**2 * dy * (1 - torch.exp(-x * x)), "wrong_branch", id="it fades out"),
        pytest.param(lambda dy, x: 3 * x**2 * dy * (1 + torch.exp(5 * x - 20)), "precision_loss", id="it grows"),
    ],
)
def test_what_does_not_is_not_named(backward, cause):
    assert cause not in of_cube(backward)


def test_one_that_explains_a_part_comes_after_those_that_explain_all():
    def backward(dy, x):  # the sign, and the last element on top of it
        dx = -3 * x**2 * dy
        flat = dx.reshape(-1).clone()
        flat[-1:] *= 2
        return flat.reshape(dx.shape)

    found = porting.check(toys.cube.bind(torch=function(lambda x: x**3, backward)), runners=["torch"]).diagnoses
    sign = [d for d in found if d.cause == "wrong_sign"]
    assert not sign or "of what is wrong is then right" in sign[0].seen


def test_an_index_that_repeats_is_no_shared_state():
    def backward(dy, x, i):
        dx = torch.zeros_like(x)
        dx[i] = dy
        return dx, None

    assert named(toys.take_rows, function(lambda x, i: x[i], backward))[0] == "duplicate_index"


def test_elements_of_one_sample_do_not_mix_the_batch():
    def backward(dy, x):
        y = torch.softmax(x, -1)
        return y * (dy - (dy * y).mean(-1, keepdim=True))

    found = named(toys.softmax, function(lambda x: torch.softmax(x, -1), backward))
    assert found
    assert "mixes_batch" not in found


def test_a_tensor_kept_on_ctx_is_a_saved_intermediate():
    class Kept(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.slope = 3 * x**2
            return x**3

        @staticmethod
        def backward(ctx, dy):
            return dy * ctx.slope

    assert named(toys.cube, Kept.apply)[0] == "saved_intermediate"


def test_a_cause_of_a_note_is_not_told_for_something_else():
    pytest.importorskip("tensorflow")
    from spiking_pair import Spike, spike

    report = porting.check(porting.Pair(torch=Spike, tf=spike))
    assert [r.check for r in report.results if r.status == "differ"] == ["python_state"]
    (message,) = report.messages
    assert "(baked_python_value, fault)" in message
    assert "SLOPE" in message
    assert "forward_gradient_disagree" not in message


def test_a_repair_undoes_the_fault():
    rng = np.random.default_rng(0)
    want = {"x": rng.normal(size=5)}

    class At:
        example = None

    assert all(c.meant == "" or c.meant.endswith(".") for c in causes().values())
    repairs = {c.name: c.repair for c in causes().values() if c.repair}
    assert set(repairs) == {
        "wrong_sign",
        "constant_factor",
        "missing_inner_derivative",
        "swapped_gradients",
        "wrong_dtype",
        "not_linear",
        "wrong_shape",
        "wrong_value",
        "scaled_value",
        "missing_gradient",
        "zero_times_infinity",
    }
    from porting.diagnosis.example import Example

    At.example = Example(None, {"x": -want["x"]}, want, {"x": np.full(5, 1e-9)})
    np.testing.assert_array_equal(repairs["wrong_sign"](At, At.example)["x"], want["x"])
    At.example = Example(None, {"x": 7 * want["x"]}, want, {"x": np.full(5, 1e-9)})
    np.testing.assert_allclose(repairs["constant_factor"](At, At.example)["x"], want["x"], rtol=1e-12)
    At.example = Example(None, {"x": np.where(want["x"] > 0, np.nan, -want["x"])}, want, {"x": np.full(5, 1e-9)})
    put_in = repairs["zero_times_infinity"](At, At.example)["x"]  # a wrong number stays: it is another fault's
    np.testing.assert_array_equal(put_in, np.where(want["x"] > 0, want["x"], -want["x"]))
