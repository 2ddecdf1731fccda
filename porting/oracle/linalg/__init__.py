"""Linear algebra of (batches of) matrices."""
