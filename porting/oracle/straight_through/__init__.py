"""Quantisers, signs and masks whose gradient passes straight through."""
