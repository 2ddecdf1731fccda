"""Outputs as people write them: some are dropped by a wrapper, some have no gradient."""

import sys

import pytest

from porting import Contract, check
from porting.errors import RunnerError
from porting.pairs.array import array
from porting.pairs.pair import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Waves(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x), torch.cos(x), x.sum(-1)

    @staticmethod
    def backward(ctx, ds, dc, dsum):
        (x,) = ctx.saved_tensors
        return ds * torch.cos(x) - dc * torch.sin(x) + dsum[..., None]


class Peaks(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y, large = x * x, x > 0.5
        count = large.sum(-1)
        ctx.save_for_backward(x)
        ctx.mark_non_differentiable(large, count)
        return y, large, count

    @staticmethod
    def backward(ctx, dy, dlarge, dcount):
        (x,) = ctx.saved_tensors
        return 2 * x * dy


class PeaksTooSteep(Peaks):
    @staticmethod
    def backward(ctx, dy, dlarge, dcount):
        (x,) = ctx.saved_tensors
        return 2.5 * x * dy


@tf.custom_gradient
def peaks(x):
    large = x > 0.5
    count = tf.reduce_sum(tf.cast(large, tf.int64), -1)
    return (x * x, large, count), lambda dy, *_: 2 * x * tf.convert_to_tensor(dy)


@tf.custom_gradient
def sine(x):
    return tf.sin(x), lambda dy: tf.convert_to_tensor(dy) * tf.cos(x)


@tf.custom_gradient
def cosine(x):
    return tf.cos(x), lambda dy: -tf.convert_to_tensor(dy) * tf.sin(x)


INPUTS = {"inputs": {"x": array(("n", "m"))}}
OF_TF = {"keyword_call"}  # tf.custom_gradient drops the gradient of a keyword call, here as everywhere


def differing(pair, **options):
    report = check(pair, dtypes=["float32", "float64"], **options)
    return {(r.check, r.runner) for r in report.results if r.status == "differ" and r.check not in OF_TF}


@pytest.mark.parametrize(
    ("torch_side", "tf_side"),
    [
        (lambda x: Waves.apply(x)[0], sine),
        (lambda x: Waves.apply(x)[1], cosine),
        (lambda x: Peaks.apply(x)[0], lambda x: peaks(x)[0]),
        (Peaks.apply, peaks),
    ],
    ids=["first of three", "second of three", "first, the others have no gradient", "all, two without a gradient"],
)
def test_outputs_that_are_dropped_or_have_no_gradient_accuse_nobody(torch_side, tf_side):
    assert differing(Pair(torch=torch_side, tf=tf_side, name="outputs", **INPUTS)) == set()


@pytest.mark.slow
def test_a_wrong_gradient_beside_outputs_without_one_is_found():
    found = differing(Pair(torch=PeaksTooSteep.apply, tf=peaks, reference="tf", name="outputs", **INPUTS))
    assert ("vjp", "torch") in found
    assert {runner for _, runner in found} == {"torch"}


def test_a_raw_gradient_is_seen_behind_a_wrapper_that_drops_an_output():
    pair = Pair(torch=lambda x: Waves.apply(x)[1], name="outputs", **INPUTS)
    report = check(pair, only=["raw_gradient"], dtypes=["float64"])
    (result,) = report.results
    assert (result.status, result.note) != ("differ", "")
    assert "could not be called by itself" not in result.note


class Scaled(torch.autograd.Function):
    """The norm that it returns beside the scaled rows is there to be looked at."""

    factor = 1.0

    @staticmethod
    def forward(ctx, x):
        norm = x.square().sum(-1, keepdim=True).sqrt()
        ctx.save_for_backward(x)
        ctx.mark_non_differentiable(norm)
        return x * x, norm

    @classmethod
    def backward(cls, ctx, dy, dnorm):
        (x,) = ctx.saved_tensors
        return 2 * cls.factor * x * dy


class ScaledTooMuch(Scaled):
    factor = 1.5


def scaled(x):
    return x * x, tf.sqrt(tf.reduce_sum(x * x, -1, keepdims=True))


def scaled_beside_another_norm(x):
    return x * x, tf.reduce_sum(tf.abs(x), -1, keepdims=True)


NORM = {"contract": Contract(nondiff=(1,)), "reference": "tf", "name": "scaled", **INPUTS}


def test_an_output_that_is_declared_without_a_gradient_accuses_nobody():
    report = check(Pair(torch=Scaled, tf=scaled, **NORM), dtypes=["float32", "float64"])
    assert report.exit_code == 0, str(report)
    assert "output 1: compared as a value, without a gradient" in report.described[0]


def test_undeclared_it_is_named_with_the_option_that_declares_it():
    report = check(Pair(torch=Scaled, tf=scaled, **{**NORM, "contract": Contract()}), dtypes=["float64"], only=["vjp"])
    (cause, *_) = report.diagnoses
    assert cause.cause == "ignores_one_cotangent"
    assert "--nondiff 1" in cause.seen


@pytest.mark.parametrize(
    ("torch_side", "tf_side", "where"), [(ScaledTooMuch, scaled, "vjp"), (Scaled, scaled_beside_another_norm, "value")]
)
def test_beside_it_the_gradient_is_compared_and_its_own_value_too(torch_side, tf_side, where):
    assert (where, "torch") in differing(Pair(torch=torch_side, tf=tf_side, **NORM), only=["value", "vjp"])


@pytest.mark.parametrize("silent", [(2,), (0, 1)])
def test_outputs_that_are_not_there_or_all_of_them_are_refused(silent):
    pair = Pair(torch=Scaled, tf=scaled, **{**NORM, "contract": Contract(nondiff=silent)})
    with pytest.raises(RunnerError, match="outputs are counted from 0; there are 2, and at least one must"):
        check(pair, dtypes=["float64"], only=["value"])


class ScaledLayer(tf.Module):
    """Its variables are inputs; the norm beside the output has a gradient of its own unless it is declared."""

    def __init__(self, times=1.0):
        super().__init__()
        self.times = times
        self.weight = tf.Variable([1.0, 2.0, 3.0], name="weight")

    def __call__(self, x):
        @tf.custom_gradient
        def product(x, w):
            return x * w, lambda dy: (dy * w, self.times * tf.reduce_sum(dy * x, 0))

        return product(x, tf.convert_to_tensor(self.weight)), tf.norm(x, axis=-1)


class ScaledModule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x * self.weight, x.detach().norm(dim=-1)


@pytest.mark.parametrize("times", [1.0, 3.0])
def test_a_module_keeps_its_parameters_beside_an_output_without_a_gradient(times):
    inputs = {"x": array(("n", 3))}
    pair = Pair(
        torch=ScaledModule(), tf=ScaledLayer(times), inputs=inputs, contract=Contract(nondiff=(1,)), reference="torch"
    )
    report = check(pair, dtypes=["float64"], only=["value", "vjp", "adjoint"])
    assert report.exit_code == (times != 1), str(report)
    wrong = {f.fields["name"] for r in report.results if r.check == "vjp" for f in r.findings}
    assert wrong == ({"weight"} if times != 1 else set())


@pytest.mark.slow
def test_a_side_in_another_interpreter_is_sent_no_cotangent_through_it_either(tmp_path, monkeypatch):
    (tmp_path / "mean_tf.py").write_text(
        "import tensorflow as tf\n\n\ndef centred(x):\n    mean = tf.reduce_mean(x, -1, keepdims=True)\n"
        "    return x - mean, mean\n"
    )
    (tmp_path / "mean_torch.py").write_text(
        "def centred(x):\n    mean = x.mean(-1, keepdim=True)\n    return x - mean, mean.detach()\n"
    )
    monkeypatch.chdir(tmp_path)
    sides = {"torch": "mean_torch.py:centred", "tf": "mean_tf.py:centred", "python": {"tf": sys.executable}}
    pair = Pair(**sides, inputs={"x": array(("n", "m"))}, contract=Contract(nondiff=(1,)))
    report = check(pair, dtypes=["float64"], only=["value", "vjp", "special_values", "linear"], isolate=False)
    assert report.exit_code == 0, str(report)
