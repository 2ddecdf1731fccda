"""Normalisations over the last axis, with a gain."""
