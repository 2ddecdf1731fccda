"""Right TensorFlow twins of the toy ops, and wrong ones."""
