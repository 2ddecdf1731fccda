"""`torch_impl.exportable`: same values and gradients, which survive where PyTorch drops the gradient of a Function."""

import functools
import sys
from types import ModuleType

import pytest

pytest.importorskip("torch")

import torch
from functions import Module

import torch_impl
from torch_impl import exportable, forward_mode
from torch_impl.straight_through.ste_round import SteRoundFunction, ste_round


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of PyTorch's own code
def test_forward_mode_is_refused():
    x = torch.ones(2)
    for function in (Triple.apply, functools.partial(NeedsNothing.apply, x)):
        with torch.autograd.forward_ad.dual_level(), pytest.raises(RuntimeError, match="jvp"):
            exportable(function)(torch.autograd.forward_ad.make_dual(x, x))
    with pytest.raises(RuntimeError, match="jvp"):
        torch.func.jvp(exportable(by_apply), (x,), (x,))


def test_what_is_exportable_already_is_taken():
    x = torch.tensor([0.5, 1.5], requires_grad=True)
    once = exportable(by_apply)
    for again in (exportable(once), exportable(around(once)), exportable(exportable(Triple.apply))):
        assert torch.autograd.grad(torch.export.export(Module(again), (x,)).module()(x).sum(), x)[0].tolist() == [3, 3]


class Triple(torch.autograd.Function):
    """x with the gradient 3 dy."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.view_as(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy


class Old(torch.autograd.Function):
    """With a ctx: two outputs, one of them a mask; what it saves is drawn, computed, an input and an output."""

    @staticmethod
    def forward(ctx, x, sizes, name, kind, nothing):
        assert isinstance(sizes, tuple)
        assert nothing is None
        drawn = torch.rand_like(x)
        y = x * drawn
        mask = y > 0
        ctx.save_for_backward(x, drawn, y)
        ctx.mark_non_differentiable(mask)
        ctx.factor = sizes[0]
        ctx.shape = x.shape
        return y, mask

    @staticmethod
    def backward(ctx, dy, dmask):
        x, drawn, y = ctx.saved_tensors
        assert ctx.shape == x.shape
        return ctx.factor * dy * drawn + 0 * y, None, None, None, None


class NeedsNothing(torch.autograd.Function):
    """x1 + x2; the gradient is computed only where it is asked for."""

    @staticmethod
    def forward(ctx, x1, x2):
        ctx.set_materialize_grads(False)
        return x1 + x2

    @staticmethod
    def backward(ctx, dy):
        return tuple(5 * dy if needed else None for needed in ctx.needs_input_grad)


triple = Triple.apply
SCALE = 1.0


def by_apply(x):
    return triple(x)


def by_module(x):
    return SCALE * torch_impl.straight_through.ste_round(x)


def by_default(x, *, act=ste_round):
    return act(x)


def around(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@around
def by_wrapper(x):
    return Triple.apply(x)


def mutual(x, n=2):
    return mutual_too(x, n - 1) if n else Triple.apply(x)


def mutual_too(x, n=1):
    return mutual(x, n - 1) if n else Triple.apply(x)


def inside(x):
    return torch.stack([Triple.apply(v) for v in x.unbind()])


REACHED = [
    by_apply, by_wrapper, mutual, mutual_too, inside, functools.partial(by_apply), Triple.apply, around(by_apply),
]  # fmt: skip


@pytest.mark.parametrize("function", REACHED, ids=lambda f: getattr(f, "__name__", "partial"))
def test_a_function_is_reached_by_every_name(function):
    x = torch.tensor([0.5, 1.5], requires_grad=True)
    program = torch.export.export(Module(exportable(function)), (x,)).module()
    assert torch.autograd.grad(program(x).sum(), x)[0].tolist() == [3, 3]


def test_a_function_of_another_module_is_reached_and_globals_stay_alive(monkeypatch):
    x = torch.tensor([0.5, 1.5], requires_grad=True)
    form = exportable(by_module)
    monkeypatch.setattr(sys.modules[__name__], "SCALE", 7.0)
    program = torch.export.export(Module(form), (x,)).module()
    assert torch.autograd.grad(program(x).sum(), x)[0].tolist() == [7, 7]
    assert program(x).tolist() == [0, 14]


def test_what_is_not_called_is_as_it_was():
    before = dict(vars(sys.modules[__name__]))
    exportable(by_apply)
    exportable(by_apply)
    assert {name: before[name] for name in before} == {name: vars(sys.modules[__name__])[name] for name in before}
    assert by_apply.__code__.co_names == ("triple",)
    assert exportable(by_apply) is exportable(by_apply)


def test_an_old_forward_keeps_what_it_has_drawn_and_its_gradients():
    x = torch.rand(4, dtype=torch.float64, requires_grad=True)
    form = exportable(lambda x: Old.apply(x, (3, 4), "a", torch.float32, None))
    form(x)
    torch.manual_seed(0)
    want, mask = Old.apply(x, (3, 4), "a", torch.float32, None)
    torch.manual_seed(0)
    got, seen = form(x)
    assert torch.equal(got, want)
    assert torch.equal(seen, mask)
    assert not seen.requires_grad
    assert torch.equal(*(torch.autograd.grad(y.sum(), x)[0] for y in (got, want)))
    program = torch.export.export(Module(form), (x,)).module()
    y, _ = program(x)
    assert torch.allclose(torch.autograd.grad(y.sum(), x)[0], 3 * (y / x).detach())


def test_the_first_call_draws_no_number_more():
    class Noise(Triple):
        @staticmethod
        def forward(x):
            return x + torch.rand_like(x)

    torch.manual_seed(0)
    want = Noise.apply(torch.zeros(3))
    torch.manual_seed(0)
    assert torch.equal(exportable(Noise.apply)(torch.zeros(3)), want)


class Scaled(Triple):
    """scale x + shift, with three times its gradient."""

    @staticmethod
    def forward(x, scale=2.0, shift=0.0):
        return scale * x + shift

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.scale, _ = inputs

    @staticmethod
    def backward(ctx, dy):
        return 3 * ctx.scale * dy, None, None


class OldScaled(Scaled):
    """The old form."""

    setup_context = torch.autograd.Function.setup_context

    @staticmethod
    def forward(ctx, x, scale=2.0, shift=0.0):
        ctx.scale = scale
        return scale * x + shift


class ByName(Triple):
    @staticmethod
    def forward(x, *, scale):
        return scale * x


@pytest.mark.parametrize("form", [exportable, forward_mode], ids=lambda form: form.__name__)
@pytest.mark.parametrize("function", [Scaled, OldScaled])
def test_arguments_are_taken_by_name_and_by_default(function, form):
    calls = [((), {}), ((5.0,), {"shift": 1.0}), ((), {"scale": 5.0})]
    if function is Scaled:
        calls.append(((), {"shift": 1.0}))  # in the old form PyTorch refuses it
    elif form is forward_mode:
        calls = [((), {}), ((5.0,), {})]  # and names are refused
    for args, keywords in calls:
        found = []
        for apply in (function.apply, form(function.apply)):
            x = torch.ones(2, requires_grad=True)
            y = apply(x, *args, **keywords)
            found.append([*y.tolist(), *torch.autograd.grad(y.sum(), x)[0].tolist()])
        assert found[0] == found[1], (args, keywords)


def test_an_argument_that_can_be_given_by_name_only_is_refused():
    with pytest.raises(NotImplementedError, match="ByName: scale can be given by name only"):
        exportable(ByName.apply)(torch.ones(2), scale=2.0)


def test_a_gradient_that_nobody_needs_is_not_computed():
    x1, x2 = torch.ones(2, requires_grad=True), torch.ones(2)
    y = exportable(NeedsNothing.apply)(x1, x2)
    assert torch.autograd.grad(y.sum(), x1)[0].tolist() == [5, 5]


def test_two_functions_of_one_name_are_two_operations():
    def made(factor):
        class Twice(Triple):
            @staticmethod
            def backward(ctx, dy):
                return factor * dy

        return exportable(Twice.apply)

    x = torch.ones(1, requires_grad=True)
    assert [torch.autograd.grad(made(k)(x), x)[0].item() for k in (2, 5)] == [2, 5]


def test_a_mapped_gradient_is_kept_on_both_sides_of_the_map():
    x, form = torch.ones(3, 2), exportable(by_apply)
    inner = torch.func.vmap(torch.func.grad(lambda x: form(x).sum()))(x)
    outer = torch.func.grad(lambda x: torch.func.vmap(form)(x).sum())(x)
    assert inner.tolist() == outer.tolist() == [[3, 3]] * 3


class Dirty(Triple):
    """Overwrites its input."""

    @staticmethod
    def forward(x):
        return x.mul_(2)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])


class Silent(Triple):
    """Overwrites its input without a word."""

    @staticmethod
    def forward(x):
        return x.mul_(2) + 1


class Shape(Triple):
    """Returns something that is no tensor."""

    @staticmethod
    def forward(x):
        return x, x.shape


def plain(x):
    return x + 1


def mapping(x):
    return Triple.apply(x, {"a": 1})


class Ordinary(torch.nn.Module):
    def forward(self, x):
        return Triple.apply(x)


@pytest.mark.parametrize(
    ("function", "kind", "told"),
    [
        (plain, TypeError, "plain calls no torch.autograd.Function by a name"),
        (Ordinary(), TypeError, "a function that calls a torch.autograd.Function is wanted, got Ordinary"),
        (torch.round, TypeError, "is wanted, got builtin_function_or_method"),
        (ModuleType("m"), TypeError, "wanted, got module"),
    ],
)
def test_what_has_no_function_in_it_is_refused(function, kind, told):
    with pytest.raises(kind, match=told):
        exportable(function)


@pytest.mark.parametrize(
    ("function", "kind", "told"),
    [
        (Dirty, NotImplementedError, "overwrites an input"),
        (Silent, NotImplementedError, "overwrites an input"),
        (Shape, NotImplementedError, "Shape: an operation returns one tensor or a tuple of them"),
    ],
)
def test_what_an_operation_cannot_do_is_refused_when_it_is_called(function, kind, told):
    with pytest.raises(kind, match=told):
        exportable(function.apply)(torch.ones(2))


def test_an_argument_that_an_operation_cannot_have_is_refused():
    with pytest.raises(TypeError, match="takes tensors, numbers"):
        exportable(mapping)(torch.ones(2))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of PyTorch's own code
def test_a_first_call_that_is_compiled_is_right():
    torch.compiler.reset()
    x = torch.ones(2, requires_grad=True)
    y = torch.compile(exportable(by_wrapper))(x)
    assert torch.autograd.grad(y.sum(), x)[0].tolist() == [3, 3]


def test_the_stand_in_has_the_attributes_of_the_function():
    form = exportable(lambda x: SteRoundFunction.forward(x) + 0 * SteRoundFunction.apply(x))
    assert form(torch.tensor([0.7])).item() == 1


def test_a_name_that_is_a_global_and_an_attribute_is_refused():
    def both(x):
        return triple(x) + torch.triple(x)

    with pytest.raises(NotImplementedError, match="both: triple is a global there, and something else"):
        exportable(both)
