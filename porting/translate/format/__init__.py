"""Formatting: empty lines and line breaks, as people read a module."""
