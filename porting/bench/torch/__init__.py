"""What each op is compared with in PyTorch: the plain composition and the built-in, one file per family."""
