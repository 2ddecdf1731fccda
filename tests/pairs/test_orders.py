"""What is claimed of a second derivative and of a kink is judged as users mean it."""

import numpy as np
import pytest

import porting
from porting import check
from porting.contract import Contract
from porting.pairs.array import array
from porting.pairs.pair import Pair

torch = pytest.importorskip("torch")
from torch.autograd.function import once_differentiable  # noqa: E402 - where PyTorch is not installed


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, dy):
        return 3 * ctx.saved_tensors[0] ** 2 * dy


class CubeOnce(Cube):
    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        return 3 * ctx.saved_tensors[0] ** 2 * dy


class CubeDetached(Cube):
    @staticmethod
    def backward(ctx, dy):
        return 3 * ctx.saved_tensors[0].detach() ** 2 * dy.detach()


@pytest.mark.parametrize(
    ("side", "order", "status"),
    [(CubeOnce, 1, "agree"), (CubeOnce, 2, "note"), (CubeDetached, 1, ""), (Cube, 1, "")],
)
@pytest.mark.parametrize("strict", [False, True])
def test_once_differentiable_refuses_a_second_derivative(side, order, status, strict):
    """What is not promised need not be refused by other people's functions, and may be; `strict` counts both."""
    pair = Pair(torch=side.apply, name="cube", inputs={"x": array((3,))}, contract=Contract(order=order))
    (result,) = check(pair, only=["second_order"], dtypes=["float64"], strict=strict).results
    counted = "differ" if strict and status != "agree" else status
    assert result.status == (counted or "not applicable"), str(result)


def op_of(power):
    @porting.op
    def steep(x):
        return np.abs(x) ** power

    @steep.defvjp
    def rule(dy, y, x):
        return dy * power * np.abs(x) ** (power - 1) * np.sign(x)

    return steep


@pytest.mark.parametrize(("power", "kinks"), [(1.0, 1), (1.2, 0), (1.5, 0), (2.0, 0)])
def test_a_slope_that_is_steep_beside_a_point_is_no_kink(power, kinks):
    report = check(op_of(power), runners=["oracle"], only=["gradient_of"], dtypes=["float64"])
    codes = [finding.code for result in report.results for finding in result.findings]
    assert codes.count("undeclared_kink") == kinks


class Noisy(Cube):
    """Sums in another order each time, as atomics on a GPU do: the last bits are not the same."""

    turn = 0

    @staticmethod
    def backward(ctx, dy):
        Noisy.turn += 1
        return 3 * ctx.saved_tensors[0] ** 2 * dy * (1 + 2.0**-51 * (Noisy.turn % 3))


class Wandering(Cube):
    turn = 0

    @staticmethod
    def backward(ctx, dy):
        Wandering.turn += 1
        return 3 * ctx.saved_tensors[0] ** 2 * dy * (1 + 1e-6 * (Wandering.turn % 3))


@pytest.mark.parametrize(("side", "status"), [(Noisy, "agree"), (Wandering, "differ")])
def test_the_last_bits_of_a_raw_gradient_may_differ_from_call_to_call(side, status):
    @porting.op
    def cube(x):
        return x**3

    cube.defvjp(lambda dy, y, x: 3 * x**2 * dy)
    report = check(cube.bind(torch=side.apply), runners=["torch"], only=["raw_gradient"], dtypes=["float64"])
    (result,) = report.results
    assert result.status == status, str(result)


class Rounded(Cube):
    """Rounds at random what it saves; the gradient that the framework asks for may be of another call."""

    @staticmethod
    def backward(ctx, dy):
        return 3 * ctx.saved_tensors[0] ** 2 * dy * (1 + 1e-3 * torch.rand(1).item())


def test_a_raw_gradient_of_another_draw_is_no_difference():
    @porting.op
    def cube(x):
        return x**3

    cube.defvjp(lambda dy, y, x: 3 * x**2 * dy)
    bound = cube.bind(torch=Rounded.apply)
    report = check(bound, runners=["torch"], only=["raw_gradient", "repeated"], dtypes=["float64"])
    found = {r.check: r.status for r in report.results}
    assert found["raw_gradient"] != "differ", str(report)
    assert found["repeated"] == "differ", str(report)
