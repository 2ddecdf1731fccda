"""Formatting: empty lines and line breaks, as in a module that a person has written."""
