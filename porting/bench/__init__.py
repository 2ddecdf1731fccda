"""Measures the time and memory of an op, compared with the bytes that must move, the composition and the built-in."""
