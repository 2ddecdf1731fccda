"""A plain composition, differentiated by its framework, is the truth of what replaces it."""

import subprocess
import sys

import pytest

import porting
from porting import Pair
from porting.errors import PairError

torch = pytest.importorskip("torch")

from functions import function  # noqa: E402 - needs PyTorch


def swiglu_ref(x, gate):
    return torch.nn.functional.silu(gate) * x


def fused(factor=1.0):
    class Swiglu(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, gate):
            ctx.save_for_backward(x, gate)
            return gate * torch.sigmoid(gate) * x

        @staticmethod
        def backward(ctx, dy):
            x, gate = ctx.saved_tensors
            s = torch.sigmoid(gate)
            return dy * gate * s, dy * x * (s + factor * gate * s * (1 - s))

    return Swiglu


def test_what_equals_its_plain_version_is_right():
    report = porting.check(Pair(torch=fused(), like=swiglu_ref))
    assert report.exit_code == 0, str(report)
    assert {r.runner for r in report.results} == {"torch"}
    agreed = {r.check for r in report.results if r.status == "agree"}
    assert {"value", "vjp", "second_order", "layouts", "large", "special_values"} <= agreed


def test_one_percent_in_one_term_is_found():
    report = porting.check(Pair(torch=fused(1.01), like=swiglu_ref))
    assert ("vjp", "differ") in {(r.check, r.status) for r in report.results}
    vjp = next(r for r in report.results if (r.check, r.dtype) == ("vjp", "float64"))
    assert [f.what for f in vjp.findings] == ["gradient of gate differs from swiglu_ref in float64"]
    assert {f.kind for r in report.results for f in r.findings if r.status == "differ"} == {"fault"}


def test_a_plain_version_that_overflows_accuses_nobody():
    def softplus_ref(x):
        return torch.log(1 + torch.exp(x))

    softplus = function(lambda x: torch.logaddexp(x, torch.zeros_like(x)), lambda dy, x: dy * torch.sigmoid(x))
    report = porting.check(Pair(torch=softplus, like=softplus_ref, inputs={"x": porting.array()}))
    assert report.exit_code == 0, str(report)
    assert sum(r.excused for r in report.results) > 0


def test_the_truth_may_be_of_the_other_framework():
    tf = pytest.importorskip("tensorflow")
    pair = Pair(tf=lambda x, gate: tf.nn.silu(gate) * x, torch=fused(), like=swiglu_ref)
    assert pair.plain[0] == "torch"
    report = porting.check(pair, only=["value", "vjp"])
    assert {(r.runner, r.status) for r in report.results} == {("torch", "agree"), ("tf", "agree")}, str(report)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"reference": "torch"}, "like= says what is true, and so does reference="),
        ({"like": "nothing"}, "like='nothing' is neither a function nor"),
    ],
)
def test_a_second_truth_is_refused(given, said):
    with pytest.raises(PairError, match=said):
        Pair(**{"torch": fused(), "like": swiglu_ref, **given})


FILES = {
    "fast.py": "import torch\n\ndef half(x):\n    return x * 0.5\n",
    "slow.py": "import torch\n\ndef half_ref(x):\n    return x / 2\n",
}


@pytest.mark.slow
def test_the_command_loads_one_framework(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    command = ["check", "--torch", "fast.py:half", "--like", "slow.py:half_ref"]
    hidden = "import sys; sys.modules['tensorflow'] = None; from porting.cli.main import main; "
    run = subprocess.run(
        [sys.executable, "-c", f"{hidden}sys.exit(main({command!r}))"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr + run.stdout
    assert "Against the plain version slow.py:half_ref in float64" in " ".join(run.stdout.split())


def test_what_is_no_function_is_told():
    with pytest.raises(PairError, match=r"like .*: a function is wanted"):
        porting.check(Pair(torch=fused(), like="math:pi"))


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_a_gradient_that_the_framework_sums_is_a_note_beside_a_plain_version(factor):
    """Nothing is ported: PyTorch sums what a backward returns over what its input is broadcast to."""

    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, length):
            ctx.save_for_backward(x, length)
            return x / length

        @staticmethod
        def backward(ctx, dy):
            x, length = ctx.saved_tensors
            return dy / length, -factor * dy * x / length**2

    inputs = {"x": porting.array((3, 4)), "length": porting.array((1, 1), domain=(0.5, 2.0))}
    pair = Pair(torch=Scaled, like=lambda x, length: x / length, inputs=inputs)
    report = porting.check(pair, only=["vjp", "raw_gradient"], dtypes=["float64"])
    assert report.exit_code == (0 if factor == 1.0 else 1), str(report)
    (told,) = [r for r in report.results if r.check == "raw_gradient"]
    assert told.status == "note", str(report)
