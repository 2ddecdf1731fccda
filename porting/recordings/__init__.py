"""Keeps the answers of one side in a file, so that a later check needs neither its framework nor its code."""
