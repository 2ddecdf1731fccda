"""The right TensorFlow twins of the toy ops are right; each planted fault is wrong, and wrong where it says so."""

from collections import Counter
from functools import partial

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from porting.selftest.planted import planted_faults, right_siblings, right_toys  # noqa: E402 - imports TensorFlow
from porting.selftest.toys import TOYS  # noqa: E402

LENGTHS = {"n": 3, "m": 4, "k": 2, ...: 2}
FAULTS = planted_faults("tf")
SIBLINGS = right_siblings("tf")
SEEN_SECOND = {"detached", "second_order_refused", "wrong_second_order"}
SEEN_LATER = {"shared_state", "overwrites_saved", "saved_used_up", "global_state", "wrong_variable_gradient"}
SEEN_TRACED = {"baked_python_value", "retrace_fails", "graph_mode_fails", "xla_unsupported"}
SEEN_OTHERWISE = SEEN_SECOND | SEEN_LATER | SEEN_TRACED | {"indexed_slices", "keyword_call", "missing_conjugate"}


def each(fits):
    """Run a test for each fault that fits."""
    found = [fault for fault in FAULTS if fits(fault)]
    assert found
    return pytest.mark.parametrize("fault", found, ids=lambda fault: fault.name)


def of_cause(*causes):
    return each(lambda fault: fault.cause in causes)


def ordinary(op, seed=0, lengths=LENGTHS, shape=(2, 3)):
    rng = np.random.default_rng(seed)
    shapes = [op.contract.shapes.get(name, shape) for name in op.inputs]
    arrays = [rng.standard_normal([lengths.get(n, n) for n in wanted]) for wanted in shapes]
    arrays = [abs(x) + 1 if name in op.contract.domain else x for name, x in zip(op.inputs, arrays, strict=True)]
    return [np.array([1, 1, 3, 0]) if name == "i" else x for name, x in zip(op.inputs, arrays, strict=True)]


def cotangents(op, inputs, seed=1):
    rng = np.random.default_rng(seed)
    return [rng.uniform(1.5, 4, np.shape(y)) * rng.choice([-1, 1], np.shape(y)) for y in outputs(op(*inputs))]


def outputs(result):
    return list(result) if isinstance(result, tuple | list) else [result]


def truth(op, inputs, dy, **statics):
    gradients = op.vjp(tuple(dy) if len(dy) > 1 else dy[0], *inputs, **statics)
    return [np.asarray(y) for y in [*outputs(op(*inputs, **statics)), *outputs(gradients)]]


def answer(op, inputs, dy, call=None):
    """Return outputs and gradients of the twin."""
    return (call or tapes(op))(*map(tf.constant, inputs), *map(tf.constant, dy))


def tapes(op, twin=None):
    """Return the function of inputs and cotangents that `answer` calls; it can be traced."""
    twin = twin or op.twin("tf")

    def compute(*tensors):
        inputs, dy = tensors[: len(op.inputs)], tensors[len(op.inputs) :]
        watched = [x for name, x in zip(op.inputs, inputs, strict=True) if name in op.wrt]
        with tf.GradientTape() as tape:
            tape.watch(watched)
            y = outputs(twin(*inputs))
        return y, tape.gradient(y, watched, output_gradients=list(dy))

    return compute


def agrees(got, want):
    """Tell whether (outputs, gradients) of a twin are the true ones, to 10 digits of the largest element."""
    flat = [None if t is None else np.asarray(tf.convert_to_tensor(t)) for part in got for t in part]
    return len(flat) == len(want) and all(map(close, flat, want))


def close(got, want):
    if got is None or got.shape != want.shape:
        return False
    with np.errstate(over="ignore"):
        scale = np.abs(want[np.isfinite(want)]).max(initial=0)
    return np.allclose(got, want, rtol=0, atol=1e-10 * scale, equal_nan=True)


def right(op, *inputs):
    dy = cotangents(op, inputs)
    with np.errstate(all="ignore"):
        return agrees(answer(op, inputs, dy), truth(op, inputs, dy))


@pytest.mark.parametrize("op", right_toys("tf"), ids=lambda op: op.name)
def test_right_twin_equals_the_oracle(op):
    assert right(op, *ordinary(op))
    assert right(op, *ordinary(op, seed=2))


PLACES_OF_SIBLINGS = [
    ((2, 3), LENGTHS),
    ((), LENGTHS | {...: 1}),
    ((5,), {"n": 1, "m": 1, "k": 1, ...: 3}),
    ((2, 1, 4), {"n": 4, "m": 5, "k": 3, ...: 1}),
    ((3, 0), {"n": 2, "m": 2, "k": 2, ...: 0}),
]


def each_sibling(fits=lambda sibling: True):
    return pytest.mark.parametrize("sibling", list(filter(fits, SIBLINGS)), ids=lambda sibling: sibling.name)


@each_sibling()
def test_right_sibling_equals_the_oracle(sibling):
    op = sibling.op
    further = ({name: value} for name, values in op.contract.statics.items() for value in values)
    for statics in [{}, *further]:
        twin = partial(op.twin("tf"), **statics)
        for seed, (shape, lengths) in enumerate(PLACES_OF_SIBLINGS):
            inputs = ordinary(op, seed, lengths, shape)
            dy = cotangents(op, inputs)
            y, dx = answer(op, inputs, dy, tapes(op, twin))
            got, want = [tf.convert_to_tensor(t).numpy() for t in [*y, *dx]], truth(op, inputs, dy, **statics)
            assert [t.shape for t in got] == [t.shape for t in want]
            for mine, theirs in zip(got, want, strict=True):
                np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-12)


@each_sibling(lambda sibling: sibling.op.name in TOYS)
def test_right_sibling_has_the_second_order_of_the_right_twin(sibling):
    op = sibling.op
    (model,) = [model for model in right_toys("tf") if model.name == op.name]
    for mine, theirs in zip(second(op, ordinary(op)), second(model, ordinary(op)), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-12)


def test_right_siblings_are_many_named_and_described():
    assert len(SIBLINGS) >= 48
    assert [sibling.name for sibling in SIBLINGS if sibling.cause or not sibling.about.endswith(".")] == []
    assert [name for name, n in Counter(sibling.name for sibling in SIBLINGS).items() if n > 1] == []


def test_every_toy_has_a_right_twin():
    assert {op.name for op in right_toys("tf")} == set(TOYS)


def test_faults_are_many_named_and_described():
    assert len(FAULTS) >= 100
    assert [name for name, n in Counter(fault.name for fault in FAULTS).items() if n > 1] == []
    assert [fault.name for fault in FAULTS if not fault.cause.isidentifier()] == []
    assert [fault.name for fault in FAULTS if not fault.about.endswith(".")] == []
    assert [fault.name for fault in FAULTS if fault.backend != "tf"] == []
    assert len({fault.source for fault in FAULTS} - {""}) >= 12


BEYOND = ("underflow_flushed", "explosion_prevented")  # right for ordinary cotangents


@each(lambda fault: ".formula." in fault.name or (".cotangent." in fault.name and not fault.name.endswith(BEYOND)))
def test_formula_is_wrong_at_ordinary_inputs(fault):
    assert not right(fault.op, *ordinary(fault.op))


@of_cause(*SEEN_OTHERWISE, "overflow", "nan_hidden", "wrong_branch")
def test_nothing_else_is_wrong_at_ordinary_inputs(fault):
    assert right(fault.op, *(x / 2 if x.dtype == float else x for x in ordinary(fault.op)))


ONES = np.ones(2)
PLACES = {
    "few_elements": [(np.linspace(0.1, 1, 5),), (np.linspace(0.1, 1, 54322),)],
    "wrong_branch": [(np.array([-5.0, -3.0, 0.0, 1.0, 3.0, 5.0, 50.0]),), (ONES, np.array([1.0, 0.0]))],
    "precision_loss": [(np.array([0.3, -1.7]),)],
    "overflow": [(np.array([800.0, -800.0]),)],
    "zero_times_infinity": [(np.array([0.0, 1.0]),)],
    "nan_hidden": [(np.array([np.nan, 1.0]),)],
    "kink_convention": [(np.zeros(2),), (ONES, ONES)],
    "missing_reduction": [(np.ones((2, 3, 4)), np.ones(4))],
    "empty_crash": [(np.ones((3, 0)),)],
    "scalar_crash": [(np.array(1.0),)],
    "raises_in_forward": [(np.array(1.0),)],
}
ALONE = {  # each is shown by a test of its own
    "tf.special.nan_cotangent_to_zero",
    "tf.special.branch_not_taken",
    "tf.special.infinite_curvature",
    "tf.structure.front_axes_alone",
    "tf.structure.one_hot_product",
}


def placed(fault):
    special = fault.name.split(".")[1] in {"special", "structure", "elements"}
    return special and fault.cause not in {"wrong_dtype", "missing_conjugate"} and fault.name not in ALONE


@each(placed)
def test_wrong_or_raises_at_its_place(fault):
    fitting = [x for x in PLACES.get(fault.cause, []) if len(x) == len(fault.op.inputs)]
    assert not all(right_and_quiet(fault.op, x) for x in fitting or [ordinary(fault.op)])


def right_and_quiet(op, inputs):
    try:
        return right(op, *inputs)
    except (tf.errors.OpError, TypeError, ValueError):
        return False


def test_nan_cotangent_is_hidden():
    (fault,) = [fault for fault in FAULTS if fault.name.endswith("nan_cotangent_to_zero")]
    assert not agrees(answer(fault.op, [ONES], [np.nan * ONES]), truth(fault.op, [ONES], [np.nan * ONES]))


def named(name):
    (fault,) = [fault for fault in FAULTS if fault.name == name]
    return fault.op


def test_axis_of_length_one_is_not_summed():
    op = named("tf.structure.front_axes_alone")
    assert right(op, np.ones((2, 3, 4)), np.ones(4))
    assert not right(op, np.ones((3, 1)), np.ones((1, 4)))


def test_nan_of_one_row_reaches_another():
    op = named("tf.structure.one_hot_product")
    inputs = ordinary(op)
    dy = [np.where(np.arange(4)[:, None] == 2, np.nan, cotangents(op, inputs)[0])]  # of row 3
    (dx,) = answer(op, inputs, dy)[1]
    assert np.isnan(dx).all()
    assert np.isnan(op.vjp(dy[0], *inputs)).all(axis=1).tolist() == [False, False, False, True]


def test_curvature_is_nan_where_the_gradient_is_right():
    op = named("tf.special.infinite_curvature")
    x = [np.array([-800.0, 1.0])]
    assert right(op, *x)
    assert np.isnan(second(op, x)[0].numpy()).tolist() == [True, False]


@of_cause("wrong_refusal")
def test_bad_bounds_are_not_refused_as_the_oracle_refuses_them(fault):
    with pytest.raises(ValueError, match="low < high is wanted"):
        fault.op(ONES, low=2.0, high=1.0)
    if fault.name.endswith("bounds_by_debugging"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="x < y"):
            fault.op.twin("tf")(tf.constant(ONES), low=2.0, high=1.0)
        return
    assert fault.op.twin("tf")(tf.constant(ONES), low=2.0, high=1.0).shape == ONES.shape


@of_cause("missing_conjugate")
def test_complex_gradient_is_wrong(fault):
    x, dy = np.array([1 + 2j, 3 - 1j]), np.array([2 - 1j, 1 + 1j])
    assert not agrees(answer(fault.op, [x], [dy]), truth(fault.op, [x], [dy]))


@of_cause("wrong_dtype")
def test_type_is_wrong(fault):
    x = ONES.astype(np.float16)
    if fault.name.endswith(("float32_constant", "float32_three")):  # two types meet
        with pytest.raises(tf.errors.InvalidArgumentError, match="half"):
            answer(fault.op, [x], [x])
        return
    y, dx = answer(fault.op, [x], [x])
    assert {t.dtype for t in [*y, *dx]} != {tf.float16}


def second(op, inputs, ddx=1.0):
    """Return the gradient of the gradients by inputs and cotangents, all their own cotangents being `ddx`."""
    tensors = [tf.constant(x) for x in [*inputs, *cotangents(op, inputs)]]
    numbers = [x for x in tensors if x.dtype.is_floating]
    with tf.GradientTape() as tape:
        tape.watch(numbers)
        dx = [tf.convert_to_tensor(g) for g in tapes(op)(*tensors)[1]]
    sent = [tf.fill(g.shape, tf.cast(ddx, g.dtype)) for g in dx]
    return tape.gradient(dx, numbers, output_gradients=sent, unconnected_gradients="zero")


def test_nan_in_the_gradients_cotangent_is_hidden():
    op = named("tf.second_order.curvature_without_nan")
    assert not any(np.isnan(x).any() for x in second(op, ordinary(op), np.nan))


@each(lambda fault: fault.cause in SEEN_SECOND or "branch_not_taken" in fault.name)
def test_second_order_is_wrong_or_raises(fault):
    (model,) = [op for op in right_toys("tf") if op.name == fault.op.name]
    want = [x.numpy() for x in second(model, ordinary(fault.op))]
    try:
        got = [x.numpy() for x in second(fault.op, ordinary(fault.op))]
    except (LookupError, NotImplementedError):
        assert fault.cause == "second_order_refused"
    else:
        assert not all(map(close, got, want))


@of_cause("shared_state")
def test_second_forward_changes_the_gradient(fault):
    x = ordinary(fault.op)
    twin = fault.op.twin("tf")

    def twice(x):
        y = twin(x)
        twin(x + 1)
        return y

    dy = cotangents(fault.op, x)
    assert not agrees(answer(fault.op, x, dy, tapes(fault.op, twice)), truth(fault.op, x, dy))


@of_cause("overwrites_saved")
def test_second_backward_is_different(fault):
    x = tf.constant(ONES)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = fault.op.twin("tf")(x)
    first = tape.gradient(y, x, output_gradients=tf.constant(2 * ONES))
    assert not np.allclose(first, tape.gradient(y, x, output_gradients=tf.constant(2 * ONES)))


@of_cause("saved_used_up")
def test_second_backward_raises(fault):
    x = tf.constant(ONES)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = fault.op.twin("tf")(x)
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="non-persistent"):
        tape.gradient(y, x)


@of_cause("random_backward")
def test_each_backward_is_different(fault):
    x = [np.linspace(0, 1, 64)]
    assert not np.allclose(*(answer(fault.op, x, x)[1][0] for _ in range(2)), rtol=1e-6)


@of_cause("global_state")
def test_draws_of_the_caller_repeat(fault):
    import random

    def draws():
        answer(fault.op, [ONES], [ONES])
        return [np.random.rand(), random.random(), float(tf.random.uniform([]))]  # noqa: NPY002, S311 - global ones

    assert sum(a == b for a, b in zip(draws(), draws(), strict=True)) == 1


@of_cause("missing_variables")
def test_captured_variable_raises(fault):
    with pytest.raises(TypeError, match="variables"):
        fault.op.twin("tf")(tf.constant(ONES))


@of_cause("wrong_variable_gradient")
def test_gradient_of_the_variable_is_wrong(fault):
    with tf.GradientTape() as tape:
        y = fault.op.twin("tf")(tf.constant(ONES))
    (v,) = tape.watched_variables()
    dv = tape.gradient(y, v, output_gradients=tf.constant(2 * ONES))
    assert dv is None or not np.allclose(dv, np.sum(2 * y))  # y is v sin(x), and v is 1


def called(fault):
    """Select what one way of calling shows; a setting has to be changed in between besides."""
    cause = fault.cause in SEEN_TRACED | {"indexed_slices", "keyword_call"}
    return cause and fault.name != "tf.graph.slope_from_the_settings"


@each(called)
def test_wrong_or_raises_in_one_way_of_calling(fault):
    outcome = {way: survives(fault.op, way) for way in ("function", "twice", "unknown", "xla", "indexed", "keyword")}
    assert [way for way, fine in outcome.items() if not fine] == {
        "baked_python_value": ["twice"],
        "retrace_fails": ["unknown"],
        "graph_mode_fails": ["function", "twice", "unknown", "xla"],
        "xla_unsupported": ["xla"],
        "indexed_slices": ["indexed"],
        "keyword_call": ["keyword"],
    }[fault.cause]


@pytest.mark.parametrize("op", right_toys("tf"), ids=lambda op: op.name)
def test_right_twin_is_right_in_every_way_of_calling(op):
    assert all(survives(op, way) for way in ("function", "twice", "unknown", "xla", "indexed", "keyword"))


def survives(op, way):
    """Tell whether a twin gives the true answer when it is called in some way."""
    inputs, compute = ordinary(op), tapes(op)
    dy = cotangents(op, inputs)
    tensors = [tf.constant(x) for x in [*inputs, *dy]]
    if way == "keyword":
        compute = tapes(op, lambda *x: op.twin("tf")(**dict(zip(op.inputs, x, strict=True))))
    elif way == "indexed":
        # Each row of the output is taken once, so the cotangent of the output is dy, but for its form.
        order = np.arange(len(dy[0]))[::-1].copy()
        compute = tapes(op, lambda *x: [tf.gather(y, order) for y in outputs(op.twin("tf")(*x))])
    elif way == "unknown":
        signature = [tf.TensorSpec(None, x.dtype) for x in tensors]
        compute = tf.function(compute, input_signature=signature)
    else:
        compute = tf.function(compute, jit_compile=True if way == "xla" else None)
    try:
        if way == "twice":
            compute(*map(tf.constant, [*ordinary(op, seed=7), *dy]))
        y, dx = compute(*tensors)
    except (tf.errors.OpError, TypeError, ValueError, AttributeError):
        return False
    if way == "indexed":
        y, dy = [tf.gather(v, order) for v in y], [v[order] for v in dy]
    return agrees((y, dx), truth(op, inputs, dy))
