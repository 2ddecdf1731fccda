"""Losses, per sample; the reduction is the caller's."""

from torch_impl.loss.squared_error_floor_gradient import squared_error_floor_gradient as squared_error_floor_gradient
