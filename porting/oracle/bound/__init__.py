"""Bounds whose gradient helps what lies beyond them to come back."""
