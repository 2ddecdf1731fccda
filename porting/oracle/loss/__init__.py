"""Losses, per sample; the reduction is the caller's."""
