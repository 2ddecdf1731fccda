"""Spikes: a step with a surrogate gradient."""
