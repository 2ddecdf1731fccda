"""The engine that puts an op's promises to the test: which checks, what they found, what they compared."""
