"""The right TensorFlow twins of the toy ops are right; each planted fault is wrong, and wrong where it says so."""

from collections import Counter

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from porting.selftest.planted import planted_faults, right_toys  # noqa: E402 - imports TensorFlow
from porting.selftest.toys import TOYS  # noqa: E402

LENGTHS = {"n": 3, "m": 4, "k": 2, ...: 2}
FAULTS = planted_faults("tf")
SEEN_SECOND = {"detached", "second_order_refused", "wrong_second_order"}
SEEN_LATER = {"shared_state", "overwrites_saved", "global_state", "wrong_variable_gradient"}
SEEN_TRACED = {"baked_python_value", "retrace_fails", "graph_mode_fails", "xla_unsupported"}
SEEN_OTHERWISE = SEEN_SECOND | SEEN_LATER | SEEN_TRACED | {"indexed_slices", "keyword_call", "missing_conjugate"}


def each(fits):
    """Run a test for each fault that fits."""
    found = [fault for fault in FAULTS if fits(fault)]
    assert found
    return pytest.mark.parametrize("fault", found, ids=lambda fault: fault.name)


def of_cause(*causes):
    return each(lambda fault: fault.cause in causes)


def ordinary(op, seed=0):
    rng = np.random.default_rng(seed)
    shapes = [op.contract.shapes.get(name, (2, 3)) for name in op.inputs]
    arrays = [rng.standard_normal([LENGTHS.get(n, n) for n in shape]) for shape in shapes]
    return [np.array([1, 1, 3, 0]) if name == "i" else x for name, x in zip(op.inputs, arrays, strict=True)]


def cotangents(op, inputs, seed=1):
    rng = np.random.default_rng(seed)
    return [rng.uniform(1.5, 4, np.shape(y)) * rng.choice([-1, 1], np.shape(y)) for y in outputs(op(*inputs))]


def outputs(result):
    return list(result) if isinstance(result, tuple | list) else [result]


def truth(op, inputs, dy):
    gradients = op.vjp(tuple(dy) if len(dy) > 1 else dy[0], *inputs)
    return [np.asarray(y) for y in [*outputs(op(*inputs)), *outputs(gradients)]]


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


def test_every_toy_has_a_right_twin():
    assert {op.name for op in right_toys("tf")} == set(TOYS)


def test_faults_are_many_named_and_described():
    assert len(FAULTS) >= 100
    assert [name for name, n in Counter(fault.name for fault in FAULTS).items() if n > 1] == []
    assert [fault.name for fault in FAULTS if not fault.cause.isidentifier()] == []
    assert [fault.name for fault in FAULTS if not fault.about.endswith(".")] == []
    assert [fault.name for fault in FAULTS if fault.backend != "tf"] == []
    assert len({fault.source for fault in FAULTS} - {""}) >= 12


@each(lambda fault: ".formula." in fault.name or ".cotangent." in fault.name)
def test_formula_is_wrong_at_ordinary_inputs(fault):
    assert not right(fault.op, *ordinary(fault.op))


@of_cause(*SEEN_OTHERWISE, "overflow", "nan_hidden", "wrong_branch")
def test_nothing_else_is_wrong_at_ordinary_inputs(fault):
    assert right(fault.op, *(x / 2 if x.dtype == float else x for x in ordinary(fault.op)))


ONES = np.ones(2)
PLACES = {
    "few_elements": [(np.linspace(0.1, 1, 5),), (np.linspace(0.1, 1, 54322),)],
    "wrong_branch": [(np.array([-5.0, 3.0, 5.0, 50.0]),), (ONES, ONES)],
    "precision_loss": [(np.array([0.3, -1.7]),)],
    "overflow": [(np.array([800.0, 0.0]),)],
    "zero_times_infinity": [(np.array([0.0, 1.0]),)],
    "nan_hidden": [(np.array([np.nan, 1.0]),)],
    "kink_convention": [(np.zeros(2),), (ONES, ONES)],
    "missing_reduction": [(np.ones((2, 3, 4)), np.ones(4))],
    "empty_crash": [(np.ones((3, 0)),)],
    "scalar_crash": [(np.array(1.0),)],
    "raises_in_forward": [(np.array(1.0),)],
}
ALONE = {"tf.special.nan_cotangent_to_zero", "tf.special.branch_not_taken"}  # each is shown by a test of its own


def placed(fault):
    special = ".special." in fault.name or ".structure." in fault.name
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


def second(op, inputs):
    """Return the gradient of the gradients by inputs and cotangents, all their own cotangents being 1."""
    tensors = [tf.constant(x) for x in [*inputs, *cotangents(op, inputs)]]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        _, dx = tapes(op)(*tensors)
    return tape.gradient(dx, tensors, unconnected_gradients="zero")


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
    first, again = (tape.gradient(y, x, output_gradients=tf.constant(2 * ONES)) for _ in range(2))
    assert not np.allclose(first, again)


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
