"""Gradients that keep less, because the backward computes it again."""
