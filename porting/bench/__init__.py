"""What an op costs in time and memory: beside the bytes that must move, the plain composition and the built-in."""
