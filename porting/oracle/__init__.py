"""The NumPy truth: what each op's value and gradient are, with derivation and source. One op per file."""
