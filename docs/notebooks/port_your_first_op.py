# ---
# jupyter:
#   jupytext: {text_representation: {extension: .py, format_name: percent}}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Port your first op
#
# You have a gradient in PyTorch and want it in TensorFlow. Here it is that of a network with binary activations. You
# write down what it should be, port it with a mistake, see the mistake named, and mend it.

# %%
import numpy as np
import tensorflow as tf
import torch

import porting

# %% [markdown]
# ## The gradient that you have
#
# The value is the sign, whose derivative is 0. So the gradient is meant to differ from it: it lets everything through
# where the input is between -1 and 1, and nothing elsewhere.


# %%
class Binarize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sign(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() <= 1, dy, 0)


# %% [markdown]
# ## What it should be
#
# An op says it once, in NumPy: the value, the gradient, and the function that the gradient is the derivative of.


# %%
def clipped(x):
    return np.clip(x, -1, 1)


@porting.op(gradient_of=clipped, kinks={"x": (-1.0, 0.0, 1.0)})
def binarize(x):
    """Return the sign of x, with the gradient of a clip."""
    return np.sign(x)


@binarize.defvjp
def binarize_vjp(dy, y, x):
    return np.where(np.abs(x) <= 1, dy, 0)


binarize

# %% [markdown]
# ## The port, with a mistake
#
# The mask is the wrong way round: what should pass is held back.


# %%
@tf.custom_gradient
def ported(x):
    def vjp(dy):
        return tf.where(tf.abs(x) > 1, dy, tf.zeros_like(dy))

    return tf.sign(x), vjp


op = binarize.bind(torch=Binarize.apply, tf=ported)
report = porting.check(op, dtypes=["float64"], only=["value", "vjp"])
report

# %% [markdown]
# The value agrees on both sides. The gradient of PyTorch agrees with the oracle, that of TensorFlow does not, and the
# report says why.

# %%
assert report.exit_code == 1
assert [(r.runner, r.check) for r in report.results if r.status == "differ"] == [("tf", "vjp")]
assert report.diagnoses[0].cause == "inverted_mask"
report.diagnoses[0].title

# %% [markdown]
# ## Mended


# %%
@tf.custom_gradient
def mended(x):
    def vjp(dy):
        return tf.where(tf.abs(x) <= 1, dy, tf.zeros_like(dy))

    return tf.sign(x), vjp


op = binarize.bind(torch=Binarize.apply, tf=mended)
report = porting.check(op, dtypes=["float64", "float32"], only=["value", "vjp", "gradient_of", "kinks"])
assert report.exit_code == 0, report
report

# %% [markdown]
# Without `only` and `dtypes` every check runs, in four types: layouts, NaN, infinities, second order, graphs. That
# takes some seconds more. Then [prove a package](prove_a_package.py).
