# ---
# jupyter:
#   jupytext: {text_representation: {extension: .py, format_name: percent}}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Prove a package
#
# A package has its gradients in TensorFlow. Somebody has ported them to PyTorch. Are they the same? No oracle is
# needed: the old side is the truth. This notebook writes two small files that stand for the two packages; take your
# own instead.

# %%
import importlib
import subprocess
import sys
from pathlib import Path

import porting

Path("old_ops.py").write_text("""
import tensorflow as tf

@tf.custom_gradient
def clipped_identity(x):
    return tf.identity(x), lambda dy: tf.clip_by_value(dy, -1.0, 1.0)

@tf.custom_gradient
def gate(x, w):
    s = tf.sigmoid(x)
    return s * w, lambda dy: (dy * w * s * (1 - s), dy * s)
""")
Path("new_ops.py").write_text("""
import torch

class ClippedIdentity(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, dy):
        return dy.clamp(-1, 1)

class Gate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.sigmoid(x) * w

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        s = torch.sigmoid(x)
        return dy * s * (1 - s), dy * s
""")
sys.path.insert(0, str(Path.cwd()))
old, new = importlib.import_module("old_ops"), importlib.import_module("new_ops")

# %% [markdown]
# ## The pairs
#
# A pair names the two functions. `reference` says which one is right, so the other one is judged by it. A clip of the
# cotangent is not linear in it, which a contract says: then that is checked too.

# %%
clipped = porting.Pair(
    torch=new.ClippedIdentity, tf=old.clipped_identity, reference="tf", contract=porting.Contract(linear=False, order=1)
)
gate = porting.Pair(torch=new.Gate, tf=old.gate, reference="tf")
gate

# %% [markdown]
# ## The verdict

# %%
SOME = {"dtypes": ["float64"], "only": ["value", "vjp", "linear"]}  # without it: every check, in float64 and float32
report = porting.check([clipped, gate], **SOME)
report

# %% [markdown]
# One of the two differs. The cause is named: the gradient of `x` lacks a factor.

# %%
assert report.exit_code == 1
assert {r.op for r in report.results if r.status == "differ"} == {"Gate"}
assert report.diagnoses[0].cause == "missing_inner_derivative"

# %% [markdown]
# ## Mended, and proven

# %%
text = Path("new_ops.py").read_text()
Path("new_ops.py").write_text(text.replace("return dy * s * (1 - s), dy * s", "return dy * w * s * (1 - s), dy * s"))
importlib.invalidate_caches()
new = importlib.reload(new)
report = porting.check([clipped, porting.Pair(torch=new.Gate, tf=old.gate, reference="tf")], **SOME)
assert report.exit_code == 0, report
report

# %% [markdown]
# ## A report to send
#
# The result is a file, and `porting report` makes a page of it that needs no network.

# %%
Path("result.json").write_text(report.to_json())
subprocess.run([sys.executable, "-m", "porting", "report", "result.json", "-o", "report.html"], check=True)
len(Path("report.html").read_text())
