"""The mathematics of checking, in NumPy only: samples, finite differences, tolerances, comparisons."""
