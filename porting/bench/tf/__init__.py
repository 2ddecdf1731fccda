"""What each op is compared with in TensorFlow: the plain composition and the built-in, one file per family."""
