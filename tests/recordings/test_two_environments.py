"""A recording is made where there is no PyTorch, and checked where there is no TensorFlow: in real environments."""

import json
import os
import subprocess
import sys
import sysconfig
from importlib.metadata import distributions
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="the environments are made of links")]

ROOT = Path(__file__).parents[2]
OURS = {  # what comes with a framework and is not for the other environment
    "torch": ("torch", "functorch", "torchgen", "snntorch", "entmax", "torch_impl"),
    "tensorflow": ("tensorflow", "keras", "tf_keras", "tf_impl"),
}
LEGACY = """
import tensorflow as tf

@tf.custom_gradient
def gated(x):
    gate = tf.sigmoid(1.702 * x)
    def grad(dy):
        return dy * (gate + 1.702 * x * gate * (1.0 - gate))
    return x * gate, grad
"""
PORTED = """
import torch

class Gated(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(1.702 * x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        gate = torch.sigmoid(1.702 * x)
        return FAULT * (gate + 1.702 * x * gate * (1 - gate))

def gated(x):
    return Gated.apply(x)
"""
FAULTS = {"right": "dy", "ignores_cotangent": "torch.ones_like(dy)"}


def environment(folder, without):
    """Make a virtual environment that has all that this one has, but for one framework."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    place = Path(next((folder / "lib").glob("python*"))) / "site-packages"
    for entry in Path(sysconfig.get_paths()["purelib"]).iterdir():
        if not entry.name.lower().startswith(OURS[without]) and not (place / entry.name).exists():
            (place / entry.name).symlink_to(entry)
    if not (place / "porting").exists():  # installed as a link to the working copy
        for link in place.glob("*gradport*.pth"):
            link.unlink()
        for tree in ("porting", "torch_impl", "tf_impl"):
            if tree not in OURS[without]:
                (place / tree).symlink_to(ROOT / tree)
    return folder / "bin" / "python"


def test_recorded_without_torch_and_checked_without_tensorflow(tmp_path):
    assert {"torch", "numpy"} <= {d.metadata["Name"].lower() for d in distributions()}
    pytest.importorskip("torch")
    pytest.importorskip("tensorflow")
    work = tmp_path / "work"
    work.mkdir()
    (work / "legacy.py").write_text(LEGACY)
    for name, text in FAULTS.items():
        (work / f"{name}.py").write_text(PORTED.replace("FAULT", text))

    def porting(python, *arguments, code=0):
        run = subprocess.run(
            [python, "-m", "porting", *arguments], cwd=work, capture_output=True, text=True, check=False,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        assert run.returncode == code, run.stderr + run.stdout
        return run

    old, new = environment(tmp_path / "old", "torch"), environment(tmp_path / "new", "tensorflow")
    for python, gone in ((old, "torch"), (new, "tensorflow")):
        failed = subprocess.run([python, "-c", f"import {gone}"], capture_output=True, text=True, check=False)
        assert f"No module named '{gone}'" in failed.stderr

    inputs = ("--input", "x=float64{-3..3}")  # where 1 - gate keeps its digits
    porting(old, "record", "--tf", "legacy.py:gated", *inputs, "-o", "gated.npz", "-q")

    def judged(python, name, *side, code):
        porting(python, "check", "--torch", f"{name}.py:gated", *side, "-q", "--json", f"{name}.json", code=code)
        report = json.loads((work / f"{name}.json").read_text())
        results = {(r["runner"], r["check"], r["dtype"]): r["status"] for r in report["results"]}
        return results, [(d["runner"], d["cause"]) for d in report["diagnoses"]]

    right, causes = judged(new, "right", "--against", "gated.npz", code=0)
    assert not causes
    assert len([place for place, status in right.items() if (place[0], status) == ("torch", "agree")]) > 20
    assert {"torch", "tf"} == {runner for runner, _, _ in right}
    assert {place: status for place, status in right.items() if status not in {"agree", "not applicable"}} == {}
    replayed = judged(new, "ignores_cotangent", "--against", "gated.npz", code=1)
    live = judged(sys.executable, "ignores_cotangent", "--tf", "legacy.py:gated", "--reference", "tf", *inputs, code=1)
    assert replayed == live
    assert replayed[1][0] == ("torch", "ignores_cotangent")
