"""Oracles of the family ``stable``: right at the ends of the range."""
