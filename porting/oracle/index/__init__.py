"""Rows picked and summed by integer indices."""
