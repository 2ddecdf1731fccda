"""Carrying out a translation: what is found in files, translated, checked against its source, handed over."""
