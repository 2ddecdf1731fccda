"""Pairs without an oracle, as people write them: one side is wrong, or looks so."""
