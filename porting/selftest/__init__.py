"""The checker checked: faults planted on purpose, mutants of right twins, and right ops that must not be accused."""
