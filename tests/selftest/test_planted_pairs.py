"""The right pairs are right, and of each planted pair the two sides differ: seen here without the checker."""

from functools import partial

import numpy as np
import pytest

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

from porting.backends import BACKENDS  # noqa: E402
from porting.selftest.planted import planted_pairs  # noqa: E402 - where a framework is not installed

PAIRS = {thing.name.partition(".pairs.")[2]: thing for thing in planted_pairs()}
LENGTHS = (4, 5, 3, 2, 6)
DRAWING = {  # two sides draw different numbers: each is compared with differences of its own forward
    "noise.drops_out", "noise.draws_gumbel_noise", "noise.dropout_ten_times", "noise.gumbel_ten_times",
}  # fmt: skip
REFUSED = (IndexError, NotImplementedError, RuntimeError, TypeError, ValueError, tf.errors.OpError)
# what everyday inputs do not show: a number that is put into all of them, a shape
AT = {
    "conventions.one_at_zero": 0.0, "conventions.tie_to_the_first": 0.3,
    "conventions.tie_to_both": 0.3, "not_finite.infinite_far_out": -720.0,
    "not_finite.infinity_by_infinity": 720.0, "not_finite.nan_at_zero": 0.0,
    "not_finite.quotient_by_zero": 1.0, "straight.bound_counts_as_outside": 1.0,
    "wrong_formula.cut_off_far_below": -30.0, "zero_rows.length_of_zeros": 0.0,
    "zero_rows.length_of_a_row_of_zeros": 0.0,
}  # fmt: skip
SINGLE = {"types.takes_single_alone_and_is_right"}  # it raises in float64
NARROW = {
    *SINGLE, "binarised.measured_in_float32", "binarised.wrong_beside_a_measure_in_float32",
    "digits.ported_from_a_scale_in_float32", "types.both_answer_in_single",
}  # fmt: skip
SHAPES = {"axes.squeezed_somewhere": (3, 1, 4)}


def each(fits):
    """Run a test for each pair that fits."""
    found = [name for name, thing in PAIRS.items() if fits(name, thing)]
    assert found
    return pytest.mark.parametrize("name", found)


def of_cause(*causes):
    return each(lambda _, thing: thing.cause in causes)


class Side:
    """One side of a pair in eager mode: arrays in, arrays out."""

    def __init__(self, name, key):
        self.key, self.op = key, PAIRS[name].subject.on(key)
        self.dtype = np.float32 if name in SINGLE else np.float64
        self.call = partial(self.op.twin(key), **PAIRS[name].subject.statics)
        self.held = self.op.twin(key).held("float64") if hasattr(self.op.twin(key), "held") else None

    def drawn(self, seed=0, shape=(3, 4), scale=1.0):
        """Inputs of the shapes and in the domains that the pair says."""
        rng, contract = np.random.default_rng(seed), self.op.contract
        names = dict.fromkeys(n for given in contract.shapes.values() for n in given if isinstance(n, str))
        sizes = dict(zip(names, LENGTHS, strict=False))
        found = []
        for name in self.op.inputs:
            given = contract.shapes.get(name, (..., shape[-1]))
            front, rest = (shape[:-1], given[1:]) if given[:1] == (...,) else ((), given)
            size, domain = (*front, *(sizes.get(n, n) for n in rest)), contract.domain.get(name)
            if isinstance(domain, range):
                found.append(rng.choice(domain, size))
            else:
                drawn = rng.uniform(*domain, size) if domain else scale * rng.standard_normal(size)
                found.append(np.asarray(drawn, dtype=self.dtype))
        return [x + 1j * rng.standard_normal(x.shape) for x in found] if contract.complex else found

    def tensors(self, arrays):
        if self.key == "tf":
            xs = [tf.constant(a) for a in arrays]
            return self.held.filled(xs) if self.held else xs  # the variables of a layer are inputs
        wanted = [name in self.op.wrt for name in self.op.inputs]
        return [torch.tensor(a, requires_grad=w) for a, w in zip(arrays, wanted, strict=True)]

    def values(self, xs):
        y = self.call(*xs)
        return list(y) if isinstance(y, tuple | list) else [y]

    def wanted(self, xs):
        return [x for x, name in zip(xs, self.op.inputs, strict=True) if name in self.op.wrt]

    def smooth(self, ys):
        """Return the outputs that a gradient comes through."""
        real = "is_floating" if self.key == "tf" else "is_floating_point"
        floats = [getattr(y.dtype, real) or y.dtype.is_complex for y in ys]
        silent = self.op.contract.nondiff
        return [y for k, (y, is_float) in enumerate(zip(ys, floats, strict=True)) if is_float and k not in silent]

    def cotangents(self, ys):
        rng = np.random.default_rng(7)
        drawn = [3 * rng.standard_normal(tuple(y.shape)) for y in self.smooth(ys)]
        return self.tensors_like([v * (1 + 2j) for v in drawn] if self.op.contract.complex else drawn)

    def tensors_like(self, arrays):
        made = [a if np.iscomplexobj(a) else a.astype(self.dtype) for a in arrays]
        return [tf.constant(a) if self.key == "tf" else torch.tensor(a) for a in made]

    def gradients(self, arrays, *, times=1, before=None):
        """Return values, then the gradients of each backward; `before` is called between forward and backward."""
        xs = self.tensors(arrays)
        if self.key == "tf":
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(self.wanted(xs))
                ys = self.values(xs)
        else:
            ys = self.values(xs)
        if before:
            before()
        dy = self.cotangents(ys)
        for _ in range(times):
            if self.key == "tf":
                found = tape.gradient(self.smooth(ys), self.wanted(xs), dy)
                found = [self.held.as_input(k, g) for k, g in enumerate(found)] if self.held else found
            else:
                found = torch.autograd.grad(self.smooth(ys), self.wanted(xs), dy, retain_graph=True, allow_unused=True)
        return [arrays_of(ys), arrays_of(filled(found, self.wanted(xs)))]

    def second(self, arrays):
        """Return the gradient of the gradient."""
        xs = self.tensors(arrays)
        if self.key == "tf":
            with tf.GradientTape() as outer:
                outer.watch(xs)
                with tf.GradientTape() as inner:
                    inner.watch(xs)
                    ys = self.values(xs)
                (first,) = inner.gradient(ys, xs, self.cotangents(ys))
            return arrays_of(filled(outer.gradient(first, xs), xs))
        ys = self.values(xs)
        (first,) = torch.autograd.grad(ys, xs, self.cotangents(ys), create_graph=True)
        found = torch.autograd.grad(first.sum(), xs, allow_unused=True) if first.requires_grad else [None]
        return arrays_of(filled(found, xs))

    def slope(self, arrays):
        """Return <gradient, u> and what differences of the forward give, from the same seeds."""

        def summed(x):
            seed_all()
            (y,) = arrays_of(self.values(self.tensors([x])))
            return (weights * y).sum()

        (x,), step = arrays, 1e-5
        seed_all()
        (y,), (dx,) = self.gradients(arrays, before=seed_all)
        (weights,) = arrays_of(self.cotangents(self.tensors_like([y])))
        u = np.random.default_rng(3).standard_normal(x.shape)
        return (dx * u).sum(), (summed(x + step * u) - summed(x - step * u)) / (2 * step)


class Plain(Side):
    """The plain version that a side replaces."""

    def __init__(self, name, key):
        super().__init__(name, key)
        self.call = PAIRS[name].subject.like


def sides(name, keys=BACKENDS):
    """Return the two sides of a pair, or the one that it has and its plain version."""
    key = PAIRS[name].backend
    return [Side(name, key), Plain(name, key)] if PAIRS[name].subject.like else [Side(name, key) for key in keys]


def tolerance(name):
    return 1e-4 if name in NARROW else 1e-9


def seed_all():
    torch.manual_seed(5)
    tf.random.set_seed(5)


def filled(found, xs):
    return [0 * x if g is None else g for g, x in zip(found, xs, strict=True)]


def arrays_of(tensors):
    return [t.detach().numpy() if isinstance(t, torch.Tensor) else tf.convert_to_tensor(t).numpy() for t in tensors]


def same(found, other, rtol=1e-9):
    """Tell whether two lists of lists of arrays agree in number, shape and value."""
    pairs = [(a, b) for mine, yours in zip(found, other, strict=True) for a, b in zip(mine, yours, strict=True)]
    return all(a.shape == b.shape and np.allclose(a, b, rtol=rtol, atol=rtol / 100, equal_nan=True) for a, b in pairs)


@each(lambda name, thing: not thing.cause and name not in DRAWING)
@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_both_sides_of_a_right_pair_agree(name, scale):
    one, other = sides(name)
    for seed in range(3):
        inputs = one.drawn(seed, scale=scale)
        assert same(one.gradients(inputs), other.gradients(inputs), rtol=tolerance(name))


@each(lambda name, _: name in DRAWING)
def test_a_side_that_draws_has_the_gradient_of_its_own_forward_if_it_is_right(name):
    for key in BACKENDS:
        side = Side(name, key)
        got, want = side.slope(side.drawn())
        wrong = PAIRS[name].cause and PAIRS[name].backend == key
        assert np.isclose(got, want, rtol=1e-5) != bool(wrong), (key, got, want)


USES = {
    "shared_state", "overwrites_cotangent", "overwrites_saved", "saved_intermediate", "detached", "baked_python_value",
    "graph_mode_fails",
}  # fmt: skip


@each(lambda name, thing: thing.cause and thing.cause not in USES and name not in DRAWING)
def test_the_sides_of_a_planted_pair_differ(name):
    wrong, right = sides(name, sorted(BACKENDS, key=lambda key: key != PAIRS[name].backend))
    inputs = right.drawn(shape=SHAPES.get(name, (3, 4)), scale=2.0)
    if name in AT:
        inputs = [np.full_like(x, AT[name]) for x in inputs]
    want = right.gradients(inputs)
    try:
        got = wrong.gradients(inputs)
    except REFUSED:
        return
    assert not same(got, want, rtol=tolerance(name))


@each(lambda _, thing: thing.cause in USES)
def test_the_sides_agree_in_everyday_use_where_a_use_is_wrong(name):
    one, other = (Side(name, key) for key in BACKENDS)
    inputs = one.drawn()
    assert same(one.gradients(inputs), other.gradients(inputs))


@of_cause("shared_state")
def test_another_call_changes_the_gradient(name):
    side = Side(name, PAIRS[name].backend)
    inputs = side.drawn()
    between = lambda: side.values(side.tensors(side.drawn(1)))  # noqa: E731 - shorter than a function
    assert not same(side.gradients(inputs, before=between), side.gradients(inputs))


@of_cause("overwrites_saved")
def test_a_second_backward_gives_another_gradient(name):
    side = Side(name, PAIRS[name].backend)
    inputs = side.drawn()
    assert not same(side.gradients(inputs, times=2), side.gradients(inputs))


@of_cause("overwrites_cotangent")
def test_the_cotangent_is_overwritten(name):
    side = Side(name, "torch")
    xs = side.tensors(side.drawn())
    ys = side.values(xs)
    dy = side.cotangents(ys)
    before = arrays_of(d.clone() for d in dy)
    torch.autograd.grad(ys, xs, dy)
    assert not same([arrays_of(dy)], [before])


@of_cause("saved_intermediate", "detached")
def test_the_second_derivatives_differ(name):
    one, other = (Side(name, key) for key in BACKENDS)
    inputs = one.drawn()
    assert not same([one.second(inputs)], [other.second(inputs)])


@of_cause("baked_python_value")
def test_a_trace_keeps_a_value(name, monkeypatch):
    from porting.selftest.pairs import traces

    side = Side(name, "tf")
    inputs = side.drawn()

    @tf.function
    def traced(x):
        y = side.call(x)
        return tf.gradients(y, x)[0]

    before = traced(*side.tensors(inputs)).numpy()
    monkeypatch.setitem(traces.SETTINGS, "temperature", 2.0)
    after = traced(*side.tensors(inputs)).numpy()
    eager = side.gradients(inputs)[1][0] / side.cotangents(side.values(side.tensors(inputs)))[0].numpy()
    assert np.array_equal(before, after)
    assert np.allclose(eager, 2 * after)


@of_cause("graph_mode_fails")
def test_a_trace_fails(name):
    side = Side(name, "tf")
    with pytest.raises(AttributeError):
        tf.function(side.call)(*side.tensors(side.drawn()))


def test_there_are_enough_of_them_on_both_sides():
    wrong = [thing.backend for thing in PAIRS.values() if thing.cause]
    assert min(wrong.count(key) for key in BACKENDS) >= 16
    assert len(PAIRS) - len(wrong) >= 28
