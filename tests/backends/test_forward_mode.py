"""`torch_impl.forward_mode`: tangents that are derived from the backward are the oracle's; or they are refused."""

import pytest

pytest.importorskip("torch")

import torch

from porting import check
from porting.registry import ops
from porting.survive.cell import cell
from torch_impl import exportable, forward_mode
from torch_impl.linalg.matrix_sqrt import matrix_sqrt
from torch_impl.straight_through.ste_round import SteRoundFunction

RANKS = {"all_gather", "all_reduce", "reduce_scatter"}  # their threads have no tangents
FORMS = {
    op.name: op.bind(torch=forward_mode(op.twin("torch")))
    for op in ops().values()
    if op.module.startswith("porting.oracle.") and op.name not in RANKS
}


@pytest.mark.parametrize("name", FORMS)
def test_every_twin_has_the_tangents_of_its_own_gradient(name):
    found = cell(FORMS[name], "torch", "jvp", 0)
    some = {"custom_squared_loss"}  # its gradient is not linear near the target, where no number was drawn
    assert found.fate == ("kept" if FORMS[name].contract.linear or name in some else "not applicable"), found


@pytest.mark.parametrize("name", [name for name, op in FORMS.items() if op.contract.linear])
def test_every_twin_has_the_tangents_of_the_oracle(name):
    (result,) = check(FORMS[name], runners=["torch"], only=["jvp"]).results
    assert result.status == "agree" or result.note == "integer inputs are not mapped", result


@pytest.mark.parametrize("name", FORMS)
def test_gradients_are_as_they_were(name):
    assert cell(FORMS[name], "torch", "checkpoint", 0).fate == "kept"


class Own(torch.autograd.Function):
    """2 x with the gradient 3 dy."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return 2 * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy


class Clipped(Own):
    """The gradient is clipped."""

    @staticmethod
    def backward(ctx, dy):
        return dy.clamp(-1, 1)


class Shifted(Own):
    """The gradient is dy + 1."""

    @staticmethod
    def backward(ctx, dy):
        return dy + 1


class Detached(Own):
    """The gradient is not differentiable by dy, as far as autograd knows."""

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy.detach()


class Written(Own):
    """It has a tangent of its own."""

    @staticmethod
    def jvp(ctx, tx):
        return 7 * tx


class Asks(Own):
    """x1 x2, a mask; each gradient is computed only where it is needed."""

    @staticmethod
    def forward(x1, x2):
        return x1 * x2, x1 > x2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.mark_non_differentiable(output[1])

    @staticmethod
    def backward(ctx, dy, dmask):
        x1, x2 = ctx.saved_tensors
        needed = ctx.needs_input_grad
        return 2 * dy * x2 if needed[0] else None, 5 * dy * x1 if needed[1] else None


class View(Own):
    """x itself."""

    @staticmethod
    def forward(x):
        return x.view_as(x)


def tangent(function, *x, along=0):
    def moved(one):
        return function(*x[:along], one, *x[along + 1 :])

    return torch.func.jvp(moved, (x[along],), (torch.ones_like(x[along]),))[1]


X = torch.tensor([0.5, -1.5])


@pytest.mark.parametrize(("function", "want"), [(Own, 3), (View, 3), (Written, 7)])
def test_the_tangent_is_that_of_the_gradient(function, want):
    assert tangent(forward_mode(function.apply), X).tolist() == [want, want]


@pytest.mark.parametrize("function", [Clipped, Shifted, Detached])
def test_a_backward_that_has_no_transpose_is_refused(function):
    with pytest.raises(NotImplementedError, match=f"{function.__name__}: its backward is not linear"):
        tangent(forward_mode(function.apply), X)


@pytest.mark.parametrize(("along", "want"), [(0, [4, 2]), (1, [2.5, -7.5])])
def test_a_gradient_is_asked_for_where_there_is_a_tangent(along, want):
    function = forward_mode(Asks.apply)
    ty = tangent(lambda *x: function(*x)[0], X, torch.tensor([2.0, 1.0]), along=along)
    assert ty.tolist() == want


def test_forward_mode_of_reverse_mode_is_right_and_of_forward_mode_is_refused():
    form = forward_mode(matrix_sqrt)
    a = torch.tensor([[2.0, 0.5], [0.5, 1.0]], dtype=torch.float64)
    want = torch.autograd.functional.hessian(lambda a: matrix_sqrt(a).sin().sum(), a)
    assert torch.allclose(torch.func.hessian(lambda a: form(a).sin().sum())(a), want)
    assert torch.allclose(torch.func.jacrev(torch.func.jacfwd(lambda a: form(a).sin().sum()))(a), want)
    with pytest.raises(NotImplementedError, match="forward mode of forward mode"):
        torch.func.jacfwd(torch.func.jacfwd(lambda a: form(a).sin().sum()))(a)


def test_a_sample_has_its_own_tangent():
    form = forward_mode(Own.apply)
    assert torch.equal(torch.func.jacfwd(form)(X), 3 * torch.eye(2))


def test_the_function_itself_has_no_forward_mode_and_both_forms_can_be_had_of_one():
    forward_mode(SteRoundFunction.apply)
    assert SteRoundFunction.jvp is torch.autograd.Function.jvp  # one that has it is left out of a compiled graph
    x = X.clone().requires_grad_()
    assert torch.autograd.grad(exportable(forward_mode(around))(x).sum(), x)[0].tolist() == [3, 3]


def around(x):
    return Own.apply(x)
