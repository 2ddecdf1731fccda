"""Losses, per sample; the reduction is the caller's."""

from torch_impl import keep_signatures
from torch_impl.loss.entmax15_loss import entmax15_loss as entmax15_loss
from torch_impl.loss.focal_loss import focal_loss as focal_loss
from torch_impl.loss.smoothed_cross_entropy import smoothed_cross_entropy as smoothed_cross_entropy
from torch_impl.loss.soft_dtw import soft_dtw as soft_dtw
from torch_impl.loss.sparsemax_loss import sparsemax_loss as sparsemax_loss
from torch_impl.loss.squared_error_floor_gradient import squared_error_floor_gradient as squared_error_floor_gradient

keep_signatures(__name__)
