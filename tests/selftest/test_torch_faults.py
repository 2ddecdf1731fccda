"""The planted PyTorch faults are what they say: seen here without the checker, each in one way and no other."""

import gc
import weakref
from contextlib import contextmanager

import numpy as np
import pytest

from porting.selftest.planted import planted_faults, right_siblings, right_toys

torch = pytest.importorskip("torch")
forward_ad = pytest.importorskip("torch.autograd.forward_ad")
pytestmark = pytest.mark.filterwarnings("ignore:.torch.jit.script:DeprecationWarning")  # forward mode's own import

FAULTS = {fault.name: fault for fault in planted_faults("torch")}
RIGHT = {op.name: op for op in right_toys("torch")}
SIBLINGS = {sibling.name: sibling.op for sibling in right_siblings("torch")}
SIZES = {"n": 4, "m": 5, "k": 3}
SPECIAL = [0.0, -0.0, 1e-4, -1e-4, 3.0, 5.0, -5.0, 7.0, 30.0, -30.0, 95.0, 720.0, -720.0]


def state():
    return torch.get_default_dtype(), torch.is_grad_enabled(), torch.initial_seed()


def settings(op, exponent):
    """An exponent where there is one, and whatever else the contract has first."""
    return {name: exponent if name == "exponent" else of[0] for name, of in op.contract.statics.items()}


class Call:
    """One op on one set of inputs, with fixed cotangents."""

    def __init__(self, op, inputs, *, static=3, wrt=None):
        self.inputs = dict(zip(op.inputs, inputs, strict=True))
        for name in op.wrt if wrt is None else wrt:
            self.inputs[name].requires_grad_()
        self.leaves = [x for x in self.inputs.values() if x.requires_grad]
        with torch.enable_grad():
            self.before = state()
            y = op.twin("torch")(*self.inputs.values(), **settings(op, static))
            self.after = state()
        self.y = y if isinstance(y, tuple) else (y,)
        rng = torch.Generator().manual_seed(5)
        self.dy = [(3 * torch.randn(v.shape, generator=rng, dtype=torch.float64)).to(v.dtype) for v in self.y]

    def vjp(self, dy=None, *, only=None, **options):
        used = slice(None) if only is None else slice(only, only + 1)
        dy = self.dy if dy is None else dy
        return torch.autograd.grad(self.y[used], self.leaves, dy[used], allow_unused=True, **options)

    def second(self, first=1.0):
        dy = [v.requires_grad_() for v in self.dy]
        live = [g for g in self.vjp(create_graph=True) if g is not None and g.requires_grad]
        ddx = [torch.linspace(1, 2, g.numel(), dtype=g.dtype).reshape(g.shape) for g in live]
        for v in ddx:
            v.view(-1)[:1] *= first
        return torch.autograd.grad(live, [*dy, *self.leaves], ddx, allow_unused=True)

    def raw(self):
        """Shapes and types of what backward returns, before PyTorch repairs them."""
        with torch.no_grad():
            returned = self.y[0].grad_fn.apply(*self.dy)
        returned = returned if isinstance(returned, tuple) else (returned,)
        return [(g.shape, g.dtype) for g in [*self.y, *returned] if g is not None]


def draw(op, shape=(3, 4), *, dtype=torch.float64, scale=1.0, seed=0):
    """Inputs of the shapes that the contract asks for; an elementwise op takes any."""
    rng = torch.Generator().manual_seed(seed)

    def one(name):
        given = op.contract.shapes.get(name, shape)
        size = [SIZES.get(n, n) for n in ((*shape[:-1], *given[1:]) if given[:1] == (...,) else given)]
        if name not in op.wrt:
            return torch.randint(4, size, generator=rng)
        return (scale * torch.randn(size, generator=rng, dtype=torch.float64)).to(dtype)

    return [one(name) for name in op.inputs]


def elementwise(op):
    return not op.contract.shapes


def same(got, want, digits=10):
    """Equal to so many digits of the largest element; None is zero."""
    got, want = ([v.detach() if torch.is_tensor(v) else torch.zeros(()) for v in side] for side in (got, want))
    return len(got) == len(want) and all(
        (g.shape == w.shape or not w.any())
        and torch.allclose(g.double() if not g.is_complex() else g, w.to(g.dtype if g.is_complex() else torch.float64),
                           10.0**-digits, 10.0 ** (-digits - 2), equal_nan=True)
        for g, w in zip(got, want, strict=True)
    )  # fmt: skip


def agrees(op, ask, inputs=draw, **options):
    """Whether the wrong twin answers like the right one."""
    return same(ask(Call(op, inputs(op))), ask(Call(RIGHT[op.name], inputs(op))), **options)


def at_ranks(op, ask):
    shapes = [(3, 4), (7,), (2, 3, 4)] if elementwise(op) else [(3, 4), (4,), (2, 3, 4)]
    statics = not op.statics or same(*(ask(Call(o, draw(op), static=2)) for o in (op, RIGHT[op.name])))
    return statics and all(agrees(op, ask, lambda op, s=s: draw(op, s)) for s in shapes)


def special(op):
    return [torch.tensor(SPECIAL, dtype=torch.float64) for _ in op.inputs] if elementwise(op) else draw(op, scale=500)


def negative(op):
    """Rows without a positive number."""
    return [-x.abs() if name in op.wrt else x for name, x in zip(op.inputs, draw(op), strict=True)]


def with_nan(op):
    inputs = draw(op)
    for x in inputs[: len(op.wrt)]:
        x.view(-1)[0] = torch.nan
    return inputs


def nan_cotangent(call):
    return call.vjp([v.index_fill(0, torch.tensor(0), torch.nan) for v in call.dy])


def nan_second(op):
    return fails(op, "second") or agrees(op, lambda call: call.second(torch.nan))


def in_all_types(op):
    return all(
        agrees(op, ask, lambda op, t=t: draw(op, dtype=t), digits=1.5)
        for t in (torch.float16, torch.bfloat16, torch.float32)
        for ask in (lambda call: call.y, Call.vjp)
    )


def same_raw(op):
    kinds = (torch.float16, torch.float64)
    return all(Call(op, draw(op, dtype=k)).raw() == Call(RIGHT[op.name], draw(op, dtype=k)).raw() for k in kinds)


def transposed(x):
    return x.mT.contiguous().mT if x.dim() > 1 else x


def untouched(op, which):
    call, before = Call(op, draw(op)), Call(RIGHT[op.name], draw(op))
    call.vjp()
    return all(torch.equal(a, b) for a, b in zip(which(call), which(before), strict=True))


def freed(op):
    gc.disable()
    try:
        alive = [weakref.ref(y) for y in Call(op, draw(op)).y]
        return not any(ref() is not None for ref in alive)
    finally:
        gc.enable()


def survives_another_call(op):
    call, want = Call(op, draw(op)), Call(op, draw(op)).vjp()
    Call(op, draw(op, seed=1))
    return same(call.vjp(), want)


def survives_itself(op):
    call = Call(op, draw(op))
    return same(call.vjp(retain_graph=True), call.vjp())


def promises(op, transform):
    owner = getattr(op.twin("torch"), "__self__", None)
    has_rule = getattr(owner, transform, None) is not getattr(torch.autograd.Function, transform)
    return owner is not None and (has_rule or (transform == "vmap" and owner.generate_vmap_rule))


def vmap_is_a_loop(op):
    if not promises(op, "vmap") or not elementwise(op):
        return True

    def mapped(op):
        y = torch.func.vmap(op.twin("torch"), in_dims=1)(*(x.movedim(0, 1) for x in draw(op, (3, 2, 2))))
        return y if isinstance(y, tuple) else (y,)

    return same(mapped(op), mapped(RIGHT[op.name]))


def jvp_is_the_derivative(op):
    if not promises(op, "jvp"):
        return True
    tangents, want = draw(op, seed=1), Call(RIGHT[op.name], draw(op))
    with forward_ad.dual_level():
        duals = [forward_ad.make_dual(x, tx) for x, tx in zip(draw(op), tangents, strict=True)]
        ty = forward_ad.unpack_dual(op.twin("torch")(*duals)).tangent
    adjoint = sum((g * t).sum() for g, t in zip(want.vjp(), tangents, strict=True))
    return same([(ty * want.dy[0]).sum()], [adjoint])


def conjugate(op):
    def numbers(op):
        return [torch.complex(draw(op)[0], draw(op, seed=1)[0])]

    return not op.contract.complex or agrees(op, lambda call: call.vjp([(1 + 2j) * v for v in call.dy]), numbers)


def each_input_alone(op):
    return same(*([Call(o, draw(op), wrt=[name]).vjp()[0] for name in op.wrt] for o in (op, RIGHT[op.name])))


def each_output_alone(op):
    return op.name != "sin_cos" or all(agrees(op, lambda call, k=k: call.vjp(only=k)) for k in (0, 1))


def leaves_state_alone(op):
    call = Call(op, draw(op))
    call.vjp()
    return call.before == call.after and state()[2] == call.before[2]


@contextmanager
def restored():
    default, random = torch.get_default_dtype(), torch.get_rng_state()
    torch.manual_seed(1)
    try:
        yield
    finally:
        torch.set_default_dtype(default)
        torch.set_rng_state(random)


def refuses(op):
    """Whether what the contract refuses raises the right twin's exception, in its words."""

    def said(op, bad):
        try:
            op.twin("torch")(*draw(op), **{**settings(op, 3), **bad})
        except Exception as error:  # noqa: BLE001 - any: its type is compared
            return type(error), str(error)
        return None

    return all(said(op, bad) == said(RIGHT[op.name], bad) is not None for bad in op.contract.refuses)


CHECKS = {
    "value": lambda op: at_ranks(op, lambda call: call.y),
    "gradient": lambda op: at_ranks(op, Call.vjp),
    "second": lambda op: at_ranks(op, Call.second),
    "types": in_all_types,
    "raw": same_raw,
    "special value": lambda op: agrees(op, lambda call: call.y, special),
    "special": lambda op: agrees(op, Call.vjp, special),
    "negative": lambda op: agrees(op, Call.vjp, negative),
    "nan input": lambda op: agrees(op, Call.vjp, with_nan),
    "nan cotangent": lambda op: agrees(op, nan_cotangent),
    "nan second": nan_second,
    "scalar": lambda op: not elementwise(op) or agrees(op, Call.vjp, lambda op: draw(op, ())),
    "empty": lambda op: not elementwise(op) or agrees(op, Call.vjp, lambda op: draw(op, (3, 0, 2))),
    "many": lambda op: not elementwise(op) or agrees(op, Call.vjp, lambda op: draw(op, (60_000,))),
    "input layout": lambda op: agrees(op, Call.vjp, lambda op: [transposed(x) for x in draw(op)]),
    "cotangent layout": lambda op: agrees(op, lambda call: call.vjp([transposed(v) for v in call.dy])),
    "expanded": lambda op: agrees(op, lambda call: call.vjp([torch.ones_like(v[:1]).expand_as(v) for v in call.dy])),
    "input": lambda op: untouched(op, lambda call: call.inputs.values()),
    "cotangent": lambda op: untouched(op, lambda call: call.dy),
    "freed": freed,
    "repeated": lambda op: same(Call(op, draw(op)).vjp(), Call(op, draw(op)).vjp()),
    "interleaved": survives_another_call,
    "retained": survives_itself,
    "vmap": vmap_is_a_loop,
    "jvp": jvp_is_the_derivative,
    "complex": conjugate,
    "one input": each_input_alone,
    "one output": each_output_alone,
    "state": leaves_state_alone,
    "refusal": refuses,
}

# cause: the checks that may fail, and at least one does; nothing else is wrong
ONLY = {
    "detached": {"second"},
    "saved_intermediate": {"second"},
    "second_order_refused": {"second"},
    "wrong_second_order": {"second"},
    "empty_crash": {"empty"},
    "scalar_crash": {"scalar"},
    "global_state": {"state"},
    "kink_convention": {"special"},
    "layout_dependent": {"input layout", "cotangent layout", "expanded"},
    "leak": {"freed"},
    "missing_conjugate": {"complex"},
    "nan_hidden": {"nan input", "nan cotangent", "nan second"},
    "overflow": {"special value", "special", "types"},
    "overwrites_cotangent": {"cotangent"},
    "overwrites_input": {"input", "retained"},
    "overwrites_saved": {"retained"},
    "saved_used_up": {"retained"},
    "scaled_value": {"value", "special value", "types", "vmap"},
    "shared_state": {"interleaved"},
    "undefined_cotangent": {"one output"},
    "wrong_branch": {"special", "many", "negative"},
    "wrong_dtype": {"raw"},
    "wrong_jvp": {"jvp"},
    "wrong_refusal": {"refusal"},
    "wrong_slot": {"one input"},
    "wrong_value": {"value", "special value", "types", "vmap"},
    "wrong_vmap": {"vmap"},
    "zero_times_infinity": {"special", "second"},
}
# causes of what is wrong everywhere, so that every check of a gradient fails: those that tell
BROAD = {
    "random_backward": {"repeated"},
    "wrong_shape": {"raw"},
    "wrong_count": {"gradient"},
    "raises_in_forward": {"types", "value"},
    "raises_in_backward": {"gradient"},
}
# what else fails for some: one of the rows that are drawn has no positive number
ALSO = {
    "torch.partial.NegativeRowsMissing": {"gradient", "second"},
    "torch.state.MaskReused": {"nan second"},  # which asks twice
    "torch.forward.MixedTypes": set(CHECKS),  # its backward raises
}
# shapes in which alone a fault shows
ONLY_AT = {
    "torch.elements.OneOfMany": (60_000,),
    "torch.partial.TailOfRowMissing": (7,),
    "torch.axes.SecondAxisForLast": (2, 3, 4),
}
FIRST_ORDER = {fault.cause for fault in FAULTS.values()} - set(ONLY) - set(BROAD)


def faults(causes):
    return pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault.cause in causes])


def fails(op, check):
    with restored():
        try:
            return not CHECKS[check](op)
        except (RuntimeError, TypeError, ValueError, AttributeError, IndexError):
            return True


def answers(op, inputs, static):
    """The twin's and the oracle's values and gradients."""
    arrays, statics = [x.numpy().copy() for x in inputs], settings(op, static)
    call = Call(op, inputs, static=static)
    dy = [v.numpy() for v in call.dy]
    value, vjp = op(*arrays, **statics), op.vjp(dy[0] if len(dy) == 1 else tuple(dy), *arrays, **statics)
    want = [v for found in (value, vjp) for v in (found if isinstance(found, tuple) else (found,))]
    return [np.zeros(()) if v is None else v.detach().numpy() for v in (*call.y, *call.vjp())], want


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("static", [3, 2])
def test_right_twin_is_the_oracle(name, static):
    for got, want in zip(*answers(RIGHT[name], draw(RIGHT[name], seed=static), static), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_wrong_with_a_right_twin(name):
    assert [check for check in CHECKS if fails(RIGHT[name], check)] == []


def test_there_are_faults_of_every_kind_with_names_of_their_own():
    causes = {fault.cause for fault in FAULTS.values()}
    assert len(FAULTS) >= 66
    assert len({fault.op.twin("torch") for fault in FAULTS.values()}) == len(FAULTS)
    assert all(cause.isidentifier() for cause in causes)
    assert causes >= {*ONLY, *BROAD}
    assert all(fault.about.endswith(".") and fault.backend == "torch" for fault in FAULTS.values())
    assert sum(bool(fault.source) for fault in FAULTS.values()) >= 15


@faults(FIRST_ORDER)
@pytest.mark.parametrize("seed", range(3))
def test_first_order_fault_differs_from_the_oracle(name, seed):
    if name.endswith(("TinyCotangentsDropped", "HugeCotangentsClipped")):  # right for ordinary cotangents
        x, factor = torch.ones(3, dtype=torch.float64, requires_grad=True), 1e-9 if "Tiny" in name else 1e9
        twin = FAULTS[name].op.twin("torch")
        one, scaled = (torch.autograd.grad(twin(x), x, torch.full_like(x, v))[0] for v in (1.0, factor))
        assert not torch.allclose(scaled / factor, one)
        return
    op, shape = FAULTS[name].op, ONLY_AT.get(name, (3, 4))
    if name.endswith("OffsetNotSummed"):  # PyTorch sums it, and only where the inputs are broadcast
        dy = np.ones((3, 4))
        assert [np.shape(dx) for dx in FAULTS[name].op.twin("torch").__self__.backward(None, dy)] == [(3, 4), (3, 4)]
        return
    if name.endswith("OnesNotSummed"):  # neither of the two is summed over its axis of length 1
        x, b = torch.ones(3, 1, requires_grad=True), torch.ones(1, 4, requires_grad=True)
        assert [dx.shape for dx in op.twin("torch")(x, b).grad_fn.apply(torch.ones(3, 4))] == [(3, 4), (3, 4)]
        return
    if name.endswith(("NotSummed", "TransposedWeights")):  # PyTorch sums the one and refuses the other
        assert fails(op, "raw")
        return
    found = [pair for k in (3, 2) for pair in zip(*answers(op, draw(op, shape, seed=seed), k), strict=True)]
    assert max(np.abs(got - want).max() / np.abs(want).max() for got, want in found) > 1e-9


@faults(ONLY)
def test_fault_is_wrong_in_one_way(name):
    failed = {check for check in CHECKS if fails(FAULTS[name].op, check)}
    assert failed
    assert failed <= ONLY[FAULTS[name].cause] | ALSO.get(name, set())


@faults(BROAD)
def test_fault_that_breaks_everything_shows(name):
    assert any(fails(FAULTS[name].op, check) for check in BROAD[FAULTS[name].cause])


def numbers(tensor):
    """An array of a tensor's numbers, whatever PyTorch has only noted of them: sparse, conjugate, negative."""
    dense = tensor.detach().to_dense() if tensor.is_sparse else tensor.detach()
    return dense.resolve_conj().resolve_neg().numpy()


def sibling_answers(op, inputs, static):
    """The sibling's and the oracle's values and gradients; a mask has no gradient, and None is zero."""
    arrays, statics = [x.numpy().copy() for x in inputs], settings(op, static)
    leaves = [x.requires_grad_() for name, x in zip(op.inputs, inputs, strict=True) if name in op.wrt]
    with torch.enable_grad():
        y = op.twin("torch")(*inputs, **statics)
    y = tuple(y) if isinstance(y, tuple | list) else (y,)
    rng = np.random.default_rng(5)
    dy = [np.asarray(3 * rng.standard_normal(v.shape) * v.requires_grad) for v in y]
    live = [(v, torch.from_numpy(w)) for v, w in zip(y, dy, strict=True) if v.requires_grad]
    outputs, cotangents = zip(*live, strict=True)
    dx = torch.autograd.grad(outputs, leaves, cotangents, allow_unused=True)
    got = [*map(numbers, y), *(np.zeros(x.shape) if g is None else numbers(g) for x, g in zip(leaves, dx, strict=True))]
    value, vjp = op(*arrays, **statics), op.vjp(dy[0] if len(dy) == 1 else tuple(dy), *arrays, **statics)
    return got, [v for found in (value, vjp) for v in (found if isinstance(found, tuple) else (found,))]


def test_there_are_right_siblings_of_many_kinds():
    assert len(SIBLINGS) >= 100
    assert len({op.twin("torch") for op in SIBLINGS.values()}) == len(SIBLINGS)
    assert {op.name for op in SIBLINGS.values()} >= set(RIGHT)
    assert all(sibling.about.endswith(".") for sibling in right_siblings("torch"))


@pytest.mark.parametrize("name", SIBLINGS)
@pytest.mark.parametrize("static", [3, 2])
@pytest.mark.filterwarnings("ignore:Sparse invariant checks:UserWarning")
def test_right_sibling_is_the_oracle(name, static):
    op = SIBLINGS[name]
    shapes = [(3, 4), (7,), (1,), (2, 3, 4), (5, 0, 2)]
    for shape in [*shapes, *([(), (0,), (60_001,)] if elementwise(op) else [])]:
        for got, want in zip(*sibling_answers(op, draw(op, shape, seed=static), static), strict=True):
            assert got.shape == np.shape(want)
            np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)
