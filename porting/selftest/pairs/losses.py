"""Losses of labels and masks, with a backward of their own."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair

LABELS = {"logits": array(("n",)), "target": array(("n",), dtype="int64", domain=range(2))}

MASKS = {"pred": array((..., "n"), domain=(0.0, 1.0)), "target": array((..., "n"), domain=(0.0, 1.0))}


class Focal(torch.autograd.Function):
    """The binary focal loss of logits, an element each."""

    @staticmethod
    def forward(ctx, logits, target, gamma=2.0):
        ctx.save_for_backward(logits, target)
        ctx.gamma = gamma
        z = torch.where(target > 0, logits, -logits)
        return -(torch.sigmoid(-z) ** gamma) * torch.nn.functional.logsigmoid(z)

    @staticmethod
    def backward(ctx, grad_loss):
        logits, target = ctx.saved_tensors
        sign = (2 * target - 1).to(logits.dtype)
        z = sign * logits
        p = torch.sigmoid(z)
        inner = ctx.gamma * p * torch.nn.functional.logsigmoid(z) - (1 - p)
        return grad_loss * sign * torch.sigmoid(-z) ** ctx.gamma * inner, None, None


def focal(logits, target, gamma=2.0, *, gamma_behind=None):
    """Return the same; the backward may have a gamma of its own."""
    behind = gamma if gamma_behind is None else gamma_behind

    @tf.custom_gradient
    def loss(logits):
        sign = tf.cast(2 * target - 1, logits.dtype)
        z = sign * logits
        p = tf.sigmoid(z)

        def grad(g):
            return g * sign * tf.sigmoid(-z) ** behind * (behind * p * tf.math.log_sigmoid(z) - (1.0 - p))

        return -(tf.sigmoid(-z) ** gamma) * tf.math.log_sigmoid(z), grad

    return loss(logits)


def dice(pred, target, smooth=1.0):
    overlap = (pred * target).sum(-1)
    return 1 - (2 * overlap + smooth) / (pred.sum(-1) + target.sum(-1) + smooth)


@tf.custom_gradient
def dice_tf(pred, target, smooth=1.0):
    overlap = tf.reduce_sum(pred * target, axis=-1, keepdims=True)
    total = tf.reduce_sum(pred + target, axis=-1, keepdims=True) + smooth

    def grad(upstream):
        upstream = tf.expand_dims(upstream, -1)
        shared = (2.0 * overlap + smooth) / total**2
        return upstream * (shared - 2.0 * target / total), upstream * (shared - 2.0 * pred / total)

    return 1.0 - tf.squeeze((2.0 * overlap + smooth) / total, -1), grad


@right_pair("torch")
def focal_of_integer_labels():
    """The labels are integers without a gradient, gamma is a static."""
    return Pair(torch=Focal, tf=focal, inputs=LABELS, statics={"gamma": 2.0})


@right_pair("tf")
def dice_with_a_default():
    """The backward by hand stands on one side alone; its smoothing is a default that is never passed."""
    return Pair(torch=dice, tf=dice_tf, inputs=MASKS)


@planted_pair("tf", "forward_gradient_disagree")
def gamma_differs_in_the_backward():
    """The loss has a gamma of 2, its backward one of 3."""
    return Pair(
        torch=Focal, tf=lambda logits, target, gamma=2.0: focal(logits, target, gamma, gamma_behind=3.0), inputs=LABELS
    )
