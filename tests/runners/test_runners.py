"""Runners answer truthfully: numbers cross unchanged, layouts are real, exceptions say stage and place."""

from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest

import porting
from porting.dtypes import FLOATS, as_dtype
from porting.parity.probe import Probe
from porting.registry import ops
from porting.runners import RUNNERS, Case

TWINS = [key for key in ("torch", "tf") if RUNNERS[key].missing() is None]


@porting.op
def same(x):
    return x


@same.defvjp
def same_vjp(dy, y, x):
    return dy


def every_bit(dtype):
    """Return all finite numbers of a 16-bit type, or awkward ones of a larger."""
    if as_dtype(dtype).itemsize == 2:
        x = np.arange(2**16, dtype=np.uint16).view(as_dtype(dtype))
        with np.errstate(invalid="ignore"):  # signalling NaNs are among them
            return x[np.isfinite(x.astype(np.float64))]
    return np.array([0.0, -0.0, 1e-310, 1 / 3, np.finfo(dtype).max]).astype(dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("key", TWINS)
def test_numbers_cross_unchanged(key, dtype):
    identity = {"torch": lambda x: x * 1, "tf": lambda x: x * 1}[key]
    x = every_bit(dtype)
    x = x[np.abs(x.astype(np.float64)) >= float(ml_dtypes.finfo(x.dtype).smallest_normal)]  # denormals may be flushed
    outcome = RUNNERS[key].run(Case(same.bind(**{key: identity}), dtype, {"x": x}, dy=(x,)))
    assert outcome.raised is None
    assert outcome.value[0].tobytes() == x.tobytes()
    assert outcome.vjp[0].tobytes() == x.tobytes()


@pytest.mark.parametrize("key", TWINS)
def test_exception_has_stage_and_place(key):
    def broken(x):
        raise RuntimeError("first line\nsecond line")

    outcome = RUNNERS[key].run(Case(same.bind(**{key: broken}), "float32", {"x": np.ones(2, np.float32)}))
    assert outcome.raised.stage == "forward"
    assert str(outcome.raised) == "RuntimeError: first line"
    assert outcome.raised.where.rpartition(":")[0].endswith("test_runners.py")


@pytest.mark.parametrize("key", TWINS)
def test_no_tensor_is_named(key):
    outcome = RUNNERS[key].run(
        Case(same.bind(**{key: lambda x: "no tensor"}), "float32", {"x": np.ones(2, np.float32)})
    )
    assert "returned str where a tensor is wanted" in outcome.raised.message


@pytest.mark.parametrize("key", [*TWINS, "oracle"])
def test_devices_and_version(key):
    runner = RUNNERS[key]
    assert runner.devices()["cpu"] is None
    assert all(reason is None or isinstance(reason, str) for reason in runner.devices().values())
    assert runner.version()[0].isdigit()


def test_torch_layouts_are_what_they_are_called():
    torch = pytest.importorskip("torch")
    seen = {}

    def spy(x):
        seen["x"] = x
        return x * 1

    op = same.bind(torch=spy)
    numbers = np.broadcast_to(np.arange(4.0), (3, 4)).copy()
    strides = {"transposed": (1, 3), "strided": (8, 2), "offset": (4, 1), "expanded": (0, 1), "contiguous": (4, 1)}
    for layout, expected in strides.items():
        outcome = RUNNERS["torch"].run(Case(op, "float64", {"x": numbers}, layout=layout))
        assert seen["x"].stride() == expected
        assert torch.equal(seen["x"].detach(), torch.from_numpy(numbers))
        assert np.array_equal(outcome.value[0], numbers)
    assert RUNNERS["torch"].run(Case(op, "float64", {"x": numbers}, layout="offset")).changed == ()


def test_raw_gradient_is_seen_before_torch_repairs_it():
    torch = pytest.importorskip("torch")

    class Wide(torch.autograd.Function):
        @staticmethod
        def forward(ctx, k, x):
            return k * x

        @staticmethod
        def backward(ctx, dy):
            return None, dy.double()[None]

    op = same.bind(torch=lambda x: Wide.apply(1.0, x))
    x = np.ones((3,), np.float32)
    outcome = RUNNERS["torch"].run(Case(op, "float32", {"x": x}, dy=(x,), raw=True))
    assert (outcome.raw[0].dtype, outcome.raw[0].shape) == (np.float64, (1, 3))
    assert (outcome.vjp[0].dtype, outcome.vjp[0].shape) == (np.float32, (3,))


def test_a_backward_is_handed_what_the_engine_hands_for_each_output():
    torch = pytest.importorskip("torch")

    class Several(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            mask = x > 0
            ctx.mark_non_differentiable(mask)
            return x.sin(), None, mask, 3

        @staticmethod
        def backward(ctx, dy, *others):
            nothing, of_mask, of_number = others
            if nothing is not None or of_number is not None or of_mask.shape != dy.shape:
                raise ValueError("these are no cotangents of its outputs")
            return dy[None]

    op, x = same.bind(torch=lambda x: Several.apply(x)[0]), np.ones((3,), np.float32)
    outcome = RUNNERS["torch"].run(Case(op, "float32", {"x": x}, dy=(x,), raw=True))
    assert outcome.raised is None, outcome.raised
    assert outcome.raw[0].shape == (1, 3)


def test_raw_gradient_is_unknown_behind_other_operations():
    pytest.importorskip("torch")
    op = ops()["sin_squared"]
    composed = op.bind(torch=lambda x: op.twin("torch")(x) * 1)
    case = Probe(composed, "float32").case()
    assert RUNNERS["torch"].run(replace(case, raw=True)).raw is None


def test_an_op_is_called_once_unless_its_raw_gradient_is_asked_for():
    torch = pytest.importorskip("torch")
    calls = []

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            calls.append("forward")
            return x.clone()

        @staticmethod
        def backward(ctx, dy):
            calls.append("backward")
            return dy

    case = Probe(same.bind(torch=Same.apply), "float32").case()
    assert RUNNERS["torch"].run(case).raw is None
    assert calls == ["forward", "backward"]
    assert RUNNERS["torch"].run(replace(case, raw=True)).raw is not None
    assert len(calls) == 6


def test_tf_keeps_its_kernels_unless_an_op_sets_the_seed():
    tf = pytest.importorskip("tensorflow")
    runner = RUNNERS["tf"]
    before = runner.state()
    runner.restore(before)
    key = "TensorFlow's random seed"
    assert runner.state()[key][1] is before[key][1]  # setting a seed makes another, and forgets all kernels

    def seeded(x):
        tf.random.set_seed(5)
        return x + 0.0

    case = replace(Probe(same.bind(tf=seeded), "float32").case(), use="settings")
    tf.random.set_seed(5)  # the one that the op is going to set
    try:
        assert runner.run(case).audit["changed"] == (key,)
    finally:
        runner.restore(before)


@pytest.mark.parametrize("mode", ["eager", "function", "xla"])
def test_tf_modes_agree(mode):
    pytest.importorskip("tensorflow")
    case = Probe(ops()["my_elementwise"], "float64", mode=mode).case(order=2)
    outcome = RUNNERS["tf"].run(case)
    truth = RUNNERS["oracle"].run(case)
    for got, want in zip((*outcome.value, *outcome.vjp), (*truth.value, *truth.vjp), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-14)
    assert len(outcome.second) == 3
