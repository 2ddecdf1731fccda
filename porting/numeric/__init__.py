"""The mathematics of checking, in NumPy only: samples, differences, tolerance, comparison."""
