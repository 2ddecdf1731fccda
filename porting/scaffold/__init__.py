"""Writes the skeleton of an op for `porting new`, in every file that an op needs."""
