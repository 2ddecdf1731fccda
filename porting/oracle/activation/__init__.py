"""Activations with a hand-written gradient."""
