"""What a check does about a GPU: types that it lacks, settings while it runs, memory; no test needs one."""

import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import porting
from porting.parity.plan import plan
from porting.runners import RUNNERS, Case

X = np.ones(3, np.float32)


def case(key, function):
    return Case(SimpleNamespace(wrt=("x",), twin=lambda _: function), "float32", {"x": X}, (X,), device="gpu")


@pytest.fixture
def torch(monkeypatch):
    """PyTorch, whose GPU is the CPU."""
    torch = pytest.importorskip("torch")
    from porting.backends.torch import arrays

    monkeypatch.setattr(arrays, "name_of", lambda _: "cpu")
    return torch


@pytest.fixture
def mps(monkeypatch, torch):
    """A machine with Apple's GPU, which has no float64."""
    zeros = torch.zeros

    def made(*size, dtype=None, device=None):
        if (device, dtype) == ("mps", torch.float64):
            raise TypeError("Cannot convert a MPS Tensor to float64 dtype")
        return zeros(*size, dtype=dtype)

    monkeypatch.setattr(torch, "zeros", made)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    return torch


# What the program has said before, in PyTorch's older and newer words.
PRIOR = (
    "pass",
    "torch.set_float32_matmul_precision('medium'); torch.backends.cudnn.benchmark = True",
    "torch.backends.cuda.matmul.allow_tf32 = True; torch.backends.cudnn.allow_tf32 = False",
    "torch.backends.cuda.matmul.fp32_precision = 'tf32'",
    "torch.backends.fp32_precision = 'tf32'",
)
SETTINGS = """
import warnings

import torch

from porting.backends.torch.gpu import exact

warnings.simplefilter("ignore")
backends = torch.backends


def asked(get):
    try:
        return get()
    except RuntimeError:  # a mixture of the older and the newer words
        return "mixed"


def seen():
    older = [
        torch.get_float32_matmul_precision, lambda: backends.cuda.matmul.allow_tf32, lambda: backends.cudnn.allow_tf32,
        lambda: backends.cudnn.deterministic, lambda: backends.cudnn.benchmark,
    ]
    owners = backends, backends.cuda.matmul, backends.cudnn, backends.mkldnn.matmul
    newer = [getattr(owner, "fp32_precision", None) for owner in owners]
    return [asked(get) for get in older] + newer


{prior}
before = seen()
with exact("cpu"):
    assert seen() == before
try:
    with exact("gpu"):
        _, _, _, deterministic, benchmark, *_ = seen()
        assert (deterministic, benchmark) == (True, False)
        if hasattr(backends.cuda.matmul, "fp32_precision"):
            of = backends.cuda.matmul, backends.cudnn.conv, backends.cudnn.rnn
            assert [each.fp32_precision for each in of] == ["ieee"] * 3
        if "fp32" not in {prior!r}:
            assert seen()[:3] == ["highest", False, False]
        raise KeyError
except KeyError:
    pass
assert seen() == before, (before, seen())
"""


@pytest.mark.slow
@pytest.mark.parametrize("prior", PRIOR)
def test_pytorch_computes_in_float32_and_has_its_settings_back(prior):
    torch = pytest.importorskip("torch")
    if "fp32" in prior and not hasattr(torch.backends.cuda.matmul, "fp32_precision"):
        pytest.skip("needs a newer PyTorch")
    run = subprocess.run(
        [sys.executable, "-c", SETTINGS.format(prior=prior)], capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stderr


def test_an_op_of_pytorch_sees_these_settings_only_on_a_gpu(torch, monkeypatch):
    monkeypatch.setattr(torch.backends.cudnn, "benchmark", True)
    seen = []

    def op(x):
        seen.append((torch.backends.cudnn.benchmark, torch.backends.cudnn.deterministic))
        return x * x

    asked = case("torch", op)
    assert RUNNERS["torch"].run(asked).raised is None
    assert set(seen) == {(False, True)}
    seen.clear()
    RUNNERS["torch"].run(replace(asked, device="cpu"))
    assert set(seen) == {(True, False)}
    assert torch.backends.cudnn.benchmark


def test_a_gpu_of_apple_is_a_gpu_and_says_what_it_lacks(mps):
    from porting.backends.torch.gpu import name_of

    assert name_of("gpu") == "mps"
    assert RUNNERS["torch"].devices() == {
        "cpu": None, "gpu": None,
        "gpu float64": "Apple's MPS has no float64: Cannot convert a MPS Tensor to float64 dtype",
    }  # fmt: skip
    from porting.bench.modes import available

    with pytest.raises(porting.errors.PortingError, match="measured with CUDA"):
        available(["torch-eager"], "float32", "gpu")


def test_cuda_is_taken_where_both_are_there(mps, monkeypatch):
    from porting.backends.torch.gpu import name_of

    monkeypatch.setattr(mps.cuda, "is_available", lambda: True)
    assert name_of("gpu") == "cuda"
    assert RUNNERS["torch"].devices() == {"cpu": None, "gpu": None}


@pytest.mark.usefixtures("mps")
def test_a_type_that_is_not_there_is_told_and_its_checks_are_in_no_report():
    everything = {"modes": (), "dtypes": (), "only": (), "keyword": ""}
    there = plan("swish", runners=["torch"], devices=["mps"], **everything)
    assert list(there.missing) == ["torch gpu float64"]
    assert {task.dtype for task in there.tasks} == {"float16", "bfloat16", "float32"}
    on_cpu = plan("swish", runners=["torch"], devices=["cpu"], **everything)
    assert on_cpu.missing == {}
    assert {t.check for t in there.tasks} == {t.check for t in on_cpu.tasks}  # what is checked once is, in float32
    only = plan("swish", runners=["torch"], devices=["gpu"], **{**everything, "dtypes": ("float64",)})
    assert only.tasks == ()
    assert list(only.missing) == ["torch gpu float64"]


@pytest.mark.usefixtures("mps")
def test_a_report_of_such_a_gpu_agrees_and_says_what_was_not_compared(monkeypatch):
    from porting.backends.torch import run
    from porting.registry import ops

    to_torch = run.to_torch

    def moved(x, device):
        if device == "gpu" and x.dtype == np.float64:
            raise TypeError("Cannot convert a MPS Tensor to float64 dtype")
        return to_torch(x, device)

    monkeypatch.setattr(run, "to_torch", moved)
    report = porting.check(
        ops()["swish"], runners=["torch"], devices=["gpu"], only=["value", "vjp", "linear", "shapes"]
    )
    assert report.exit_code == 0, [r.findings for r in report.results]
    assert {result.status for result in report.results if result.runner == "torch"} == {"agree"}
    assert "torch gpu float64" in report.missing


@pytest.fixture
def tf(monkeypatch):
    """TensorFlow with two GPUs, of which one is in use; none of them is there."""
    tf = pytest.importorskip("tensorflow")
    from porting.backends.tf import devices

    asked = []

    def grow(device, grows):
        asked.append((device, grows))
        if device == "second":
            raise RuntimeError("Physical devices cannot be modified after being initialized")

    listed = tf.config.list_physical_devices
    monkeypatch.setattr(tf.config.experimental, "set_memory_growth", grow)
    monkeypatch.setattr(
        tf.config, "list_physical_devices", lambda kind=None: ["first", "second"] if kind == "GPU" else listed(kind)
    )
    devices.gpus.cache_clear()
    yield SimpleNamespace(**vars(tf), asked=asked)
    devices.gpus.cache_clear()


def test_each_gpu_of_tensorflow_is_told_to_grow(tf):
    assert RUNNERS["tf"].devices() == {"cpu": None, "gpu": None}
    assert tf.asked == [("first", True), ("second", True)]


def test_an_op_of_tensorflow_sees_no_tensor_float_on_a_gpu(monkeypatch):
    tf = pytest.importorskip("tensorflow")
    experimental = tf.config.experimental
    monkeypatch.setattr(tf, "device", lambda _: nullcontext())
    seen = []

    def op(x):
        seen.append(experimental.tensor_float_32_execution_enabled())
        if len(seen) > 1:
            raise ValueError("the second time")
        return x * x

    assert RUNNERS["tf"].run(case("tf", op)).raised is None
    assert experimental.tensor_float_32_execution_enabled()
    assert RUNNERS["tf"].run(case("tf", op)).raised.type == "ValueError"
    assert experimental.tensor_float_32_execution_enabled()
    assert seen == [False] * 3  # it is asked without a tape too


FIRST = """
import numpy as np
import tensorflow as tf
from types import SimpleNamespace

from porting.runners import RUNNERS, Case

asked = []
listed = tf.config.list_physical_devices
tf.config.list_physical_devices = lambda kind=None: ["gpu"] if kind == "GPU" else listed(kind)
def grow(*arguments):
    tf.config.set_visible_devices(listed("CPU"))  # raises once there is a tensor
    asked.append(arguments)
tf.config.experimental.set_memory_growth = grow
x = np.ones(3)
op = SimpleNamespace(wrt=("x",), twin=lambda _: lambda x: x * x)
assert RUNNERS["tf"].run(Case(op, "float64", {"x": x}, (x,))).raised is None
assert asked == [("gpu", True)], asked
"""


@pytest.mark.slow
def test_they_are_told_before_the_first_tensor_is_made():
    pytest.importorskip("tensorflow")
    run = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
