"""The mathematics of checking, in NumPy alone: samples, differences, tolerance, comparison."""
