"""Right PyTorch twins of the toy ops, and wrong ones."""
